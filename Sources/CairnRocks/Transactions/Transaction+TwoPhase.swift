import CRocks
import CairnCore

extension Transaction {
    /// The name that identifies a prepared transaction, or `nil` if it has none.
    public var name: String? {
        defer { extendLifetime(self) }
        let name = unsafe crk_transaction_name(handle.pointer)
        return unsafe name.size == 0 ? nil : name.text
    }

    /// Names the transaction, as ``prepare()`` requires. The name is free again when the transaction is over.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` if the transaction already has a name, if another one has this name, if the name is not 1 to 512
    ///   bytes long, or if the transaction is optimistic.
    public func setName(_ name: String) throws(RocksError) {
        let status = name.withBytes { name in unsafe name.withShimBytes { unsafe crk_transaction_set_name(handle.pointer, $0) } }
        try status.check(handle.attempt("naming"))
    }

    /// Writes everything to the log, the first of two phases. Afterwards ``commit()`` can fail only if the log cannot be written.
    ///
    /// A prepared transaction can only be read from, committed or rolled back. It survives its process as a commit with the same durability would:
    /// when the database is opened again, ``RocksDB/preparedTransactions()`` returns it. Releasing the last reference does not roll it back;
    /// `preparedTransactions()` returns it from then on.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` without a name, with ``TransactionOptions/expiration``, with the durability `.none`, or if
    ///   already prepared; ``RocksError/Code/notSupported`` in an optimistic transaction and with ``DatabaseOptions/enablePipelinedWrite``, where
    ///   RocksDB may lose it; ``RocksError/Code/ioError``, after which the transaction is over.
    public func prepare() throws(RocksError) {
        try unsafe crk_transaction_prepare(handle.pointer).check(handle.attempt("preparing"))
    }

    /// Whether the transaction is prepared, and neither committed nor rolled back.
    public var isPrepared: Bool { unsafe crk_transaction_is_prepared(handle.pointer) }
}

extension RocksDB {
    /// Returns the prepared transactions that nobody holds: those left behind by a process, and those whose references were released.
    ///
    /// Each is returned only once; releasing it makes it available again. After a restart they hold no locks, so commit or roll back all of them
    /// before anything else writes to their keys. Until then the logs that contain them are kept.
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

/// Collects the transactions that the shim returns.
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
