import CairnCore

extension EngineWrites {
    /// The indices of the writes in the order of their keys, of each key the last.
    static func sortedOrder(of writes: [EngineCommit.Write], in bytes: [UInt8]) -> [Int] {
        // The first eight bytes of a key decide most comparisons without looking for the key.
        var entries = writes.indices.map { index in
            (start: start(of: writes[index], in: bytes), index: index)
        }
        func order(_ one: Int, _ other: Int) -> Int {
            let one = writes[one]
            let other = writes[other]
            let all = unsafe bytes.span.bytes
            return all.extracting(one.start..<one.keyEnd).order(to: all.extracting(other.start..<other.keyEnd))
        }
        entries.sort { one, other in
            if one.start != other.start { return one.start < other.start }
            let order = order(one.index, other.index)
            return order == 0 ? one.index < other.index : order < 0
        }
        var result: [Int] = []
        result.reserveCapacity(entries.count)
        for position in entries.indices {
            let entry = entries[position]
            if position + 1 < entries.count {
                let next = entries[position + 1]
                if next.start == entry.start, order(next.index, entry.index) == 0 { continue }
            }
            result.append(entry.index)
        }
        return result
    }

    /// The first eight bytes of the key as a number of the same order; what is missing counts as zero.
    private static func start(of write: EngineCommit.Write, in bytes: [UInt8]) -> UInt64 {
        var number: UInt64 = 0
        let end = min(write.keyEnd, write.start + 8)
        for index in write.start..<end { number = number << 8 | UInt64(bytes[index]) }
        return end - write.start == 8 ? number : number << UInt64((8 - (end - write.start)) * 8)
    }
}
