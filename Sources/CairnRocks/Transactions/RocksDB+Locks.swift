import CRocks
import CairnCore

extension RocksDB {
    /// A lock on a key, or the wish for one.
    public struct KeyLock: Sendable, Hashable {
        /// The number of the key's column family, ``ColumnFamily/id``.
        public var columnFamilyID: UInt32
        /// The key.
        public var key: [UInt8]
        /// Whether nobody else may hold it too.
        public var isExclusive: Bool
        /// Whose it is, by ``Transaction/id``; for a wish, who stands in its way. None in a deadlock's path.
        public var transactions: [UInt64]
    }

    /// The locks that are held now, in no particular order. For looking, not for deciding: they change meanwhile.
    ///
    /// - Throws: ``RocksError/Code/notSupported`` if the database was not opened in the mode ``OpenMode/transactions(_:)``.
    /// - Complexity: O(locks), and nobody takes or gives up a lock until they are listed.
    public func locks() throws(RocksError) -> [KeyLock] {
        let (status, locks) = unsafe Collector<KeyLock>.collect { collector in
            unsafe crk_locks(handle.pointer, collector) { collector, lock in
                unsafe Collector<KeyLock>.add(KeyLock(lock.pointee), to: collector)
            }
        }
        try status.check("listing the locks of '\(path)'")
        return locks
    }

    /// The transactions that wait for a lock now: each with the key and who holds it. RocksDB's `GetWaitingTxns`.
    ///
    /// - Throws: As ``locks()``.
    public func waitingTransactions() throws(RocksError) -> [(id: UInt64, wants: KeyLock)] {
        let (status, waits) = unsafe Collector<(id: UInt64, wants: KeyLock)>.collect { collector in
            unsafe crk_waits(handle.pointer, collector) { collector, id, lock in
                unsafe Collector<(id: UInt64, wants: KeyLock)>.add((id, KeyLock(lock.pointee)), to: collector)
            }
        }
        try status.check("listing the waiting transactions of '\(path)'")
        return waits
    }

    /// A circle of transactions that waited for each other.
    public struct Deadlock: Sendable, Hashable {
        /// Who waited for what, each for the next; the last was refused. Empty if the search was given up.
        public var path: [Step]
        /// Whether the search was given up at ``TransactionOptions/deadlockDepth``, so that there may have been no circle.
        public var exceedsDepth: Bool
        /// When it was found, in seconds since 1970.
        public var time: Int64

        /// A transaction of the circle.
        public struct Step: Sendable, Hashable {
            /// Its ``Transaction/id``.
            public var transaction: UInt64
            /// What it waited for.
            public var wants: KeyLock
        }
    }

    /// The latest deadlocks, the last one first; ``TransactionDatabaseOptions/deadlockHistory`` says how many are kept.
    ///
    /// - Throws: As ``locks()``.
    public func latestDeadlocks() throws(RocksError) -> [Deadlock] {
        // A record without a step begins a path.
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
