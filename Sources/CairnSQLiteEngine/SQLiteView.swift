import CairnCore
import Synchronization

#if canImport(SQLite3)
import SQLite3
#else
import CSQLite
#endif

/// A snapshot of a ``SQLiteEngine``: a read transaction of its own connection, or the transaction of a commit.
final class SQLiteView: EngineView {
    let engine: SQLiteEngine
    let version: EngineVersion
    private let connection: SQLiteConnection
    private let isOfCommit: Bool
    private let resuming = Mutex(())
    /// Whether releasing the view waits until the log is moved.
    private let catchesUp = Atomic(false)

    init(engine: SQLiteEngine, connection: SQLiteConnection, version: EngineVersion, isOfCommit: Bool) {
        self.engine = engine
        self.connection = connection
        self.version = version
        self.isOfCommit = isOfCommit
    }

    deinit { if !isOfCommit { engine.endView(connection, catchesUp: catchesUp.load(ordering: .relaxed)) } }

    /// Makes releasing the view wait until the log is moved: its holder has committed.
    func catchUpAtEnd() { catchesUp.store(true, ordering: .relaxed) }

    /// After some errors, such as a damaged page, SQLite ends the transaction, and would read the latest data from then on. Begins a new one if that is
    /// still the same data.
    private func resume() throws(SQLiteError) {
        guard !connection.isInTransaction else { return }
        try resuming.withLock { _ throws(SQLiteError) in
            guard !connection.isInTransaction else { return }
            if !isOfCommit {
                try connection.run(.begin)
                if try connection.latest()?.version == version { return }
                try connection.run(.commit)
            }
            throw SQLiteError(SQLITE_ABORT, "the view ended with an earlier error, and there have been other commits since")
        }
    }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
        if let value = engine.values.value(key, version) {
            unsafe body(value.span.bytes)
            return true
        }
        return try unsafe key.withUnsafeBytes { (bytes) throws(EngineError) in
            let found = try engine.file.attempt("reading") { () throws(SQLiteError) in
                try resume()
                return try connection.begin(.value) { unsafe $0.bind(bytes, at: 1) }
            }
            guard let (statement, entry) = found else { return false }
            defer { connection.end(statement) }
            try lendValue(of: entry, unsafe bytes.bytes) { value in
                engine.values.offer(value, of: key, version)
                body(value)
            }
            return true
        }
    }

    /// Lends the value of an entry after checking its checksum.
    private func lendValue<Result>(
        of entry: SQLiteEntry,
        _ key: RawSpan,
        to body: (RawSpan) -> Result
    ) throws(EngineError) -> Result {
        guard let id = entry.largeID else { return try check(entry.sum, key, unsafe entry.value.bytes, body) }
        let found = try engine.file.attempt("reading") { () throws(SQLiteError) in try connection.begin(.large) { $0.bind(id, at: 1) } }
        guard let (statement, large) = found else { throw damaged(key) }
        defer { connection.end(statement) }
        return try check(entry.sum, key, unsafe large.value.bytes, body)
    }

    private func check<Result>(
        _ sum: Int64,
        _ key: RawSpan,
        _ value: RawSpan,
        _ body: (RawSpan) -> Result
    ) throws(EngineError) -> Result {
        guard SQLiteEntry.sum(key: key, value: value) == sum else { throw damaged(key) }
        return body(value)
    }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        for index in 0..<keys.count where try !lendValue(for: keys[index], to: { body(index, $0) }) { body(index, nil) }
    }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        guard !range.isEmpty else { return }
        let query: SQLiteQuery =
            if range.upperBound == nil { reverse ? .entriesBackward : .entries } else { reverse ? .entriesBackwardBefore : .entriesBefore }
        let upper = range.upperBound ?? []
        try unsafe range.lowerBound.span.bytes.withUnsafeBytes { (lower) throws(EngineError) in
            try unsafe upper.span.bytes.withUnsafeBytes { (upper) throws(EngineError) in
                let found = try engine.file.attempt("reading") { () throws(SQLiteError) in
                    try resume()
                    return try connection.begin(query) { statement in
                        unsafe statement.bind(lower, at: 1)
                        if range.upperBound != nil { unsafe statement.bind(upper, at: 2) }
                    }
                }
                guard let (statement, first) = found else { return }
                defer { connection.end(statement) }
                try lend(first, statement, to: body)
            }
        }
    }

    /// Lends `first` and the entries after it.
    private func lend(
        _ first: SQLiteEntry,
        _ statement: SQLiteStatement,
        to body: (RawSpan, RawSpan) -> Bool
    ) throws(EngineError) {
        var next: SQLiteEntry? = first
        while let entry = next {
            let key = unsafe entry.key.bytes
            guard try lendValue(of: entry, key, to: { body(key, $0) }) else { return }
            next = try engine.file.attempt("reading") { () throws(SQLiteError) in try connection.next(statement) }
        }
    }

    private func damaged(_ key: RawSpan) -> EngineError {
        EngineError(
            .corruption,
            "reading '\(engine.path)': an entry is damaged; restore a backup",
            userData: "key \([UInt8](copying: key))"
        )
    }
}
