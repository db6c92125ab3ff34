public import CairnCore
import Synchronization

/// The connection that commits.
struct SQLiteWriter: Sendable {
    let connection: SQLiteConnection
    /// Whether commits are synced; SQLite's default.
    var syncs = true
    /// The total of the changes before the oldest commit that the file keeps, or a smaller one.
    var historyStart: Int64 = 0
    /// Whether the log may have data that ``SQLiteEngine/removeFormerData(in:)`` is to remove.
    var hasFormerData = false

    /// Sets whether commits are synced. Not within a transaction.
    mutating func setSyncs(_ syncs: Bool) throws(SQLiteError) {
        guard syncs != self.syncs else { return }
        try connection.run("PRAGMA synchronous = \(syncs ? "FULL" : "NORMAL")")
        self.syncs = syncs
    }
}

extension SQLiteEngine {
    /// Waits for commits of other threads and processes; see ``SQLiteEngineOptions/busyTimeout``.
    ///
    /// What was read in a view is compared with the current data only if a commit since then may have written it: those that the file has a list of, about
    /// the last mebibyte of keys, by any process.
    ///
    /// - Throws: As `StorageEngine` says, and `EngineError.busy`.
    @discardableResult
    public func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        guard !isReadOnly else { throw EngineError(.readOnly, "'\(path)' was opened for reading only") }
        try limits.check(commit)
        guard !commit.isEmpty else { return try check(commit) }
        return try writer.withLock { writer throws(EngineError) in
            guard var current = writer else { throw closed }
            let connection = current.connection
            // Whatever did not get to its end.
            defer {
                writer = current
                if connection.isInTransaction { try? connection.run(.rollback) }
            }
            var total: Int64 = 0
            return try committer.commit(commit, isOwn: isOwn) { () throws(EngineError) in
                let latest = try file.attempt("committing to") { () throws(SQLiteError) in
                    try current.setSyncs(durability == .synced)
                    try connection.run(.beginWriting)
                    try report(from: connection)
                    return try connection.latest()
                }
                guard let latest else { throw file.damaged() }
                total = latest.total
                return SQLiteView(engine: self, connection: connection, version: latest.version, isOfCommit: true)
            } write: { writes, now, _ throws(EngineError) in
                let version = EngineVersion(rawValue: now.version.rawValue + 1)
                try file.attempt("committing to") { () throws(SQLiteError) in
                    try connection.write(writes)
                    try connection.add(writes, version, after: total, start: &current.historyStart)
                    try connection.run(.commit)
                }
                // The commit succeeded, whether or not this does.
                if current.hasFormerData { try? current.cutLog() }
                return version
            }
        }
    }

    /// Throws if a commit without writes conflicts.
    private func check(_ commit: EngineCommit) throws(EngineError) -> EngineVersion {
        try committer.commit(commit, isOwn: isOwn) { () throws(EngineError) in
            let view = try makeSQLiteView()
            try file.attempt("committing to") { () throws(SQLiteError) in try news.report() }
            return view
        } write: { _, now, _ throws(EngineError) in
            now.version
        }
    }

    private func isOwn(_ view: any EngineView) -> Bool { (view as? SQLiteView)?.engine === self }

    /// Reports the commits of others that `connection` sees.
    private func report(from connection: SQLiteConnection) throws(SQLiteError) {
        for change in try connection.changes(after: committer.newestReported) { committer.report(change) }
    }
}

extension SQLiteConnection {
    /// Performs writes, within a transaction.
    fileprivate func write(_ writes: EngineWrites) throws(SQLiteError) {
        for range in writes.deletedRanges { try delete(range) }
        for index in 0..<writes.count {
            let key = writes.key(at: index)
            let value = writes.value(at: index)
            try unsafe key.withUnsafeBytes { (keyBytes) throws(SQLiteError) in
                guard let value else { return try run(.delete) { unsafe $0.bind(keyBytes, at: 1) } }
                try unsafe value.withUnsafeBytes { (valueBytes) throws(SQLiteError) in
                    try run(.put) { statement in
                        unsafe statement.bind(keyBytes, at: 1)
                        statement.bind(SQLiteEntry.sum(key: unsafe keyBytes.bytes, value: unsafe valueBytes.bytes), at: 2)
                        unsafe statement.bind(valueBytes, at: 3)
                    }
                }
            }
        }
    }

    private func delete(_ range: KeyRange) throws(SQLiteError) {
        guard range != .all else { return try run(.deleteAll) }
        try unsafe range.lowerBound.span.bytes.withUnsafeBytes { (lower) throws(SQLiteError) in
            guard let upper = range.upperBound else { return try run(.deleteFrom) { unsafe $0.bind(lower, at: 1) } }
            try unsafe upper.span.bytes.withUnsafeBytes { (upper) throws(SQLiteError) in
                try run(.deleteBetween) { statement in
                    unsafe statement.bind(lower, at: 1)
                    unsafe statement.bind(upper, at: 2)
                }
            }
        }
    }
}
