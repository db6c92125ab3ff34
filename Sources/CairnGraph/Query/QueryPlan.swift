import CairnCore

/// How a query is answered.
struct QueryPlan {
    /// The whole condition.
    let condition: Condition
    /// The part of the condition left to test on the objects that the access finds.
    let residual: Condition
    let access: QueryAccess
    let order: Order
    let sort: SortOrder

    enum Order {
        /// The order of insertion.
        case identity
        /// The order in which the access finds them, forwards or backwards.
        case access(isReversed: Bool)
        case sorted
    }
}

/// Chooses the plan.
///
/// The candidates are: each index whose first property, or first few properties (all but the last by equality), the condition constrains;
/// the objects that refer to an object; and, for an `||`, a union of candidates, one for each side. The planner takes the candidate that
/// finds the fewest objects, counted up to ``countedEntries``; among equals, the first. With a limit, or if only IDs are wanted, it prefers
/// an index with the wanted order if no candidate finds fewer objects than that. An index of another class may have the wanted order too
/// (``TargetWalk``).
struct QueryPlanner {
    let context: ObjectContext
    let stored: StoredClass
    let view: StoreView
    let targets: QueryTargets

    static var countedEntries: Int { 1000 }
    /// The most ranges into which lists of values for several properties of one index are combined.
    static var combinedRanges: Int { 1000 }

    private typealias Way = (access: QueryAccess, covered: Set<Int>)

    func plan(_ condition: Condition, _ sorts: [SortPart], isBounded: Bool) throws(ObjectStoreError) -> QueryPlan {
        let sort = SortOrder(sorts: sorts)
        if case .always(false) = condition {
            return QueryPlan(
                condition: condition,
                residual: .always(true),
                access: .nothing,
                order: sorts.isEmpty ? .identity : .sorted,
                sort: sort
            )
        }
        let parts = parts(of: condition)
        var best: Way?
        var least = Self.countedEntries
        let ways = try ways(parts)
        for way in ways {
            // The only one needs no comparison if it also has the wanted order.
            if ways.count == 1, sorts.isEmpty || isOrdered(way, sorts) {
                (best, least) = (way, 0)
                break
            }
            let count = try way.access.count(view, stored, upTo: least)
            if count < least || best == nil { (best, least) = (way, count) }
        }
        if !sorts.isEmpty, isBounded, least >= Self.countedEntries, let (way, isReversed) = ordered(parts, sorts) {
            return finish(condition, parts, way, .access(isReversed: isReversed), sort)
        }
        if isBounded, let walk = try walk(parts, sorts) {
            return finish(condition, parts, (.targets(walk), Set(parts.indices)), .access(isReversed: sorts[0].isDescending), sort)
        }
        let way = best ?? (.everything(despite: useless(parts, sorts)), [])
        guard !sorts.isEmpty else { return finish(condition, parts, way, .identity, sort) }
        if case .index(let scan) = way.access, let isReversed = direction(scan, sorts) {
            return finish(condition, parts, way, .access(isReversed: isReversed), sort)
        }
        return finish(condition, parts, way, .sorted, sort)
    }

    private func finish(
        _ condition: Condition,
        _ parts: [Condition],
        _ way: Way,
        _ order: QueryPlan.Order,
        _ sort: SortOrder
    ) -> QueryPlan {
        let left = parts.indices.filter { !way.covered.contains($0) }.map { parts[$0] }
        return QueryPlan(condition: condition, residual: .allOf(left), access: way.access, order: order, sort: sort)
    }

    func parts(of condition: Condition) -> [Condition] {
        switch condition {
        case .all(let parts): parts
        case .always(true): []
        default: [condition]
        }
    }

    // MARK: Ways

    var indexes: [StoredIndex] { stored.indexes.filter { $0.isComplete(in: view) } }

    private func ways(_ parts: [Condition]) throws(ObjectStoreError) -> [Way] {
        var ways = indexes.compactMap { way($0, parts) }
        for (place, part) in parts.enumerated() {
            switch part {
            case .link(let test):
                if let access = access(test) { ways.append((access, [place])) }
            case .join(let test):
                if let access = try access(test) { ways.append((access, [place])) }
            case .text(let test):
                // The texts of the objects found are still compared.
                if let access = access(test) { ways.append((access, [])) }
            case .any(let sides):
                if let (access, isExact) = try union(sides) { ways.append((access, isExact ? [place] : [])) }
            default: break
            }
        }
        return ways
    }

    private func way(_ index: StoredIndex, _ parts: [Condition]) -> Way? {
        let (spans, tests, covered) = spans(index, parts)
        return spans.isEmpty ? nil : (.index(IndexScan(index, spans, tests.text)), covered)
    }

    /// Which of several conditions that must all hold an index can answer, and the spans of its first properties.
    func spans(_ index: StoredIndex, _ parts: [Condition]) -> (spans: [KeySpans], tests: [ValueTest], covered: Set<Int>) {
        var spans: [KeySpans] = []
        var tests: [ValueTest] = []
        var covered: Set<Int> = []
        var combinations = 1
        for name in index.index.properties {
            let found = parts.firstIndex { part in
                if case .value(let test) = part { test.property.index != nil && test.property.name == name } else { false }
            }
            guard let found, case .value(let test) = parts[found], combinations * test.spans.spans.count <= Self.combinedRanges,
                !index.keys.areHashed || test.spans.arePoints
            else { break }
            spans.append(test.spans)
            tests.append(test)
            // Anyone who can write to the files can add entries to an encrypted index, so their objects are tested again.
            if !index.keys.areHashed { covered.insert(found) }
            combinations *= test.spans.spans.count
            guard test.spans.arePoints else { break }
        }
        return (spans, tests, covered)
    }

    /// The encrypted indexes that would have helped to find the objects, or have their order.
    private func useless(_ parts: [Condition], _ sorts: [SortPart]) -> [StoredIndex] {
        indexes.filter { index in
            guard index.keys.areHashed else { return false }
            let name = index.index.properties.first
            let isAsked = parts.contains { part in
                if case .value(let test) = part { test.property.index != nil && test.property.name == name } else { false }
            }
            return isAsked || sorts.first?.property.name == name
        }
    }

    private func union(_ sides: [Condition]) throws(ObjectStoreError) -> (QueryAccess, Bool)? {
        var accesses: [QueryAccess] = []
        var isExact = true
        for side in sides {
            let parts = parts(of: side)
            // The one that answers the most conditions.
            guard let way = try ways(parts).max(by: { $0.covered.count < $1.covered.count }) else { return nil }
            accesses.append(way.access)
            if way.covered.count < parts.count { isExact = false }
        }
        return (.union(accesses), isExact)
    }

    private func access(_ test: LinkTest) -> QueryAccess? {
        guard !test.isNegated, let target = test.target, let relation = stored.relations[test.property] else { return nil }
        guard let id = target.objectID, target._$state.link === context.link, !target.isDeleted else { return .nothing }
        guard relation.isDerived, let inverse = relation.inverse else {
            return .owners(of: [id], ReferringProperty(relation), "references to \(id) through \(relation.name)")
        }
        return .rows(Set(inverse.targets(target)).sorted(), "the objects in \(inverse.name) of \(id)")
    }

    /// The objects that lead to one of a few that meet the condition.
    private func access(_ test: JoinTest) throws(ObjectStoreError) -> QueryAccess? {
        guard !test.isNegated, !test.whenNil, let relation = stored.relations[test.property], !relation.isDerived,
            let set = targets.set(test), try set.isCheap(beside: stored)
        else { return nil }
        let ids = try set.ids()
        guard ids.count <= Self.combinedRanges else { return nil }
        if ids.isEmpty { return .nothing }
        return .owners(of: ids, ReferringProperty(relation), "references through \(relation.name) to \(test.target.text)")
    }

    private func access(_ test: TextTest) -> QueryAccess? {
        guard !test.isNegated else { return nil }
        let texts = test.properties.compactMap { place in stored.texts.first { $0.place == place && $0.isComplete(in: view) } }
        guard texts.count == test.properties.count else { return nil }
        return test.query.required.isEmpty ? .nothing : TextScan(test.query, texts).map { .text($0) }
    }

    // MARK: Order

    /// An index that finds objects in the wanted order, with the conditions that it answers.
    private func ordered(_ parts: [Condition], _ sorts: [SortPart]) -> (Way, Bool)? {
        var best: (way: Way, isReversed: Bool)?
        for index in indexes where !index.keys.areHashed {
            let way = way(index, parts) ?? (.index(IndexScan(index, [], "")), [])
            guard case .index(let scan) = way.access, let isReversed = direction(scan, sorts) else { continue }
            // The one that answers the most conditions.
            if best.map({ $0.way.covered.count < way.covered.count }) ?? true { best = (way, isReversed) }
        }
        return best
    }

    private func isOrdered(_ way: Way, _ sorts: [SortPart]) -> Bool {
        if case .index(let scan) = way.access { direction(scan, sorts) != nil } else { false }
    }

    private func direction(_ scan: IndexScan, _ sorts: [SortPart]) -> Bool? {
        guard sorts.allSatisfy({ $0.property.index != nil }) else { return nil }
        return scan.direction(sorts.map { ($0.property.name, $0.isDescending) })
    }
}
