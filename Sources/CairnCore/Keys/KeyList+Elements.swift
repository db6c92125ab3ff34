extension KeyList {
    /// The key at `index`, lent.
    public subscript(index: Int) -> RawSpan {
        @_lifetime(borrow self)
        get {
            let start = index == 0 ? 0 : ends[index - 1]
            return unsafe bytes.span.bytes.extracting(start..<ends[index])
        }
    }

    /// The total size of all keys, in bytes.
    public var byteCount: Int { bytes.count }

    /// Returns the index of the first key that is not before `key`. The keys must be sorted.
    package func firstIndex(notBefore key: RawSpan) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].isOrdered(before: key) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
