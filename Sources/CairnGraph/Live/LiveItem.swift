/// One of the results of a live query, as it was when they were last compared.
struct LiveItem: Equatable {
    let id: ObjectID
    /// How often the object had been saved.
    let changeCount: UInt32
    /// The key that it is sorted by; empty without an order.
    let key: [UInt8]
}

/// Where a result belongs, in the order of `fetch`.
struct LiveOrder {
    /// Whether, among equals, the object inserted last comes first.
    let isReversed: Bool

    func precedes(_ one: LiveItem, _ other: LiveItem) -> Bool {
        let order = one.key.order(to: other.key)
        if order == 0 { return isReversed ? other.id < one.id : one.id < other.id }
        return order < 0
    }

    /// The position of the first item that does not precede `item`.
    func place(of item: LiveItem, in items: [LiveItem]) -> Int {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(items[middle], item) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
