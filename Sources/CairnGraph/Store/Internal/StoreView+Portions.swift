import CairnCore

extension StoreView {
    /// The number of objects of a class, up to `limit`; those of a damaged page are not counted.
    func objectCount(_ stored: StoredClass, upTo limit: Int) throws(ObjectStoreError) -> Int {
        var count = 0
        try lendEntries(in: Keyspace.pages(stored.number), reverse: false) { _, page in
            count += ObjectPage.Records(page)?.bits.nonzeroBitCount ?? 0
            return count < limit
        }
        return min(count, limit)
    }

    /// Calls `body` with copies of a range's entries, in batches, and never while the engine is being read.
    func forEachPortion(
        of range: KeyRange,
        _ count: Int = 256,
        keysOnly: Bool = false,
        _ body: ([(key: [UInt8], value: [UInt8])]) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        var range = range
        while true {
            var portion: [(key: [UInt8], value: [UInt8])] = []
            try lendEntries(in: range, reverse: false) { key, value in
                portion.append(([UInt8](copying: key), keysOnly ? [] : [UInt8](copying: value)))
                return portion.count < count
            }
            guard let last = portion.last else { return }
            try body(portion)
            guard portion.count == count else { return }
            range.lowerBound = last.key + [0]
        }
    }
}
