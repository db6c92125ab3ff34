import CRocks
import CairnCore
import Synchronization

extension RocksDB {
    /// Writes the memtables of several column families to files; with the option `atomic_flush`, all or none of them.
    ///
    /// - Parameters:
    ///   - columnFamilies: Which; `nil`: all that are open.
    ///   - waits: Whether to return only when the files are complete.
    ///   - allowsWriteStall: Whether to begin at once even if that makes writers wait.
    /// - Throws: ``RocksError/Code/columnFamilyDropped``, ``RocksError/Code/ioError``, ``RocksError/Code/notSupported`` on a read-only
    /// database,
    ///   ``RocksError/Code/invalidArgument`` if they are of several databases.
    public func flush(
        _ columnFamilies: [ColumnFamily]?,
        waits: Bool = true,
        allowsWriteStall: Bool = false
    ) throws(RocksError) {
        let columnFamilies = columnFamilies ?? families.withLock { Array($0.values) }
        let pointers: [OpaquePointer?] = unsafe columnFamilies.map { unsafe $0.handle.pointer }
        let status = unsafe crk_flush_families(handle.pointer, waits, allowsWriteStall, pointers.count, pointers)
        extendLifetime(columnFamilies)
        try status.check(unsafe "flushing \(pointers.count) column families of '\(path)'")
    }

    /// Calls `body` while neither flushes nor compactions run: they are waited for before, and go on afterwards.
    ///
    /// Writers are held up once the memtables are full. What needs background work itself, such as flushing, compacting and backing up,
    /// throws
    /// ``RocksError/Code/invalidArgument`` in `body`, instead of waiting for ever; do not wait there for other threads that do such
    /// things. Closing is refused.
    public func withBackgroundWorkPaused<Value>(_ body: () throws -> Value) throws -> Value {
        try unsafe crk_pause(handle.pointer).check("pausing the background work of '\(path)'")
        let result = Result { try body() }
        return try unsafe crk_continue(handle.pointer).ending(result, "continuing the background work of '\(path)'")
    }

    /// Calls `body` while compactions on request are refused with ``RocksError/Code/incomplete``, those that run already included.
    public func withManualCompactionsDisabled<Value>(_ body: () throws -> Value) throws -> Value {
        try unsafe crk_set_manual_compaction(handle.pointer, false).check("disabling compactions of '\(path)'")
        let result = Result { try body() }
        return try unsafe crk_set_manual_compaction(handle.pointer, true).ending(result, "enabling compactions of '\(path)'")
    }

    /// Turns automatic compactions on, for column families that were opened with ``ColumnFamilyOptions/disableAutoCompactions``.
    public func enableAutomaticCompactions(of columnFamilies: [ColumnFamily]) throws(RocksError) {
        let pointers: [OpaquePointer?] = unsafe columnFamilies.map { unsafe $0.handle.pointer }
        let status = unsafe crk_enable_auto_compaction(pointers.count, pointers)
        extendLifetime(columnFamilies)
        try status.check("turning on automatic compactions in '\(path)'")
    }
}

extension crk_status {
    /// The result of what ran between two calls, of which this is the second one's status: its own error comes first. If the database was
    /// closed in between, there was nothing left to do.
    func ending<Value>(_ result: Result<Value, any Error>, _ attempt: @autoclosure () -> String) throws -> Value {
        let value: Value
        do {
            value = try result.get()
        } catch {
            crk_status_free(self)
            throw error
        }
        if code == UInt8(CRK_CLOSED.rawValue) { crk_status_free(self) } else { try check(attempt()) }
        return value
    }
}
