import CairnCore

/// The commits after which a query may have different results, and what they changed.
struct RelevantCommits {
    enum Changed {
        case pages([UInt64])
        case anything
    }

    private let context: ObjectContext
    private let classNumber: UInt16
    /// Whether the results depend on more than the records of the class.
    private let leadsElsewhere: Bool
    private var feed: CommitFeed
    /// The version of the latest results.
    private var seen: EngineVersion
    /// The version up to which commits are known.
    private var version: EngineVersion
    /// The pages that were changed since the latest results; `nil` if anything may have changed.
    private var pages: Set<UInt64>? = []
    private var isRelevant = false
    /// How often commits had to be waited for since one was relevant.
    private var waits = 0

    /// After this many waits, no further commits are waited for.
    private static var mostWaits: Int { 1000 }

    init(
        _ context: ObjectContext,
        _ type: any StoredObject.Type,
        _ condition: Condition,
        _ sorts: [SortPart],
        isolation actor: isolated (any Actor)?
    ) async throws(ObjectStoreError) {
        self.context = context
        let stored = try context.knownClass(type)
        classNumber = stored.number
        leadsElsewhere = stored.isShreddable || condition.leadsElsewhere || sorts.contains { $0.property.index == nil }
        seen = try await context.latestVersion(isolation: actor)
        version = seen
        feed = try await CommitFeed.begin(context.store, after: seen, isolation: actor)
    }

    /// Returns what was changed since the latest results, up to the state that the context stays at (``QueryHold``): the next results are to be those of that
    /// state. `nil` if it has commits that are not known yet; then wait for them.
    mutating func take() throws(ObjectStoreError) -> Changed? {
        let state = try context.currentView().version
        waits += 1
        if waits == Self.mostWaits { pages = nil }
        // If anything may have changed, the whole query runs, in any state.
        guard pages == nil || state <= version else { return nil }
        seen = state
        defer { (pages, isRelevant, waits) = ([], false, 0) }
        return pages.map { .pages($0.sorted()) } ?? .anything
    }

    /// Waits for a commit after which the results may differ; returns false if there will be none.
    mutating func next(isolation actor: isolated (any Actor)?) async throws(ObjectStoreError) -> Bool {
        while let change = try await feed.next(isolation: actor, until: context.end), context.isOpen {
            guard change.version > seen else { continue }
            version = change.version
            note(change)
            if isRelevant { return true }
        }
        return false
    }

    private mutating func note(_ change: EngineChange) {
        let isKnown =
            !leadsElsewhere
            && change.forEachPage(of: classNumber) { first in
                isRelevant = true
                pages?.insert(ObjectPage.page(of: first.row))
            }
        if !isKnown { (pages, isRelevant) = (nil, true) }
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
