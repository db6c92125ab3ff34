import CairnCore

/// The hash and position of every record written, in the order of the file; a removed record has position 0.
struct CDBIndex {
    let isWide: Bool
    /// Narrow: one slot each, as in the file. Wide: the positions.
    private var entries: [UInt64] = []
    /// Wide: the hashes.
    private var hashes: [UInt64] = []
    private(set) var liveCount = 0

    // For finding records by their hash, once needed: chains of numbers, counted from 1, the latest first; 0 ends a chain.
    private var heads: [Int] = []
    private var links: [Int] = []

    init(isWide: Bool) { self.isWide = isWide }

    @inline(__always)
    mutating func append(hash: UInt64, position: UInt64) {
        if isWide {
            entries.append(position)
            hashes.append(hash)
        } else {
            entries.append(position << 32 | hash)
        }
        liveCount &+= 1
        if !heads.isEmpty { link(entries.count - 1, hash) }
    }

    func hash(_ number: Int) -> UInt64 { isWide ? hashes[number] : entries[number] & 0xFFFF_FFFF }

    /// 0 for a record that was removed.
    func position(_ number: Int) -> UInt64 { isWide ? entries[number] : entries[number] >> 32 }

    private mutating func setPosition(_ number: Int, _ position: UInt64) {
        entries[number] = isWide ? position : position << 32 | entries[number] & 0xFFFF_FFFF
    }

    /// Subtracts the bytes of the holes from the positions after them. The holes are in order.
    mutating func close(_ holes: [CDBHole]) {
        var next = 0
        var removed: UInt64 = 0
        for number in entries.indices {
            let position = position(number)
            guard position != 0 else { continue }
            while next < holes.count, holes[next].position < position {
                removed += holes[next].count
                next += 1
            }
            if removed > 0 { setPosition(number, position - removed) }
        }
    }
}

// MARK: - Finding

extension CDBIndex {
    /// Creates the chains if there are none.
    mutating func prepareToFind() {
        if heads.isEmpty { chain(bits: max(10, 64 - entries.count.leadingZeroBitCount + 1)) }
    }

    private mutating func chain(bits: Int) {
        heads = [Int](repeating: 0, count: 1 << bits)
        links = []
        links.reserveCapacity(entries.count)
        for number in entries.indices {
            if position(number) == 0 { links.append(0) } else { push(number, hash(number)) }
        }
    }

    private mutating func link(_ number: Int, _ hash: UInt64) {
        if entries.count > heads.count { chain(bits: heads.count.trailingZeroBitCount + 1) } else { push(number, hash) }
    }

    private mutating func push(_ number: Int, _ hash: UInt64) {
        let head = head(hash)
        links.append(heads[head])
        heads[head] = number + 1
    }

    private func head(_ hash: UInt64) -> Int {
        // The bits of the hash are those of the last bytes of the key; this spreads them.
        Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - heads.count.trailingZeroBitCount))
    }

    /// Returns the latest record that may have this hash.
    func latest(_ hash: UInt64) -> Int? {
        let head = heads[head(hash)]
        return head == 0 ? nil : head - 1
    }

    /// Returns the record before it in the chain.
    func older(_ number: Int) -> Int? { links[number] == 0 ? nil : links[number] - 1 }

    /// Removes a record.
    mutating func remove(_ number: Int, hash: UInt64) {
        setPosition(number, 0)
        liveCount -= 1
        let head = head(hash)
        guard heads[head] != number + 1 else {
            heads[head] = links[number]
            return
        }
        var newer = heads[head] - 1
        while links[newer] != number + 1 { newer = links[newer] - 1 }
        links[newer] = links[number]
    }
}

// MARK: - Tables

extension CDBIndex {
    /// Writes the hash tables, which begin at `start`, and returns the header.
    func writeTables(from start: UInt64, _ dialect: CDBDialect, to file: AtomicFileWriter) throws(FileError) -> [UInt8] {
        // How many records each table has, and where they begin among all records, sorted by table and otherwise in the order of the file.
        var counts = [Int](repeating: 0, count: 256)
        for number in entries.indices where position(number) != 0 { counts[Int(hash(number) & 0xFF)] += 1 }
        var starts = [Int](repeating: 0, count: 256)
        for table in 1..<256 { starts[table] = starts[table - 1] + counts[table - 1] }
        var sorted = [UInt64](repeating: 0, count: liveCount)
        var sortedHashes = [UInt64](repeating: 0, count: isWide ? liveCount : 0)
        var next = starts
        for number in entries.indices where position(number) != 0 {
            let hash = hash(number)
            let place = next[Int(hash & 0xFF)]
            next[Int(hash & 0xFF)] = place + 1
            sorted[place] = entries[number]
            if isWide { sortedHashes[place] = hash }
        }

        var header = CDBBuffer(capacity: Int(dialect.headerSize))
        var position = start
        var output: [UInt64] = []
        for table in 0..<256 {
            let count = 2 * counts[table]
            header.appendPair(position, UInt64(count), isWide: isWide)
            let range = starts[table]..<starts[table] + counts[table]
            if isWide {
                Self.fill(&output, count, sorted[range], sortedHashes[range])
            } else {
                Self.fill(&output, count, sorted[range])
            }
            position += UInt64(count) * dialect.pairSize
            if output.count >= 1 << 15 { try Self.write(&output, to: file) }
        }
        try Self.write(&output, to: file)
        return header.withBytes { [UInt8](copying: $0) }
    }

    /// Appends a narrow table of `count` slots.
    private static func fill(_ output: inout [UInt64], _ count: Int, _ entries: ArraySlice<UInt64>) {
        let base = output.count
        output.append(contentsOf: repeatElement(0, count: count))
        guard count > 0 else { return }
        let divisor = UInt32(truncatingIfNeeded: count)
        unsafe output.withUnsafeMutableBufferPointer { output in
            let slots = unsafe UnsafeMutableBufferPointer(rebasing: output[base...])
            var search = SlotSearch(count: count)
            for entry in entries {
                let slot = search.emptySlot(from: Int((UInt32(truncatingIfNeeded: entry) >> 8) % divisor)) { unsafe slots[$0] != 0 }
                unsafe slots[slot] = entry.littleEndian
            }
        }
    }

    /// Appends a wide table of `count` slots.
    private static func fill(_ output: inout [UInt64], _ count: Int, _ positions: ArraySlice<UInt64>, _ hashes: ArraySlice<UInt64>) {
        let base = output.count
        output.append(contentsOf: repeatElement(0, count: 2 * count))
        var search = SlotSearch(count: count)
        for (position, hash) in zip(positions, hashes) {
            let slot = search.emptySlot(from: Int((hash >> 8) % UInt64(count))) { output[base + 2 * $0 + 1] != 0 }
            output[base + 2 * slot] = hash.littleEndian
            output[base + 2 * slot + 1] = position.littleEndian
        }
    }

    private static func write(_ output: inout [UInt64], to file: AtomicFileWriter) throws(FileError) {
        guard !output.isEmpty else { return }
        try unsafe file.write(output.span.bytes)
        output.removeAll(keepingCapacity: true)
    }
}

/// Finds the next empty slot of a table, which is at most half full and only fills. Skips long runs of full slots, such as those of a key with many values.
private struct SlotSearch {
    let count: Int
    /// For every 64th slot, a later one with only full slots between them; 0 where none is known.
    private var skips: [Int] = []

    init(count: Int) { self.count = count }

    @inline(__always)
    mutating func emptySlot(from first: Int, isFull: (Int) -> Bool) -> Int {
        var slot = first
        for _ in 0..<32 {
            guard isFull(slot) else { return slot }
            slot = slot + 1 == count ? 0 : slot + 1
        }
        return distantSlot(from: slot, isFull: isFull)
    }

    @inline(never)
    private mutating func distantSlot(from first: Int, isFull: (Int) -> Bool) -> Int {
        if skips.isEmpty { skips = [Int](repeating: 0, count: count / 64 + 1) }
        var slot = first
        var passed: [Int] = []
        while isFull(slot) {
            if slot % 64 == 0 { passed.append(slot / 64) }
            if slot % 64 == 0, skips[slot / 64] != 0 {
                slot = skips[slot / 64]
            } else {
                slot = slot + 1 == count ? 0 : slot + 1
            }
        }
        for number in passed { skips[number] = slot }
        return slot
    }
}
