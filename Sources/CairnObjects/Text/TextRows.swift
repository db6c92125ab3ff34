/// A set of rows of a shard.
struct TextRows {
    private var words = [UInt64](repeating: 0, count: 1 << (TextBlock.shardBits - 6))

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    /// - Parameter place: The row's position in the shard.
    mutating func insert(_ place: UInt32) { words[Int(place >> 6)] |= 1 << UInt64(place & 63) }

    func contains(_ place: UInt32) -> Bool { words[Int(place >> 6)] & 1 << UInt64(place & 63) != 0 }

    mutating func formIntersection(_ other: TextRows) { for place in words.indices { words[place] &= other.words[place] } }

    /// Calls `body` with each row's position in the shard, in order, until it returns false; returns whether it never did.
    func forEach(_ body: (UInt32) -> Bool) -> Bool {
        for (place, word) in words.enumerated() where word != 0 {
            var rest = word
            while rest != 0 {
                guard body(UInt32(place << 6 | rest.trailingZeroBitCount)) else { return false }
                rest &= rest - 1
            }
        }
        return true
    }
}

/// The objects of a shard whose texts may match.
struct TextFindings {
    private var rows = TextRows()
    /// Those of them whose texts are known to match, and need no test.
    private var proven = TextRows()

    var isEmpty: Bool { rows.isEmpty }

    mutating func insert(_ place: UInt32, isProven: Bool) {
        rows.insert(place)
        if isProven { proven.insert(place) }
    }

    mutating func formIntersection(_ other: TextFindings) {
        rows.formIntersection(other.rows)
        proven.formIntersection(other.proven)
    }

    /// Calls `body` with each row's position in the shard, in order, until it returns false; returns whether it never did.
    func forEach(_ body: (UInt32, _ isProven: Bool) -> Bool) -> Bool { rows.forEach { body($0, proven.contains($0)) } }
}
