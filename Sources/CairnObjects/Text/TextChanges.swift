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
        TextGrams.forEach(form) { postings.add(term($0), TextPosting(row: row, place: $1), isRemoved: false) }
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
        let posting = TextPosting(row: TextBlock.place(of: row), place: TextPosting.somewhere)
        for bytes in found { postings.add(terms.term(bytes), posting, isRemoved: true) }
    }

    /// Changes the grams of an object, or their places; both lists are sorted.
    mutating func change(_ row: UInt64, from old: [(gram: TextGram, place: UInt8)], to new: [(gram: TextGram, place: UInt8)]) {
        let row = TextBlock.place(of: row)
        var present = new[...]
        for former in old {
            while let come = present.first, come.gram < former.gram {
                postings.add(term(come.gram), TextPosting(row: row, place: come.place), isRemoved: false)
                present.removeFirst()
            }
            let isLeft = present.first?.gram == former.gram
            if !isLeft {
                postings.add(term(former.gram), TextPosting(row: row, place: former.place), isRemoved: true)
            } else if let left = present.popFirst(), left.place != former.place {
                postings.add(term(left.gram), TextPosting(row: row, place: left.place), isRemoved: false)
            }
        }
        for come in present { postings.add(term(come.gram), TextPosting(row: row, place: come.place), isRemoved: false) }
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
    /// - Parameter savedRow: Nothing is stored for rows after this one.
    func write(into commit: inout EngineCommit, _ view: any EngineView, savedRow: UInt64) throws(ObjectStoreError) {
        var keys = KeyList()
        keys.isSorted = true
        var waiting: [(key: [UInt8], changes: ArraySlice<TextChange>)] = []
        var (postings, bytes): ([TextPosting], [UInt8]) = ([], [])
        forEachBlock { key, changes in
            let first = shard << TextBlock.shardBits | UInt64(key[key.count - 1]) << TextBlock.rowBits
            if first > savedRow {
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
        try ObjectStoreError.translating { () throws(EngineError) in
            try view.lendValues(for: keys) { place, value in
                let (key, changes) = waiting[place]
                var former: [TextPosting] = []
                if let value, !TextBlock.decode(value, { former.append($0) }) { isWhole = false }
                Self.merge(former, changes, into: &postings)
                TextBlock.encode(postings, into: &bytes)
                if !bytes.isEmpty { commit.put(bytes, for: key) } else if value != nil { commit.delete(key) }
            }
        }
        guard isWhole else { throw TextChanges.damage(index) }
    }

    static func damage(_ index: UInt32) -> ObjectStoreError {
        ObjectStoreError(.corruption, "the text index \(index) is damaged; rebuildIndexes() makes the indexes anew")
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

    /// Applies changes to a block. Of several changes of a row, the last one counts.
    private static func merge(_ former: [TextPosting], _ changes: ArraySlice<TextChange>, into result: inout [TextPosting]) {
        result.removeAll(keepingCapacity: true)
        result.reserveCapacity(former.count + changes.count)
        var next = 0
        for place in changes.indices {
            let change = changes[place]
            guard place + 1 == changes.endIndex || changes[place + 1].row != change.row else { continue }
            let posting = change.posting
            while next < former.count, former[next].row < posting.row {
                result.append(former[next])
                next += 1
            }
            if next < former.count, former[next].row == posting.row { next += 1 }
            if !change.isRemoved { result.append(posting) }
        }
        result += former[next...]
    }
}
