import CRocks
public import CairnCore

/// A batch that can be read before it is written, on its own or layered over the database; RocksDB's `WriteBatchWithIndex`.
///
/// ```swift
/// let batch = try db.makeIndexedBatch()
/// batch.put("2", for: "a")
/// batch.delete("b")
/// try batch.get("b")                          // .deleted
/// for (key, value) in try batch.over(db).entries() { ... }   // the database as it will be
/// try db.write(batch)
/// ```
///
/// Like a ``WriteBatch``, it is written completely or not at all, and adding to it does not throw: the batch keeps its first error, and writing
/// throws it. It has no `deleteRange`. Other writers' changes do not make it fail; if they should, use a ``Transaction``.
///
/// A batch belongs to one thread at a time and to the database that made it. It keeps that database alive, but not open.
public final class IndexedWriteBatch: BatchWriter {
    let handle: IndexedBatchHandle
    let columnFamily: ColumnFamily

    init(handle: IndexedBatchHandle, columnFamily: ColumnFamily) {
        self.handle = handle
        self.columnFamily = columnFamily
    }

    /// Returns the same batch, with operations and reads directed to `columnFamily`.
    public func `in`(_ columnFamily: ColumnFamily) -> IndexedWriteBatch {
        IndexedWriteBatch(handle: handle, columnFamily: columnFamily)
    }

    /// Returns the same batch, with typed operations directed to `table`.
    public func `in`<Key, Value>(_ table: Table<Key, Value>) -> TableView<IndexedWriteBatch, Key, Value> {
        table.moved(to: self.in(table.space))
    }

    /// Adds one operation, like ``RocksWriter/write(_:key:value:)``; writing the batch throws any error. Ranges cannot be deleted: the batch's
    /// ``failure`` becomes ``RocksError/Code/notSupported``.
    public func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan) {
        let family = columnFamily.handle
        let status = unsafe key.withShimBytes { key in
            unsafe value.withShimBytes { value in
                unsafe crk_indexed_batch_add(handle.pointer, family.pointer, operation.shimOperation, key, value)
            }
        }
        if !status.isOK { handle.keep(status.error(family.attempt("adding to an indexed batch for"), code: nil)) }
    }

    /// Adds bytes that go only to the write-ahead log, for code that reads the log. They do not count as an operation.
    public func putLogData(_ blob: some ByteSource & ~Escapable) {
        let status = blob.withBytes { blob in unsafe blob.withShimBytes { unsafe crk_indexed_batch_put_log_data(handle.pointer, $0) } }
        if !status.isOK { handle.keep(status.error("adding log data to an indexed batch", code: nil)) }
    }

    /// The number of operations in the batch, for all column families.
    public var count: Int { Int(unsafe crk_indexed_batch_count(handle.pointer)) }
    /// The size of ``data``.
    public var dataSize: ByteCount { ByteCount(bytes: Int64(unsafe crk_indexed_batch_data(handle.pointer).size)) }
    /// RocksDB's serialised form, for ``WriteBatch/init(data:)``.
    public var data: [UInt8] {
        defer { extendLifetime(self) }
        return unsafe [UInt8](copying: crk_indexed_batch_data(handle.pointer).span)
    }
    /// The first error from adding, which writing the batch will throw.
    public var failure: RocksError? { handle.soundness.failure }

    /// Removes all operations and save points, and clears ``failure``.
    public func clear() { handle.clear() }
    /// Marks the current state, for ``rollbackToSavePoint()``. Save points nest.
    public func setSavePoint() { handle.setSavePoint() }
    /// Discards everything added since the last save point, including a ``failure``, and removes the save point.
    ///
    /// - Throws: ``RocksError/Code/notFound`` if there is no save point.
    public func rollbackToSavePoint() throws(RocksError) { try handle.rollbackToSavePoint() }
    /// Removes the last save point and keeps what was added since.
    ///
    /// - Throws: ``RocksError/Code/notFound`` if there is no save point.
    public func popSavePoint() throws(RocksError) { try handle.popSavePoint() }
}

extension RocksStore {
    /// Makes an empty batch with an index, whose operations go to this column family.
    ///
    /// - Parameters:
    ///   - overwrites: Whether the index holds only the latest operation on a key, except for merges. If false,
    ///     ``IndexedWriteBatch/entries(reversed:from:)`` lists all of them, and ``IndexedWriteBatch/over(_:)-(RocksStore)`` has no cursors.
    ///     What is written to the database is the same either way. RocksDB's `overwrite_key`.
    ///   - reserved: The amount of memory to reserve.
    ///   - limit: The size above which adding fails with ``RocksError/Code/aborted`` and ``RocksError/Subcode/memoryLimit``; `nil`: no limit.
    public func makeIndexedBatch(
        overwrites: Bool = true,
        reserved: ByteCount = .zero,
        limit: ByteCount? = nil
    ) throws(RocksError) -> IndexedWriteBatch {
        let family = columnFamily
        let handle = try IndexedBatchHandle(database: family.handle.database, overwrites: overwrites, reserved: reserved, limit: limit)
        return IndexedWriteBatch(handle: handle, columnFamily: family)
    }

    /// Writes all of `batch`, or nothing. The batch stays unchanged.
    ///
    /// - Throws: The batch's ``IndexedWriteBatch/failure``, or same as ``RocksWriter/put(_:for:)``; ``RocksError/Code/invalidArgument`` if the batch
    ///   belongs to another database, or uses a column family that no longer exists.
    public func write(_ batch: IndexedWriteBatch, options: WriteOptions? = nil) throws(RocksError) {
        if let failure = batch.failure { throw failure }
        let database = columnFamily.handle.database
        guard database === batch.handle.database else {
            throw RocksError(.invalidArgument, "writing to '\(database.path)': the batch belongs to '\(batch.handle.database.path)'")
        }
        var shimOptions = (options ?? columnFamily.writeOptions).shimOptions
        try unsafe crk_indexed_batch_write(batch.handle.pointer, &shimOptions).check("writing an indexed batch to '\(database.path)'")
    }
}
