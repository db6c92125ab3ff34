import CairnCore

/// The commits to a store's engine, with the store's own errors.
struct CommitFeed: Sendable {
    private var changes: EngineChanges.AsyncIterator

    init(_ store: ObjectStore, after version: EngineVersion) throws(ObjectStoreError) {
        do throws(EngineError) { changes = try store.engine.changes(after: version).makeAsyncIterator() } catch {
            throw ObjectStoreError(error)
        }
    }

    /// The same for tasks: an engine over a network is called on a separate thread.
    static func begin(
        _ store: ObjectStore,
        after version: EngineVersion,
        isolation actor: isolated (any Actor)?
    ) async throws(ObjectStoreError) -> CommitFeed {
        guard store.engine.isRemote else { return try CommitFeed(store, after: version) }
        return try await CairnCore.offPool { () throws(ObjectStoreError) in try CommitFeed(store, after: version) }.get()
    }

    /// Waits for the next commit; returns `nil` once the engine is closed or the task is cancelled.
    mutating func next(isolation actor: isolated (any Actor)?) async throws(ObjectStoreError) -> EngineChange? {
        do throws(EngineError) { return try await changes.next(isolation: actor) } catch {
            guard error.code != .closed else { return nil }
            throw ObjectStoreError(error)
        }
    }

    /// Same as ``next(isolation:)``; returns `nil` once a context is closed, too.
    mutating func next(isolation actor: isolated (any Actor)?, until end: ContextEnd) async throws(ObjectStoreError) -> EngineChange? {
        let (feed, change) = await end.wait { [self] in
            var feed = self
            do throws(ObjectStoreError) {
                let change = try await feed.next(isolation: nil)
                return (feed, Result<EngineChange?, ObjectStoreError>.success(change))
            } catch { return (feed, .failure(error)) }
        }
        self = feed
        return try change.get()
    }
}
