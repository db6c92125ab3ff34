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

    func announce(_ commit: ObjectCommit) { listeners.withLock { $0.all }.forEach { $0.yield(commit) } }
}

/// The listeners to commits.
struct CommitListeners: Sendable {
    private var continuations: [Int: AsyncStream<ObjectCommit>.Continuation] = [:]
    private var made = 0
    private var isClosed = false

    var isEmpty: Bool { continuations.isEmpty }
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
