import CairnCore

/// The commits after which a query may have other results.
struct RelevantCommits {
    private let context: ObjectContext
    /// What the query reads, directly or through an index; `nil` if anything.
    private let ranges: [KeyRange]?
    private var changes: EngineChanges.AsyncIterator
    /// The version that the latest results have.
    private var seen: EngineVersion

    init(_ context: ObjectContext, _ type: any StoredObject.Type, _ condition: Condition, _ sorts: [SortPart]) throws(ObjectStoreError) {
        self.context = context
        let stored = try context.knownClass(type)
        let leadsElsewhere =
            stored.isShreddable || condition.leadsElsewhere || sorts.contains { $0.property.index == nil }
        ranges = leadsElsewhere ? nil : [Keyspace.pages(stored.number), Keyspace.largeRecords(stored.number)]
        seen = try context.currentView().version
        do throws(EngineError) { changes = try context.store.engine.changes(after: seen).makeAsyncIterator() } catch {
            throw ObjectStoreError(error)
        }
    }

    /// Notes that the results are those of the context's present view.
    mutating func noteVersion() throws(ObjectStoreError) { seen = try context.currentView().version }

    /// Waits for the next commit that the results do not include yet; returns false if there will be none.
    mutating func next(isolation actor: isolated (any Actor)?) async throws(ObjectStoreError) -> Bool {
        do throws(EngineError) {
            while let change = try await changes.next(isolation: actor) {
                guard context.isOpen else { return false }
                if change.version > seen, ranges.map({ $0.contains { change.touches($0) } }) ?? true { return true }
            }
        } catch {
            guard error.code != .closed else { return false }
            throw ObjectStoreError(error)
        }
        return false
    }
}

extension Condition {
    /// Whether changes to objects of other classes can change what is found.
    fileprivate var leadsElsewhere: Bool {
        switch self {
        case .always, .text: false
        case .value(let test): test.property.index == nil
        case .link, .join: true
        case .other(let test): test.isForeign
        case .all(let parts), .any(let parts): parts.contains(where: \.leadsElsewhere)
        }
    }
}
