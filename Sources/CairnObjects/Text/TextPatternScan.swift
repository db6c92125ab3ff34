import CairnCore

/// A pattern in a text index: the grams that a text must have, and their distances.
///
/// Adjacent grams make up the whole pattern. If an object has each of them once, at such places, its text need not be read.
struct TextPatternScan {
    private let index: UInt32
    private let start: TextPattern.Bound
    /// The grams: first those that make up the whole pattern, then others, which help if places are unknown.
    private var grams: [Gram] = []
    private var neededCount = 0
    /// Whether the needed grams, at their places, prove the pattern except for where it begins.
    private var isProof = false
    /// Whether the only gram stands for all that begin with it.
    private var isPrefix = false

    private struct Gram {
        /// The beginning of keys, after the shard.
        let key: [UInt8]
        /// Its position in the pattern.
        let offset: Int
        /// The number of objects of the first shard that have it.
        var count = 0
    }

    /// More grams are seldom of use.
    private static var mostGrams: Int { 8 }
    /// So few objects are read rather than another gram.
    private static var fewRows: Int { 4 }

    /// - Returns: `nil` if the index doesn't help.
    init?(_ pattern: TextPattern, _ text: StoredText) {
        index = text.number
        start = pattern.start
        var scalars = UTF8Reading.scalars(pattern.form)
        if pattern.end == .text {
            // The zeros after a text.
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
        // Hashes may collide, and anyone who can write to the files of an encrypted store can add entries.
        isProof = pattern.end != .word && offsets.count == needed.count && !text.terms.areHashed
    }

    /// A number of elements, spread from the beginning to the end of a list.
    private static func some(_ offsets: [Int], _ count: Int) -> [Int] {
        guard offsets.count > count else { return offsets }
        return (0..<count).map { offsets[count == 1 ? 0 : $0 * (offsets.count - 1) / (count - 1)] }
    }

    // MARK: Looking

    /// Adds the objects of a shard that have the pattern, or may have it. Begins with the grams that were rare in the first shard.
    mutating func find(in shard: UInt64, _ view: any EngineView, _ found: inout TextFindings) throws(ObjectStoreError) {
        guard !isPrefix else {
            let isProven = isProof && start == .anywhere
            return try forEachBlock(of: grams[0], shard, view) { first, block in
                TextBlock.decode(block) { found.insert(first + $0.row, isProven: isProven) }
            }
        }
        var candidates = TextCandidates()
        var lookedAt = 0
        for place in grams.indices {
            // The other grams say nothing about candidates whose places fit.
            let count = place < neededCount ? candidates.all.count : candidates.all.lazy.filter { !$0.isPlaced }.count
            if place > 0, count <= Self.fewRows { break }
            let offset = UInt32(grams[place].offset)
            var hits = 0
            candidates.begin()
            try forEachBlock(of: grams[place], shard, view) { first, block in
                place == 0 ? candidates.add(block, first, offset, &hits) : candidates.keep(block, first, offset, &hits)
            }
            candidates.end(keepsAll: place == 0)
            if shard == 0 { grams[place].count = hits }
            lookedAt += 1
        }
        let isWhole = lookedAt >= neededCount
        for candidate in candidates.all where start != .text || candidate.start ?? 0 == 0 {
            found.insert(candidate.row, isProven: isWhole && isProven(candidate))
        }
        if shard == 0 { grams[..<neededCount].sort { $0.count < $1.count } }
    }

    /// Whether an object that has the needed grams has the pattern.
    private func isProven(_ candidate: TextCandidate) -> Bool {
        guard isProof else { return false }
        if start == .anywhere { return neededCount == 1 || candidate.isPlaced }
        return candidate.isPlaced && candidate.start == 0
    }

    /// Calls `body` with the blocks of a gram in a shard and their first rows, counted from the shard's first; `body` returns whether the
    /// block is valid.
    private func forEachBlock(
        of gram: Gram,
        _ shard: UInt64,
        _ view: any EngineView,
        _ body: (_ first: UInt32, _ block: RawSpan) -> Bool
    ) throws(ObjectStoreError) {
        var isWhole = true
        let prefix = Keyspace.texts(index, shard: shard) + gram.key
        try ObjectStoreError.translating { () throws(EngineError) in
            try view.lendEntries(in: KeyRange(prefix: prefix), reverse: false) { key, value in
                let block = unsafe Int(key.unsafeLoad(fromByteOffset: key.byteCount - 1, as: UInt8.self))
                // Longer keys would not be in the order of blocks.
                isWhole = (isPrefix || key.byteCount == prefix.count + 1) && block < TextBlock.blocksInShard
                isWhole = isWhole && body(UInt32(block << Int(TextBlock.rowBits)), value)
                return isWhole
            }
        }
        guard isWhole else { throw TextChanges.damage(index) }
    }
}
