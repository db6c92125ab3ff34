import CRocks
public import CairnCore

/// Reads and writes that happen completely or not at all, as if nobody else were writing at the same time; RocksDB's `Transaction`.
///
/// ```swift
/// try db.withTransaction { tx in
///     let balance = try tx.getForUpdate("alice", as: String.self).flatMap { Int($0) } ?? 0
///     try tx.put("\(balance - 10)", for: "alice")
/// }
/// ```
///
/// The methods are those of ``RocksReader`` and ``RocksWriter``: reads see the transaction's own writes on top of what others have committed, and
/// nobody else sees its writes before ``commit()``. Use `in(_:)` for other column families and typed tables. How transactions are isolated depends on
/// how the database was opened; see <doc:Transactions>.
///
/// A transaction belongs to one thread at a time; calls from several threads run one after another. It keeps its database alive and open: until it is
/// over, ``RocksDB/close()`` throws ``RocksError/Code/busy``. Releasing the last reference rolls it back. Once it is over, its methods and cursors
/// throw ``RocksError/Code/closed``. It holds its writes in memory, so it is not suited to millions of them.
public final class Transaction {
    let handle: TransactionHandle
    let columnFamily: ColumnFamily

    init(handle: TransactionHandle, columnFamily: ColumnFamily) {
        self.handle = handle
        self.columnFamily = columnFamily
    }

    /// Returns the same transaction, reading from and writing to `columnFamily`, which cannot be dropped once the transaction has written to it or
    /// locked keys in it.
    public func `in`(_ columnFamily: ColumnFamily) -> Transaction { Transaction(handle: handle, columnFamily: columnFamily) }

    /// Returns the same transaction, with typed reads from and writes to `table`.
    public func `in`<Key, Value>(_ table: Table<Key, Value>) -> TableView<Transaction, Key, Value> {
        table.moved(to: self.in(table.space))
    }

    /// Applies all writes at once. The transaction is then over, even if this fails.
    ///
    /// A prepared transaction whose commit fails keeps its locks until the database is closed; when the database is opened again,
    /// ``RocksDB/preparedTransactions()`` returns it.
    ///
    /// - Throws: If it throws, nothing is written. ``RocksError/Code/busy`` if another writer has written to a key that the transaction wrote to,
    ///   locked or read for update, ``RocksError/Code/tryAgain`` if that can no longer be determined (both in optimistic transactions);
    ///   ``RocksError/Code/expired``; ``RocksError/Code/ioError``; ``RocksError/Code/closed`` if it is already over.
    public func commit() throws(RocksError) {
        try unsafe crk_transaction_commit(handle.pointer).check(handle.attempt("committing"))
    }

    /// Discards all writes and releases all locks. The transaction is then over.
    ///
    /// - Throws: ``RocksError/Code/closed`` if it is already over; for a prepared transaction, ``RocksError/Code/ioError`` if the rollback cannot be
    ///   recorded in the log (the transaction then keeps its locks until the database is closed).
    public func rollback() throws(RocksError) {
        try unsafe crk_transaction_rollback(handle.pointer).check(handle.attempt("rolling back"))
    }

    /// Whether the transaction was committed or rolled back, or either was attempted and failed.
    public var isOver: Bool { unsafe crk_transaction_is_over(handle.pointer) }

    /// A number unique among the process's transactions, as in ``RocksDB/locks()``; zero for optimistic ones. RocksDB's `GetID`.
    public var id: UInt64 { unsafe crk_transaction_id(handle.pointer) }

    /// What a transaction holds at one moment.
    public struct Status: Sendable, Hashable {
        /// The number of keys that are locked, or will be checked for conflicts.
        public var keys: Int
        /// The number of puts, deletes and merges made.
        public var puts: Int, deletes: Int, merges: Int
        /// The size of its writes.
        public var size: ByteCount
        /// The time since it began, in whole milliseconds.
        public var elapsed: Duration
        /// The sequence number of the last write that its snapshot sees; `nil` without a snapshot.
        public var snapshotSequenceNumber: UInt64?
    }

    /// Returns what the transaction holds now.
    public func status() throws(RocksError) -> Status {
        var info = crk_transaction_info()
        try unsafe crk_transaction_get_info(handle.pointer, &info).check(handle.attempt("reading the status of"))
        return Status(
            keys: Int(info.keys),
            puts: Int(info.puts),
            deletes: Int(info.deletes),
            merges: Int(info.merges),
            size: ByteCount(bytes: Int64(info.size)),
            elapsed: .milliseconds(Int64(info.elapsed_millis)),
            snapshotSequenceNumber: info.has_snapshot ? info.snapshot_number : nil
        )
    }

    /// Sets how long the transaction waits for locks from now on; see ``TransactionOptions/lockTimeout``. Has no effect on optimistic ones.
    public func setLockTimeout(_ timeout: Duration) throws(RocksError) {
        try unsafe crk_transaction_set_lock_timeout(handle.pointer, timeout.wholeMilliseconds)
            .check(handle.attempt("setting the lock timeout of"))
    }
}
