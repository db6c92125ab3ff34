import CairnCore

/// The objects of a shard that may have a pattern: those with its first gram and, gram by gram, what is left of them.
struct TextCandidates {
    /// In the order of rows.
    private(set) var all: [TextCandidate] = []
    /// Of a gram that is being looked at: the first that was not compared yet, and how many are left of those before.
    private var next = 0
    private var kept = 0

    /// The blocks of a gram follow, in order.
    mutating func begin() { (next, kept) = (0, 0) }

    /// There are no more.
    mutating func end(keepsAll: Bool) { if !keepsAll { all.removeSubrange(kept...) } }

    /// Adds the objects of a block; returns whether it is one.
    ///
    /// - Parameters:
    ///   - first: The block's first row, counted from the shard's first.
    ///   - offset: Where the gram is in the pattern.
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

    /// Leaves those that have the gram at its place, or may have it, as `add` adds them.
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

/// An object of a shard that may have a pattern, and where in its text.
struct TextCandidate {
    /// The row, whether the place of each gram was known, and where the pattern begins.
    private let bits: UInt32

    @inline(__always)
    private init(_ row: UInt32, _ start: UInt32, isPlaced: Bool) { bits = row << 9 | (isPlaced ? 1 << 8 : 0) | start }

    /// - Parameters:
    ///   - place: Where the gram is in the text, as a ``TextPosting`` has it.
    ///   - offset: Where the gram is in the pattern.
    /// - Returns: `nil` where the text begins behind the place where the pattern would.
    @inline(__always)
    init?(_ row: UInt32, _ place: UInt8, _ offset: UInt32) {
        guard place != TextPosting.somewhere else {
            self.init(row, UInt32(TextPosting.somewhere), isPlaced: false)
            return
        }
        guard place >= offset else { return nil }
        self.init(row, UInt32(place) - offset, isPlaced: true)
    }

    /// Counted from the first of the shard.
    var row: UInt32 { bits >> 9 }
    var isPlaced: Bool { bits & 1 << 8 != 0 }
    /// Where the pattern begins; `nil` where that is not known.
    var start: UInt32? {
        let start = bits & 0xFF
        return start == TextPosting.somewhere ? nil : start
    }

    /// What two grams tell of an object; `nil` where they are not at their places.
    @inline(__always)
    func joined(_ other: TextCandidate) -> TextCandidate? {
        let (here, there) = (bits & 0xFF, other.bits & 0xFF)
        if here == there { return TextCandidate(row, here, isPlaced: isPlaced && other.isPlaced) }
        if here == TextPosting.somewhere { return TextCandidate(row, there, isPlaced: false) }
        if there == TextPosting.somewhere { return TextCandidate(row, here, isPlaced: false) }
        return nil
    }
}
