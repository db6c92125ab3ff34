import CairnCore

/// A running query: the saved objects that the access finds and that pass the rest of the condition, merged with the context's own changes.
final class QueryRun<Object: StoredObject> {
    typealias Match = QueryMatch

    let context: ObjectContext
    let stored: StoredClass
    let view: any EngineView
    let plan: QueryPlan<Object>
    let wantsObjects: Bool
    let residual: ObjectTest<Object>
    /// The parts of the residual condition that test records before objects are made of them, and the rest.
    let recordTests: [TextRecordTest]
    let rest: ObjectTest<Object>
    let restIsNothing: Bool
    /// Whether nothing is left to test, for all objects and for those that a text index proves.
    let asksNothing: Bool
    let asksNothingOfProven: Bool
    /// Whether objects must belong to the context to be tested or sorted.
    let isForeign: Bool
    /// Makes an object's sort key, as the order of the plan needs it; `nil` if there is no order.
    private let makeKey: ((Object, inout KeyEncoder) -> [UInt8])?
    private let isSorted: Bool
    private let condition: ObjectTest<Object>
    var encoder = KeyEncoder(capacity: 64)
    /// An object that belongs to no context, to read records into.
    var blank: Object?
    var sorter: QuerySorter?
    /// Objects with changes, which count as they are in the context, not as saved.
    private var changed: Set<ObjectID> = []
    /// Those of them that match, in order.
    private var pending: [Match] = []

    init(_ context: ObjectContext, _ stored: StoredClass, _ view: any EngineView, _ plan: QueryPlan<Object>, wantsObjects: Bool)
        throws(ObjectStoreError)
    {
        self.context = context
        self.stored = stored
        self.view = view
        self.plan = plan
        self.wantsObjects = wantsObjects
        asksNothing = plan.residual.isAlways
        isForeign = plan.residual.isForeign || plan.sort.sorts.contains { $0.property.index == nil }
        if case .sorted = plan.order { isSorted = true } else { isSorted = false }
        if plan.sort.sorts.isEmpty {
            makeKey = nil
        } else if isSorted {
            makeKey = plan.sort.compiled()
        } else {
            // As in the index entries, whichever way they are read.
            makeKey = SortOrder(sorts: plan.sort.sorts.map { ObjectSort(property: $0.property, isDescending: false) }).compiled()
        }
        let links = try LinkTargets(plan.condition, context, stored, view)
        condition = plan.condition.compiled(links.test)
        residual = plan.residual.compiled(links.test)
        let (texts, others) = plan.residual.textsApart
        recordTests = texts.map { TextRecordTest($0.query, $0.isNegated, $0.properties, stored) }
        rest = others.compiled(links.test)
        restIsNothing = others.isAlways
        if case .text = plan.access { asksNothingOfProven = others.isAlways && texts.count == 1 } else { asksNothingOfProven = asksNothing }
    }

    /// Whether saved objects must be read, not only found.
    var readsRecords: Bool { wantsRecords || !asksNothing }

    /// Whether objects that a text index proves must be read too.
    var readsProvenRecords: Bool { wantsRecords || !asksNothingOfProven }

    private var wantsRecords: Bool { isSorted || wantsObjects || stored.isShreddable }

    // MARK: Results

    func matches(offset: Int = 0, limit: Int? = nil) throws(ObjectStoreError) -> ArraySlice<Match> {
        guard offset >= 0, limit ?? 0 >= 0 else {
            throw ObjectStoreError(.invalidPredicate, "a limit or offset of a query is negative")
        }
        let (end, isTooLarge) = offset.addingReportingOverflow(limit ?? .max)
        let count = isTooLarge ? Int.max : end
        guard limit != 0 else { return [] }
        var matches: [Match] = []
        if case .sorted = plan.order {
            sorter = QuerySorter(isReversed: plan.sort.isReversed, limit: count)
            try forEach { match in
                sorter?.add(match)
                return true
            }
            matches = sorter?.sorted() ?? []
            sorter = nil
        } else {
            try forEach { match in
                matches.append(match)
                return matches.count < count
            }
        }
        return matches.dropFirst(offset)
    }

    func count() throws(ObjectStoreError) -> Int {
        var count = 0
        try forEach { _ in
            count += 1
            return true
        }
        return count
    }

    /// Calls `body` with each match, in order unless the plan sorts, until it returns false.
    private func forEach(_ body: (Match) -> Bool) throws(ObjectStoreError) {
        try gatherPending()
        var waiting = pending[...]
        var goesOn = true
        try forEachSaved { match in
            while let first = waiting.first, precedes(first, match) {
                waiting.removeFirst()
                goesOn = body(first)
                guard goesOn else { return false }
            }
            goesOn = body(match)
            return goesOn
        }
        guard goesOn else { return }
        for match in waiting { guard body(match) else { return } }
    }

    private func precedes(_ one: Match, _ other: Match) -> Bool {
        switch plan.order {
        case .identity: return one.id < other.id
        case .sorted: return false
        case .access(let isReversed):
            if one.key == other.key { return isReversed ? other.id < one.id : one.id < other.id }
            return one.key.lexicographicallyPrecedes(other.key) != isReversed
        }
    }

    // MARK: The context's changes

    private func gatherPending() throws(ObjectStoreError) {
        guard !context.pending.isEmpty else { return }
        for object in context.pending.updated + context.pending.deleted.values where object._$state.id.classNumber == stored.number {
            changed.insert(object._$state.id)
        }
        var objects: [any StoredObject] = []
        for object in context.pending.inserted where object._$state.isPendingInsert(stored.number) {
            objects.append(object)
            changed.insert(object._$state.id)
        }
        for object in context.pending.updated where changed.contains(object._$state.id) && !object.isDeleted {
            objects.append(object)
        }
        for object in objects {
            let object = unsafe unsafeDowncast(object, to: Object.self)
            guard !object._$state.flags.contains(.damaged) else { throw context.damage(object._$state.id, stored, nil) }
            guard try asks(condition, object) else { continue }
            pending.append(Match(id: object._$state.id, object: wantsObjects ? object : nil, key: key(object)))
        }
        pending.sort(by: precedes)
    }

    func isChanged(_ id: ObjectID) -> Bool { !changed.isEmpty && changed.contains(id) }

    var wantsKeys: Bool {
        if case .access = plan.order { return !pending.isEmpty }
        return false
    }

    /// The sort key of an object.
    func key(_ object: Object) -> [UInt8] {
        guard let makeKey else { return [] }
        guard object._$state.flags.contains(.observed) else { return makeKey(object, &encoder) }
        return unobserved(object) { makeKey(object, &encoder) }
    }

    /// Whether an object passes a test. Observation doesn't see the access.
    func asks(_ test: ObjectTest<Object>, _ object: Object) throws(ObjectStoreError) -> Bool {
        try unobserved(object) { () throws(ObjectStoreError) in try test(object, &encoder) }
    }

    private func unobserved<Value, Failure: Error>(_ object: Object, _ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        guard object._$state.flags.contains(.observed) else { return try body() }
        object._$state.flags.remove(.observed)
        defer { object._$state.flags.insert(.observed) }
        return try body()
    }
}

/// The objects that a condition wants relationships to refer to.
struct LinkTargets<Object: StoredObject> {
    private let stored: StoredClass
    /// For relationships derived from the other side: the objects that refer back, by target and property.
    private var owners: [ObjectID: [Int: Set<ObjectID>]] = [:]

    init(_ condition: Condition<Object>, _ context: ObjectContext, _ stored: StoredClass, _ view: any EngineView) throws(ObjectStoreError) {
        self.stored = stored
        try gather(condition, context, view)
    }

    private mutating func gather(_ condition: Condition<Object>, _ context: ObjectContext, _ view: any EngineView) throws(ObjectStoreError)
    {
        switch condition {
        case .all(let parts), .any(let parts): for part in parts { try gather(part, context, view) }
        case .link(let test):
            guard let relation = stored.relations[test.property], relation.isDerived, let inverse = relation.inverse,
                let target = test.target, let id = target.objectID
            else { return }
            owners[id, default: [:]][test.property] = Set(inverse.targets(target))
        default: break
        }
    }

    func test(_ test: LinkTest<Object>) -> (Object) -> Bool {
        guard let relation = stored.relations[test.property] else { return { _ in false } }
        guard let target = test.target else { return { relation.shape == .one && relation.reference($0).isNone } }
        guard let id = target.objectID, !target.isDeleted else { return { _ in false } }
        if relation.isDerived {
            let owners = owners[id]?[test.property] ?? []
            return { owners.contains($0._$state.id) }
        }
        if relation.shape == .one { return { relation.reference($0).id == id } }
        return { relation.collection($0)?.contains(id) ?? false }
    }
}
