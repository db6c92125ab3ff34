#if Hummingbird
import Synchronization

/// What a ``ResponseCacheMiddleware`` has done in this process since it was created.
public struct ResponseCacheStatistics: Hashable, Sendable {
    /// Requests that were answered from the cache.
    public internal(set) var hits = 0
    /// Requests that could have been answered from the cache, but had no response there.
    public internal(set) var misses = 0
    /// Responses that were stored.
    public internal(set) var stored = 0
    /// Responses that were removed to make room.
    public internal(set) var removed = 0
    /// Calls to the store that failed.
    public internal(set) var failures = 0
}

/// The counters of a cache.
final class ResponseCacheCounters: Sendable {
    let hits = Atomic(0)
    let misses = Atomic(0)
    let stored = Atomic(0)
    let removed = Atomic(0)
    let failures = Atomic(0)
    let isMakingRoom = Atomic(false)
    /// The keys of changes that are not noted in the store yet, each with the number of its latest change.
    private let unnoted = Mutex((changes: 0, keys: [String: Int]()))

    var unnotedChanges: [String: Int] { unnoted.withLock { $0.keys } }

    func addChange(_ key: String) {
        unnoted.withLock { unnoted in
            unnoted.changes += 1
            unnoted.keys[key] = unnoted.changes
        }
    }

    /// Removes a change that was noted, unless there was another since.
    func removeChange(_ key: String, _ number: Int) { unnoted.withLock { if $0.keys[key] == number { $0.keys[key] = nil } } }

    var statistics: ResponseCacheStatistics {
        ResponseCacheStatistics(
            hits: hits.load(ordering: .relaxed),
            misses: misses.load(ordering: .relaxed),
            stored: stored.load(ordering: .relaxed),
            removed: removed.load(ordering: .relaxed),
            failures: failures.load(ordering: .relaxed)
        )
    }
}
#endif
