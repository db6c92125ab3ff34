/// The results of a query, and the new ones after each commit that changes them, whichever context, store or process made it.
///
/// ```swift
/// for try await results in try context.live(Song.self, where: \.artist == "Katrina", sortedBy: \.title) {
///     print(results.objects.map(\.title), results.changes.inserted)
/// }
/// ```
///
/// The first element is what the query finds at first; all its objects count as inserted. Others follow when a commit has changed the results or the
/// values of their objects; commits in quick succession may produce a single element. The context's own unsaved changes count as in `fetch`, but produce
/// no element themselves: they appear with the next commit. Objects are updated in place, unless they have unsaved changes.
///
/// The sequence belongs to the thread, task or actor of its context, and retains the context. An iteration ends when the context or the store is closed, or
/// when the task is cancelled. One that begins after the context was closed throws `closed`: use a context from ``ObjectStore/makeContext(_:)``, since those of
/// `read { }` and `write { }` are closed at the end of the closure. To close the store, close the context first: there is no need to wait for the end of the
/// sequence.
///
/// On an engine over a network, waiting for commits and for the state after them blocks no thread. The objects belong to the context, so they are read where
/// the context is: the query, and reading what a commit has changed, block the thread, task or actor of the context while the server answers, as `fetch` does.
///
/// - Complexity: The query runs as `fetch` does at first. After a commit that changed up to 256 pages of 32 objects each, only their objects are read
///   and tested: O(log n) for each of them. If objects were inserted, removed or moved, the array elements in between are moved too, and the array is copied if the
///   previous results are still held. The whole query runs again after larger commits, and if the context has unsaved changes, an object beyond the limit may take
///   the place of one that left, the condition or the order uses related objects, or the class can be shredded. Commits to other classes cost nothing unless
///   the condition or the order uses related objects.
public struct LiveQuery<Object: StoredObject>: AsyncSequence {
    public typealias Element = LiveResults<Object>
    public typealias Failure = ObjectStoreError

    let context: ObjectContext
    let condition: Condition
    let sorts: [SortPart]
    let limit: Int?

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query: self) }

    /// Waits for new results.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let query: LiveQuery
        private var commits: RelevantCommits?
        private var list: LiveList<Object>?

        init(query: LiveQuery) { self.query = query }

        /// Returns the next results that differ from the ones before; `nil` once the context or the store is closed, or the task is cancelled.
        ///
        /// - Throws: As `fetch`; `closed` if the context was closed before the first call. The call after an error waits for a commit after those that the failed
        ///   one saw.
        public nonisolated(nonsending) mutating func next() async throws(ObjectStoreError) -> LiveResults<Object>? {
            try await next(isolation: #isolation)
        }

        /// Same as ``next()``, for a context that belongs to `actor`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ObjectStoreError) -> LiveResults<Object>? {
            let wasOpen = query.context.isOpen
            do throws(ObjectStoreError) { return try await results(isolation: actor) } catch {
                guard error.endsWait(wasOpen: wasOpen) else { throw error }
                return nil
            }
        }

        private mutating func results(isolation actor: isolated (any Actor)?) async throws(ObjectStoreError) -> LiveResults<Object>? {
            if list == nil {
                commits = try await RelevantCommits(query.context, Object.self, query.condition, query.sorts, isolation: actor)
                let hold = try await query.context.holdLatest(isolation: actor)
                defer { withExtendedLifetime(hold) {} }
                list = try LiveList(query.context, query.condition, query.sorts, query.limit)
                return try update(.anything)
            }
            while try await commits?.next(isolation: actor) ?? false {
                // The changes are taken, and read, in one state, whatever others commit meanwhile.
                let hold = try await query.context.holdLatest(isolation: actor)
                defer { withExtendedLifetime(hold) {} }
                guard let changed = try commits?.take() else { continue }
                if let results = try update(changed), !results.changes.isEmpty { return results }
            }
            return nil
        }

        private mutating func update(_ changed: RelevantCommits.Changed) throws(ObjectStoreError) -> LiveResults<Object>? {
            guard let changes = try list?.update(changed), let objects = list?.objects else { return nil }
            return LiveResults(objects: objects, changes: changes)
        }
    }
}

/// The results of a ``LiveQuery``, and how they differ from the ones before.
public struct LiveResults<Object: StoredObject> {
    /// The objects, in the order of the query.
    public let objects: [Object]
    /// The difference from the element before.
    public let changes: LiveChanges
}

/// The number of objects that a query finds, and the new number after each commit that changes it; see ``LiveQuery``.
public struct LiveCount<Object: StoredObject>: AsyncSequence {
    public typealias Element = Int
    public typealias Failure = ObjectStoreError

    let context: ObjectContext
    let condition: Condition

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query: self) }

    /// Waits for new numbers.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let query: LiveCount
        private var commits: RelevantCommits?
        private var former: Int?

        init(query: LiveCount) { self.query = query }

        /// Returns the next number that differs from the one before; `nil` once the context or the store is closed, or the task is
        /// cancelled.
        ///
        /// - Throws: As `count`; `closed` if the context was closed before the first call.
        public nonisolated(nonsending) mutating func next() async throws(ObjectStoreError) -> Int? { try await next(isolation: #isolation) }

        /// Same as ``next()``, for a context that belongs to `actor`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ObjectStoreError) -> Int? {
            let wasOpen = query.context.isOpen
            do throws(ObjectStoreError) { return try await number(isolation: actor) } catch {
                guard error.endsWait(wasOpen: wasOpen) else { throw error }
                return nil
            }
        }

        private mutating func number(isolation actor: isolated (any Actor)?) async throws(ObjectStoreError) -> Int? {
            let isFirst = commits == nil
            if isFirst { commits = try await RelevantCommits(query.context, Object.self, query.condition, [], isolation: actor) }
            var mayDiffer = isFirst
            while true {
                if !mayDiffer { mayDiffer = try await commits?.next(isolation: actor) ?? false }
                guard mayDiffer else { return nil }
                mayDiffer = false
                let hold = try await query.context.holdLatest(isolation: actor)
                defer { withExtendedLifetime(hold) {} }
                if !isFirst, try commits?.take() == nil { continue }
                let count = try query.context.query(Object.self, query.condition, wantsObjects: false).count()
                if count != former {
                    former = count
                    return count
                }
            }
        }
    }
}
