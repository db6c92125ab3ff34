import CairnCore

/// A pattern in a text index: the grams that a text must have, and their distances.
///
/// Adjacent grams make up the whole pattern. If an object has each of them once, at such places, its text need not be read.
struct TextPatternScan {
    private let pattern: TextPattern
    private let text: StoredText
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
        let offset: UInt8
        /// The number of objects of the first window that have it, once known.
        var count = Int.max
    }

    /// Whether the grams are in the order of their counts.
    private var isOrdered = false
    /// The rows of recent texts, and of those that have the pattern.
    private var recentRows: [UInt64] = []
    private var recentFound: [UInt64] = []

    /// More grams are seldom of use.
    private static var mostGrams: Int { 8 }
    /// This few objects are read rather than another gram.
    private static var fewRows: Int { 4 }
    /// This few blocks are read one by one.
    private static var fewBlocks: Int { 4 }

    /// - Returns: `nil` if the index doesn't help.
    init?(_ pattern: TextPattern, _ text: StoredText) {
        self.pattern = pattern
        self.text = text
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
            return Gram(key: key, offset: UInt8(clamping: offset))
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

    /// Whether a part of a shard can be looked at without the rest.
    var hasWindows: Bool { !isPrefix }

    /// Looks at the recent texts, before windows.
    mutating func begin(_ view: StoreView) throws(ObjectStoreError) {
        let recent = try RecentTexts.read(text, view)
        recentRows = recent.rows
        recentFound = []
        recent.forEach { entry in if recent.matches(entry, pattern) { recentFound.append(entry.row) } }
    }

    /// The first recent row, from the given one on, that has the pattern.
    func nextRecent(from row: UInt64) -> UInt64? { recentFound.first { $0 >= row } }

    /// Returns the objects of a window that have the pattern, or may have it.
    mutating func find(in window: TextWindow, _ view: StoreView) throws(ObjectStoreError) -> TextFindings {
        let found = isPrefix ? try findPrefix(window, view) : try findGrams(window, view)
        return recentRows.isEmpty ? found : withRecent(found, window)
    }

    private func findPrefix(_ window: TextWindow, _ view: StoreView) throws(ObjectStoreError) -> TextFindings {
        let isProven = isProof && pattern.start == .anywhere
        var rows = TextRows()
        try forEachBlock(of: grams[0], window, nil, view) { first, block in TextBlock.decode(block) { rows.insert(first + $0.row) } }
        var found = TextFindings()
        rows.forEach { found.append(TextFinding($0, isProven: isProven)) }
        return found
    }

    /// Begins with the grams that were rare in the first window.
    private mutating func findGrams(_ window: TextWindow, _ view: StoreView) throws(ObjectStoreError) -> TextFindings {
        var candidates = TextCandidates()
        var lookedAt = 0
        for place in grams.indices {
            // The other grams say nothing about candidates whose places fit.
            let count = place < neededCount ? candidates.all.count : candidates.all.lazy.filter { !$0.isPlaced }.count
            if place > 0, count <= Self.fewRows { break }
            let offset = grams[place].offset
            var hits = 0
            candidates.begin()
            let few = place == 0 ? nil : candidates.blocks(upTo: Self.fewBlocks)
            try forEachBlock(of: grams[place], window, few, view) { first, block in
                place == 0 ? candidates.add(block, first, offset, &hits) : candidates.keep(block, first, offset, &hits)
            }
            candidates.end(keepsAll: place == 0)
            if !isOrdered { grams[place].count = hits }
            lookedAt += 1
        }
        if !isOrdered, !candidates.all.isEmpty {
            grams[..<neededCount].sort { $0.count < $1.count }
            isOrdered = true
        }
        let isWhole = lookedAt >= neededCount
        var found = TextFindings()
        found.reserveCapacity(candidates.all.count)
        for candidate in candidates.all where pattern.start != .text || !candidate.starts.isKnown || candidate.starts.first == 0 {
            found.append(TextFinding(candidate.row, isProven: isWhole && isProven(candidate)))
        }
        return found
    }

    /// Whether an object that has the needed grams has the pattern.
    private func isProven(_ candidate: TextCandidate) -> Bool {
        guard isProof else { return false }
        if pattern.start == .anywhere { return neededCount == 1 || candidate.isPlaced }
        return candidate.isPlaced && candidate.starts.first == 0
    }

    /// Replaces what blocks say about the rows of recent texts by what those texts say.
    private func withRecent(_ found: TextFindings, _ window: TextWindow) -> TextFindings {
        let rows = recentFound.filter { window.rows.contains($0) }
        let former = found.without(recentRows.filter { window.rows.contains($0) }.map { UInt32($0 - window.first) })
        // Anyone who can write to the files of an encrypted store can restore earlier contents.
        return former.union(rows.map { TextFinding(UInt32($0 - window.first), isProven: !text.terms.areHashed) })
    }

    /// Calls `body` with the blocks of a gram in a window and their first rows, counted from the shard's first; `body` returns whether the
    /// block is valid.
    ///
    /// - Parameter few: The only blocks wanted, if they are few.
    private func forEachBlock(
        of gram: Gram,
        _ window: TextWindow,
        _ few: [Int]?,
        _ view: StoreView,
        _ body: (_ first: UInt32, _ block: RawSpan) -> Bool
    ) throws(ObjectStoreError) {
        var isWhole = true
        let prefix = Keyspace.texts(text.number, shard: window.shard) + gram.key
        let few = few ?? (window.blocks.count == 1 ? Array(window.blocks) : nil)
        if let few {
            var keys = KeyList()
            keys.isSorted = true
            for block in few { keys.append(prefix + [UInt8(truncatingIfNeeded: block)]) }
            try view.lendValues(for: keys) { place, value in
                if isWhole, let value { isWhole = body(UInt32(few[place] << Int(TextBlock.rowBits)), value) }
            }
        } else {
            var range = KeyRange(prefix: prefix)
            if !window.isWholeShard {
                range.lowerBound = prefix + [UInt8(truncatingIfNeeded: window.blocks.lowerBound)]
                if window.blocks.upperBound < TextBlock.blocksInShard {
                    range.upperBound = prefix + [UInt8(truncatingIfNeeded: window.blocks.upperBound)]
                }
            }
            try view.lendEntries(in: range, reverse: false) { key, value in
                let block = unsafe Int(key.unsafeLoad(fromByteOffset: key.byteCount - 1, as: UInt8.self))
                // Longer keys would not be in the order of blocks.
                isWhole = (isPrefix || key.byteCount == prefix.count + 1) && block < TextBlock.blocksInShard
                isWhole = isWhole && body(UInt32(block << Int(TextBlock.rowBits)), value)
                return isWhole
            }
        }
        guard isWhole else { throw TextChanges.damage(text.number) }
    }
}
