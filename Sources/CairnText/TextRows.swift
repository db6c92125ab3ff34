/// A set of rows of a shard.
package struct TextRows {
    private var words = [UInt64](repeating: 0, count: 1 << (TextBlock.shardBits - 6))

    package init() {}

    /// - Parameter place: The row's position in the shard.
    package mutating func insert(_ place: UInt32) { words[Int(place >> 6)] |= 1 << UInt64(place & 63) }

    /// Calls `body` with each row's position in the shard, in order.
    package func forEach(_ body: (UInt32) -> Void) {
        for (place, word) in words.enumerated() where word != 0 {
            var rest = word
            while rest != 0 {
                body(UInt32(place << 6 | rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
    }
}

/// An object of a shard whose text may match.
package struct TextFinding {
    private let bits: UInt32

    /// - Parameters:
    ///   - row: The row, counted from the shard's first.
    ///   - isProven: Whether the text is known to match, and needs no test.
    @inline(__always)
    package init(_ row: UInt32, isProven: Bool) { bits = row << 1 | (isProven ? 1 : 0) }

    package var row: UInt32 { bits >> 1 }
    package var isProven: Bool { bits & 1 != 0 }
}

/// Objects of a part of a shard, in the order of rows.
package typealias TextFindings = [TextFinding]

extension TextFindings {
    /// The objects of either list. An object is proven if one of them proves it.
    package func union(_ other: TextFindings) -> TextFindings {
        if isEmpty { return other }
        if other.isEmpty { return self }
        var union = TextFindings()
        union.reserveCapacity(count + other.count)
        var next = 0
        for finding in self {
            while next < other.count, other[next].row < finding.row {
                union.append(other[next])
                next += 1
            }
            if next < other.count, other[next].row == finding.row {
                union.append(TextFinding(finding.row, isProven: finding.isProven || other[next].isProven))
                next += 1
            } else {
                union.append(finding)
            }
        }
        union += other[next...]
        return union
    }

    /// The objects that are not in `rows`, which are in order.
    package func without(_ rows: [UInt32]) -> TextFindings {
        guard !rows.isEmpty else { return self }
        var rest = TextFindings()
        rest.reserveCapacity(count)
        var next = 0
        for finding in self {
            while next < rows.count, rows[next] < finding.row { next += 1 }
            if next == rows.count || rows[next] != finding.row { rest.append(finding) }
        }
        return rest
    }

    /// The objects of both lists. An object is proven if both of them prove it.
    package func intersection(_ other: TextFindings) -> TextFindings {
        var common = TextFindings()
        var next = 0
        for finding in self {
            while next < other.count, other[next].row < finding.row { next += 1 }
            guard next < other.count else { break }
            guard other[next].row == finding.row else { continue }
            common.append(TextFinding(finding.row, isProven: finding.isProven && other[next].isProven))
        }
        return common
    }
}
