import CRocks
import CairnCore

extension Transaction {
    /// The name by which a prepared transaction is found again; `nil` without one.
    public var name: String? {
        defer { extendLifetime(self) }
        let name = unsafe crk_transaction_name(handle.pointer)
        return unsafe name.size == 0 ? nil : name.text
    }

    /// Gives the transaction a name, as ``prepare()`` needs; it is free again when the transaction is over.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` if it has a name, if another one has this name, if it is not 1 to 512 bytes long, or in
    ///   an optimistic transaction.
    public func setName(_ name: String) throws(RocksError) {
        let status = name.withBytes { name in unsafe name.withShimBytes { unsafe crk_transaction_set_name(handle.pointer, $0) } }
        try status.check(handle.attempt("naming"))
    }

    /// Writes everything to the log, so that ``commit()`` can no longer fail for want of anything but the log, the first phase of two.
    ///
    /// Afterwards the transaction can be read, and be committed or rolled back, nothing else. It outlives its process as a commit with the
    /// same durability would: when the database is opened again, ``RocksDB/preparedTransactions()`` has it. Letting the last reference go does
    /// not roll it back; `preparedTransactions()` then has it at once.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` without a name, with ``TransactionOptions/expiration``, with the durability `.none`, or if
    ///   it is prepared; ``RocksError/Code/notSupported`` in an optimistic transaction and with ``DatabaseOptions/enablePipelinedWrite``,
    ///   where RocksDB may lose it; ``RocksError/Code/ioError``, and the transaction is over then.
    public func prepare() throws(RocksError) {
        try unsafe crk_transaction_prepare(handle.pointer).check(handle.attempt("preparing"))
    }

    /// Whether it is prepared, and neither committed nor rolled back.
    public var isPrepared: Bool { unsafe crk_transaction_is_prepared(handle.pointer) }
}

extension RocksDB {
    /// The prepared transactions that nobody holds: those that a process left behind, and those whose references were let go.
    ///
    /// Each is handed out once; letting it go gives it back. After a restart they hold no locks, so commit or roll back all of them before
    /// anything else is written to their keys. Until then the logs they are in are kept.
    ///
    /// ```swift
    /// for transaction in try db.preparedTransactions() {
    ///     if coordinator.hasCommitted(transaction.name) { try transaction.commit() } else { try transaction.rollback() }
    /// }
    /// ```
    ///
    /// - Throws: ``RocksError/Code/notSupported`` if the database was not opened in the mode ``OpenMode/transactions(_:)``.
    public func preparedTransactions() throws(RocksError) -> [Transaction] {
        let (status, handles) = PreparedCollector.collect(handle)
        try status.check("looking for prepared transactions of '\(path)'")
        return handles.map { Transaction(handle: $0, columnFamily: columnFamily) }
    }
}

/// Collects transactions that the shim hands out.
private final class PreparedCollector {
    private let database: DatabaseHandle
    private var handles: [TransactionHandle] = []

    private init(_ database: DatabaseHandle) { self.database = database }

    static func collect(_ database: DatabaseHandle) -> (crk_status, [TransactionHandle]) {
        let collector = PreparedCollector(database)
        let status = unsafe crk_prepared_transactions(database.pointer, Unmanaged.passUnretained(collector).toOpaque()) {
            context,
            pointer in
            unsafe Unmanaged<PreparedCollector>.fromOpaque(context)._withUnsafeGuaranteedRef { collector in
                unsafe collector.handles.append(TransactionHandle(owning: pointer, database: collector.database))
            }
        }
        return withExtendedLifetime(collector) { (status, collector.handles) }
    }
}
