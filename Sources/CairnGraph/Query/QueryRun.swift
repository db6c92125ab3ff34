import CairnCore

/// A running query: the saved objects that the access finds and that pass the rest of the condition, merged with the context's own changes.
final class QueryRun<Object: StoredObject> {
    typealias Match = QueryMatch

    let context: ObjectContext
    let stored: StoredClass
    let view: StoreView
    let plan: QueryPlan
    let targets: QueryTargets
    let wantsObjects: Bool
    let residual: ObjectTest
    /// Tests records before objects are made of them, and what it leaves to ask.
    let judge: RecordJudge
    let rest: ObjectTest
    /// Whether nothing is left to test, for all objects and for those that a text index proves.
    let asksNothing: Bool
    let asksNothingOfProven: Bool
    /// Whether objects must belong to the context to be tested or sorted.
    let isForeign: Bool
    /// Makes an object's sort key, as the order of the plan needs it; `nil` if there is no order.
    private let makeKey: ((any StoredObject, inout KeyEncoder) -> [UInt8])?
    let isSorted: Bool
    private let condition: ObjectTest
    var encoder = KeyEncoder(capacity: 64)
    /// An object that belongs to no context, to read records into.
    var blank: Object?
    /// Takes the matches, if their keys are wanted.
    var keeper: MatchKeeper?
    /// Whether objects are made only once the matches are known, if their records tell enough.
    private(set) var makesObjectsLast = false
    /// Whether all records that are read are known to be matches.
    var areKnown = false
    /// Where the results begin; `nil`: with the first.
    let place: CursorPlace?
    /// How many matches were only counted; `nil` if all are passed on.
    var counted: Int?
    /// How many saved objects to skip before the first one that is passed on.
    var skipped = 0
    /// How many matches are wanted at most.
    private(set) var wanted = Int.max
    /// Objects with changes, which count as they are in the context, not as saved.
    private var changed: Set<ObjectID> = []
    /// The changed objects that match, in order.
    private(set) var pending: [Match] = []

    init(
        _ context: ObjectContext,
        _ stored: StoredClass,
        _ view: StoreView,
        _ plan: QueryPlan,
        _ targets: QueryTargets,
        after cursor: FetchCursor? = nil,
        wantsObjects: Bool
    ) throws(ObjectStoreError) {
        self.targets = targets
        self.context = context
        self.stored = stored
        self.view = view
        let place = cursor.map { CursorPlace($0, plan.order, plan.sort) }
        self.plan = place.map { plan.after($0) } ?? plan
        self.place = place
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
            makeKey = SortOrder(sorts: plan.sort.sorts.map { SortPart(property: $0.property, isDescending: false) }).compiled()
        }
        condition = plan.condition.compiled(targets, stored)
        residual = plan.residual.isAlways ? condition : plan.residual.compiled(targets, stored)
        let (texts, others) = plan.residual.textsApart
        let left: Condition
        (judge, left) = try RecordJudge.make(plan, targets, stored)
        rest = left.compiled(targets, stored)
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
            throw ObjectStoreError(.invalidPredicate, "the limit or offset of a query is negative")
        }
        let (end, isTooLarge) = offset.addingReportingOverflow(limit ?? .max)
        let count = isTooLarge ? Int.max : end
        guard limit != 0 else { return [] }
        try gatherPending()
        guard !isSorted else {
            let sorter = QuerySorter(isReversed: plan.sort.isReversed, limit: count, after: place)
            keeper = sorter
            // Most matches that a scan keeps for a while are dropped later.
            if case .everything = plan.access { makesObjectsLast = wantsObjects && count != .max }
            try forEach { match in
                sorter.add(match)
                return true
            }
            let found = sorter.sorted().dropFirst(offset)
            return makesObjectsLast ? try withObjects(found) : found
        }
        wanted = count
        // If the index alone gives the answer, no record is needed.
        if pending.isEmpty, countsEntries {
            skipped = offset
            wanted = limit ?? .max
        }
        let rest = offset - skipped
        var matches: [Match] = []
        try forEach { match in
            matches.append(match)
            return matches.count < wanted
        }
        return matches.dropFirst(rest)
    }

    /// Whether each entry that the access finds is a match.
    private var countsEntries: Bool { asksNothing && !stored.isShreddable && !plan.access.mayRepeat }

    func count() throws(ObjectStoreError) -> Int {
        try gatherPending()
        if changed.isEmpty, countsEntries, plan.access.hasEntries { return try plan.access.count(view, stored, upTo: .max) }
        var count = 0
        counted = 0
        try forEach { _ in
            count += 1
            return true
        }
        return count + (counted ?? 0)
    }

    /// Calls `body` with each match, in order unless the plan sorts, until it returns false.
    func forEach(_ body: (Match) -> Bool) throws(ObjectStoreError) {
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

    func gatherPending() throws(ObjectStoreError) {
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
            let key = key(object)
            if let place, !place.precedes(object._$state.id, key) { continue }
            pending.append(Match(id: object._$state.id, object: wantsObjects ? object : nil, key: key))
        }
        pending.sort(by: precedes)
    }

    var hasNoChanges: Bool { changed.isEmpty }
    var changedIDs: Set<ObjectID> { changed }

    func isChanged(_ id: ObjectID) -> Bool { !changed.isEmpty && changed.contains(id) }

    var wantsKeys: Bool {
        if case .access = plan.order { return !pending.isEmpty || place != nil }
        return false
    }

    /// The keys of the values that an object is sorted by.
    func keys(_ object: Object) -> [[UInt8]] {
        unobserved(object) {
            plan.sort.sorts.map { sort in
                encoder.removeAll()
                sort.property.encode(object, &encoder)
                return encoder.bytes
            }
        }
    }

    /// The sort key of an object.
    func key(_ object: Object) -> [UInt8] {
        guard let makeKey else { return [] }
        guard object._$state.flags.contains(.observed) else { return makeKey(object, &encoder) }
        return unobserved(object) { makeKey(object, &encoder) }
    }

    /// Whether an object meets a condition.
    func meets(_ condition: Condition, _ object: Object) throws(ObjectStoreError) -> Bool {
        try asks(objectTest(condition), object)
    }

    func objectTest(_ condition: Condition) throws(ObjectStoreError) -> ObjectTest {
        let condition = try condition.resolved(in: context)
        try context.bringUpToDate(condition, view)
        return condition.compiled(try QueryTargets(condition, context, stored, view), stored)
    }

    /// Whether an object passes a test. Observation doesn't see the access.
    func asks(_ test: ObjectTest, _ object: Object) throws(ObjectStoreError) -> Bool {
        try unobserved(object) { () throws(ObjectStoreError) in try test(object, &encoder) }
    }

    private func unobserved<Value, Failure: Error>(_ object: Object, _ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        guard object._$state.flags.contains(.observed) else { return try body() }
        object._$state.flags.remove(.observed)
        defer { object._$state.flags.insert(.observed) }
        return try body()
    }
}
