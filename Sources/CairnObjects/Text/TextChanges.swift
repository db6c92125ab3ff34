import CairnCore

/// What a commit changes in a text index, within one shard.
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

    /// An object has a text that it did not have. Rows come in order.
    mutating func add(_ row: UInt64, _ form: [UInt8]) {
        let place = TextBlock.place(of: row)
        TextGrams.forEach(form) { postings.add(term($0), place, isRemoved: false) }
    }

    @inline(__always)
    private mutating func term(_ gram: TextGram) -> TextTerm {
        guard terms.areHashed else { return gram }
        if let term = known[gram] { return term }
        let term = terms.term(gram)
        known[gram] = term
        return term
    }

    /// What bytes of keys stand for is not said of an object any more.
    mutating func remove(_ row: UInt64, _ found: [[UInt8]]) {
        let place = TextBlock.place(of: row)
        for bytes in found { postings.add(terms.term(bytes), place, isRemoved: true) }
    }

    /// An object has other grams than it had, both sorted.
    mutating func change(_ row: UInt64, from old: [TextGram], to new: [TextGram]) {
        let place = TextBlock.place(of: row)
        var (former, present) = (old[...], new[...])
        while let gone = former.first, let come = present.first {
            if gone <= come { former.removeFirst() }
            if come <= gone { present.removeFirst() }
            if gone < come {
                postings.add(term(gone), place, isRemoved: true)
            } else if come < gone {
                postings.add(term(come), place, isRemoved: false)
            }
        }
        for gram in former { postings.add(term(gram), place, isRemoved: true) }
        for gram in present { postings.add(term(gram), place, isRemoved: false) }
    }

    /// The blocks of what was added, in the order of their keys.
    func forEachAdded(_ body: (_ key: [UInt8], _ block: [UInt8]) -> Void) {
        var bytes: [UInt8] = []
        forEachBlock { key, changes in
            TextBlock.encode(Self.added(changes), into: &bytes)
            body(key, bytes)
        }
    }

    /// Writes the blocks as they become. Only those are read that may be there.
    ///
    /// - Parameter savedRow: Behind this row is nothing.
    func write(into commit: inout EngineCommit, _ view: any EngineView, savedRow: UInt64) throws(ObjectStoreError) {
        var keys = KeyList()
        keys.isSorted = true
        var waiting: [(key: [UInt8], changes: ArraySlice<UInt32>)] = []
        var bytes: [UInt8] = []
        forEachBlock { key, changes in
            let first = shard << TextBlock.shardBits | UInt64(key[key.count - 1]) << TextBlock.rowBits
            if first > savedRow {
                TextBlock.encode(Self.added(changes), into: &bytes)
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
                var rows: [UInt32] = []
                if let value, !TextBlock.decode(value, { rows.append($0) }) { isWhole = false }
                TextBlock.encode(Self.merge(rows, changes), into: &bytes)
                if !bytes.isEmpty { commit.put(bytes, for: key) } else if value != nil { commit.delete(key) }
            }
        }
        guard isWhole else { throw TextChanges.damage(index) }
    }

    static func damage(_ index: UInt32) -> ObjectStoreError {
        ObjectStoreError(.corruption, "the text index \(index) is damaged; rebuildIndexes() makes the indexes anew")
    }

    private func forEachBlock(_ body: (_ key: [UInt8], _ changes: ArraySlice<UInt32>) -> Void) {
        var key = Keyspace.texts(index, shard: shard)
        let size = key.count
        postings.forEachBlock { term, block, changes in
            key.removeSubrange(size...)
            terms.append(term, to: &key)
            key.append(block)
            body(key, changes)
        }
    }

    private static let rowMask = UInt32(TextBlock.rowCount - 1)

    /// The rows that come, counted from the block's first.
    private static func added(_ changes: ArraySlice<UInt32>) -> [UInt32] {
        changes.compactMap { $0 & 1 == 0 ? $0 >> 1 & rowMask : nil }
    }

    private static func merge(_ rows: [UInt32], _ changes: ArraySlice<UInt32>) -> [UInt32] {
        var result: [UInt32] = []
        result.reserveCapacity(rows.count + changes.count)
        var rest = rows[...]
        for change in changes {
            let row = change >> 1 & rowMask
            while let first = rest.first, first < row { result.append(rest.removeFirst()) }
            if rest.first == row { rest.removeFirst() }
            if change & 1 == 0 { result.append(row) }
        }
        return result + rest
    }
}
