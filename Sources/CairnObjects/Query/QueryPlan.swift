import CairnCore

/// How a query is answered.
struct QueryPlan<Object: StoredObject> {
    /// All that is asked.
    let condition: Condition<Object>
    /// What is left to be asked of the objects that the access finds.
    let residual: Condition<Object>
    let access: QueryAccess
    let order: Order
    let sort: SortOrder<Object>

    enum Order {
        /// As the objects were inserted.
        case identity
        /// As the access finds them, forwards or backwards.
        case access(isReversed: Bool)
        case sorted
    }
}

/// Chooses the plan.
///
/// Each index of which the condition settles the first property, or the first few (all but the last by equality), is a way; so is who leads
/// to an object, and a union of ways, one for each side of an `||`. Of several the one is taken that finds the fewest objects, counted up
/// to ``countedEntries``; of equals, the first. With a limit, or where only identities are wanted, an index that has the wanted order is
/// preferred to one that finds that many objects or more, or to none.
struct QueryPlanner<Object: StoredObject> {
    let context: ObjectContext
    let stored: StoredClass
    let view: any EngineView

    static var countedEntries: Int { 1000 }
    /// Lists of values for several properties of one index are combined up to here.
    static var combinedRanges: Int { 1000 }

    private typealias Way = (access: QueryAccess, covered: Set<Int>)

    func plan(_ condition: Condition<Object>, _ sorts: [ObjectSort<Object>], isBounded: Bool) throws(ObjectStoreError) -> QueryPlan<Object>
    {
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
        let ways = ways(parts)
        for way in ways {
            if ways.count == 1, sorts.isEmpty {
                best = way
                break
            }
            let count = try way.access.count(view, stored, upTo: least)
            if count < least || best == nil { (best, least) = (way, count) }
        }
        if !sorts.isEmpty, isBounded, least >= Self.countedEntries, let (way, isReversed) = ordered(parts, sorts) {
            return finish(condition, parts, way, .access(isReversed: isReversed), sort)
        }
        let way = best ?? (.everything(despite: useless(parts, sorts)), [])
        guard !sorts.isEmpty else { return finish(condition, parts, way, .identity, sort) }
        if case .index(let scan) = way.access, let isReversed = direction(scan, sorts) {
            return finish(condition, parts, way, .access(isReversed: isReversed), sort)
        }
        return finish(condition, parts, way, .sorted, sort)
    }

    private func finish(
        _ condition: Condition<Object>,
        _ parts: [Condition<Object>],
        _ way: Way,
        _ order: QueryPlan<Object>.Order,
        _ sort: SortOrder<Object>
    ) -> QueryPlan<Object> {
        let left = parts.indices.filter { !way.covered.contains($0) }.map { parts[$0] }
        return QueryPlan(condition: condition, residual: .allOf(left), access: way.access, order: order, sort: sort)
    }

    private func parts(of condition: Condition<Object>) -> [Condition<Object>] {
        switch condition {
        case .all(let parts): parts
        case .always(true): []
        default: [condition]
        }
    }

    // MARK: Ways

    private var indexes: [StoredIndex] { stored.indexes.filter { $0.isComplete(in: view) } }

    private func ways(_ parts: [Condition<Object>]) -> [Way] {
        var ways = indexes.compactMap { way($0, parts) }
        for (place, part) in parts.enumerated() {
            switch part {
            case .link(let test):
                if let access = access(test) { ways.append((access, [place])) }
            case .text(let test):
                // What is found is compared with the text all the same.
                if let access = access(test) { ways.append((access, [])) }
            case .any(let sides):
                if let (access, isExact) = union(sides) { ways.append((access, isExact ? [place] : [])) }
            default: break
            }
        }
        return ways
    }

    /// What an index knows of conditions that all hold.
    private func way(_ index: StoredIndex, _ parts: [Condition<Object>]) -> Way? {
        var spans: [KeySpans] = []
        var texts: [String] = []
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
            texts.append(test.text)
            // Whoever can write to the files can add entries to an encrypted index: what they say is asked again of the objects.
            if !index.keys.areHashed { covered.insert(found) }
            combinations *= test.spans.spans.count
            guard test.spans.arePoints else { break }
        }
        guard !spans.isEmpty else { return nil }
        return (.index(IndexScan(index, spans, texts.joined(separator: " and "))), covered)
    }

    /// The encrypted indexes that would have been ways to the objects, or have their order.
    private func useless(_ parts: [Condition<Object>], _ sorts: [ObjectSort<Object>]) -> [StoredIndex] {
        indexes.filter { index in
            guard index.keys.areHashed else { return false }
            let name = index.index.properties.first
            let isAsked = parts.contains { part in
                if case .value(let test) = part { test.property.index != nil && test.property.name == name } else { false }
            }
            return isAsked || sorts.first?.property.name == name
        }
    }

    private func union(_ sides: [Condition<Object>]) -> (QueryAccess, Bool)? {
        var accesses: [QueryAccess] = []
        var isExact = true
        for side in sides {
            let parts = parts(of: side)
            // The one that settles the most; they are not counted here.
            guard let way = ways(parts).max(by: { $0.covered.count < $1.covered.count }) else { return nil }
            accesses.append(way.access)
            if way.covered.count < parts.count { isExact = false }
        }
        return (.union(accesses), isExact)
    }

    private func access(_ test: LinkTest<Object>) -> QueryAccess? {
        guard !test.isNegated, let target = test.target, let relation = stored.relations[test.property] else { return nil }
        guard let id = target.objectID, target._$state.link === context.link, !target.isDeleted else { return .nothing }
        guard relation.isDerived, let inverse = relation.inverse else { return .owners(of: id, relation) }
        return .rows(Set(inverse.targets(target)).sorted(), "what \(inverse.name) of \(id) leads to")
    }

    private func access(_ test: TextTest<Object>) -> QueryAccess? {
        guard !test.isNegated else { return nil }
        let texts = test.properties.compactMap { place in stored.texts.first { $0.place == place && $0.isComplete(in: view) } }
        guard texts.count == test.properties.count else { return nil }
        return test.query.required.isEmpty ? .nothing : TextScan(test.query, texts).map { .text($0) }
    }

    // MARK: Order

    /// A way that finds objects in the wanted order, with what it knows of the condition.
    private func ordered(_ parts: [Condition<Object>], _ sorts: [ObjectSort<Object>]) -> (Way, Bool)? {
        var best: (way: Way, isReversed: Bool)?
        for index in indexes where !index.keys.areHashed {
            let way = way(index, parts) ?? (.index(IndexScan(index, [], "")), [])
            guard case .index(let scan) = way.access, let isReversed = direction(scan, sorts) else { continue }
            // The one that settles the most.
            if best.map({ $0.way.covered.count < way.covered.count }) ?? true { best = (way, isReversed) }
        }
        return best
    }

    /// Whether a scan finds objects in the wanted order, or the reverse of it: the properties behind those with one value are those sorted
    /// by, all of them.
    private func direction(_ scan: IndexScan, _ sorts: [ObjectSort<Object>]) -> Bool? {
        guard !scan.index.keys.areHashed else { return nil }
        let first = sorts[0].isDescending
        guard sorts.allSatisfy({ $0.isDescending == first && $0.property.index != nil }) else { return nil }
        guard scan.index.index.properties.dropFirst(scan.equalCount).elementsEqual(sorts.map(\.property.name)) else { return nil }
        // Several ranges of one property are in its order; those of several are not, unless they are one.
        return first
    }
}
