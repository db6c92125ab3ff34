import CairnCore
import Synchronization

/// The objects whose texts may be what a query looks for, by their text indexes: all that are, and some that have the grams in another order or place.
struct TextScan {
    let text: String
    private let texts: [StoredText]
    /// Of each group one pattern must be found, in one of the texts.
    private let groups: [[PatternScan]]

    /// A pattern in a text index: an object has all of these grams, of which keys begin so.
    private struct PatternScan {
        let index: UInt32
        let terms: [[UInt8]]
    }

    /// - Returns: `nil` where the indexes do not help: then all objects are asked.
    init?(_ query: TextQuery, _ texts: [StoredText]) {
        var groups: [[PatternScan]] = []
        for group in query.required {
            var scans: [PatternScan] = []
            for pattern in group where !pattern.form.isEmpty {
                for text in texts {
                    guard let terms = Self.terms(pattern, text.terms) else { return nil }
                    scans.append(PatternScan(index: text.number, terms: terms))
                }
            }
            groups.append(scans)
        }
        self.groups = groups
        self.texts = texts
        text = "text index (\(texts.map(\.name).joined(separator: ", "))): \(query.text)"
    }

    /// More grams than these seldom tell more.
    private static var mostTerms: Int { 8 }

    private static func terms(_ pattern: TextPattern, _ terms: TextTerms) -> [[UInt8]]? {
        let scalars = UTF8Reading.scalars(pattern.form)
        if scalars.count < 3, pattern.end != .text { return terms.prefix(scalars).map { [$0] } }
        let starts = pattern.end == .text ? scalars.indices : scalars.indices.dropLast(2)
        var grams: [TextGram] = []
        for start in starts {
            let gram = TextGrams.gram(scalars[start..<min(start + 3, scalars.count)])
            if !grams.contains(gram) { grams.append(gram) }
        }
        let count = min(grams.count, mostTerms)
        return (0..<count).map { place in
            var term: [UInt8] = []
            terms.append(terms.term(grams[count == 1 ? 0 : place * (grams.count - 1) / (count - 1)]), to: &term)
            return term
        }
    }

    /// Calls `body` with the objects, in order, until it returns false.
    ///
    /// - Returns: Whether it never did.
    func forEach(_ view: any EngineView, _ stored: StoredClass, _ body: (ObjectID) -> Bool) throws(ObjectStoreError) -> Bool {
        var reader = TextIndexReader(view)
        var order = groups.map { group in group.map { (scan: $0, terms: $0.terms.map { (term: $0, count: 0) }) } }
        for shard in 0...TextBlock.shard(of: stored.lastRow.load(ordering: .relaxed)) {
            var found: TextRows?
            for group in order.indices {
                var rows = TextRows()
                for place in order[group].indices {
                    let index = order[group][place].scan.index
                    if let some = try reader.rows(index, shard, &order[group][place].terms) { rows.formUnion(some) }
                }
                if let known = found { rows.formIntersection(known) }
                found = rows
                if rows.isEmpty { break }
            }
            let first = shard << TextBlock.shardBits
            guard found?.forEach({ body(ObjectID(class: stored.number, row: first | $0)) }) ?? true else { return false }
        }
        return true
    }
}

/// Reads text indexes.
struct TextIndexReader {
    private let view: any EngineView

    init(_ view: any EngineView) { self.view = view }

    /// So few objects are read sooner than another gram.
    private static var fewRows: Int { 4 }

    /// The rows of a shard that have all of some grams; `nil` for none. Those that few had in the last shard are looked at first.
    mutating func rows(_ index: UInt32, _ shard: UInt64, _ terms: inout [(term: [UInt8], count: Int)]) throws(ObjectStoreError) -> TextRows?
    {
        var rows: TextRows?
        for place in terms.indices {
            var found = try self.rows(index, shard, terms[place].term)
            terms[place].count = found.count
            if let rows { found.formIntersection(rows) }
            rows = found
            let count = found.count
            if count == 0 {
                rows = nil
                break
            }
            if count <= Self.fewRows { break }
        }
        if shard == 0 { terms.sort { $0.count < $1.count } }
        return rows
    }

    /// The rows of a shard with the grams whose keys begin so.
    private func rows(_ index: UInt32, _ shard: UInt64, _ term: [UInt8]) throws(ObjectStoreError) -> TextRows {
        var rows = TextRows()
        var isWhole = true
        let range = KeyRange(prefix: Keyspace.texts(index, shard: shard) + term)
        try ObjectStoreError.translating { () throws(EngineError) in
            try view.lendEntries(in: range, reverse: false) { key, value in
                isWhole = rows.add(value, block: unsafe Int(key.unsafeLoad(fromByteOffset: key.byteCount - 1, as: UInt8.self)))
                return isWhole
            }
        }
        guard isWhole else { throw TextChanges.damage(index) }
        return rows
    }
}
