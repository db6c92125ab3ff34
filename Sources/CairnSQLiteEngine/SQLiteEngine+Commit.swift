public import CairnCore
import Synchronization

/// The connection that commits.
struct SQLiteWriter: Sendable {
    let connection: SQLiteConnection
    /// Whether commits are synced; SQLite's default.
    var syncs = true
    /// The total of the changes before the oldest commit that the file keeps, or a smaller one.
    var historyStart: Int64 = 0
    /// Whether the log may have data that ``SQLiteEngine/removeFormerData(in:)`` is to remove, or keeps the file from shrinking.
    var hasFormerData = false

    /// Sets whether commits are synced. Not within a transaction.
    mutating func setSyncs(_ syncs: Bool) throws(SQLiteError) {
        guard syncs != self.syncs else { return }
        try connection.run("PRAGMA synchronous = \(syncs ? "FULL" : "NORMAL")")
        self.syncs = syncs
    }
}

extension SQLiteEngine {
    /// Waits for commits of other threads and processes; see ``SQLiteEngineOptions/busyTimeout``. If commits are faster than the disk, or follow each other without a
    /// pause, releasing the view that a commit depended on waits for the disk after each 32 MiB or so.
    ///
    /// What was read in a view is compared with the current data only if a commit since then may have written it. The file lists the keys of the latest
    /// commits by any process, about 1 MiB of them; older commits may have written anything.
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
            // Rolls back a transaction that did not complete.
            defer {
                writer = current
                if connection.isInTransaction { try? connection.run(.rollback) }
            }
            var total: Int64 = 0
            var head: SQLiteLogHead.Value?
            return try committer.commit(commit, isOwn: isOwn) { () throws(EngineError) in
                let latest = try file.attempt("committing to") { () throws(SQLiteError) in
                    try current.setSyncs(durability == .synced)
                    try connection.run(.beginWriting)
                    head = news.head
                    let latest = try connection.latest()
                    try report(upTo: latest?.version, connection)
                    return latest
                }
                guard let latest else { throw file.damaged() }
                total = latest.total
                return SQLiteView(engine: self, connection: connection, version: latest.version, isOfCommit: true)
            } write: { writes, now, _ throws(EngineError) in
                var version = now.version
                let kept = values.willWrite(writes)
                defer { if version > now.version { values.didWrite(writes, kept, version) } else { values.didWrite(version) } }
                try file.attempt("committing to") { () throws(SQLiteError) in
                    let next = EngineVersion(rawValue: version.rawValue + 1)
                    try connection.write(writes)
                    try connection.add(writes, next, after: total, start: &current.historyStart)
                    try connection.run(.commit)
                    version = next
                    if let head { news.noteCommit(version, after: head, pages: connection.logPages) }
                }
                // The commit succeeded, whether or not this does.
                if current.hasFormerData { try? current.cutLog() }
                if checkpointer.committed(connection.logPages) {
                    // As long as there is a view, the log cannot start from its beginning.
                    for reads in commit.reads { (reads.view as? SQLiteView)?.catchUpAtEnd() }
                    if commit.reads.isEmpty { checkpointer.catchUp() }
                }
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

    /// Reports the commits of others that `connection` sees, and removes what they have written from the cache.
    private func report(upTo version: EngineVersion?, _ connection: SQLiteConnection) throws(SQLiteError) {
        let known = min(committer.newestReported, values.knownVersion)
        guard let version, known < version else { return }
        for change in try connection.changes(after: known) {
            values.changed(change)
            committer.report(change)
        }
    }
}

extension SQLiteConnection {
    /// Performs writes, within a transaction.
    fileprivate func write(_ writes: EngineWrites) throws(SQLiteError) {
        let hasLarge = try first(.hasLarge) { _ in true } ?? false
        for range in writes.deletedRanges {
            // First, as the entries have the IDs.
            if hasLarge { try delete(range, .deleteAllLarge, .deleteLargeFrom, .deleteLargeBetween) }
            try delete(range, .deleteAll, .deleteFrom, .deleteBetween)
        }
        for index in 0..<writes.count {
            let key = writes.key(at: index)
            let value = writes.value(at: index)
            try unsafe key.withUnsafeBytes { (key) throws(SQLiteError) in
                let formerLarge = hasLarge ? try first(.largeID, bind: { unsafe $0.bind(key, at: 1) }, read: { $0.number(0) }) : nil
                guard let value else {
                    if let formerLarge { try run(.deleteLarge) { $0.bind(formerLarge, at: 1) } }
                    return try run(.delete) { unsafe $0.bind(key, at: 1) }
                }
                try unsafe value.withUnsafeBytes { (value) throws(SQLiteError) in unsafe try put(value, for: key, formerLarge) }
            }
        }
    }

    /// - Parameter formerLarge: The ID of the large value that the key has.
    private func put(_ value: UnsafeRawBufferPointer, for key: UnsafeRawBufferPointer, _ formerLarge: Int64?) throws(SQLiteError) {
        var large: Int64?
        if SQLiteEntry.isLarge(key: key.count, value: value.count) {
            large = unsafe try putLarge(value, formerLarge)
        } else if let formerLarge {
            try run(.deleteLarge) { $0.bind(formerLarge, at: 1) }
        }
        try run(.put) { statement in
            unsafe statement.bind(key, at: 1)
            statement.bind(SQLiteEntry.sum(key: unsafe key.bytes, value: unsafe value.bytes), at: 2)
            if let large { statement.bind(large, at: 3) } else { unsafe statement.bind(value, at: 3) }
        }
    }

    private func putLarge(_ value: UnsafeRawBufferPointer, _ former: Int64?) throws(SQLiteError) -> Int64 {
        guard let former else {
            try run(.addLarge) { unsafe $0.bind(value, at: 1) }
            return lastInsertedID
        }
        try run(.replaceLarge) { statement in
            statement.bind(former, at: 1)
            unsafe statement.bind(value, at: 2)
        }
        return former
    }

    private func delete(_ range: KeyRange, _ all: SQLiteQuery, _ from: SQLiteQuery, _ between: SQLiteQuery) throws(SQLiteError) {
        guard range != .all else { return try run(all) }
        try unsafe range.lowerBound.span.bytes.withUnsafeBytes { (lower) throws(SQLiteError) in
            guard let upper = range.upperBound else { return try run(from) { unsafe $0.bind(lower, at: 1) } }
            try unsafe upper.span.bytes.withUnsafeBytes { (upper) throws(SQLiteError) in
                try run(between) { statement in
                    unsafe statement.bind(lower, at: 1)
                    unsafe statement.bind(upper, at: 2)
                }
            }
        }
    }
}
