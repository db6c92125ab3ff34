import Synchronization

/// The changes of a save.
public struct ObjectCommit: Sendable, Hashable {
    /// New objects, by class and then in insertion order, as in the other lists.
    public internal(set) var inserted: [ObjectID] = []
    /// Objects with changed values or relationships.
    public internal(set) var updated: [ObjectID] = []
    /// Deleted objects.
    public internal(set) var deleted: [ObjectID] = []
    /// Names that were set or removed, in no particular order.
    public internal(set) var names: [String] = []
    /// Whether other stores or processes saved this, possibly in several saves, as a comparison of two states of the store shows. Objects that a
    /// context of this store saved at the same time may be among them.
    public internal(set) var isExternal = false
    /// Whether anything may have changed, because the engine no longer knows what others have saved; the lists are then empty.
    public internal(set) var isEverything = false
}

extension ObjectStore {
    /// Returns the commits made from now on by any context of this store, one for each save, in order. The sequence ends when the store is closed or
    /// released.
    ///
    /// If other processes, or other stores in this process, already use the engine, their saves are reported too (``ObjectCommit/isExternal``), and so is
    /// a save whose outcome was unknown, if it was performed. Such commits are in order among themselves.
    ///
    /// ```swift
    /// for await commit in store.commits() { print(commit.inserted.count) }
    /// ```
    ///
    /// Commits that are not consumed are kept in memory.
    public func commits() -> AsyncStream<ObjectCommit> {
        let (stream, continuation) = AsyncStream.makeStream(of: ObjectCommit.self)
        let number = listeners.withLock { $0.add(continuation) }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.stopListening(number) }
        followOthers()
        return stream
    }

    /// Whether anybody listens to commits.
    var hasListeners: Bool { listeners.withLock { !$0.isEmpty } }

    /// Notes a commit, to be announced once it is as durable as it has to be. Called in the order of the versions.
    func willAnnounce(_ commit: ObjectCommit, _ version: EngineVersion) {
        listeners.withLock { listeners in
            listeners.waiting.append((version, commit))
            if listeners.follower != nil { listeners.own[version] = commit.inserted }
        }
    }

    /// Announces the commits up to a version.
    func announce(upTo version: EngineVersion) { listeners.withLock { $0.announce(upTo: version) } }

    private func stopListening(_ number: Int) {
        // Released outside of the lock.
        _ = listeners.withLock { $0.remove(number) }
    }

    /// Announces what others commit from now on, if anybody listens, until nobody does.
    func followOthers() {
        guard use.isShared else { return }
        // Between two saves, so that each is either known as this store's own, or part of the state that the follower begins with.
        let follower = saving.withLock { _ in
            listeners.withLock { listeners -> CommitFollower? in
                guard !listeners.isEmpty, listeners.follower == nil else { return nil }
                listeners.follower = CommitFollower(self)
                return listeners.follower
            }
        }
        follower?.start(self)
    }

    /// Stops announcing what others commit, and releases the follower.
    func stopFollowingOthers() { listeners.withLock { $0.endFollowing() }?.end() }
}

/// The listeners to commits.
struct CommitListeners: Sendable {
    private var continuations: [Int: AsyncStream<ObjectCommit>.Continuation] = [:]
    private var made = 0
    private var isClosed = false
    /// Finds out what others commit.
    fileprivate var follower: CommitFollower?
    /// The commits of this store's contexts that the follower has yet to see, and the objects that they inserted.
    fileprivate var own: [EngineVersion: [ObjectID]] = [:]

    /// The commits that have not been announced, in order.
    fileprivate var waiting: [(version: EngineVersion, commit: ObjectCommit)] = []

    var isEmpty: Bool { continuations.isEmpty }

    /// The version up to which the commits of others were announced; `nil` if nobody follows them.
    var announcedVersion: EngineVersion? { follower?.announcedVersion }

    fileprivate mutating func announce(upTo version: EngineVersion) {
        while let next = waiting.first, next.version <= version {
            for continuation in continuations.values { continuation.yield(next.commit) }
            waiting.removeFirst()
        }
    }

    /// Adds a listener; returns the number for ``remove(_:)``, or `nil` if closed.
    mutating func add(_ continuation: AsyncStream<ObjectCommit>.Continuation) -> Int? {
        guard !isClosed else { return nil }
        made += 1
        continuations[made] = continuation
        return made
    }

    /// Removes a listener; returns the follower if it was the last one.
    mutating func remove(_ number: Int) -> CommitFollower? {
        continuations[number] = nil
        return isEmpty ? endFollowing() : nil
    }

    mutating func endFollowing() -> CommitFollower? {
        defer { (follower, own) = (nil, [:]) }
        return follower
    }

    /// The objects inserted by the next commit that the follower sees; `nil` if no context of this store made it.
    mutating func takeOwn(_ version: EngineVersion) -> [ObjectID]? { own.removeValue(forKey: version) }

    /// Announces what others have changed, after this store's own commits that still wait for the disk, which it may undo.
    mutating func announce(_ commit: ObjectCommit) {
        guard let last = waiting.last else { return continuations.values.forEach { $0.yield(commit) } }
        waiting.append((last.version, commit))
    }

    /// Removes all listeners and returns them, to be finished.
    mutating func close() -> [AsyncStream<ObjectCommit>.Continuation] {
        isClosed = true
        defer { continuations = [:] }
        return Array(continuations.values)
    }
}
