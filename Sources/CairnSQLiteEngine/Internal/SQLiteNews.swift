import CairnCore
import CairnEngine
import Dispatch
import Synchronization

/// Notices commits, those of other processes included, and reports them to the followers.
///
/// Reads on a connection of its own, which is opened when there is something to read, and knows neither engine nor views, so that followers keep neither
/// alive.
final class SQLiteNews: Sendable {
    private let committer: EngineCommitter<Void>
    private let interval: DispatchTimeInterval
    private let reader: Mutex<Reader>
    private let followers = Mutex(Followers())

    private struct Followers {
        var count = 0
        /// Whether ``look()`` is going to be called.
        var isLooking = false
    }

    /// - Parameter connection: A connection that has read something; kept only for the head of its log.
    init(_ file: SQLiteFile, _ connection: SQLiteConnection, _ committer: EngineCommitter<Void>) throws(SQLiteError) {
        self.committer = committer
        interval = .nanoseconds(Int(max(1_000_000, file.options.newsInterval.clampedNanoseconds)))
        reader = Mutex(try Reader(file, connection, committer.latestVersion))
    }

    /// The latest version; the last known one once closed, or while the file cannot be read.
    var latestVersion: EngineVersion { reader.withLock { $0.latestVersion() } }

    /// What the log says now; `nil` if the file has none.
    var head: SQLiteLogHead.Value? { reader.withLock { $0.headValue } }

    /// The version of the store at the current head of the log, and that head; `nil` if the version is unknown.
    var known: (version: EngineVersion, head: SQLiteLogHead.Value)? {
        reader.withLock { reader in
            guard let head = reader.headValue, let version = reader.version(at: head) else { return nil }
            return (version, head)
        }
    }

    /// Notes the version of the store at what the log said before and after it was read.
    func note(_ version: EngineVersion, at head: SQLiteLogHead.Value) { reader.withLock { $0.note(version, at: head) } }

    /// Notes a commit of the engine, so that it is not read again. Earlier commits were reported.
    ///
    /// - Parameters:
    ///   - former: What the log said when the commit had begun.
    ///   - pages: The length of the log after the commit.
    func noteCommit(_ version: EngineVersion, after former: SQLiteLogHead.Value, pages: Int) {
        reader.withLock { reader in
            guard let head = reader.headValue, head.follows(former, pages: pages) else { return }
            reader.note(version, at: head)
            reader.noteReported(at: head)
        }
    }

    /// Reports what was committed since the last report.
    ///
    /// - Parameter waits: Whether to wait for a file that is read as it is, and was changed a moment ago.
    func report(waits: Bool = false) throws(SQLiteError) {
        try reader.withLock { reader throws(SQLiteError) in
            for change in try reader.changes(after: committer.newestReported, waits: waits) { committer.report(change) }
        }
    }

    /// The commit after `version`, once there is one; `nil` once closed, or the task is cancelled.
    func change(after version: EngineVersion) async throws(EngineError) -> EngineChange? {
        follow()
        defer { followers.withLock { $0.count -= 1 } }
        // What cannot be read now is reported later.
        try? report()
        var iterator = committer.changes(after: version).makeAsyncIterator()
        return try await iterator.next()
    }

    /// Reports what is new, and releases the connection.
    func close() {
        // If not, nothing was ever read, and nobody follows.
        if reader.withLock({ $0.isReading }) { try? report() }
        reader.withLock { $0.close() }
    }

    private func follow() {
        let mustBegin = followers.withLock { followers in
            followers.count += 1
            defer { followers.isLooking = true }
            return !followers.isLooking
        }
        if mustBegin { lookLater() }
    }

    private func lookLater() { DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + interval) { [weak self] in self?.look() } }

    /// Reports what is new, again and again while there are followers.
    private func look() {
        let goesOn = followers.withLock { followers in
            followers.isLooking = followers.count > 0
            return followers.isLooking
        }
        guard goesOn else { return }
        try? report()
        lookLater()
    }

    private struct Reader: Sendable {
        /// `nil` once closed.
        private var file: SQLiteFile?
        private var connection: SQLiteConnection?
        private var head: SQLiteLogHead?
        /// Has the memory of the head.
        private var headConnection: SQLiteConnection?
        private var version: EngineVersion
        /// When the version and the commits were last read.
        private var versionMark: Mark?
        private var changesMark: Mark?

        /// What changes with each commit.
        private struct Mark: Equatable {
            var head = SQLiteLogHead.Value()
            /// Used if there is no log to look at.
            var dataVersion: Int64 = 0
        }

        init(_ file: SQLiteFile, _ connection: SQLiteConnection, _ version: EngineVersion) throws(SQLiteError) {
            self.file = file
            self.version = version
            head = try connection.logHead()
            headConnection = connection
        }

        var isReading: Bool { connection != nil }

        mutating func close() {
            head = nil
            headConnection = nil
            connection = nil
            file = nil
        }

        private mutating func connect(waits: Bool = false) throws(SQLiteError) -> SQLiteConnection? {
            if connection?.isOutdated == true {
                connection = nil
                // They are numbers of that connection.
                (versionMark, changesMark) = (nil, nil)
            }
            guard connection == nil, let file else { return connection }
            let new = try file.makeConnection(waits: waits)
            if head == nil {
                _ = try new.latest()
                head = try new.logHead()
                headConnection = new
            }
            connection = new
            return new
        }

        private func mark(_ connection: SQLiteConnection) throws(SQLiteError) -> Mark {
            if let head { return Mark(head: head.value) }
            return Mark(dataVersion: try connection.first(.dataVersion) { $0.number(0) } ?? 0)
        }

        /// What the log says now; `nil` if there is none to look at.
        var headValue: SQLiteLogHead.Value? { head?.value }

        /// The version of the store when the log says this; `nil` if it is unknown.
        func version(at value: SQLiteLogHead.Value) -> EngineVersion? { value == versionMark?.head ? version : nil }

        mutating func note(_ version: EngineVersion, at value: SQLiteLogHead.Value) {
            guard version >= self.version else { return }
            self.version = version
            versionMark = Mark(head: value)
        }

        mutating func noteReported(at value: SQLiteLogHead.Value) { changesMark = Mark(head: value) }

        mutating func latestVersion() -> EngineVersion {
            if let head, head.value == versionMark?.head { return version }
            // The mark is taken before reading: a commit in between is found the next time.
            guard let connection = try? connect(), let now = try? mark(connection), now != versionMark,
                let latest = try? connection.latest()
            else {
                return version
            }
            version = max(version, latest.version)
            versionMark = now
            return version
        }

        mutating func changes(after version: EngineVersion, waits: Bool) throws(SQLiteError) -> [EngineChange] {
            guard let connection = try connect(waits: waits) else { return [] }
            let now = try mark(connection)
            guard now != changesMark else { return [] }
            let changes = try connection.changes(after: version)
            changesMark = now
            return changes
        }
    }
}
