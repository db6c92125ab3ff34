import CairnCore

/// What an aggregate keeps of the objects seen so far.
struct AggregateTally {
    private(set) var count = 0
    private(set) var total = NumberTotal()
    /// The key of the least or greatest value.
    private(set) var key: [UInt8]?

    mutating func addObject() { count += 1 }

    /// - Parameter values: The values that may be the least or the greatest.
    mutating func add(_ element: RawSpan, _ kind: AggregatePart.Kind, _ values: KeySpans) {
        switch kind {
        case .count: break
        case .sum, .average: if let number = KeyElement.number(element) { total.add(number) }
        case .min, .max:
            if let key {
                let order = key.order(to: element)
                guard kind == .min ? order > 0 : order < 0 else { return }
            }
            let key = [UInt8](copying: element)
            if values.contains(key) { self.key = key }
        }
    }

    mutating func add(_ other: AggregateTally, _ kind: AggregatePart.Kind, _ values: KeySpans) {
        count += other.count
        total.add(other.total)
        if let key = other.key { unsafe add(key.span.bytes, kind, values) }
    }
}
