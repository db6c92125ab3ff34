import CairnCore
import CairnEngine
import Dispatch
import Synchronization

/// Learns of commits, those of others included, and reports them to the followers; cleans up now and then.
///
/// The server's notifications are a bell: what was committed is read from the table of commits, so that none is missed and the order is exact.
/// Knows neither engine nor views, so that it keeps neither alive.
final class PostgresNews: Sendable {
    /// The maximum size of keys and ranges that followers get.
    static let largestChange = 128 << 10
    static let changesAtOnce = 500
    /// The same for a view, whose engine forgets changed values: more keys would cost more than reading the values again.
    static let largestChangeOfView = 16 << 10
    static let changesOfView = 32
    /// The commits that are cleaned up in one transaction.
    private static let cleanedAtOnce: Int32 = 500

    private let pool: PostgresPool
    private let log: EngineLog
    private let latest: Atomic<UInt64>
    private let seen: Mutex<PostgresCommit>
    /// Whether anybody has ever followed. If not, only versions are read: not every engine need read every commit.
    private let isFollowed = Atomic(false)
    /// Held while commits are read, so that each is read once.
    private let reading = Mutex(())
    private let listener = Mutex(Listener())
    private let queue = DispatchQueue(label: "Cairn: news from PostgreSQL", qos: .utility)

    private struct Listener {
        var source: Source?
        var pause = Backoff()
        var isClosed = false
    }

    /// A source of events, which any thread may cancel.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceRead
    }

    init(_ pool: PostgresPool, after commit: PostgresCommit) {
        self.pool = pool
        log = EngineLog(after: commit.version)
        latest = Atomic(commit.version.rawValue)
        seen = Mutex(commit)
    }

    /// Begins to listen.
    func start() {
        if pool.target.options.server.notifies { queue.async { [weak self] in self?.listen() } } else { poll() }
        later(.milliseconds(pool.target.options.upkeepInterval.timeoutMilliseconds())) { $0.lookAfterAll() }
    }

    var latestVersion: EngineVersion { EngineVersion(rawValue: latest.load(ordering: .acquiring)) }

    /// The last commit that a view has seen, or the engine has made.
    var lastSeen: PostgresCommit { seen.withLock { $0 } }

    /// Notes a version that others have made.
    func note(_ version: EngineVersion) { latest.max(version.rawValue, ordering: .releasing) }

    /// Notes the last commit that a view sees.
    func note(_ commit: PostgresCommit) {
        note(commit.version)
        seen.withLock { if commit.version > $0.version { $0 = commit } }
    }

    /// Notes a commit of this engine. Followers get it at once, unless they must first get others.
    func note(_ writes: EngineWrites, _ commit: PostgresCommit) {
        note(commit)
        if log.newest.rawValue + 1 == commit.version.rawValue { log.append(writes, version: commit.version) }
    }

    // MARK: Following

    /// Reports what was committed since the last report.
    func report(retries: Bool = true) throws(EngineError) {
        try reading.withLock { _ throws(EngineError) in
            while true {
                let start = log.newest
                var parameters = PostgresParameters()
                parameters.add(Int64(bitPattern: start.rawValue))
                let rows = try pool.run(.changes, "following", retries: retries, parameters)
                // If there is none, a row says so.
                for row in 0..<rows.count where !rows.isNull(row, 1) { append(rows.change(row)) }
                guard rows.count == Self.changesAtOnce else { return }
            }
        }
    }

    private func append(_ change: EngineChange) {
        // Before a follower can see it.
        note(change.version)
        // The commits in between are no longer there.
        if change.version.rawValue > log.newest.rawValue + 1 {
            log.appendUnknown(upTo: EngineVersion(rawValue: change.version.rawValue - 1))
        }
        log.append(change)
    }

    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges {
        isFollowed.store(true, ordering: .sequentiallyConsistent)
        try report()
        return EngineChanges(after: version ?? log.newest) { [log, weak self] version throws(EngineError) in
            // A view can be newer than what was read.
            if let self, version > log.newest { _ = await offPool { () throws(EngineError) in try self.report(retries: false) } }
            var iterator = log.changes(after: version).makeAsyncIterator()
            return try await iterator.next()
        }
    }

    /// Finds out what is new.
    private func look() throws(EngineError) {
        guard !isFollowed.load(ordering: .sequentiallyConsistent) else { return try report(retries: false) }
        let rows = try pool.run(.latest, "following", retries: false)
        note(rows.version(0))
    }

    // MARK: Listening

    private func listen() {
        guard !listener.withLock({ $0.isClosed }) else { return }
        do throws(PostgresError) {
            let connection = try pool.connect()
            _ = try connection.run("LISTEN \"\(pool.target.schema.channel)\"")
            let source = DispatchSource.makeReadSource(fileDescriptor: connection.descriptor, queue: queue)
            source.setEventHandler { [weak self] in self?.hear(connection) }
            // Keeps the descriptor open until then.
            source.setCancelHandler { withExtendedLifetime(connection) {} }
            let kept = Source(source: source)
            let isClosed = listener.withLock { listener in
                listener.source = kept
                listener.pause = Backoff()
                return listener.isClosed
            }
            source.activate()
            if isClosed { return source.cancel() }
            // Finds what was committed in the meantime.
            try? look()
        } catch {
            // A standby cannot notify.
            if error.isReadOnly { poll() } else { listenLater() }
        }
    }

    private func listenLater() {
        let pause = listener.withLock { listener in
            listener.source?.source.cancel()
            listener.source = nil
            return listener.pause.next()
        }
        later(.milliseconds(pause)) { $0.listen() }
    }

    private func hear(_ connection: PostgresConnection) {
        do throws(PostgresError) {
            guard let version = try connection.notifications().compactMap(UInt64.init).max() else { return }
            note(EngineVersion(rawValue: version))
            if version > log.newest.rawValue, isFollowed.load(ordering: .sequentiallyConsistent) { try? report(retries: false) }
        } catch {
            listenLater()
        }
    }

    private func poll() {
        later(.milliseconds(pool.target.options.newsInterval.timeoutMilliseconds())) { news in
            try? news.look()
            news.poll()
        }
    }

    private func later(_ interval: DispatchTimeInterval, _ body: @escaping @Sendable (PostgresNews) -> Void) {
        guard !pool.isClosed else { return }
        queue.asyncAfter(deadline: .now() + interval) { [weak self] in if let self, !self.pool.isClosed { body(self) } }
    }

    // MARK: Upkeep

    private func lookAfterAll() {
        try? look()
        if !pool.target.options.readOnly { try? clean(retries: false) }
        later(.milliseconds(pool.target.options.upkeepInterval.timeoutMilliseconds())) { $0.lookAfterAll() }
    }

    /// Removes what is older than the retention.
    func clean(retries: Bool = true) throws(EngineError) {
        var parameters = PostgresParameters()
        parameters.add(Self.cleanedAtOnce)
        while true {
            let rows = try pool.run(.clean, "cleaning up", retries: retries, parameters)
            guard rows.number(0, 0) == Self.cleanedAtOnce else { return }
        }
    }

    /// Removes everything that has been overwritten or deleted, whatever the retention: views of it end.
    func cleanAll() throws(EngineError) {
        let attempt = "removing former data from"
        let end = ContinuousClock.now + pool.target.options.retryTimeout.timeout
        let last = try pool.run(.age, attempt).version(0)
        var pause = Backoff()
        while true {
            try clean()
            // Unless another engine is cleaning up at the same time.
            guard try pool.run(.latest, attempt).number(0, 0) < Int64(bitPattern: last.rawValue) else { return }
            guard pause.fits(before: end) else {
                let message = "others kept cleaning up for \(pool.target.options.retryTimeout); try again"
                throw EngineError(.busy, "\(attempt) \(pool.target.description): \(message)")
            }
            pause.wait()
        }
    }

    /// Reports the last commits, and ends the sequences of changes.
    func close() {
        if log.newest < latestVersion, isFollowed.load(ordering: .sequentiallyConsistent) { try? report(retries: false) }
        let source = listener.withLock { listener in
            listener.isClosed = true
            return listener.source.take()
        }
        source?.source.cancel()
        log.close()
    }
}

extension PostgresRows {
    func version(_ row: Int) -> EngineVersion { EngineVersion(rawValue: UInt64(bitPattern: number(row, 1))) }

    /// The commit of a row that has its name.
    func commit(_ row: Int, name column: Int32) -> PostgresCommit {
        PostgresCommit(version: version(row), name: [UInt8](copying: bytes(row, column)))
    }

    /// What a commit wrote.
    func change(_ row: Int) -> EngineChange {
        let version = version(row)
        guard !isNull(row, 2), let parts = parts(row, 2), let starts = self.parts(row, 3), let ends = self.parts(row, 4) else {
            return EngineChange(everythingUpTo: version)
        }
        var keys = KeyList(parts)
        keys.isSorted = true
        return EngineChange(version: version, keys: keys, deletedRanges: zip(starts, ends).map(PostgresKey.range))
    }
}
