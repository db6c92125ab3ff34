import CairnCore
import CairnText

/// How an inspector finds the objects of a query.
struct StoredQueryPlan {
    let stored: StoredClass
    let access: QueryAccess
    /// The condition to test for each object that the access finds.
    let residual: StoredCondition
    /// The whole condition, to test for all objects if what the access reads is damaged.
    let condition: StoredCondition
    let sorts: [(property: StoredProperty, isDescending: Bool)]
    /// Whether the access must be read backwards to get the wanted order; `nil` if neither direction gives it.
    var direction: Bool?

    /// Whether the access finds the objects in the wanted order.
    var isOrdered: Bool { sorts.isEmpty ? access.isByIdentity : direction != nil }
    /// Whether, among equals, the object inserted last comes first.
    var isReversed: Bool { sorts.last?.isDescending ?? false }

    /// The sort key of an object.
    func key(_ object: NumberedDump) -> [UInt8] {
        let form = SortKeyForm(sorts.map(\.isDescending))
        var key: [UInt8] = []
        for (place, sort) in sorts.enumerated() { form.append(sort.property.key(object)[...], at: place, to: &key) }
        return key
    }

    /// The order of the results, for explanations.
    func order(limit: Int?) -> String {
        guard !sorts.isEmpty else { return "as inserted" }
        let names = sorts.map { $0.isDescending ? "\($0.property.name) descending" : $0.property.name }.joined(separator: ", ")
        if let direction { return "as in the index\(direction ? ", backwards" : "")" }
        return "sorted in memory by \(names)\(limit.map { ", the first \($0) kept" } ?? "")"
    }
}

/// Chooses the plan: of the complete indexes and text indexes that can answer a part of the condition, the one that finds the fewest
/// objects.
struct StoredQueryPlanner {
    let stored: StoredClass
    /// The class as the catalog of the view describes it.
    let entry: CatalogEntry
    let keys: IndexKeys
    let view: StoreView

    private typealias Way = (access: QueryAccess, covered: Set<Int>)

    /// - Parameter isBounded: Whether only the first objects are wanted, so that an index in their order avoids sorting all objects.
    func plan(
        _ condition: StoredCondition,
        _ sorts: [(property: StoredProperty, isDescending: Bool)],
        isBounded: Bool
    ) throws(ObjectStoreError) -> StoredQueryPlan {
        if case .always(false) = condition {
            return StoredQueryPlan(stored: stored, access: .nothing, residual: .always(true), condition: condition, sorts: sorts)
        }
        let parts = condition.parts
        let ways = indexes.compactMap { way($0, parts) } + owners(parts) + parts.compactMap(textScan).map { ($0, []) }
        var best: Way?
        var least = QueryPlanner.countedEntries
        for way in ways {
            let count = ways.count == 1 ? 0 : try self.count(way, upTo: least)
            if count < least || best == nil { (best, least) = (way, count) }
        }
        let isLong = best == nil || least >= QueryPlanner.countedEntries
        let ordered = isBounded && isLong ? ordered(parts, sorts) : nil
        let chosen = ordered?.way ?? best ?? (.everything(despite: useless(parts)), [])
        let left = parts.indices.filter { !chosen.covered.contains($0) }.map { parts[$0] }
        let direction = ordered?.isReversed
        return StoredQueryPlan(
            stored: stored,
            access: chosen.access,
            residual: .allOf(left),
            condition: condition,
            sorts: sorts,
            direction: direction
        )
    }

    /// How many objects a way finds, up to a limit; the limit if that cannot be read, since another way may be intact.
    private func count(_ way: Way, upTo limit: Int) throws(ObjectStoreError) -> Int {
        do throws(ObjectStoreError) { return try way.access.count(view, stored, upTo: limit) } catch {
            guard error.code == .corruption else { throw error }
            return limit
        }
    }

    /// An index that has the wanted order, with the conditions that it answers. Indexes lack the objects of older versions of a class, and of shredded
    /// groups.
    private func ordered(_ parts: [StoredCondition], _ sorts: [(property: StoredProperty, isDescending: Bool)]) -> (
        way: Way, isReversed: Bool
    )? {
        guard !sorts.isEmpty, entry.version == 1, entry.isShreddable != true else { return nil }
        var best: (way: Way, isReversed: Bool)?
        for index in indexes where !index.keys.areHashed {
            let way = way(index, parts) ?? (.index(IndexScan(index, [], "")), [])
            guard case .index(let scan) = way.access,
                let isReversed = scan.direction(sorts.map { ($0.property.name, $0.isDescending) })
            else { continue }
            if best.map({ $0.way.covered.count < way.covered.count }) ?? true { best = (way, isReversed) }
        }
        return best
    }

    private var indexes: [StoredIndex] {
        entry.indexes.filter(\.isComplete).map { index in
            StoredIndex(
                number: index.number,
                index: ObjectIndex(reading: index.properties, isUnique: index.isUnique),
                properties: 0,
                keys: keys,
                completion: IndexCompletion(true)
            )
        }
    }

    /// Which of several conditions that must all hold an index can answer.
    private func way(_ index: StoredIndex, _ parts: [StoredCondition]) -> Way? {
        var all: [KeySpans] = []
        var texts: [String] = []
        var covered: Set<Int> = []
        var combinations = 1
        for name in index.index.properties {
            guard let (place, spans, text) = test(of: name, parts), combinations * spans.spans.count <= QueryPlanner.combinedRanges,
                !index.keys.areHashed || spans.arePoints
            else { break }
            all.append(spans)
            texts.append(text)
            // Anyone who can write to the files can add entries to an encrypted index, so their objects are tested again.
            if !index.keys.areHashed { covered.insert(place) }
            combinations *= spans.spans.count
            guard spans.arePoints else { break }
        }
        return all.isEmpty ? nil : (.index(IndexScan(index, all, texts.joined(separator: " and "))), covered)
    }

    private func test(of name: String, _ parts: [StoredCondition]) -> (place: Int, spans: KeySpans, text: String)? {
        for (place, part) in parts.enumerated() {
            if case .value(let property, let spans, let text) = part, property.name == name { return (place, spans, text) }
        }
        return nil
    }

    /// The objects that refer to those that the conditions name.
    private func owners(_ parts: [StoredCondition]) -> [Way] {
        parts.enumerated().compactMap { place, part in
            guard case .other(let test) = part, !test.isNegated, let target = test.target else { return nil }
            let isToOne = if case .one = test.property.kind { true } else { false }
            let property = ReferringProperty(stored.number, UInt16(truncatingIfNeeded: test.property.number), isToOne: isToOne)
            return (.owners(of: [target], property, "references to \(target) through \(test.property.name)"), [place])
        }
    }

    /// The encrypted indexes that would have helped.
    private func useless(_ parts: [StoredCondition]) -> [StoredIndex] {
        indexes.filter { index in index.keys.areHashed && index.index.properties.first.flatMap { test(of: $0, parts) } != nil }
    }

    private func textScan(_ part: StoredCondition) -> QueryAccess? {
        guard case .text(let query, let properties, false) = part else { return nil }
        let texts = properties.compactMap { property in
            entry.texts?.first { $0.property == property.name && $0.isComplete && $0.form == StoredText.form }.map {
                StoredText(
                    number: $0.number,
                    name: $0.property,
                    place: property.number,
                    properties: 0,
                    completion: IndexCompletion(true),
                    terms: TextTerms($0.number, keys.session)
                )
            }
        }
        guard texts.count == properties.count else { return nil }
        return query.required.isEmpty ? .nothing : TextScan(query, texts).map { .text($0) }
    }
}
