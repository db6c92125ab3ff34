extension [Int] {
    /// Sorts the offsets of records. If the records are short and all offsets differ, it uses a set of bits, one for each place where a record can
    /// begin, which takes a tenth of the time.
    mutating func sortOffsets() {
        let places = (self.max() ?? 0) / MappedLayout.alignment + 1
        // Long records make a set that takes more memory than the offsets.
        guard count > 64, places <= count * 1024, let bits = bits(places) else { return sort() }
        removeAll(keepingCapacity: true)
        for (index, word) in bits.enumerated() {
            var rest = word
            while rest != 0 {
                append((index * 64 + rest.trailingZeroBitCount) * MappedLayout.alignment)
                rest &= rest - 1
            }
        }
    }

    /// Returns the set of these offsets; `nil` if no record can begin at one of them, or one occurs twice.
    private func bits(_ places: Int) -> [UInt64]? {
        var bits = [UInt64](repeating: 0, count: places / 64 + 1)
        for offset in self {
            let place = offset / MappedLayout.alignment
            let bit: UInt64 = 1 << UInt64(place % 64)
            guard offset >= 0, offset % MappedLayout.alignment == 0, bits[place / 64] & bit == 0 else { return nil }
            bits[place / 64] |= bit
        }
        return bits
    }
}
