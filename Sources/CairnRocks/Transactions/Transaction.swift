import CRocks
public import CairnCore

/// Reads and writes that happen all or not at all, and as if nobody else wrote meanwhile; RocksDB's `Transaction`.
///
/// ```swift
/// try db.withTransaction { tx in
///     let balance = try tx.getForUpdate("alice", as: String.self).flatMap { Int($0) } ?? 0
///     try tx.put("\(balance - 10)", for: "alice")
/// }
/// ```
///
/// The verbs are those of ``RocksReader`` and ``RocksWriter``: reads see the transaction's own writes over what others have committed, and
/// nobody else sees its writes before ``commit()``. `in(_:)` leads to other column families and typed tables. What keeps transactions apart
/// depends on how the database was opened, see <doc:Transactions>.
///
/// A transaction belongs to one thread at a time; calls of several follow one another. It keeps its database alive and open:
/// ``RocksDB/close()`` is refused before it is over. Letting the last reference go rolls it back. Once it is over, its methods and cursors
/// throw ``RocksError/Code/closed``. It holds its writes in memory: not for millions of them.
public final class Transaction {
    let handle: TransactionHandle
    let columnFamily: ColumnFamily

    init(handle: TransactionHandle, columnFamily: ColumnFamily) {
        self.handle = handle
        self.columnFamily = columnFamily
    }

    /// The same transaction, reading from and writing to `columnFamily`, which cannot be dropped once the transaction has written to it or
    /// locked keys of it.
    public func `in`(_ columnFamily: ColumnFamily) -> Transaction { Transaction(handle: handle, columnFamily: columnFamily) }

    /// The same transaction, with typed reads from and writes to `table`.
    public func `in`<Key, Value>(_ table: Table<Key, Value>) -> TableView<Transaction, Key, Value> {
        table.moved(to: self.in(table.space))
    }

    /// Makes all writes, at once; the transaction is over then, also if that fails.
    ///
    /// A prepared transaction whose commit fails keeps its locks until the database is closed, and is among
    /// ``RocksDB/preparedTransactions()`` when it is opened again.
    ///
    /// - Throws: Nothing is written then. ``RocksError/Code/busy`` if somebody else has written to a key that it wrote to or asked for,
    ///   ``RocksError/Code/tryAgain`` if that cannot be told any more (both in optimistic transactions); ``RocksError/Code/expired``;
    ///   ``RocksError/Code/ioError``; ``RocksError/Code/closed`` if it is over already.
    public func commit() throws(RocksError) {
        try unsafe crk_transaction_commit(handle.pointer).check(handle.attempt("committing"))
    }

    /// Forgets all writes and gives up all locks; the transaction is over then.
    ///
    /// - Throws: ``RocksError/Code/closed`` if it is over already; for a prepared one ``RocksError/Code/ioError`` if that cannot be noted in
    ///   the log (it then keeps its locks until the database is closed).
    public func rollback() throws(RocksError) {
        try unsafe crk_transaction_rollback(handle.pointer).check(handle.attempt("rolling back"))
    }

    /// Whether it was committed or rolled back, or one of them failed.
    public var isOver: Bool { unsafe crk_transaction_is_over(handle.pointer) }

    /// A number that no other transaction of the process has, as in ``RocksDB/locks()``; zero for optimistic ones. RocksDB's `GetID`.
    public var id: UInt64 { unsafe crk_transaction_id(handle.pointer) }

    /// What a transaction holds at a moment.
    public struct Status: Sendable, Hashable {
        /// How many keys are locked, or will be checked for conflicts.
        public var keys: Int
        /// How many puts, deletes and merges were made.
        public var puts: Int, deletes: Int, merges: Int
        /// The size of its writes.
        public var size: ByteCount
        /// The time since it began, in whole milliseconds.
        public var elapsed: Duration
        /// The number of the last write that its snapshot sees; `nil` without a snapshot.
        public var snapshotSequenceNumber: UInt64?
    }

    /// What the transaction holds now.
    public func status() throws(RocksError) -> Status {
        var info = crk_transaction_info()
        try unsafe crk_transaction_get_info(handle.pointer, &info).check(handle.attempt("looking into"))
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

    /// Sets how long it waits for locks from now on; see ``TransactionOptions/lockTimeout``. No effect on optimistic ones.
    public func setLockTimeout(_ timeout: Duration) throws(RocksError) {
        try unsafe crk_transaction_set_lock_timeout(handle.pointer, timeout.wholeMilliseconds)
            .check(handle.attempt("setting the lock timeout of"))
    }
}
