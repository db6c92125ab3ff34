import CairnCore
import Synchronization

/// A `StorageEngine` in a file of the system's SQLite, for several processes at once.
///
/// Commits are `Durability.buffered` by default: they survive the death of the process, but not power loss. `.none` is the same as `.buffered`. `.synced` syncs the
/// file's log, with all commits before, of this and other processes.
///
/// Any number of engines, in any number of processes of one machine, can have the same file open; ``isShared`` is true. Commits are made one at a time: a commit
/// waits for those of other processes at most ``SQLiteEngineOptions/busyTimeout``, and then throws `EngineError.busy`. Views and reads wait for nobody. Do not use
/// it on network file systems, whose locks are not reliable.
///
/// A view is a read transaction of its own connection, so it takes two file descriptors and the memory of a cache, and keeps the log, `PATH-wal`, from being
/// shortened: the file grows by what is committed in the meantime. Threads can share a view, but only one reads at a time.
///
/// After an error, including a full disk, nothing of the failed commit is visible, and the engine can be used as before. If ``sync()`` fails, what was committed before is
/// visible, but may not survive power loss.
///
/// Each page of the file and each entry has a checksum, which is compared when it is read, so damage to the file is noticed. A damaged log, as a killed
/// process may leave it, is read up to the damage: commits from there on are lost. Other SQLite programs can read the file, but must not write it: they do
/// not know about the checksums.
public final class SQLiteEngine: StorageEngine {
    public let limits: EngineLimits
    public let isReadOnly: Bool
    public var isShared: Bool { true }
    /// The file.
    public let path: String

    /// - Complexity: Nanoseconds, a few microseconds after each commit: a comparison of memory that the processes share. A few microseconds if the engine is for
    ///   reading only and nobody has the store open for writing.
    public var latestVersion: EngineVersion { max(news.latestVersion, committer.latestVersion) }

    let file: SQLiteFile
    let committer: EngineCommitter<Void>
    let news: SQLiteNews
    let checkpointer: SQLiteCheckpointer
    /// Pages of objects that were read more than once.
    let values: ValueCache
    /// The connection that commits, and its lock; `nil` if there is none, or it was closed.
    let writer: Mutex<SQLiteWriter?>
    let syncs = SharedSync()
    /// Syncs the log.
    let syncConnection = Mutex<SQLiteConnection?>(nil)
    private let state: Mutex<State>

    private struct State {
        /// Connections without a transaction.
        var idle: [SQLiteConnection] = []
        var views = 0
        var isClosed = false
    }

    /// The number of connections that are kept for later views.
    private static let idleCount = 8

    /// Opens the store in the file `path`, or creates one. An empty file counts as missing.
    ///
    /// Never changes files of other programs, whether SQLite's or not, nor files of later versions. Leaves no files beside one that it refuses.
    ///
    /// - Throws: `EngineError.notFound` if it does not exist and `createIfMissing` is false, or its directory does not exist; `EngineError.foreignFile`;
    ///   `EngineError.isDirectory`; `EngineError.notSupported` if a later version of Cairn made it, the file system cannot share memory between processes,
    ///   the file has several names (hard links) and is not opened for reading only, or one of the files beside it is a pipe, a device or a
    ///   socket; `EngineError.permissionDenied`; `EngineError.busy`; `EngineError.corruption`; `EngineError.noSpace`; `EngineError.ioError`;
    ///   `EngineError.invalidArgument` if the path is empty or contains a zero byte.
    /// - Complexity: Reads the log of processes that were killed.
    public init(path: String, options: SQLiteEngineOptions = SQLiteEngineOptions()) throws(EngineError) {
        try EngineError.checkPath(path, "opening '\(path)'")
        self.path = path
        isReadOnly = options.readOnly
        let file = SQLiteFile(path: FileSystem.absolute(path), options: options)
        self.file = file
        checkpointer = SQLiteCheckpointer(file)
        let (connection, version) = try file.open()
        var limits = EngineLimits()
        limits.maximumKeySize = 1 << 20
        limits.maximumValueSize = connection.rowLimit - (1 << 20) - 64
        self.limits = limits
        values = ValueCache(capacity: Int(clamping: options.objectCacheSize.bytes), version: version)
        let committer = EngineCommitter(limits: limits, version: version, state: ())
        self.committer = committer
        news = try file.attempt("opening") { () throws(SQLiteError) in try SQLiteNews(file, connection, committer) }
        state = Mutex(State(idle: options.readOnly ? [connection] : []))
        writer = Mutex(options.readOnly ? nil : SQLiteWriter(connection: connection))
    }

    deinit { try? close() }

    public func makeView() throws(EngineError) -> any EngineView { try makeSQLiteView() }

    /// - Parameter attempts: How often to connect, if others change a file that is read as it is.
    func makeSQLiteView(attempts: Int = 3) throws(EngineError) -> SQLiteView {
        let idle = try state.withLock { state throws(EngineError) -> SQLiteConnection? in
            guard !state.isClosed else { throw closed }
            state.views += 1
            while let connection = state.idle.popLast() {
                guard connection.isOutdated else { return connection }
            }
            return nil
        }
        do throws(EngineError) {
            let connection = if let idle { idle } else { try file.connect() }
            let version = try file.attempt("making a view of") { () throws(SQLiteError) in
                let version = try beginReading(connection)
                try noteCommits(upTo: version, connection)
                return version
            }
            guard let version else { throw file.damaged() }
            return SQLiteView(engine: self, connection: connection, version: version, isOfCommit: false)
        } catch {
            // The connection is closed.
            state.withLock { $0.views -= 1 }
            // The file was read as it is, and was changed since that connection was opened.
            guard (error.cause as? SQLiteError)?.code.isChanged == true, idle != nil || attempts > 1 else { throw error }
            return try makeSQLiteView(attempts: idle != nil ? attempts : attempts - 1)
        }
    }

    /// Begins a read transaction, and returns the version that it sees; `nil` in a damaged file.
    ///
    /// While the log says the same before and after, nobody has committed in between. If its version is known, the table of commits need not be read.
    private func beginReading(_ connection: SQLiteConnection) throws(SQLiteError) -> EngineVersion? {
        // A file that is read as it is has its own version, whatever the log says.
        let known = connection.isStill ? nil : news.known
        let before = connection.isStill ? nil : known?.head ?? news.head
        try connection.run(.begin)
        if let known {
            // The first statement begins the transaction.
            try connection.run(.dataVersion)
            if news.head == known.head { return known.version }
        }
        guard let latest = try connection.latest() else { return nil }
        if let before, news.head == before { news.note(latest.version, at: before) }
        return latest.version
    }

    /// Removes what others have written from the cache, before anybody reads in the state that `connection` sees.
    func noteCommits(upTo version: EngineVersion?, _ connection: SQLiteConnection) throws(SQLiteError) {
        guard let version, values.knownVersion < version else { return }
        for change in try connection.changes(after: values.knownVersion) { values.changed(change) }
    }

    /// Takes back the connection of a view.
    ///
    /// - Parameter catchesUp: Whether a commit that depended on it has found a long log.
    func endView(_ connection: SQLiteConnection, catchesUp: Bool) {
        let canBeUsed = (try? connection.run(.commit)) != nil
        let isLast = state.withLock { state in
            state.views -= 1
            if canBeUsed, state.idle.count < Self.idleCount { state.idle.append(connection) }
            return state.views == 0
        }
        if catchesUp, isLast { checkpointer.catchUp() }
    }

    public func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges {
        guard !isClosed else { throw closed }
        try file.attempt("following") { () throws(SQLiteError) in try news.report(waits: true) }
        return EngineChanges(after: version ?? committer.newestReported) { [news] version throws(EngineError) in
            try await news.change(after: version)
        }
    }

    /// Waits for a commit in progress. The last engine to close moves what is in the log to the file, and removes the files beside it.
    ///
    /// - Throws: `EngineError.busy` if views are held. `EngineError.notFound`, once the engine is closed, if the file is no longer at its path: what was
    ///   committed may be lost. If the file was moved, move its log, `PATH-wal`, along with it: what was committed last is in it.
    public func close() throws(EngineError) {
        let (wasOpen, hasMoved) = try writer.withLock { writer throws(EngineError) in
            let (wasOpen, idle) = try state.withLock { state throws(EngineError) in
                guard state.views == 0 else {
                    throw OpenViews.areHeld(state.views, "'\(path)'")
                }
                defer { state.idle = [] }
                guard !state.isClosed else { return (false, [SQLiteConnection]()) }
                state.isClosed = true
                return (true, state.idle)
            }
            news.close()
            syncConnection.withLock { $0 = nil }
            withExtendedLifetime(idle) {}
            defer { writer = nil }
            return (wasOpen, writer?.connection.hasMoved ?? false)
        }
        checkpointer.close()
        committer.close()
        if wasOpen, isReadOnly { file.removeEmptyLog() }
        guard hasMoved else { return }
        throw EngineError(
            .notFound,
            "closing '\(path)': the file was deleted, moved or replaced while the store was open, and saved data may be lost. "
                + "If it was moved, move '\(file.logPath)' along with it and give it the file's name followed by '-wal'"
        )
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }
    var closed: EngineError { EngineError(.closed, "'\(path)' was closed") }
}
