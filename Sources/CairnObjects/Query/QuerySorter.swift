/// What a query has found: who, and the object where it is wanted.
struct QueryMatch<Object: StoredObject> {
    let id: ObjectID
    let object: Object?
    /// What it is sorted by; empty where that is not needed.
    let key: [UInt8]
}

/// Keeps the first few of what a query finds, or all of it, in order.
struct QuerySorter<Object: StoredObject> {
    private let order: SortOrder<Object>
    private let limit: Int
    /// While there are fewer than the limit, as they came; then a heap, the last of them on top.
    private var matches: [QueryMatch<Object>] = []
    private var isHeap = false

    init(_ order: SortOrder<Object>, limit: Int) {
        self.order = order
        self.limit = limit
    }

    private func precedes(_ one: QueryMatch<Object>, _ other: QueryMatch<Object>) -> Bool {
        order.precedes((one.key, one.id), (other.key, other.id))
    }

    /// Whether a match would be among those kept.
    func accepts(_ key: [UInt8], _ id: ObjectID) -> Bool {
        guard matches.count >= limit else { return true }
        guard isHeap, let last = matches.first else { return limit > 0 }
        return order.precedes((key, id), (last.key, last.id))
    }

    mutating func add(_ match: QueryMatch<Object>) {
        guard matches.count >= limit else {
            matches.append(match)
            if matches.count == limit {
                for place in (0..<limit / 2).reversed() { sink(place) }
                isHeap = true
            }
            return
        }
        guard accepts(match.key, match.id) else { return }
        matches[0] = match
        sink(0)
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            var last = place
            for child in [place * 2 + 1, place * 2 + 2] where child < matches.count && precedes(matches[last], matches[child]) {
                last = child
            }
            guard last != place else { return }
            matches.swapAt(place, last)
            place = last
        }
    }

    consuming func sorted() -> [QueryMatch<Object>] { matches.sorted { order.precedes(($0.key, $0.id), ($1.key, $1.id)) } }
}
