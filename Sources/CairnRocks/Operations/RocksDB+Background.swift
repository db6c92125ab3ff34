import CRocks
import CairnCore
import Synchronization

extension RocksDB {
    /// Flushes the memtables of several column families to files. With the option `atomic_flush`, flushes all or none of them.
    ///
    /// - Parameters:
    ///   - columnFamilies: The column families; `nil`: all open ones.
    ///   - waits: Whether to wait until the files are complete.
    ///   - allowsWriteStall: Whether to begin immediately even if that makes writers wait.
    /// - Throws: ``RocksError/Code/columnFamilyDropped``, ``RocksError/Code/noSpace``, ``RocksError/Code/ioError``, ``RocksError/Code/readOnly``,
    ///   ``RocksError/Code/invalidArgument`` if they belong to different databases.
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

    /// Calls `body` while no flushes or compactions run. Waits for running ones first, and lets them resume afterwards.
    ///
    /// Writers block once the memtables are full. In `body`, operations that need background work, such as flushing, compacting and backing up, throw
    /// ``RocksError/Code/invalidArgument`` instead of waiting forever; do not wait there for other threads that perform such operations. During the
    /// call, ``close()`` throws ``RocksError/Code/busy``.
    public func withBackgroundWorkPaused<Value>(_ body: () throws -> Value) throws -> Value {
        try unsafe crk_pause(handle.pointer).check("pausing the background work of '\(path)'")
        let result = Result { try body() }
        return try unsafe crk_continue(handle.pointer).ending(result, "continuing the background work of '\(path)'")
    }

    /// Calls `body` while manual compactions fail with ``RocksError/Code/incomplete``, including those already running.
    public func withManualCompactionsDisabled<Value>(_ body: () throws -> Value) throws -> Value {
        try unsafe crk_set_manual_compaction(handle.pointer, false).check("disabling compactions of '\(path)'")
        let result = Result { try body() }
        return try unsafe crk_set_manual_compaction(handle.pointer, true).ending(result, "enabling compactions of '\(path)'")
    }

    /// Enables automatic compactions for column families that were opened with ``ColumnFamilyOptions/disableAutoCompactions``.
    public func enableAutomaticCompactions(of columnFamilies: [ColumnFamily]) throws(RocksError) {
        let pointers: [OpaquePointer?] = unsafe columnFamilies.map { unsafe $0.handle.pointer }
        let status = unsafe crk_enable_auto_compaction(pointers.count, pointers)
        extendLifetime(columnFamilies)
        try status.check("turning on automatic compactions in '\(path)'")
    }
}

extension crk_status {
    /// Returns the result of the code that ran between two calls; this is the second call's status. The result's own error takes precedence. If the
    /// database was closed in between, there was nothing left to do.
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
