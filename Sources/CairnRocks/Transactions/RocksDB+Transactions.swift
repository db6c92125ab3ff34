import CairnCore

extension RocksStore {
    /// Begins a transaction that reads from and writes to this column family; use `in(_:)` for others.
    ///
    /// End it with ``Transaction/commit()`` or ``Transaction/rollback()``; releasing it rolls it back.
    ///
    /// - Parameters:
    ///   - options: How the transaction behaves.
    ///   - writeOptions: How its commit is written; `nil`: like other writes to this column family.
    /// - Throws: ``RocksError/Code/notSupported`` if the database was not opened in the mode ``RocksDB/OpenMode/transactions(_:)`` or
    ///   ``RocksDB/OpenMode/optimisticTransactions(_:)``.
    /// - Complexity: About a microsecond.
    public func makeTransaction(
        _ options: TransactionOptions = TransactionOptions(),
        writeOptions: WriteOptions? = nil
    ) throws(RocksError) -> Transaction {
        let family = columnFamily
        let handle = try TransactionHandle(
            database: family.handle.database,
            options: options,
            writeOptions: writeOptions ?? family.writeOptions
        )
        return Transaction(handle: handle, columnFamily: family)
    }

    /// Calls `body` with a new transaction and commits it, unless `body` has already ended it. If `body` throws, rolls it back.
    ///
    /// ```swift
    /// try db.withTransaction(attempts: 10) { tx in
    ///     let count = try tx.getForUpdate("count", as: String.self).flatMap { Int($0) } ?? 0
    ///     try tx.put("\(count + 1)", for: "count")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - options: How the transaction behaves.
    ///   - writeOptions: How its commit is written; `nil`: like other writes to this column family.
    ///   - attempts: How many times to try in total if it fails because of another transaction (``RocksError/isConflict``); numbers below 1 count as
    ///     1. With more than one, `body` must have no effects outside the transaction.
    ///   - body: The work to do in the transaction.
    /// - Throws: What `body` or ``Transaction/commit()`` throws, in the last attempt.
    public func withTransaction<Value>(
        _ options: TransactionOptions = TransactionOptions(),
        writeOptions: WriteOptions? = nil,
        attempts: Int = 1,
        _ body: (Transaction) throws -> Value
    ) throws -> Value {
        var left = max(1, attempts)
        while true {
            left -= 1
            let transaction = try makeTransaction(options, writeOptions: writeOptions)
            do {
                let value = try body(transaction)
                if !transaction.isOver { try transaction.commit() }
                return value
            } catch {
                // Already over if the commit failed.
                if !transaction.isOver { try? transaction.rollback() }
                guard left > 0, let conflict = error as? RocksError, conflict.isConflict else { throw error }
            }
        }
    }
}

extension RocksError {
    /// Whether another transaction interfered, so that retrying the same transaction may succeed: a conflict, a deadlock, a lock that was not
    /// acquired in time, or one lost by expiration.
    public var isConflict: Bool {
        switch code {
        case .busy, .tryAgain, .expired: true
        case .timedOut: subcode == .lockTimeout || subcode == .mutexTimeout
        default: false
        }
    }
}
