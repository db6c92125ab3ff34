import Synchronization

/// What a save of some context changed.
public struct ObjectCommit: Sendable, Hashable {
    /// Objects that are new; by class, then in the order in which they were inserted. So are the others.
    public internal(set) var inserted: [ObjectID] = []
    /// Objects whose values or relationships changed.
    public internal(set) var updated: [ObjectID] = []
    /// Objects that are gone.
    public internal(set) var deleted: [ObjectID] = []
    /// Names that were set or removed, in no order.
    public internal(set) var names: [String] = []
}

extension ObjectStore {
    /// What is saved from now on, by any context of this store: a commit for each save, in their order. The sequence ends when the store is closed or let go.
    ///
    /// ```swift
    /// for await commit in store.commits() { print(commit.inserted.count) }
    /// ```
    ///
    /// Commits that are not taken wait in memory.
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

    /// Whether somebody wants to know of commits.
    var hasListeners: Bool { listeners.withLock { !$0.isEmpty } }

    func announce(_ commit: ObjectCommit) { listeners.withLock { $0.all }.forEach { $0.yield(commit) } }
}

/// Who is told of commits.
struct CommitListeners: Sendable {
    private var continuations: [Int: AsyncStream<ObjectCommit>.Continuation] = [:]
    private var made = 0
    private var isClosed = false

    var isEmpty: Bool { continuations.isEmpty }
    var all: [AsyncStream<ObjectCommit>.Continuation] { Array(continuations.values) }

    /// The number to give to ``remove(_:)``; `nil` once all is over.
    mutating func add(_ continuation: AsyncStream<ObjectCommit>.Continuation) -> Int? {
        guard !isClosed else { return nil }
        made += 1
        continuations[made] = continuation
        return made
    }

    mutating func remove(_ number: Int) { continuations[number] = nil }

    /// Ends it; those to be told are returned.
    mutating func close() -> [AsyncStream<ObjectCommit>.Continuation] {
        isClosed = true
        defer { continuations = [:] }
        return all
    }
}
