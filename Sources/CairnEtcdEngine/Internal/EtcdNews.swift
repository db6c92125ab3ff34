import CairnCore
import CairnEngine
import Dispatch
import Synchronization

/// Tracks a store's commits: watches the commit key on a connection of its own, and reports each commit to followers.
///
/// Knows neither engine nor views, so that it keeps neither alive.
final class EtcdNews: Sendable {
    /// The number of revisions of the commit key that are asked for one by one, when the watch is late.
    private static let mostAsked = 64

    /// The revision in which the store was created.
    let created: UInt64
    private let pool: EtcdPool
    private let log: EngineLog
    private let latest: Atomic<UInt64>
    /// The number of the newest commit in the log; held while one is added, and while the cache of values learns of it.
    private let count: Mutex<UInt64>
    private let watch = Mutex(Watch())
    private let queue = DispatchQueue(label: "Cairn: news from etcd", qos: .utility)
    private let upkeep = DispatchQueue(label: "Cairn: looking after news from etcd", qos: .utility)

    private struct Watch {
        var stream: EtcdConnection.Stream?
        /// Whether the watch was late when it was last looked after.
        var isLate = false
        var isClosed = false
    }

    init(_ pool: EtcdPool, after head: EtcdHead) {
        self.pool = pool
        created = head.created
        log = EngineLog(after: head.version)
        latest = Atomic(head.version.rawValue)
        count = Mutex(head.count)
    }

    /// Begins to watch.
    func start() {
        Self.watch(Weak(self), queue)
        later()
    }

    private struct Weak: Sendable {
        weak let news: EtcdNews?
        init(_ news: EtcdNews) { self.news = news }
    }

    var latestVersion: EngineVersion { EngineVersion(rawValue: latest.load(ordering: .acquiring)) }

    // MARK: Versions

    /// Asks the server for the latest commit; also returns the server's revision, at which the data is the same.
    func ask(_ attempt: String, retries: Bool = true) throws(EngineError) -> (EtcdHead, revision: UInt64) {
        let known = latestVersion
        let key = pool.target.layout.commits
        let reply = try pool.run("/v3/kv/range", .object(.range(key)), attempt, retries: retries, fits: { $0.fits(key) })
        let head = try head(reply.entries.first, attempt)
        guard head.version >= known else {
            let message = "the server is at version \(head.version), but \(known) was seen before: it has lost commits"
            throw EngineError(.unavailable, "\(attempt) \(pool.target.description): \(message)", isOutcomeUnknown: false)
        }
        note(head.version)
        return (head, reply.revision)
    }

    /// The commit key, which must be that of the store that was opened.
    func head(_ entry: EtcdReply.Entry?, _ attempt: String) throws(EngineError) -> EtcdHead {
        guard let entry, entry.created == created else {
            let message = "the store was deleted or replaced by another one while it was open; open it again"
            throw EngineError(.unavailable, "\(attempt) \(pool.target.description): \(message)", isOutcomeUnknown: false)
        }
        return try pool.head(of: entry, attempt)
    }

    private func note(_ version: EngineVersion) { latest.max(version.rawValue, ordering: .releasing) }

    // MARK: The log

    /// Notes a commit of this engine, the `number`th. Followers get it at once, unless they must first get others.
    func note(_ writes: EngineWrites, _ version: EngineVersion, number: UInt64) {
        note(version)
        count.withLock { count in
            guard number == count + 1, version > log.newest else { return }
            log.append(writes, version: version)
            pool.values.changed(writes, version)
            count = number
        }
    }

    /// Adds a commit, if it is the next one or known; otherwise returns false.
    private func append(_ head: EtcdHead) -> Bool {
        note(head.version)
        return count.withLock { count in
            guard head.version > log.newest else { return true }
            guard head.count == count + 1 else { return false }
            log.append(head.change)
            pool.values.changed(head.change)
            count = head.count
            return true
        }
    }

    /// Adds a commit, preceded by a change that says anything may have changed.
    private func appendAfterGap(_ head: EtcdHead) {
        count.withLock { count in
            guard head.version > log.newest else { return }
            if head.count != count + 1 {
                let before = EngineVersion(rawValue: head.version.rawValue - 1)
                log.appendUnknown(upTo: before)
                pool.values.changed(EngineChange(everythingUpTo: before))
            }
            log.append(head.change)
            pool.values.changed(head.change)
            count = head.count
        }
    }

    /// Adds all commits up to one that was read: the watch may not have reported them yet.
    func catchUp(to head: EtcdHead) {
        var heads = [head]
        while !append(heads[heads.count - 1]), heads.count < Self.mostAsked {
            let before = heads[heads.count - 1].version.rawValue - 1
            // Older ones may have been compacted.
            guard let older = try? pool.head("following", at: before, retries: false), older.created == created else { break }
            heads.append(older)
        }
        for head in heads.reversed() { appendAfterGap(head) }
    }

    /// Makes a view of a commit that was read: removes everything from memory that the commits up to it have changed.
    ///
    /// Commits between that the watch has not reported yet are not asked for: reading pages again costs less than asking for each commit.
    func view(_ head: EtcdHead) -> EngineVersion {
        if !append(head) { pool.values.changed(EngineChange(everythingUpTo: head.version)) }
        return head.version
    }

    /// Whether what was read may have been written since, by commits up to the newest that is known.
    func mayHaveTouched(_ reads: EngineReads) -> Bool { log.mayHaveTouched(reads, after: reads.view.version) }

    /// Whether commits after `version`, up to `end`, may have written to a range.
    func mayHaveTouched(_ range: KeyRange, after version: EngineVersion, upTo end: EngineVersion) -> Bool {
        log.mayHaveTouched(range, after: version, upTo: end)
    }

    /// A key that was read and written since, if it is known.
    func touchedKey(_ reads: EngineReads) -> [UInt8]? { log.touchedKey(reads, after: reads.view.version) }

    // MARK: Following

    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges {
        catchUp(to: try ask("following").0)
        return EngineChanges(after: version ?? log.newest) { [log, weak self] version throws(EngineError) in
            // A view can be newer than what was reported.
            if let self, version > log.newest {
                _ = await offPool { () throws(EngineError) in self.catchUp(to: try self.ask("following", retries: false).0) }
            }
            var iterator = log.changes(after: version).makeAsyncIterator()
            return try await iterator.next()
        }
    }

    /// Reports the last commits, and ends the sequences of changes.
    func close() {
        if log.newest < latestVersion, let (head, _) = try? ask("closing", retries: false) { catchUp(to: head) }
        let stream = watch.withLock { watch in
            watch.isClosed = true
            return watch.stream.take()
        }
        stream?.stop()
        log.close()
    }

    // MARK: Watching

    /// Watches until the engine is closed or gone.
    private static func watch(_ weak: Weak, _ queue: DispatchQueue) {
        queue.async {
            var pause = Backoff()
            while let stream = weak.news?.open() {
                do throws(EtcdError) {
                    while let replies = try stream.next() {
                        guard let news = weak.news else { return }
                        for reply in replies { try news.hear(reply) }
                        pause = Backoff()
                    }
                } catch {
                    weak.news?.pool.leaveEndpoint()
                }
                pause.wait()
            }
        }
    }

    /// Begins to watch from the commit after the newest that is known; `nil` once the engine is closed.
    private func open() -> EtcdConnection.Stream? {
        var pause = Backoff()
        while !pool.isClosed, !watch.withLock({ $0.isClosed }) {
            var request = EtcdRequest()
            request += "{\"create_request\":{"
            request.add("key", pool.target.layout.commits)
            request += ",\"start_revision\":\"\(log.newest.rawValue + 1)\"}}"
            if let stream = try? pool.stream("/v3/watch", request) {
                let isClosed = watch.withLock { watch in
                    watch.stream = stream
                    return watch.isClosed
                }
                return isClosed ? nil : stream
            }
            pool.leaveEndpoint()
            pause.wait()
        }
        return nil
    }

    private func hear(_ reply: EtcdReply) throws(EtcdError) {
        try pool.check(reply)
        for event in reply.events {
            guard event.key == pool.target.layout.commits else { throw EtcdError(lost: "the server reported a different key") }
            // The next call reports an event of another store, or a deletion.
            guard event.created == created, let head = try? EtcdHead(event) else { continue }
            note(head.version)
            appendAfterGap(head)
        }
        guard reply.isCanceled else { return }
        // Compacted commits are unknown: anything may have changed.
        if reply.compacted > 0, let (head, _) = try? ask("following", retries: false) { appendAfterGap(head) }
        throw EtcdError(lost: "the server ended the watch")
    }

    private func later() {
        let interval = pool.target.options.upkeepInterval.timeoutMilliseconds()
        upkeep.asyncAfter(deadline: .now() + .milliseconds(interval)) { [weak self] in
            guard let self, !self.pool.isClosed else { return }
            self.lookAfterWatch()
            self.later()
        }
    }

    /// Finds out what the watch may have missed, and begins another one if it is late twice.
    private func lookAfterWatch() {
        guard let (head, _) = try? ask("following", retries: false) else { return }
        let isLate = head.version > log.newest
        catchUp(to: head)
        let stream = watch.withLock { watch in
            defer { watch.isLate = isLate }
            return isLate && watch.isLate ? watch.stream.take() : nil
        }
        guard let stream else { return }
        pool.leaveEndpoint()
        stream.stop()
    }
}

extension ValueCache {
    /// Same as `changed(_:)`, with what a commit of this engine has written.
    fileprivate func changed(_ writes: EngineWrites, _ version: EngineVersion) {
        var keys = KeyList()
        for index in 0..<writes.count { keys.append(writes.key(at: index)) }
        changed(EngineChange(version: version, keys: keys, deletedRanges: writes.deletedRanges))
    }
}
