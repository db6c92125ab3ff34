import CairnCore
import CairnEngine
import Dispatch
import Synchronization

/// Notices commits, those of other processes included, and reports them to the followers.
///
/// Has a connection of its own, and knows neither engine nor views, so that followers keep neither alive.
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

    init(_ connection: SQLiteConnection, _ committer: EngineCommitter<Void>, interval: Duration) throws(SQLiteError) {
        self.committer = committer
        let (seconds, attoseconds) = interval.components
        let nanoseconds = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.interval = .nanoseconds(
            max(1_000_000, nanoseconds.overflow ? .max : Int(nanoseconds.partialValue + attoseconds / 1_000_000_000))
        )
        reader = Mutex(try Reader(connection, committer.latestVersion))
    }

    /// The latest version; the last known one once closed, or while the file cannot be read.
    var latestVersion: EngineVersion { reader.withLock { $0.latestVersion() } }

    /// Reports what was committed since the last report.
    func report() throws(SQLiteError) {
        try reader.withLock { reader throws(SQLiteError) in
            for change in try reader.changes(after: committer.newestReported) { committer.report(change) }
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
        try? report()
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
        private var connection: SQLiteConnection?
        private var head: SQLiteLogHead?
        private var version: EngineVersion
        /// When the version and the commits were last read.
        private var versionMark: Mark?
        private var changesMark: Mark?

        /// What changes with each commit.
        private struct Mark: Equatable {
            var head = SIMD8<UInt64>()
            /// Where there is no log to look at.
            var dataVersion: Int64 = 0
        }

        init(_ connection: SQLiteConnection, _ version: EngineVersion) throws(SQLiteError) {
            self.connection = connection
            self.version = version
            _ = try connection.latest()
            head = try connection.logHead()
        }

        mutating func close() {
            // Its memory is the connection's.
            head = nil
            connection = nil
        }

        private func mark(_ connection: SQLiteConnection) throws(SQLiteError) -> Mark {
            if let head { return Mark(head: head.value) }
            return Mark(dataVersion: try connection.first(.dataVersion) { $0.number(0) } ?? 0)
        }

        mutating func latestVersion() -> EngineVersion {
            if let head, head.value == versionMark?.head { return version }
            // The mark is taken before reading: a commit in between is found the next time.
            guard let connection, let now = try? mark(connection), now != versionMark, let latest = try? connection.latest() else {
                return version
            }
            version = max(version, latest.version)
            versionMark = now
            return version
        }

        mutating func changes(after version: EngineVersion) throws(SQLiteError) -> [EngineChange] {
            guard let connection else { return [] }
            let now = try mark(connection)
            guard now != changesMark else { return [] }
            let changes = try connection.changes(after: version)
            changesMark = now
            return changes
        }
    }
}
