import CairnCore

/// A pattern in a text index: which grams a text must have, and at which distance from one another.
///
/// Grams that touch one another are the whole pattern. Where an object has them at such places, and each once, its text need not be looked at.
struct TextPatternScan {
    private let index: UInt32
    private let start: TextPattern.Bound
    /// The grams. Behind those that are the whole pattern come others, which are of use where places are not known.
    private var grams: [Gram] = []
    private var neededCount = 0
    /// Whether the needed grams, at their places, leave nothing to be asked but where the pattern begins.
    private var isProof = false
    /// Whether the only gram stands for all that begin so.
    private var isPrefix = false

    private struct Gram {
        /// What keys begin with, behind the shard.
        let key: [UInt8]
        /// Where it is in the pattern.
        let offset: Int
        /// How many objects of the first shard have it.
        var count = 0
    }

    /// Other grams seldom tell more.
    private static var mostGrams: Int { 8 }
    /// So few objects are read sooner than another gram.
    private static var fewRows: Int { 4 }

    /// - Returns: `nil` where the index does not help.
    init?(_ pattern: TextPattern, _ text: StoredText) {
        index = text.number
        start = pattern.start
        var scalars = UTF8Reading.scalars(pattern.form)
        if pattern.end == .text {
            // What stands behind a text.
            repeat { scalars.append(0) } while scalars.count < 3
        }
        guard scalars.count >= 3 else {
            guard let prefix = text.terms.prefix(scalars) else { return nil }
            (grams, neededCount, isPrefix) = ([Gram(key: prefix, offset: 0)], 1, true)
            isProof = pattern.end == .anywhere
            return
        }
        let last = scalars.count - 3
        let needed = Array(stride(from: 0, to: last, by: 3)) + [last]
        let others = (0..<last).filter { $0 % 3 != 0 }
        let offsets = Self.some(needed, Self.mostGrams)
        neededCount = offsets.count
        grams = (offsets + Self.some(others, Self.mostGrams - offsets.count)).map { offset in
            var key: [UInt8] = []
            text.terms.append(text.terms.term(TextGrams.gram(scalars[offset..<offset + 3])), to: &key)
            return Gram(key: key, offset: offset)
        }
        // Hashes may be those of other grams, and whoever can write to the files of an encrypted store can add to them.
        isProof = pattern.end != .word && offsets.count == needed.count && !text.terms.areHashed
    }

    /// So many of a list, from its beginning to its end.
    private static func some(_ offsets: [Int], _ count: Int) -> [Int] {
        guard offsets.count > count else { return offsets }
        return (0..<count).map { offsets[count == 1 ? 0 : $0 * (offsets.count - 1) / (count - 1)] }
    }

    // MARK: Looking

    /// Adds the objects of a shard that have the pattern, or may have it. Grams that few had in the first shard are looked at first.
    mutating func find(in shard: UInt64, _ view: any EngineView, _ found: inout TextFindings) throws(ObjectStoreError) {
        guard !isPrefix else {
            let isProven = isProof && start == .anywhere
            return try forEachPosting(of: grams[0], shard, view) { found.insert($0.row, isProven: isProven) }
        }
        var candidates: [TextCandidate] = []
        var lookedAt = 0
        for place in grams.indices {
            // Of what stands where it should, the others tell nothing.
            let count = place < neededCount ? candidates.count : candidates.lazy.filter { !$0.isPlaced }.count
            if place > 0, count <= Self.fewRows { break }
            let found = try look(at: grams[place], isFirst: place == 0, shard, view, &candidates)
            if shard == 0 { grams[place].count = found }
            lookedAt += 1
        }
        let isWhole = lookedAt >= neededCount
        for candidate in candidates where start != .text || candidate.start ?? 0 == 0 {
            found.insert(candidate.row, isProven: isWhole && isProven(candidate))
        }
        if shard == 0 { grams[..<neededCount].sort { $0.count < $1.count } }
    }

    /// Leaves of the candidates those that have a gram at its place, or may have it; the first gram makes them.
    ///
    /// - Returns: How many objects have the gram.
    private func look(
        at gram: Gram,
        isFirst: Bool,
        _ shard: UInt64,
        _ view: any EngineView,
        _ candidates: inout [TextCandidate]
    ) throws(ObjectStoreError) -> Int {
        var (count, next, kept) = (0, 0, 0)
        let offset = UInt32(gram.offset)
        guard !isFirst else {
            try forEachPosting(of: gram, shard, view) { posting in
                count += 1
                if let candidate = TextCandidate(posting, offset) { candidates.append(candidate) }
            }
            return count
        }
        try forEachPosting(of: gram, shard, view) { posting in
            count += 1
            while next < candidates.count, candidates[next].row < posting.row { next += 1 }
            guard next < candidates.count, candidates[next].row == posting.row else { return }
            if let candidate = TextCandidate(posting, offset)?.joined(candidates[next]) {
                candidates[kept] = candidate
                kept += 1
            }
            next += 1
        }
        candidates.removeSubrange(kept...)
        return count
    }

    /// Whether an object that has the needed grams has the pattern.
    private func isProven(_ candidate: TextCandidate) -> Bool {
        guard isProof else { return false }
        if start == .anywhere { return neededCount == 1 || candidate.isPlaced }
        return candidate.isPlaced && candidate.start == 0
    }

    /// Calls `body` with the objects of a shard that have a gram, in order, counted from the shard's first.
    @inline(__always)
    private func forEachPosting(
        of gram: Gram,
        _ shard: UInt64,
        _ view: any EngineView,
        _ body: (TextPosting) -> Void
    ) throws(ObjectStoreError) {
        var isWhole = true
        try ObjectStoreError.translating { () throws(EngineError) in
            try view.lendEntries(in: KeyRange(prefix: Keyspace.texts(index, shard: shard) + gram.key), reverse: false) { key, value in
                let block = unsafe Int(key.unsafeLoad(fromByteOffset: key.byteCount - 1, as: UInt8.self))
                let first = UInt32(truncatingIfNeeded: block << Int(TextBlock.rowBits))
                isWhole =
                    block < TextBlock.blocksInShard
                    && TextBlock.decode(value) { body(TextPosting(row: first + $0.row, place: $0.place)) }
                return isWhole
            }
        }
        guard isWhole else { throw TextChanges.damage(index) }
    }
}

/// An object of a shard that may have a pattern, and where in its text.
private struct TextCandidate {
    /// The row, whether the place of each gram was known, and where the pattern begins.
    private let bits: UInt32

    private init(_ row: UInt32, _ start: UInt32, isPlaced: Bool) { bits = row << 9 | (isPlaced ? 1 << 8 : 0) | start }

    /// - Parameter offset: Where the gram is in the pattern.
    /// - Returns: `nil` where the text begins behind the place where the pattern would.
    init?(_ posting: TextPosting, _ offset: UInt32) {
        guard posting.place != TextPosting.somewhere else {
            self.init(posting.row, UInt32(TextPosting.somewhere), isPlaced: false)
            return
        }
        guard posting.place >= offset else { return nil }
        self.init(posting.row, UInt32(posting.place) - offset, isPlaced: true)
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
    func joined(_ other: TextCandidate) -> TextCandidate? {
        let (here, there) = (bits & 0xFF, other.bits & 0xFF)
        if here == there { return TextCandidate(row, here, isPlaced: isPlaced && other.isPlaced) }
        if here == TextPosting.somewhere { return TextCandidate(row, there, isPlaced: false) }
        if there == TextPosting.somewhere { return TextCandidate(row, here, isPlaced: false) }
        return nil
    }
}
