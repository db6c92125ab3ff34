import CCairn

extension RawSpan {
    /// Whether these bytes contain `part`. Every sequence contains an empty one.
    package func contains(_ part: RawSpan) -> Bool {
        unsafe withUnsafeBytes { mine in
            unsafe part.withUnsafeBytes { part in
                guard let start = part.baseAddress, unsafe !part.isEmpty else { return true }
                guard let address = mine.baseAddress else { return false }
                return unsafe cairn_contains(address, mine.count, start, part.count) != 0
            }
        }
    }

    /// Whether these bytes end with `suffix`.
    package func hasSuffix(_ suffix: RawSpan) -> Bool {
        byteCount >= suffix.byteCount && extracting(last: suffix.byteCount).hasSameBytes(as: suffix)
    }
}
