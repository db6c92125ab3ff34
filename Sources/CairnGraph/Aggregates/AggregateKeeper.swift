import CairnCore

/// Computes aggregates of a query's matches from the keys of their properties, for each group if there are groups.
final class AggregateKeeper: MatchKeeper {
    let query: AggregateQuery
    /// The keys of the groups; one empty key without groups.
    private var groups = KeyTable()
    /// The tallies of each part of the query, group by group.
    private var tallies: [AggregateTally] = []
    /// The group of the last match.
    private var last = 0
    /// Where the elements of a key end.
    private var ends: [Int] = []

    init(_ query: AggregateQuery) {
        self.query = query
        super.init()
        if !query.isGrouped { last = group(RawSpan()) }
    }

    /// The groups in the order of their keys, with the tallies of each part.
    var results: [(key: [UInt8], tallies: ArraySlice<AggregateTally>)] {
        let keys = groups.keys
        let order = keys.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
        return order.map { (keys[$0], tallies[$0 * query.parts.count..<($0 + 1) * query.parts.count]) }
    }

    override func another() -> MatchKeeper { AggregateKeeper(query) }

    override func add(_ match: QueryMatch) { _ = unsafe add(match.key.span.bytes, from: 0, query.places) }

    /// Adds the values of an object.
    ///
    /// - Parameters:
    ///   - key: A key with one element for each of several properties, from `start` on.
    ///   - places: The place of each property of the query among these elements.
    /// - Returns: Whether the key has these elements.
    func add(_ key: RawSpan, from start: Int, _ places: [Int]) -> Bool {
        ends.removeAll(keepingCapacity: true)
        ends.append(start)
        for place in places {
            while ends.count <= place + 1 {
                guard let end = KeyElement.end(at: ends[ends.count - 1], in: key) else { return false }
                ends.append(end)
            }
        }
        if query.isGrouped { enterGroup(key.extracting(ends[places[0]]..<ends[places[0] + 1])) }
        let first = last * query.parts.count
        for part in 0..<query.parts.count {
            let property = query.propertyOfPart[part]
            guard property >= 0 else {
                tallies[first + part].addObject()
                continue
            }
            let place = places[property]
            tallies[first + part].add(key.extracting(ends[place]..<ends[place + 1]), query.kinds[part], query.values[part])
        }
        return true
    }

    private func enterGroup(_ element: RawSpan) {
        if last < groups.keys.count, groups.keys[last].order(to: element) == 0 { return }
        if let key = KeyElement.normalized(element) { last = unsafe group(key.span.bytes) } else { last = group(element) }
    }

    private func group(_ key: RawSpan) -> Int {
        let number = groups.number(of: key)
        if number * query.parts.count == tallies.count { for _ in query.parts { tallies.append(AggregateTally()) } }
        return number
    }

    override func take(from part: MatchKeeper) {
        guard let other = part as? AggregateKeeper else { return }
        for (key, tallies) in other.results {
            let first = unsafe group(key.span.bytes) * query.parts.count
            for (part, tally) in tallies.enumerated() { self.tallies[first + part].add(tally, query.kinds[part], query.values[part]) }
        }
    }
}
