import CRocks
public import CairnCore

/// A set of writes that is applied completely or not at all, to any number of column families of one database.
///
/// ```swift
/// try db.write { batch in
///     batch.put("1", for: "a")
///     batch.in(songs).delete("b")
/// }
/// ```
///
/// Adding to a batch works in memory only and does not throw: the batch keeps its first error (a value above 4 GiB, a dropped column family), and
/// writing it throws that error. A batch belongs to one thread at a time. Once written, it can be changed and written again. A batch made by
/// ``RocksStore/makeBatch(reserved:)`` or by `write` belongs to that database; one made by ``init(reserved:limit:)`` can be written to any database
/// as long as it names no column family.
public final class WriteBatch: BatchWriter {
    let storage: BatchStorage
    /// Where operations go; `nil` is the default column family.
    let columnFamily: ColumnFamily?
    /// The time of the operations, in a column family with a history.
    let time: UInt64?

    /// Creates an empty batch for the default column family of whichever database it is written to.
    ///
    /// - Parameters:
    ///   - reserved: The amount of memory to reserve; if that fails, memory is allocated as needed.
    ///   - limit: The size above which adding fails with ``RocksError/Code/aborted`` and ``RocksError/Subcode/memoryLimit``; `nil`: no limit.
    public convenience init(reserved: ByteCount = .zero, limit: ByteCount? = nil) {
        self.init(storage: BatchStorage(reserved: reserved, limit: limit), columnFamily: nil)
    }

    /// Creates a batch from ``data``. The data refers to column families by number, so use it only with the database it was made for.
    ///
    /// - Throws: ``RocksError/Code/corruption`` if the bytes are not a batch, or hold transaction markers or other records that no method here
    ///   creates.
    public convenience init(data: some ByteSource & ~Escapable) throws(RocksError) {
        self.init(storage: try BatchStorage(data: data), columnFamily: nil)
    }

    init(storage: BatchStorage, columnFamily: ColumnFamily?, time: UInt64? = nil) {
        self.storage = storage
        self.columnFamily = columnFamily
        self.time = time
    }

    /// Returns the same batch, with operations directed to `columnFamily`.
    public func `in`(_ columnFamily: ColumnFamily) -> WriteBatch { WriteBatch(storage: storage, columnFamily: columnFamily) }

    /// Adds one operation, like ``RocksWriter/write(_:key:value:)``; writing the batch throws any error.
    public func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan) {
        let family = columnFamily?.handle
        defer { extendLifetime(family) }
        unsafe storage.add(operation, family: family?.pointer, key: key, value: value, time: time) {
            family?.attempt("adding to a batch for") ?? "adding to a batch"
        }
    }

    /// Adds bytes that go only to the write-ahead log, for code that reads the log. They do not count as an operation.
    public func putLogData(_ blob: some ByteSource & ~Escapable) { storage.putLogData(blob) }

    /// The number of operations in the batch.
    public var count: Int { storage.count }
    /// The size of ``data``, in bytes.
    public var dataSize: ByteCount { ByteCount(bytes: Int64(storage.dataSize)) }
    /// RocksDB's serialised form, for ``init(data:)``.
    public var data: [UInt8] { storage.data }
    /// The first error from adding, which writing the batch will throw.
    public var failure: RocksError? { storage.soundness.failure }

    /// Removes all operations and save points, and clears ``failure``.
    public func clear() { storage.clear() }
    /// Marks the current state, for ``rollbackToSavePoint()``. Save points nest.
    public func setSavePoint() { storage.setSavePoint() }
    /// Discards everything added since the last save point, including a ``failure``, and removes the save point.
    ///
    /// - Throws: ``RocksError/Code/notFound`` if there is no save point.
    public func rollbackToSavePoint() throws(RocksError) { try storage.rollbackToSavePoint() }
    /// Removes the last save point and keeps what was added since.
    ///
    /// - Throws: ``RocksError/Code/notFound`` if there is no save point.
    public func popSavePoint() throws(RocksError) { try storage.popSavePoint() }
}

extension RocksStore {
    /// Makes an empty batch whose operations go to this column family.
    public func makeBatch(reserved: ByteCount = .zero) -> WriteBatch { WriteBatch(reserved: reserved).in(columnFamily) }

    /// Writes all of `batch`, or nothing.
    ///
    /// - Throws: The batch's ``WriteBatch/failure``, or same as ``RocksWriter/put(_:for:)``; ``RocksError/Code/invalidArgument`` if the batch uses
    ///   column families of another database, or one that no longer exists.
    public func write(_ batch: WriteBatch, options: WriteOptions? = nil) throws(RocksError) {
        if let failure = batch.failure { throw failure }
        try batch.storage.write(to: columnFamily.handle.database, options: options ?? columnFamily.writeOptions)
    }

    /// Calls `body` with an empty batch for this column family and writes the batch, unless `body` throws.
    public func write<Value>(options: WriteOptions? = nil, _ body: (WriteBatch) throws -> Value) throws -> Value {
        let batch = makeBatch()
        let value = try body(batch)
        try write(batch, options: options)
        return value
    }
}
