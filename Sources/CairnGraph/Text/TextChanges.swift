import CairnCore

/// The changes of a commit in a text index, within one shard.
struct TextChanges {
    let index: UInt32
    let shard: UInt64
    private let terms: TextTerms
    private var postings = TextPostings()
    /// The terms of grams, where they are hashes.
    private var known: [TextGram: TextTerm] = [:]

    init(_ text: StoredText, shard: UInt64) {
        index = text.number
        terms = text.terms
        self.shard = shard
    }

    /// Adds the text of an object that had none. Rows come in order.
    mutating func add(_ row: UInt64, _ form: [UInt8]) {
        let row = TextBlock.place(of: row)
        TextGrams.forEach(form) { postings.add(term($0), TextChange(row, $1)) }
    }

    @inline(__always)
    private mutating func term(_ gram: TextGram) -> TextTerm {
        guard terms.areHashed else { return gram }
        if let term = known[gram] { return term }
        let term = terms.term(gram)
        known[gram] = term
        return term
    }

    /// Removes from an object the terms that bytes of keys stand for.
    mutating func remove(_ row: UInt64, _ found: [[UInt8]]) {
        let row = TextBlock.place(of: row)
        for bytes in found { postings.add(terms.term(bytes), TextChange(removed: row)) }
    }

    /// Changes the text of an object; either form may be missing.
    mutating func change(_ row: UInt64, from old: [UInt8]?, to new: [UInt8]?) {
        guard let old else {
            if let new { add(row, new) }
            return
        }
        guard old != new else { return }
        change(TextBlock.place(of: row), from: TextGrams.distinct(old), to: new.map(TextGrams.distinct) ?? [])
    }

    /// Changes the grams of an object, or their places; both lists are sorted.
    private mutating func change(
        _ row: UInt32,
        from old: [(gram: TextGram, places: TextPlaces)],
        to new: [(gram: TextGram, places: TextPlaces)]
    ) {
        var next = 0
        for former in old {
            while next < new.count, new[next].gram < former.gram {
                add(row, new[next])
                next += 1
            }
            guard next < new.count, new[next].gram == former.gram else {
                postings.add(term(former.gram), TextChange(removed: row))
                continue
            }
            if new[next].places != former.places { add(row, new[next]) }
            next += 1
        }
        for come in new[next...] { add(row, come) }
    }

    private mutating func add(_ row: UInt32, _ come: (gram: TextGram, places: TextPlaces)) {
        let term = term(come.gram)
        guard come.places.isKnown else { return postings.add(term, TextChange(row, 255)) }
        for index in 0..<come.places.count { postings.add(term, TextChange(row, come.places[index])) }
    }

    /// Calls `body` with the blocks of what was added, in key order.
    func forEachAdded(_ body: (_ key: [UInt8], _ block: [UInt8]) -> Void) {
        var (postings, bytes): ([TextPosting], [UInt8]) = ([], [])
        forEachBlock { key, changes in
            Self.merge([], changes, into: &postings)
            TextBlock.encode(postings, into: &bytes)
            body(key, bytes)
        }
    }

    /// Writes the changed blocks. Reads only those that may exist.
    ///
    /// - Parameter unused: Rows for which nothing is stored yet.
    func write(into commit: inout EngineCommit, _ view: StoreView, unused: Range<UInt64>) throws(ObjectStoreError) {
        var keys = KeyList()
        keys.isSorted = true
        var waiting: [(key: [UInt8], changes: ArraySlice<TextChange>)] = []
        var (postings, bytes): ([TextPosting], [UInt8]) = ([], [])
        forEachBlock { key, changes in
            let first = shard << TextBlock.shardBits | UInt64(key[key.count - 1]) << TextBlock.rowBits
            if unused.contains(first) {
                Self.merge([], changes, into: &postings)
                TextBlock.encode(postings, into: &bytes)
                if !bytes.isEmpty { commit.put(bytes, for: key) }
            } else {
                keys.append(key)
                waiting.append((key, changes))
            }
        }
        guard !waiting.isEmpty else { return }
        var isWhole = true
        try view.lendValues(for: keys) { place, value in
            let (key, changes) = waiting[place]
            var former: [TextPosting] = []
            if let value, !TextBlock.decode(value, { former.append($0) }) { isWhole = false }
            Self.merge(former, changes, into: &postings)
            TextBlock.encode(postings, into: &bytes)
            if !bytes.isEmpty { commit.put(bytes, for: key) } else if value != nil { commit.delete(key) }
        }
        guard isWhole else { throw TextChanges.damage(index) }
    }

    static func damage(_ index: UInt32) -> ObjectStoreError {
        ObjectStoreError(.corruption, "the text index \(index) is damaged; rebuild the indexes")
    }

    private func forEachBlock(_ body: (_ key: [UInt8], _ changes: ArraySlice<TextChange>) -> Void) {
        var key = Keyspace.texts(index, shard: shard)
        let size = key.count
        postings.forEachBlock { term, block, changes in
            key.removeSubrange(size...)
            terms.append(term, to: &key)
            key.append(block)
            body(key, changes)
        }
    }

    /// Applies changes to a block. What a row has replaces what it had.
    private static func merge(_ former: [TextPosting], _ changes: ArraySlice<TextChange>, into result: inout [TextPosting]) {
        result.removeAll(keepingCapacity: true)
        result.reserveCapacity(former.count + changes.count)
        var next = 0
        var place = changes.startIndex
        while place < changes.endIndex {
            let row = changes[place].rowInBlock
            var places: TextPlaces?
            while place < changes.endIndex, changes[place].rowInBlock == row {
                if !changes[place].isRemoved { places.append(changes[place].place) }
                place += 1
            }
            while next < former.count, former[next].row < row {
                result.append(former[next])
                next += 1
            }
            if next < former.count, former[next].row == row { next += 1 }
            if let places { result.append(TextPosting(row: row, places: places)) }
        }
        result += former[next...]
    }
}
