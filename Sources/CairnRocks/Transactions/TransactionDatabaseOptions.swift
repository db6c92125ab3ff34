import CRocks
import CairnCore

/// Options of a database with locking transactions, for ``RocksDB/OpenMode/transactions(_:)``; RocksDB's `TransactionDBOptions`.
///
/// RocksDB's other write policies (`WRITE_PREPARED`, `WRITE_UNPREPARED`), which write before the commit, are not offered: in version 7.8 of the
/// library, reading many keys at once would see uncommitted data.
public struct TransactionDatabaseOptions: Sendable, Hashable {
    /// How long a transaction waits for a lock on a key before it throws ``RocksError/Code/timedOut``, unless its own
    /// ``TransactionOptions/lockTimeout`` says otherwise; zero: not at all. Default: 1 second. RocksDB's `transaction_lock_timeout`.
    public var lockTimeout = Duration.seconds(1)
    /// How long a write outside of transactions waits for a lock on a key before it throws ``RocksError/Code/timedOut``; zero: not at all.
    /// Default: 1 second. RocksDB's `default_lock_timeout`.
    public var writeLockTimeout = Duration.seconds(1)
    /// How many keys of one column family may be locked at the same time; locking more throws ``RocksError/Code/busy`` with
    /// ``RocksError/Subcode/lockLimit``. With a limit there are no shared locks. `nil`: no limit. Default: nil. RocksDB's `max_num_locks`.
    public var maximumLocks: Int?
    /// How many stripes, each with its own mutex, a column family's locks are divided into. Default: 16. RocksDB's `num_stripes`.
    public var lockStripes = 16
    /// How many of the latest deadlocks ``RocksDB/latestDeadlocks()`` returns. Default: 5. RocksDB's `max_num_deadlocks`.
    public var deadlockHistory = 5

    /// The defaults.
    public init() {}

    var shimSettings: crk_transaction_settings {
        crk_transaction_settings(
            maximum_locks: Int64(max(0, maximumLocks ?? 0)),
            deadlock_history: UInt32(min(max(0, deadlockHistory), 10_000)),
            stripes: min(max(1, lockStripes), 65_536),
            lock_timeout_millis: lockTimeout.wholeMilliseconds,
            write_lock_timeout_millis: writeLockTimeout.wholeMilliseconds
        )
    }
}

/// Options of a database with optimistic transactions, for ``RocksDB/OpenMode/optimisticTransactions(_:)``; RocksDB's
/// `OptimisticTransactionDBOptions`.
public struct OptimisticTransactionDatabaseOptions: Sendable, Hashable {
    /// When transactions check for conflicts (`OccValidationPolicy`).
    public enum Validation: Sendable {
        /// Before they join the other writers, several at a time. The default.
        case parallel
        /// As one of the writers, one at a time.
        case serial
    }

    /// When transactions check for conflicts. Default: ``Validation/parallel``.
    public var validation = Validation.parallel
    /// The number of mutexes, about 56 bytes each, that the keys of transactions committing in parallel share. RocksDB's `occ_lock_buckets`;
    /// RocksDB's own default takes over 50 MB. Default: 16,384.
    public var lockBuckets = 16_384

    /// The defaults.
    public init() {}

    var shimSettings: crk_optimistic_settings {
        crk_optimistic_settings(serial_validation: validation == .serial, lock_buckets: UInt32(min(max(16, lockBuckets), 1 << 24)))
    }
}

extension Duration {
    /// At least one millisecond unless it is zero, so that a tiny limit does not become none; at most some thirty years.
    var wholeMilliseconds: Int64 {
        Int64(min(max(0, rounded(upTo: 1_000_000_000_000_000)), 1_000_000_000_000))
    }
}
