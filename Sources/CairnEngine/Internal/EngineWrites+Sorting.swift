import CairnCore

extension EngineWrites {
    /// A write, with the first sixteen bytes of its key, zero-padded, as numbers that sort like the bytes.
    private struct Entry {
        var high: UInt64
        var low: UInt64
        var index: Int
    }

    /// The indices of the writes in key order, only the last for each key.
    static func sortedOrder(of writes: [EngineCommit.Write], in bytes: [UInt8]) -> [Int] {
        unsafe bytes.withUnsafeBytes { bytes in
            // The prefixes decide nearly all comparisons without looking up the keys.
            var entries = writes.indices.map { index in
                let write = writes[index]
                return unsafe Entry(
                    high: number(bytes, write.start, write.keyEnd),
                    low: number(bytes, write.start + 8, write.keyEnd),
                    index: index
                )
            }
            func order(_ one: Entry, _ other: Entry) -> Int {
                let one = writes[one.index]
                let other = writes[other.index]
                // Short keys with equal prefixes may still differ: zeros at the end are either bytes or padding.
                if one.keySize <= 16, other.keySize <= 16 { return Int(one.keySize) - Int(other.keySize) }
                let mine = unsafe UnsafeRawBufferPointer(rebasing: bytes[one.start..<one.keyEnd])
                return unsafe mine.bytes.order(to: UnsafeRawBufferPointer(rebasing: bytes[other.start..<other.keyEnd]).bytes)
            }
            entries.sort { one, other in
                if one.high != other.high { return one.high < other.high }
                if one.low != other.low { return one.low < other.low }
                let order = order(one, other)
                return order == 0 ? one.index < other.index : order < 0
            }
            var result: [Int] = []
            result.reserveCapacity(entries.count)
            for position in entries.indices {
                let entry = entries[position]
                if position + 1 < entries.count {
                    let next = entries[position + 1]
                    if next.high == entry.high, next.low == entry.low, order(entry, next) == 0 { continue }
                }
                result.append(entry.index)
            }
            return result
        }
    }

    /// The eight bytes from `start` on, with zeros for those from `end` on.
    private static func number(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> UInt64 {
        if end - start >= 8 { return unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)) }
        var number: UInt64 = 0
        for index in start..<max(start, end) { number = unsafe number << 8 | UInt64(bytes[index]) }
        return end > start ? number << UInt64((8 - (end - start)) * 8) : 0
    }
}
