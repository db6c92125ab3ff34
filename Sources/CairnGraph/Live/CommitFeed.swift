import CairnCore

/// The commits to a store's engine, with the store's own errors.
struct CommitFeed {
    private var changes: EngineChanges.AsyncIterator

    init(_ store: ObjectStore, after version: EngineVersion) throws(ObjectStoreError) {
        do throws(EngineError) { changes = try store.engine.changes(after: version).makeAsyncIterator() } catch {
            throw ObjectStoreError(error)
        }
    }

    /// Waits for the next commit; returns `nil` once the engine is closed or the task is cancelled.
    mutating func next(isolation actor: isolated (any Actor)?) async throws(ObjectStoreError) -> EngineChange? {
        do throws(EngineError) { return try await changes.next(isolation: actor) } catch {
            guard error.code != .closed else { return nil }
            throw ObjectStoreError(error)
        }
    }
}
