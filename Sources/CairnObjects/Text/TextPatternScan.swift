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
            return try forEachBlock(of: grams[0], shard, view) { first, block in
                TextBlock.decode(block) { found.insert(first + $0.row, isProven: isProven) }
            }
        }
        var candidates = TextCandidates()
        var lookedAt = 0
        for place in grams.indices {
            // Of what stands where it should, the others tell nothing.
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

    /// Calls `body` with the blocks of a gram in a shard and their first rows, counted from the shard's first; it returns whether they are blocks.
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
