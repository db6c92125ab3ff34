import CairnCore

/// How an aggregate gets its values.
enum AggregateSource {
    /// The first or last entry of index ranges; the index has the property at `place`.
    case end(IndexScan, place: Int, isLast: Bool)
    /// The entries of index ranges; the index has the properties at `places`.
    case entries(IndexScan, places: [Int])
    /// The records or objects that a plan finds.
    case matches(QueryPlan)
}

extension QueryPlanner {
    func source(_ condition: Condition, _ query: AggregateQuery) throws(ObjectStoreError) -> AggregateSource {
        if query.properties.isEmpty { return try counting(condition) }
        let sorts = query.properties.map { SortPart(property: $0, isDescending: false) }
        if let extreme = query.extreme, let source = end(condition, extreme) { return source }
        if case .always(false) = condition {} else if let source = entries(condition, query) { return source }
        let plan = try plan(condition, [], isBounded: false)
        return .matches(
            QueryPlan(condition: condition, residual: plan.residual, access: plan.access, order: .sorted, sort: SortOrder(sorts: sorts))
        )
    }

    /// The plan of a source, which finds the same objects.
    func plan(_ source: AggregateSource, _ condition: Condition, _ query: AggregateQuery) -> QueryPlan {
        switch source {
        case .matches(let plan): return plan
        case .end(let scan, _, _), .entries(let scan, _):
            let sorts = query.properties.map { SortPart(property: $0, isDescending: false) }
            return QueryPlan(
                condition: condition,
                residual: .always(true),
                access: .index(scan),
                order: .sorted,
                sort: SortOrder(sorts: sorts)
            )
        }
    }

    /// How objects are counted, without their values.
    private func counting(_ condition: Condition) throws(ObjectStoreError) -> AggregateSource {
        let plan = try plan(condition, [], isBounded: true)
        guard case .index(let scan) = plan.access, plan.residual.isAlways, !stored.isShreddable else { return .matches(plan) }
        return .entries(scan, places: [])
    }

    /// The indexes that answer a condition alone, with the spans of their first properties.
    private func answers(_ condition: Condition) -> [(index: StoredIndex, spans: [KeySpans], tests: [ValueTest])] {
        let parts = parts(of: condition)
        guard !stored.isShreddable else { return [] }
        return indexes.compactMap { index in
            guard !index.keys.areHashed else { return nil }
            let (spans, tests, covered) = spans(index, parts)
            return covered.count == parts.count ? (index, spans, tests) : nil
        }
    }

    /// An index in which the least or greatest value comes first or last.
    private func end(_ condition: Condition, _ part: AggregatePart) -> AggregateSource? {
        guard let property = part.property, property.index != nil else { return nil }
        for (index, spans, tests) in answers(condition) {
            guard let place = index.index.properties.firstIndex(of: property.name), place <= spans.count,
                spans.prefix(place).allSatisfy(\.arePoints)
            else { continue }
            var spans = spans
            if place < spans.count { spans[place] = spans[place].intersection(part.values) } else { spans.append(part.values) }
            return .end(IndexScan(index, spans, tests.text), place: place, isLast: part.kind == .max)
        }
        return nil
    }

    /// An index that has all values.
    private func entries(_ condition: Condition, _ query: AggregateQuery) -> AggregateSource? {
        for (index, spans, tests) in answers(condition) {
            let places = query.properties.compactMap { property in
                property.index == nil ? nil : index.index.properties.firstIndex(of: property.name)
            }
            if places.count == query.properties.count { return .entries(IndexScan(index, spans, tests.text), places: places) }
        }
        return nil
    }
}
