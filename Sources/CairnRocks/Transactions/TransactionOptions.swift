import CRocks
public import CairnCore

/// How a transaction behaves; RocksDB's `TransactionOptions`.
///
/// ```swift
/// var options = TransactionOptions()
/// options.snapshot = .atStart
/// try db.withTransaction(options) { ... }
/// ```
public struct TransactionOptions: Sendable, Hashable {
    /// When a transaction makes the snapshot since which nobody else may have written to the keys it writes to or locks.
    public enum SnapshotTime: Sendable {
        /// Never: a key counts from where it is first written to or locked. The default.
        case never
        /// When the transaction begins (`set_snapshot`).
        case atStart
        /// Before the first write or lock (`SetSnapshotOnNextOperation`), which lets others write until then.
        case atFirstOperation
    }

    /// When the transaction makes its snapshot. Default: ``SnapshotTime/never``.
    public var snapshot = SnapshotTime.never
    /// Whether reads see the database as of the transaction's snapshot, if it has one, under its own writes; otherwise they see the latest
    /// that is committed. Default: false.
    public var readsSnapshot = false
    /// How long the transaction waits for a lock; zero: not at all, `nil`: as long as the database says. Locks only. Default: nil.
    public var lockTimeout: Duration?
    /// After how long other transactions may take the locks away, and committing throws ``RocksError/Code/expired``; `nil`: never. One that
    /// expires cannot be prepared. Locks only. Default: nil.
    public var expiration: Duration?
    /// Whether a lock that would wait in a circle throws ``RocksError/Code/busy`` with ``RocksError/Subcode/deadlock`` at once; otherwise it
    /// waits until its time is over. Costs a look at who waits for whom. Locks only. Default: false. RocksDB's `deadlock_detect`.
    public var detectsDeadlocks = false
    /// After how many waiting transactions the search for a circle takes it that there is one. Default: 50.
    public var deadlockDepth = 50
    /// The size of its writes beyond which adding throws ``RocksError/Code/aborted`` with ``RocksError/Subcode/memoryLimit``; `nil`: none.
    /// Default: nil. RocksDB's `max_write_batch_size`.
    public var maximumSize: ByteCount?
    /// Whether committing without ``Transaction/prepare()`` throws ``RocksError/Code/invalidArgument``, with
    /// ``RocksError/Subcode/transactionNotPrepared``; the transaction then goes on. Locks only. Default: false. RocksDB's `skip_prepare`,
    /// the other way round.
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
