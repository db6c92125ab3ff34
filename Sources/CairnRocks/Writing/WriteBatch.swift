import CRocks
public import CairnCore

/// Writes that happen all or not at all, in any number of column families of one database.
///
/// ```swift
/// try db.write { batch in
///     batch.put("1", for: "a")
///     batch.in(songs).delete("b")
/// }
/// ```
///
/// Adding to a batch touches nothing but memory and does not throw: the first error (a value above 4 GiB, a dropped column family) is kept,
/// and writing the batch throws it. A batch belongs to one thread at a time; written, it can be changed and written again. One made by
/// ``RocksStore/makeBatch(reserved:)`` or in `write` belongs to that database; one made by ``init(reserved:limit:)`` may go to any as long as
/// no column family is named.
public final class WriteBatch: BatchWriter {
    let storage: BatchStorage
    /// Where operations go; `nil`: the default column family.
    let columnFamily: ColumnFamily?
    /// When they happen, in a column family with a history.
    let time: UInt64?

    /// An empty batch for the default column family of whichever database it is written to.
    ///
    /// - Parameters:
    ///   - reserved: Memory to reserve; what is not to be had is not reserved.
    ///   - limit: The size beyond which adding fails with ``RocksError/Code/aborted`` and ``RocksError/Subcode/memoryLimit``; `nil`: none.
    public convenience init(reserved: ByteCount = .zero, limit: ByteCount? = nil) {
        self.init(storage: BatchStorage(reserved: reserved, limit: limit), columnFamily: nil)
    }

    /// A batch from ``data``. Column families keep their numbers, so it is for the database it was made for.
    ///
    /// - Throws: ``RocksError/Code/corruption`` if the bytes are no batch, or hold marks of transactions or other records that no method here
    ///   makes.
    public convenience init(data: some ByteSource & ~Escapable) throws(RocksError) {
        self.init(storage: try BatchStorage(data: data), columnFamily: nil)
    }

    init(storage: BatchStorage, columnFamily: ColumnFamily?, time: UInt64? = nil) {
        self.storage = storage
        self.columnFamily = columnFamily
        self.time = time
    }

    /// The same batch, with operations going to `columnFamily`.
    public func `in`(_ columnFamily: ColumnFamily) -> WriteBatch { WriteBatch(storage: storage, columnFamily: columnFamily) }

    /// Adds one operation, as ``RocksWriter/write(_:key:value:)``; an error is kept for the writing.
    public func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan) {
        let family = columnFamily?.handle
        defer { extendLifetime(family) }
        unsafe storage.add(operation, family: family?.pointer, key: key, value: value, time: time) {
            family?.attempt("adding to a batch for") ?? "adding to a batch"
        }
    }

    /// Adds bytes that go to the write-ahead log only, for those who read it; they do not count as an operation.
    public func putLogData(_ blob: some ByteSource & ~Escapable) { storage.putLogData(blob) }

    /// How many operations the batch holds.
    public var count: Int { storage.count }
    /// The size of ``data``, in bytes.
    public var dataSize: ByteCount { ByteCount(bytes: Int64(storage.dataSize)) }
    /// RocksDB's serialised form, for ``init(data:)``.
    public var data: [UInt8] { storage.data }
    /// The first error of adding, which writing will throw.
    public var failure: RocksError? { storage.soundness.failure }

    /// Forgets all operations, save points and ``failure``.
    public func clear() { storage.clear() }
    /// Marks the present state, for ``rollbackToSavePoint()``. Save points nest.
    public func setSavePoint() { storage.setSavePoint() }
    /// Forgets what was added since the last save point, and the save point; also a ``failure`` since.
    ///
    /// - Throws: ``RocksError/Code/notFound`` if there is no save point.
    public func rollbackToSavePoint() throws(RocksError) { try storage.rollbackToSavePoint() }
    /// Forgets the last save point and keeps what was added since.
    ///
    /// - Throws: ``RocksError/Code/notFound`` if there is no save point.
    public func popSavePoint() throws(RocksError) { try storage.popSavePoint() }
}

extension RocksStore {
    /// Makes an empty batch whose operations go to this column family.
    public func makeBatch(reserved: ByteCount = .zero) -> WriteBatch { WriteBatch(reserved: reserved).in(columnFamily) }

    /// Writes all of `batch`, or nothing.
    ///
    /// - Throws: The batch's ``WriteBatch/failure``, or as ``RocksWriter/put(_:for:)``; ``RocksError/Code/invalidArgument`` if it names column
    ///   families of another database, or one that is gone.
    public func write(_ batch: WriteBatch, options: WriteOptions? = nil) throws(RocksError) {
        if let failure = batch.failure { throw failure }
        try batch.storage.write(to: columnFamily.handle.database, options: options ?? columnFamily.writeOptions)
    }

    /// Calls `body` with an empty batch for this column family and writes it, unless `body` throws.
    public func write<Value>(options: WriteOptions? = nil, _ body: (WriteBatch) throws -> Value) throws -> Value {
        let batch = makeBatch()
        let value = try body(batch)
        try write(batch, options: options)
        return value
    }
}
