/// A match of a query: the ID, and the object if it is wanted. Not generic, because sorting moves it.
struct QueryMatch {
    let id: ObjectID
    let object: AnyObject?
    /// The sort key; empty if none is needed.
    let key: [UInt8]
}

/// Takes the matches of a query that wants keys of all of them, and keeps what it needs. For a single thread.
class MatchKeeper {
    /// An empty keeper that keeps what this one would, for a part of the query that another thread runs.
    func another() -> MatchKeeper { MatchKeeper() }

    /// The key of the last match kept, if matches after it will not be kept.
    var lastKey: [UInt8]? { nil }

    /// Whether a match would be kept.
    func accepts(_ key: [UInt8], _ id: ObjectID) -> Bool { true }

    func add(_ match: QueryMatch) {}

    /// Called on the thread that ran the part, at its end.
    func finish() {}

    /// Adds what another one has kept.
    func take(from part: MatchKeeper) {}
}

/// Keeps the first few matches of a query, or all of them, in order.
final class QuerySorter: MatchKeeper {
    /// Whether, among equals, the object inserted last comes first.
    private let isReversed: Bool
    private let limit: Int
    /// Where the wanted matches begin.
    private let place: CursorPlace?
    /// In order of arrival while there are fewer than the limit; then a heap with the last of them on top.
    private var matches: [QueryMatch] = []
    private var isHeap = false

    init(isReversed: Bool, limit: Int, after place: CursorPlace? = nil) {
        self.place = place
        self.isReversed = isReversed
        self.limit = limit
    }

    override func another() -> MatchKeeper { QuerySorter(isReversed: isReversed, limit: limit, after: place) }

    private func precedes(_ one: QueryMatch, _ other: QueryMatch) -> Bool { precedes(one.key, one.id, other) }

    private func precedes(_ key: [UInt8], _ id: ObjectID, _ other: QueryMatch) -> Bool {
        let order = key.order(to: other.key)
        if order == 0 { return isReversed ? other.id < id : id < other.id }
        return order < 0
    }

    /// Known once there are as many as wanted.
    override var lastKey: [UInt8]? { isHeap ? matches.first?.key : nil }

    override func accepts(_ key: [UInt8], _ id: ObjectID) -> Bool {
        if let place, !place.precedes(id, key) { return false }
        guard matches.count >= limit else { return true }
        guard isHeap, let last = matches.first else { return limit > 0 }
        return precedes(key, id, last)
    }

    override func add(_ match: QueryMatch) {
        if let place, !place.precedes(match.id, match.key) { return }
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

    private func sink(_ start: Int) {
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

    /// Sorting the results of all parts is faster if each is in order.
    override func finish() {
        matches = sorted()
        isHeap = false
    }

    override func take(from part: MatchKeeper) {
        guard let part = part as? QuerySorter else { return }
        for match in part.matches { add(match) }
    }

    func sorted() -> [QueryMatch] { matches.sorted { precedes($0, $1) } }
}
