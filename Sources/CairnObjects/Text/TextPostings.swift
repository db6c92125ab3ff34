/// Gathers what changes in the text index of a shard, and gives it back term by term.
struct TextPostings {
    /// The number of a term less 1, found by open addressing.
    private var slots = [UInt32](repeating: 0, count: 64)
    private var terms: [TextTerm] = []
    /// How many changes each term has, and the last of them.
    private var counts: [UInt32] = []
    private var last: [UInt32] = []
    /// The number of the term, and in the lower half the change: a row's place in the shard · 2, and 1 more where it goes.
    private var changes: [UInt64] = []

    var isEmpty: Bool { changes.isEmpty }

    /// The object in a place of the shard has a term, or has it no more. Places come in order.
    @inline(__always)
    mutating func add(_ term: TextTerm, _ place: UInt32, isRemoved: Bool) {
        let change = place << 1 | (isRemoved ? 1 : 0)
        let number = number(of: term)
        guard counts[number] == 0 || last[number] != change else { return }
        counts[number] += 1
        last[number] = change
        changes.append(UInt64(number) << 32 | UInt64(change))
    }

    private mutating func number(of term: TextTerm) -> Int {
        var slot = Self.home(term) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if terms[number] == term { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        terms.append(term)
        counts.append(0)
        last.append(0)
        slots[slot] = UInt32(terms.count)
        if terms.count * 2 > slots.count { grow() }
        return terms.count - 1
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 4)
        for (number, term) in terms.enumerated() {
            var slot = Self.home(term) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }

    private static func home(_ term: TextTerm) -> Int { Int(truncatingIfNeeded: (term &* 0x9E37_79B9_7F4A_7C15) >> 32) }

    /// Calls `body` with each term and its changes in a block, in the order of keys.
    func forEachBlock(_ body: (_ term: TextTerm, _ block: UInt8, _ changes: ArraySlice<UInt32>) -> Void) {
        var starts = [Int](repeating: 0, count: terms.count + 1)
        let order = terms.indices.sorted { terms[$0] < terms[$1] }
        var start = 0
        for number in order {
            starts[number] = start
            start += Int(counts[number])
        }
        var sorted = [UInt32](repeating: 0, count: changes.count)
        for change in changes {
            let number = Int(change >> 32)
            sorted[starts[number]] = UInt32(truncatingIfNeeded: change)
            starts[number] += 1
        }
        let blockShift = UInt32(TextBlock.rowBits) + 1
        for number in order {
            let end = starts[number]
            var first = end - Int(counts[number])
            while first < end {
                let block = sorted[first] >> blockShift
                var next = first + 1
                while next < end, sorted[next] >> blockShift == block { next += 1 }
                body(terms[number], UInt8(block), sorted[first..<next])
                first = next
            }
        }
    }
}
