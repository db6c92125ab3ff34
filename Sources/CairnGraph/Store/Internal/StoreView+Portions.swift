import CairnCore

extension StoreView {
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
