/// Gathers the changes in the text index of a shard, and returns them term by term.
package struct TextPostings {
    /// The number of a term plus 1, found by open addressing.
    private var slots = [UInt32](repeating: 0, count: 64)
    private var entries: [Entry] = []
    /// The number of the term, and the change in the lower half.
    private var changes: [UInt64] = []

    private struct Entry {
        let term: TextTerm
        /// The number of changes of the term, and the last of them.
        var count: UInt32 = 0
        var last = TextChange(bits: 0)
    }

    package init() {}

    package var isEmpty: Bool { changes.isEmpty }

    /// Adds a place of a term in an object, or removes the term from it. The rows of the shard come in order, and so do the places of a row.
    @inline(__always)
    package mutating func add(_ term: TextTerm, _ change: TextChange) {
        let number = number(of: term)
        let known = entries[number]
        // Once unknown, the places of a row remain so.
        if known.count > 0, known.last.row == change.row, known.last == change || known.last.isUnknown { return }
        entries[number] = Entry(term: term, count: known.count + 1, last: change)
        changes.append(UInt64(number) << 32 | UInt64(change.bits))
    }

    @inline(__always)
    private mutating func number(of term: TextTerm) -> Int {
        var slot = Self.home(term) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if entries[number].term == term { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        return addEntry(term, slot)
    }

    @inline(never)
    private mutating func addEntry(_ term: TextTerm, _ slot: Int) -> Int {
        entries.append(Entry(term: term))
        slots[slot] = UInt32(entries.count)
        if entries.count * 2 > slots.count { grow() }
        return entries.count - 1
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 4)
        for (number, entry) in entries.enumerated() {
            var slot = Self.home(entry.term) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }

    private static func home(_ term: TextTerm) -> Int { Int(truncatingIfNeeded: (term &* 0x9E37_79B9_7F4A_7C15) >> 32) }

    /// Calls `body` with each term and its changes in a block, in the order of keys and of rows.
    package func forEachBlock(_ body: (_ term: TextTerm, _ block: UInt8, _ changes: ArraySlice<TextChange>) -> Void) {
        var starts = [Int](repeating: 0, count: entries.count + 1)
        let order = entries.indices.sorted { entries[$0].term < entries[$1].term }
        var start = 0
        for number in order {
            starts[number] = start
            start += Int(entries[number].count)
        }
        var sorted = [TextChange](repeating: TextChange(bits: 0), count: changes.count)
        for change in changes {
            let number = Int(change >> 32)
            sorted[starts[number]] = TextChange(bits: UInt32(truncatingIfNeeded: change))
            starts[number] += 1
        }
        for number in order {
            let end = starts[number]
            var first = end - Int(entries[number].count)
            while first < end {
                let block = sorted[first].block
                var next = first + 1
                while next < end, sorted[next].block == block { next += 1 }
                body(entries[number].term, block, sorted[first..<next])
                first = next
            }
        }
    }
}

/// A change of an object of a shard: its row, a place where a term occurs, or that it occurs nowhere.
package struct TextChange: Equatable {
    let bits: UInt32

    init(bits: UInt32) { self.bits = bits }

    /// - Parameters:
    ///   - row: The row, counted from the shard's first.
    ///   - place: The number of scalars before the term; 255 if its places are unknown.
    @inline(__always)
    package init(_ row: UInt32, _ place: UInt8) { bits = row << 9 | UInt32(place) << 1 }

    package init(removed row: UInt32) { bits = row << 9 | 1 }

    /// The row, counted from the shard's first.
    var row: UInt32 { bits >> 9 }
    package var place: UInt8 { UInt8(truncatingIfNeeded: bits >> 1) }
    package var isRemoved: Bool { bits & 1 != 0 }
    var isUnknown: Bool { bits & 0x1FF == 255 << 1 }
    var block: UInt8 { UInt8(truncatingIfNeeded: row >> UInt32(TextBlock.rowBits)) }
    /// The row, counted from the block's first.
    package var rowInBlock: UInt32 { row & UInt32(TextBlock.rowCount - 1) }
}
