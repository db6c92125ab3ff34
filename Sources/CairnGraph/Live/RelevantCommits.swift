import CairnCore

/// The commits after which a query may have other results, and what they changed.
struct RelevantCommits {
    private let context: ObjectContext
    private let classNumber: UInt16
    /// Whether the results depend on more than the records of the class.
    private let leadsElsewhere: Bool
    private var feed: CommitFeed
    /// The version that the latest results have.
    private var seen: EngineVersion
    /// The version up to which commits are known.
    private var version: EngineVersion
    /// The pages that were changed since the latest results; `nil` if anything may have changed.
    private var pages: Set<UInt64>? = []
    private var isRelevant = false
    /// How many commits were waited for since one was relevant.
    private var waits = 0

    /// After so many commits, those that follow are not waited for.
    private static var mostWaits: Int { 1000 }

    init(_ context: ObjectContext, _ type: any StoredObject.Type, _ condition: Condition, _ sorts: [SortPart]) throws(ObjectStoreError) {
        self.context = context
        let stored = try context.knownClass(type)
        classNumber = stored.number
        leadsElsewhere = stored.isShreddable || condition.leadsElsewhere || sorts.contains { $0.property.index == nil }
        seen = try context.currentView().version
        version = seen
        feed = try CommitFeed(context.store, after: seen)
    }

    /// Returns the pages that were changed since the latest results, `nil` if anything may have changed, in the context's present view: the
    /// next results are to be those of this view.
    mutating func take() throws(ObjectStoreError) -> [UInt64]? {
        seen = try context.currentView().version
        defer { (pages, isRelevant, waits) = ([], false, 0) }
        // A commit that is not known yet.
        guard seen <= version else { return nil }
        return pages.map { $0.sorted() }
    }

    /// Waits until the results may differ, and all commits that the context's present view sees are known; returns false if that will not happen any more.
    mutating func next(isolation actor: isolated (any Actor)?) async throws(ObjectStoreError) -> Bool {
        while let change = try await feed.next(isolation: actor), context.isOpen {
            guard change.version > seen else { continue }
            version = change.version
            note(change)
            guard isRelevant else { continue }
            waits += 1
            if waits == Self.mostWaits { pages = nil }
            // If anything may have changed, the whole query runs, in any state.
            if pages == nil { return true }
            if try context.currentView().version <= version { return true }
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
