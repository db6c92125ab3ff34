import CairnCore

/// The texts of the last few small saves, which are not in blocks yet: a save adds to them, and many are moved into blocks together.
///
/// While a row is among them, what blocks say about it is outdated and does not count. Their layout is in `RecentTexts+Stored`.
struct RecentTexts {
    /// Texts of one row, in the form in which they are searched.
    struct Entry {
        let row: UInt64
        /// The text that blocks have, in ``RecentTexts/bytes``; `nil` if they have none.
        let former: Range<Int>?
        /// The text as saved; `nil` if the object was deleted.
        let form: Range<Int>?
    }

    /// Searches look at each of them, and moving them into blocks takes a block for each of their grams.
    static let mostEntries = 256
    static let mostBytes = 64 << 10

    /// Identifies these texts: the version of the engine after which the first was added. Until they are moved into blocks, texts are only
    /// added.
    var epoch: UInt64 = 0
    /// As they are stored, all portions together.
    private(set) var bytes: [UInt8] = []
    /// In the order in which they were saved; of several entries of a row, the last one counts.
    private(set) var entries: [Entry] = []
    /// The number of portions, and the size of the last.
    var portionCount = 0
    var lastSize = 0
    /// The entries that count, in the order of rows.
    private var latest: [Int] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Adds an entry whose texts are in ``bytes``.
    private mutating func note(_ entry: Entry) {
        let place = place(of: entry.row)
        if place < latest.count, entries[latest[place]].row == entry.row {
            latest[place] = entries.count
        } else {
            latest.insert(entries.count, at: place)
        }
        entries.append(entry)
    }

    /// Where a row is in ``latest``, or would be.
    private func place(of row: UInt64) -> Int {
        guard let last = latest.last, entries[last].row >= row else { return latest.count }
        var (low, high) = (0, latest.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[latest[middle]].row < row { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Looking

    /// The entry of a row that counts.
    func entry(of row: UInt64) -> Entry? {
        let place = place(of: row)
        guard place < latest.count, entries[latest[place]].row == row else { return nil }
        return entries[latest[place]]
    }

    /// Calls `body` with each entry that counts, in the order of rows.
    func forEach<Failure: Error>(_ body: (Entry) throws(Failure) -> Void) throws(Failure) {
        for place in latest { try body(entries[place]) }
    }

    /// The rows, in order.
    var rows: [UInt64] { latest.map { entries[$0].row } }

    func text(_ range: Range<Int>?) -> [UInt8]? { range.map { Array(bytes[$0]) } }

    /// The texts that count, in the order of rows.
    var edits: [TextEdit] { latest.map { TextEdit(row: entries[$0].row, former: text(entries[$0].former), form: text(entries[$0].form)) } }

    /// Whether an entry's text contains a pattern.
    func matches(_ entry: Entry, _ pattern: TextPattern) -> Bool {
        guard let form = entry.form else { return false }
        return pattern.matches(bytes.span.extracting(form))
    }

    // MARK: Coding

    /// Adds an entry to the last portion.
    mutating func append(_ edit: TextEdit) {
        let start = bytes.count
        Varint.append(edit.row, to: &bytes)
        let former = append(edit.former), form = append(edit.form)
        lastSize += bytes.count - start
        note(Entry(row: edit.row, former: former, form: form))
    }

    private mutating func append(_ text: [UInt8]?) -> Range<Int>? {
        Varint.append(text.map { UInt64($0.count) + 1 } ?? 0, to: &bytes)
        guard let text else { return nil }
        bytes += text
        return bytes.count - text.count..<bytes.count
    }

    /// Reads the entries of a part of a portion; returns whether they are valid.
    mutating func read(_ part: RawSpan) -> Bool {
        var position = bytes.count
        unsafe part.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        while position < bytes.count {
            guard let row = number(&position), row <= ObjectID.maximumRow, let former = text(&position), let form = text(&position) else {
                return false
            }
            note(Entry(row: row, former: former, form: form))
        }
        return true
    }

    private func number(_ position: inout Int) -> UInt64? { unsafe try? Varint.decode(bytes.span.bytes, at: &position) }

    /// `nil` if there is no valid one.
    private func text(_ position: inout Int) -> Range<Int>?? {
        guard let size = number(&position) else { return nil }
        guard size > 0 else { return .some(nil) }
        guard size - 1 <= UInt64(bytes.count - position) else { return nil }
        position += Int(size - 1)
        return .some(position - Int(size - 1)..<position)
    }
}

/// A change of the text of a row: the form that blocks have and the one that they are to have; `nil` for none.
struct TextEdit {
    let row: UInt64
    var former: [UInt8]?
    var form: [UInt8]?

    var size: Int { 12 + (former?.count ?? 0) + (form?.count ?? 0) }
}
