import CRocks
public import CairnCore

/// A view of the database at one moment that does not show later writes.
///
/// ```swift
/// let before = try db.makeSnapshot()
/// try db.delete("a")
/// try before.contains("a")        // true
/// try before.in(songs).get("b")   // another column family, the same moment
/// ```
///
/// Safe to use from any thread. A snapshot keeps its database alive, and everything it sees on disk, so do not hold it for long. It is released with
/// its last reference or by ``close()``; until then ``RocksDB/close()`` throws ``RocksError/Code/busy``.
public final class Snapshot: Sendable {
    let handle: SnapshotHandle
    let columnFamily: ColumnFamily
    let readHandle: ReadOptionsHandle

    init(handle: SnapshotHandle, columnFamily: ColumnFamily) {
        self.handle = handle
        self.columnFamily = columnFamily
        self.readHandle = ReadOptionsHandle(columnFamily.readOptions, snapshot: handle)
    }

    /// Returns a snapshot of the same moment in another column family. Closing either closes both.
    public func `in`(_ columnFamily: ColumnFamily) -> Snapshot { Snapshot(handle: handle, columnFamily: columnFamily) }

    /// The sequence number of the last write that the snapshot sees.
    public var sequenceNumber: UInt64 { unsafe crk_snapshot_sequence_number(handle.pointer) }

    /// Releases the snapshot, after waiting for reads in flight. Later reads throw ``RocksError/Code/closed``; existing cursors continue. Closing
    /// again does nothing.
    public func close() { unsafe crk_snapshot_release(handle.pointer) }

    /// Whether ``close()`` was called.
    public var isClosed: Bool { unsafe crk_snapshot_is_released(handle.pointer) }
}

extension Snapshot: RocksReader {
    public func lendValue(for key: RawSpan, options: ReadOptions?, to body: (RawSpan) -> Void) throws(RocksError) -> Bool {
        try family().lendValue(for: key, options: prepared(options), to: body)
    }

    public func lendValues(for keys: KeyList, options: ReadOptions?, to body: (Int, RawSpan?) -> Void) throws(RocksError) {
        try family().lendValues(for: keys, options: prepared(options), to: body)
    }

    public func lendEntity(for key: RawSpan, options: ReadOptions?, to body: (borrowing Columns) -> Void) throws(RocksError) -> Bool {
        try family().lendEntity(for: key, options: prepared(options), to: body)
    }

    public func makeCursor(_ range: ScanRange, options: ReadOptions?) throws(RocksError) -> Cursor {
        try Cursor(family: family(), options: prepared(options), range: range)
    }

    public func keyMayExist(_ key: some ByteSource & ~Escapable, options: ReadOptions?) throws(RocksError) -> Bool {
        try key.withBytes { (key) throws(RocksError) in try family().keyMayExist(key, options: prepared(options)) }
    }

    func prepared(_ options: ReadOptions?) -> ReadOptionsHandle {
        guard let options else { return readHandle }
        return ReadOptionsHandle(options, snapshot: handle)
    }

    /// Returns the column family, or throws if it belongs to another database, where the snapshot's sequence number would mean another moment.
    private func family() throws(RocksError) -> ColumnFamilyHandle {
        let family = columnFamily.handle
        guard family.database === handle.database else {
            throw RocksError(
                .invalidArgument,
                family.attempt("reading from") + ": the snapshot belongs to another database, '\(handle.database.path)'"
            )
        }
        return family
    }
}

extension RocksStore {
    /// Makes a snapshot of the whole database that reads from this column family; use `in(_:)` to read from others.
    ///
    /// - Complexity: Well under a microsecond.
    public func makeSnapshot() throws(RocksError) -> Snapshot {
        Snapshot(handle: try SnapshotHandle(database: columnFamily.handle.database), columnFamily: columnFamily)
    }

    /// Calls `body` with a snapshot that is closed when `body` returns. A reference kept longer throws ``RocksError/Code/closed``.
    public func withSnapshot<Value>(_ body: (Snapshot) throws -> Value) throws -> Value {
        let snapshot = try makeSnapshot()
        defer { snapshot.close() }
        return try body(snapshot)
    }
}
