import Synchronization

/// The changes of a context's save.
public struct ObjectCommit: Sendable, Hashable {
    /// New objects, by class and then in insertion order, as in the other lists.
    public internal(set) var inserted: [ObjectID] = []
    /// Objects with changed values or relationships.
    public internal(set) var updated: [ObjectID] = []
    /// Deleted objects.
    public internal(set) var deleted: [ObjectID] = []
    /// Names that were set or removed, in no particular order.
    public internal(set) var names: [String] = []
}

extension ObjectStore {
    /// Returns the commits made from now on by any context of this store, one for each save, in order. The sequence ends when the store is closed or
    /// released.
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
        continuation.onTermination = { [weak self] _ in self?.listeners.withLock { $0.remove(number) } }
        return stream
    }

    /// Whether anybody listens to commits.
    var hasListeners: Bool { listeners.withLock { !$0.isEmpty } }

    /// Notes a commit, to be announced once it is as durable as it has to be. Called in the order of the versions.
    func willAnnounce(_ commit: ObjectCommit, _ version: EngineVersion) { listeners.withLock { $0.waiting.append((version, commit)) } }

    /// Announces the commits up to a version.
    func announce(upTo version: EngineVersion) { listeners.withLock { $0.announce(upTo: version) } }
}

/// The listeners to commits.
struct CommitListeners: Sendable {
    private var continuations: [Int: AsyncStream<ObjectCommit>.Continuation] = [:]
    private var made = 0
    private var isClosed = false

    /// The commits that have not been announced, in order.
    fileprivate var waiting: [(version: EngineVersion, commit: ObjectCommit)] = []

    var isEmpty: Bool { continuations.isEmpty }

    fileprivate mutating func announce(upTo version: EngineVersion) {
        while let next = waiting.first, next.version <= version {
            for continuation in continuations.values { continuation.yield(next.commit) }
            waiting.removeFirst()
        }
    }

    var all: [AsyncStream<ObjectCommit>.Continuation] { Array(continuations.values) }

    /// Adds a listener; returns the number for ``remove(_:)``, or `nil` if closed.
    mutating func add(_ continuation: AsyncStream<ObjectCommit>.Continuation) -> Int? {
        guard !isClosed else { return nil }
        made += 1
        continuations[made] = continuation
        return made
    }

    mutating func remove(_ number: Int) { continuations[number] = nil }

    /// Removes all listeners and returns them, to be finished.
    mutating func close() -> [AsyncStream<ObjectCommit>.Continuation] {
        isClosed = true
        defer { continuations = [:] }
        return all
    }
}
