import Synchronization

/// What an object store has done since it was opened, and what is open now; see ``ObjectStore/activity``.
public struct ObjectStoreActivity: Sendable, Hashable {
    /// Saves that stored changes.
    public internal(set) var saves: UInt64 = 0
    /// Saves that failed with ``ObjectStoreError/Code/conflict``, including those that `write { }` repeated.
    public internal(set) var conflicts: UInt64 = 0
    /// Saves, and closures of `write { }`, that ran again because others had saved meanwhile.
    public internal(set) var retries: UInt64 = 0
    /// Contexts that are open.
    public internal(set) var openContexts = 0
    /// How far ``ObjectStore/commits()`` lags behind what other stores and processes have committed, in versions of the engine: 0 if it has reported all. `nil`
    /// if nobody listens, or no other store uses the engine.
    public internal(set) var feedLag: UInt64?
    /// Lookups of pages of objects that the engine's cache answered. 0 for engines without a cache.
    public internal(set) var pageHits: UInt64 = 0
    /// Lookups that the cache could not answer, so that the page was read from the engine.
    public internal(set) var pageMisses: UInt64 = 0
}

extension ObjectStore {
    /// What the store has done since it was opened. Each save adds to one counter. Can be read from any thread, also once the store is closed.
    ///
    /// - Complexity: O(1).
    public var activity: ObjectStoreActivity {
        var activity = ObjectStoreActivity()
        activity.saves = counts.saves.load(ordering: .relaxed)
        activity.conflicts = counts.conflicts.load(ordering: .relaxed)
        activity.retries = counts.retries.load(ordering: .relaxed)
        activity.openContexts = contextCount
        activity.feedLag = listeners.withLock { $0.announcedVersion }.map { announced in
            let latest = isClosed ? announced : engine.latestVersion
            return latest > announced ? latest.rawValue - announced.rawValue : 0
        }
        if let cache = (storageEngine as? any PageCaching)?.pageCache { (activity.pageHits, activity.pageMisses) = cache.counts }
        return activity
    }

    /// The engine that holds the data: below encryption, if the store is encrypted.
    package var storageEngine: any StorageEngine { (engine as? SealedEngine)?.base ?? engine }
}

/// What an open store counts.
struct ObjectStoreCounts: ~Copyable, Sendable {
    let saves = Atomic<UInt64>(0)
    let conflicts = Atomic<UInt64>(0)
    let retries = Atomic<UInt64>(0)
}
