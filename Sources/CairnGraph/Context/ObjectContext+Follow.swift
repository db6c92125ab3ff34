import CairnCore

extension ObjectContext {
    /// Keeps the objects in memory up to date: after each commit of another context, store or process, the changed objects get their new values, unless they
    /// have unsaved changes.
    ///
    /// ```swift
    /// let following = Task { try await context.follow() }                 // in SwiftUI: .task { try? await context.follow() }
    /// ```
    ///
    /// Observers of their properties are notified. Relationships that are derived from the other side are looked up again. Objects that were deleted
    /// keep their values; a ``LiveQuery`` reports them. Faults stay faults.
    ///
    /// Returns when the context or the store is closed, or the task is cancelled.
    ///
    /// On an engine over a network, waiting for commits and for the state after them blocks no thread. The objects belong to the context, so their new values
    /// are read where the context is, and block its thread, task or actor while the server answers.
    ///
    /// - Throws: ``ObjectStoreError``: `closed`, `corruption`, `shredded`, `ioError`, `unavailable`; `notSupported` in `read { }` and `write { }`, where everything
    ///   stays as it is. After an error, the context can be used as before, and this can be called again.
    /// - Complexity: Reads the pages of all objects in memory at first. After each commit, including this context's own, looks up each of the 32 rows of each
    ///   page that the commit wrote, and reads the pages of the objects in memory together.
    public func follow(isolation actor: isolated (any Actor)? = #isolation) async throws(ObjectStoreError) {
        try checkOpen()
        guard pinned == nil else {
            throw ObjectStoreError(
                .notSupported,
                "the context of read { } or write { } stays at its initial state, and does not follow commits"
            )
        }
        do throws(ObjectStoreError) {
            let version = try await latestVersion(isolation: actor)
            var feed = try await CommitFeed.begin(store, after: version, isolation: actor)
            try await update(after: nil, isolation: actor)
            while let change = try await feed.next(isolation: actor, until: end), isOpen {
                try await update(after: change, isolation: actor)
            }
        } catch {
            guard error.endsWait(wasOpen: true) else { throw error }
        }
    }

    /// - Parameter change: What may have changed; `nil` for everything.
    private func update(after change: EngineChange?, isolation actor: isolated (any Actor)?) async throws(ObjectStoreError) {
        let hold = try await holdLatest(isolation: actor)
        defer { withExtendedLifetime(hold) {} }
        let view = try currentView()
        guard let change else { return try updateAll(view) }
        var found: [any StoredObject] = []
        let isKnown = change.forEachPage(of: nil) { first in
            guard let stored = store.storedClass(number: first.classNumber) else { return }
            found += first.rowsOfPage.compactMap { object(stored, $0) }
        }
        guard isKnown else { return try updateAll(view) }
        try refresh(found, view)
        change.forEachKey(in: Keyspace.references) { key in
            guard key.byteCount == Keyspace.referenceSize else { return }
            let target = ObjectID(raw: Keyspace.number(key, at: 1))
            guard let stored = store.storedClass(number: target.classNumber), let object = object(stored, target) else { return }
            forgetGathered(object, stored)
        }
    }

    private func updateAll(_ view: StoreView) throws(ObjectStoreError) {
        try refresh(unsafe link.table.all().compactMap { $0 as? any StoredObject }, view)
        forgetGathered()
    }
}
