import CRocks
public import CairnCore

/// Options of a transaction; RocksDB's `TransactionOptions`.
///
/// ```swift
/// var options = TransactionOptions()
/// options.snapshot = .atStart
/// try db.withTransaction(options) { ... }
/// ```
public struct TransactionOptions: Sendable, Hashable {
    /// When a transaction makes its snapshot. If others have written to a key since then, writing to it or locking it throws (with
    /// optimistic transactions, the commit does).
    public enum SnapshotTime: Sendable {
        /// Never: each key is checked only from the time it is first written to or locked. The default.
        case never
        /// When the transaction begins (`set_snapshot`).
        case atStart
        /// Before the first write or lock (`SetSnapshotOnNextOperation`); until then, others may write.
        case atFirstOperation
    }

    /// When the transaction makes its snapshot. Default: ``SnapshotTime/never``.
    public var snapshot = SnapshotTime.never
    /// Whether reads see the database as of the transaction's snapshot, if it has one, beneath its own writes; otherwise they see the latest
    /// committed data. Default: false.
    public var readsSnapshot = false
    /// How long the transaction waits for a lock; zero: not at all, `nil`: as long as the database's options say. Locking transactions only. Default:
    /// nil.
    public var lockTimeout: Duration?
    /// The time after which other transactions may take its locks away and committing throws ``RocksError/Code/expired``; `nil`: never. A transaction
    /// with an expiration cannot be prepared. Locking transactions only. Default: nil.
    public var expiration: Duration?
    /// Whether a lock that would complete a cycle of waiting transactions throws ``RocksError/Code/busy`` with ``RocksError/Subcode/deadlock`` at
    /// once; otherwise it waits until it times out. Each wait then costs a check of who waits for whom. Locking transactions only. Default: false.
    /// RocksDB's `deadlock_detect`.
    public var detectsDeadlocks = false
    /// The number of waiting transactions after which the search for a cycle assumes that there is one. Default: 50.
    public var deadlockDepth = 50
    /// The size of its writes above which adding throws ``RocksError/Code/aborted`` with ``RocksError/Subcode/memoryLimit``; `nil`: no limit.
    /// Default: nil. RocksDB's `max_write_batch_size`.
    public var maximumSize: ByteCount?
    /// Whether committing without ``Transaction/prepare()`` throws ``RocksError/Code/invalidArgument`` with
    /// ``RocksError/Subcode/transactionNotPrepared``; the transaction then continues. Locking transactions only. Default: false. The inverse of
    /// RocksDB's `skip_prepare`.
    public var mustBePrepared = false

    /// The defaults.
    public init(snapshot: SnapshotTime = .never) { self.snapshot = snapshot }

    var shimOptions: crk_transaction_options {
        crk_transaction_options(
            snapshot: snapshot.shimTime,
            reads_snapshot: readsSnapshot,
            deadlock_detect: detectsDeadlocks,
            must_be_prepared: mustBePrepared,
            deadlock_depth: Int64(min(max(1, deadlockDepth), 10_000)),
            lock_timeout_millis: lockTimeout?.wholeMilliseconds ?? -1,
            expiration_millis: expiration?.wholeMilliseconds ?? -1,
            maximum_size: maximumSize.map { Int(clamping: max(1, $0.bytes)) } ?? 0
        )
    }
}

extension TransactionOptions.SnapshotTime {
    var shimTime: crk_snapshot_time {
        switch self {
        case .never: CRK_NO_SNAPSHOT
        case .atStart: CRK_SNAPSHOT_NOW
        case .atFirstOperation: CRK_SNAPSHOT_NEXT
        }
    }
}
