import CairnCore

/// The objects of a part of a shard that may contain a pattern: those with its first gram, narrowed down gram by gram.
package struct TextCandidates {
    /// In the order of rows.
    package private(set) var all: [TextCandidate] = []
    /// For the gram being processed: the first candidate not yet compared, and how many of those before it are kept.
    private var next = 0
    private var kept = 0

    package init() {}

    /// Begins the blocks of a gram, which follow in order.
    package mutating func begin() { (next, kept) = (0, 0) }

    /// Ends the blocks of a gram.
    package mutating func end(keepsAll: Bool) { if !keepsAll { all.removeSubrange(kept...) } }

    /// The blocks that have candidates; `nil` if they are more than `limit`.
    package func blocks(upTo limit: Int) -> [Int]? {
        var blocks: [Int] = []
        // So many candidates are usually in more blocks.
        guard all.count <= 64 else { return nil }
        for candidate in all {
            let block = Int(candidate.row >> UInt32(TextBlock.rowBits))
            guard blocks.last != block else { continue }
            guard blocks.count < limit else { return nil }
            blocks.append(block)
        }
        return blocks
    }

    /// Adds the objects of a block; returns whether the block is valid.
    ///
    /// - Parameters:
    ///   - first: The block's first row, counted from the shard's first.
    ///   - offset: The gram's position in the pattern.
    ///   - count: Increased by the number of objects.
    package mutating func add(_ block: RawSpan, _ first: UInt32, _ offset: UInt8, _ count: inout Int) -> Bool {
        var added = 0
        let isBlock = TextBlock.decode(block) { posting in
            added &+= 1
            if let candidate = TextCandidate(first &+ posting.row, posting.places, offset) { all.append(candidate) }
        }
        count += added
        return isBlock
    }

    /// Keeps the candidates that have the gram at its position, or may have it. Parameters and result as for `add`.
    package mutating func keep(_ block: RawSpan, _ first: UInt32, _ offset: UInt8, _ count: inout Int) -> Bool {
        var (next, kept, seen) = (next, kept, 0)
        let total = all.count
        var row = next < total ? all[next].row : UInt32.max
        let isBlock = TextBlock.decode(block) { posting in
            seen &+= 1
            let found = first &+ posting.row
            while row < found {
                next &+= 1
                row = next < total ? all[next].row : UInt32.max
            }
            guard row == found, let candidate = TextCandidate(found, posting.places, offset)?.joined(all[next]) else { return }
            all[kept] = candidate
            kept &+= 1
        }
        (self.next, self.kept) = (next, kept)
        count += seen
        return isBlock
    }
}

/// An object of a shard whose text may contain a pattern, and where.
package struct TextCandidate {
    /// The row, counted from the first of the shard.
    package let row: UInt32
    /// Whether the places of each gram were known.
    package let isPlaced: Bool
    /// Where the pattern may begin.
    package let starts: TextPlaces

    @inline(__always)
    private init(_ row: UInt32, _ starts: TextPlaces, isPlaced: Bool) {
        (self.row, self.starts, self.isPlaced) = (row, starts, isPlaced)
    }

    /// - Parameters:
    ///   - places: The gram's places in the text.
    ///   - offset: The gram's position in the pattern.
    /// - Returns: `nil` if the pattern would begin before the text.
    @inline(__always)
    init?(_ row: UInt32, _ places: TextPlaces, _ offset: UInt8) {
        guard places.isKnown else {
            self.init(row, .unknown, isPlaced: false)
            return
        }
        guard let starts = places.starts(offset) else { return nil }
        self.init(row, starts, isPlaced: true)
    }

    /// Combines what two grams say about an object; `nil` if they don't fit.
    @inline(__always)
    func joined(_ other: TextCandidate) -> TextCandidate? {
        guard starts.isKnown else { return TextCandidate(row, other.starts, isPlaced: false) }
        guard other.starts.isKnown else { return TextCandidate(row, starts, isPlaced: false) }
        guard let common = starts.common(other.starts) else { return nil }
        return TextCandidate(row, common, isPlaced: isPlaced && other.isPlaced)
    }
}
