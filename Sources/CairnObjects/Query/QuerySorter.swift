/// What a query has found: who, and the object where it is wanted. Not generic: this is what sorting moves.
struct QueryMatch {
    let id: ObjectID
    let object: AnyObject?
    /// What it is sorted by; empty where that is not needed.
    let key: [UInt8]
}

/// Keeps the first few of what a query finds, or all of it, in order.
struct QuerySorter {
    /// Whether the object inserted last comes first among equals.
    private let isReversed: Bool
    private let limit: Int
    /// While there are fewer than the limit, as they came; then a heap, the last of them on top.
    private var matches: [QueryMatch] = []
    private var isHeap = false

    init(isReversed: Bool, limit: Int) {
        self.isReversed = isReversed
        self.limit = limit
    }

    private func precedes(_ one: QueryMatch, _ other: QueryMatch) -> Bool { precedes(one.key, one.id, other) }

    private func precedes(_ key: [UInt8], _ id: ObjectID, _ other: QueryMatch) -> Bool {
        let order = key.order(to: other.key)
        if order == 0 { return isReversed ? other.id < id : id < other.id }
        return order < 0
    }

    /// Whether a match would be among those kept.
    func accepts(_ key: [UInt8], _ id: ObjectID) -> Bool {
        guard matches.count >= limit else { return true }
        guard isHeap, let last = matches.first else { return limit > 0 }
        return precedes(key, id, last)
    }

    mutating func add(_ match: QueryMatch) {
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

    consuming func sorted() -> [QueryMatch] { matches.sorted { precedes($0, $1) } }
}
