import CRocks
import CairnCore

extension RocksDB {
    /// A lock on a key, held or requested.
    public struct KeyLock: Sendable, Hashable {
        /// The number of the key's column family, ``ColumnFamily/id``.
        public var columnFamilyID: UInt32
        /// The key.
        public var key: [UInt8]
        /// Whether no other transaction may hold a lock on the key.
        public var isExclusive: Bool
        /// The transactions that hold the lock, by ``Transaction/id``; for a requested lock, the ones that block it. Empty in a deadlock's path.
        public var transactions: [UInt64]
    }

    /// Returns the locks held now, in no particular order. For diagnostics only: locks may have changed since.
    ///
    /// - Throws: ``RocksError/Code/notSupported`` if the database was not opened in the mode ``OpenMode/transactions(_:)``.
    /// - Complexity: O(locks). No lock is taken or released until all are listed.
    public func locks() throws(RocksError) -> [KeyLock] {
        let (status, locks) = unsafe Collector<KeyLock>.collect { collector in
            unsafe crk_locks(handle.pointer, collector) { collector, lock in
                unsafe Collector<KeyLock>.add(KeyLock(lock.pointee), to: collector)
            }
        }
        try status.check("listing the locks of '\(path)'")
        return locks
    }

    /// Returns the transactions that are waiting for a lock now, each with the key and its holders. RocksDB's `GetWaitingTxns`.
    ///
    /// - Throws: Same as ``locks()``.
    public func waitingTransactions() throws(RocksError) -> [(id: UInt64, wants: KeyLock)] {
        let (status, waits) = unsafe Collector<(id: UInt64, wants: KeyLock)>.collect { collector in
            unsafe crk_waits(handle.pointer, collector) { collector, id, lock in
                unsafe Collector<(id: UInt64, wants: KeyLock)>.add((id, KeyLock(lock.pointee)), to: collector)
            }
        }
        try status.check("listing the waiting transactions of '\(path)'")
        return waits
    }

    /// A cycle of transactions that waited for each other.
    public struct Deadlock: Sendable, Hashable {
        /// The transactions and what each waited for: each waited for the next, and the last was refused. Empty if the search was given up.
        public var path: [Step]
        /// Whether the search was given up at ``TransactionOptions/deadlockDepth``, so that there may have been no cycle.
        public var exceedsDepth: Bool
        /// When it was detected, in seconds since 1970.
        public var time: Int64

        /// A transaction of the cycle.
        public struct Step: Sendable, Hashable {
            /// Its ``Transaction/id``.
            public var transaction: UInt64
            /// What it waited for.
            public var wants: KeyLock
        }
    }

    /// Returns the latest deadlocks, most recent first; ``TransactionDatabaseOptions/deadlockHistory`` sets how many are kept.
    ///
    /// - Throws: Same as ``locks()``.
    public func latestDeadlocks() throws(RocksError) -> [Deadlock] {
        // A record without a step starts a new path.
        let (status, records) = unsafe Collector<(step: Deadlock.Step?, exceedsDepth: Bool, time: Int64)>.collect { collector in
            unsafe crk_deadlocks(handle.pointer, collector) { collector, id, lock, exceedsDepth, time in
                let step = unsafe lock.map { unsafe Deadlock.Step(transaction: id, wants: KeyLock($0.pointee)) }
                unsafe Collector<(step: Deadlock.Step?, exceedsDepth: Bool, time: Int64)>.add((step, exceedsDepth, time), to: collector)
            }
        }
        try status.check("listing the deadlocks of '\(path)'")
        var deadlocks: [Deadlock] = []
        for record in records {
            if let step = record.step {
                deadlocks[deadlocks.count - 1].path.append(step)
            } else {
                deadlocks.append(Deadlock(path: [], exceedsDepth: record.exceedsDepth, time: record.time))
            }
        }
        return deadlocks
    }
}

extension RocksDB.KeyLock {
    fileprivate init(_ lock: crk_key_lock) {
        unsafe self.init(
            columnFamilyID: lock.family,
            key: [UInt8](copying: lock.key.span),
            isExclusive: lock.exclusive,
            transactions: Array(UnsafeBufferPointer(start: lock.ids, count: lock.count))
        )
    }
}
