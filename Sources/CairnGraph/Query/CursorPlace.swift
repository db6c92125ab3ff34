import CairnCore

/// The place of a cursor in the order of a plan.
struct CursorPlace {
    let id: ObjectID
    /// The sort key as the plan compares it.
    let key: [UInt8]
    /// Whether objects come in descending order.
    private let isReversed: Bool

    init(_ cursor: FetchCursor, _ order: QueryPlan.Order, _ sort: SortOrder) {
        id = cursor.id
        switch order {
        case .identity: (key, isReversed) = ([], false)
        case .access(let isReversed): (key, self.isReversed) = (cursor.keys.flatMap { $0 }, isReversed)
        case .sorted:
            let form = SortKeyForm(sort.sorts.map(\.isDescending))
            var key: [UInt8] = []
            for (place, bytes) in cursor.keys.enumerated() { form.append(bytes[...], at: place, to: &key) }
            self.key = key
            // Descending keys are complemented, so only the order of equals is reversed.
            isReversed = false
            isReversedAmongEquals = sort.isReversed
            return
        }
        isReversedAmongEquals = isReversed
    }

    private let isReversedAmongEquals: Bool

    /// Whether an object comes after the place.
    func precedes(_ other: ObjectID, _ otherKey: [UInt8]) -> Bool {
        let order = key.order(to: otherKey)
        if order == 0 { return isReversedAmongEquals ? other < id : id < other }
        return (order < 0) != isReversed
    }
}

extension QueryPlan {
    /// The same plan, for what comes after a place: an index is read from there.
    func after(_ place: CursorPlace) -> QueryPlan {
        guard case .access(let isReversed) = order else { return self }
        var access = access
        switch access {
        case .index(let scan): access = .index(scan.after(place, isReversed: isReversed))
        case .targets(var walk):
            walk.start = place.key
            access = .targets(walk)
        default: return self
        }
        return QueryPlan(condition: condition, residual: residual, access: access, order: order, sort: sort)
    }
}

extension IndexScan {
    /// The part of the ranges that starts at the entries with the values of a place. Some entries with the same values may come before the place.
    fileprivate func after(_ place: CursorPlace, isReversed: Bool) -> IndexScan {
        guard let prefix = ranges.first?.lowerBound.prefix(prefixSize) else { return self }
        let values = Array(prefix) + place.key
        // Entries of a unique index have the row as their value.
        let row = index.index.isUnique ? [] : Keyspace.bigEndian(place.id.raw).suffix(6)
        let parts = ranges.compactMap { range -> KeyRange? in
            var range = range
            if isReversed {
                let end = index.index.isUnique ? values + KeySpan.end : values + row
                if range.upperBound.map({ end.order(to: $0) < 0 }) ?? true { range.upperBound = end }
            } else {
                let start = values + row
                if start.order(to: range.lowerBound) > 0 { range.lowerBound = start }
            }
            return range.isEmpty ? nil : range
        }
        return IndexScan(index: index, ranges: parts, equalCount: equalCount, text: text, prefixSize: prefixSize)
    }
}
