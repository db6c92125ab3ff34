import CairnCore

/// The objects of a shard that may contain a pattern: those with its first gram, narrowed down gram by gram.
struct TextCandidates {
    /// In the order of rows.
    private(set) var all: [TextCandidate] = []
    /// For the gram being processed: the first candidate not yet compared, and how many of those before it are left.
    private var next = 0
    private var kept = 0

    /// Begins the blocks of a gram, which follow in order.
    mutating func begin() { (next, kept) = (0, 0) }

    /// Ends the blocks of a gram.
    mutating func end(keepsAll: Bool) { if !keepsAll { all.removeSubrange(kept...) } }

    /// Adds the objects of a block; returns whether the block is valid.
    ///
    /// - Parameters:
    ///   - first: The block's first row, counted from the shard's first.
    ///   - offset: The gram's position in the pattern.
    ///   - count: Is increased by the number of objects.
    mutating func add(_ block: RawSpan, _ first: UInt32, _ offset: UInt32, _ count: inout Int) -> Bool {
        var added = 0
        let isBlock = TextBlock.decode(block) { posting in
            added += 1
            if let candidate = TextCandidate(first + posting.row, posting.place, offset) { all.append(candidate) }
        }
        count += added
        return isBlock
    }

    /// Keeps those that have the gram at its position, or may have it. Parameters and result as for `add`.
    mutating func keep(_ block: RawSpan, _ first: UInt32, _ offset: UInt32, _ count: inout Int) -> Bool {
        var (next, kept, seen) = (next, kept, 0)
        var row = next < all.count ? all[next].row : UInt32.max
        let isBlock = TextBlock.decode(block) { posting in
            seen += 1
            let found = first + posting.row
            while row < found {
                next += 1
                row = next < all.count ? all[next].row : UInt32.max
            }
            guard row == found, let candidate = TextCandidate(found, posting.place, offset)?.joined(all[next]) else { return }
            all[kept] = candidate
            kept += 1
        }
        (self.next, self.kept) = (next, kept)
        count += seen
        return isBlock
    }
}

/// An object of a shard whose text may contain a pattern, and where.
struct TextCandidate {
    /// The row, whether the position of each gram was known, and where the pattern begins.
    private let bits: UInt32

    @inline(__always)
    private init(_ row: UInt32, _ start: UInt32, isPlaced: Bool) { bits = row << 9 | (isPlaced ? 1 << 8 : 0) | start }

    /// - Parameters:
    ///   - place: The gram's position in the text, as in a ``TextPosting``.
    ///   - offset: The gram's position in the pattern.
    /// - Returns: `nil` if the pattern would begin before the text.
    @inline(__always)
    init?(_ row: UInt32, _ place: UInt8, _ offset: UInt32) {
        guard place != TextPosting.somewhere else {
            self.init(row, UInt32(TextPosting.somewhere), isPlaced: false)
            return
        }
        guard place >= offset else { return nil }
        self.init(row, UInt32(place) - offset, isPlaced: true)
    }

    /// The row, counted from the first of the shard.
    var row: UInt32 { bits >> 9 }
    var isPlaced: Bool { bits & 1 << 8 != 0 }
    /// Where the pattern begins; `nil` if unknown.
    var start: UInt32? {
        let start = bits & 0xFF
        return start == TextPosting.somewhere ? nil : start
    }

    /// Combines what two grams say about an object; `nil` if they don't fit.
    @inline(__always)
    func joined(_ other: TextCandidate) -> TextCandidate? {
        let (here, there) = (bits & 0xFF, other.bits & 0xFF)
        if here == there { return TextCandidate(row, here, isPlaced: isPlaced && other.isPlaced) }
        if here == TextPosting.somewhere { return TextCandidate(row, there, isPlaced: false) }
        if there == TextPosting.somewhere { return TextCandidate(row, here, isPlaced: false) }
        return nil
    }
}
