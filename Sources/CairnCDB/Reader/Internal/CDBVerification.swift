import CairnCore

/// A check of everything that can be checked, in two passes from front to back: over the slots and over the records.
///
/// Sums over slots and records, which must be equal, show whether each slot points to a record with its hash and each record has its slot.
struct CDBVerification {
    private let reader: CDBReader
    private let step: (_ position: UInt64) throws(CDBError) -> Void
    private var slots = Sum()
    private var records = Sum()

    /// The number of pairs of a hash and a position, and their sum.
    private struct Sum: Equatable {
        var count: UInt64 = 0
        var first: UInt64 = 0
        var second: UInt64 = 0

        mutating func add(_ hash: UInt64, _ position: UInt64) {
            var mixed = (hash &* 0x9E37_79B9_7F4A_7C15) ^ position
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            count += 1
            first &+= mixed
            second ^= mixed &* 0xD6E8_FEB8_6659_FD93
        }
    }

    /// - Parameter step: Called from time to time with the number of bytes read so far.
    init(_ reader: CDBReader, step: @escaping (_ position: UInt64) throws(CDBError) -> Void) {
        self.reader = reader
        self.step = step
    }

    private static let emptyKeyHash: UInt64 = 5381

    mutating func run() throws(CDBError) {
        try reader.checkHeader()
        try checkTablesLieApart()
        try walkRecords(seeing: try walkSlots())
        try reader.checkIsWhole()
        guard slots == records else { throw try difference() }
    }

    private func checkTablesLieApart() throws(CDBError) {
        let pair = reader.dialect.pairSize
        let ranges = (0..<256).map { reader.tables[$0] }.filter { $0.count > 0 }.sorted { $0.position < $1.position }
        for (table, next) in zip(ranges, ranges.dropFirst()) where table.position + table.count * pair > next.position {
            throw reader.damage("two hash tables overlap", at: next.position)
        }
    }

    /// Returns the positions in slots that have the hash of the empty key.
    private mutating func walkSlots() throws(CDBError) -> Set<UInt64> {
        var window = CDBWindow(reader, end: reader.size)
        var empty: Set<UInt64> = []
        let pair = reader.dialect.pairSize
        for number in 0..<256 {
            let table = reader.tables[number]
            // The last slot without a record so far, and the first slot that a record that wrapped around should be in.
            var lastFree: UInt64?
            var wrapped = UInt64.max
            for slot in 0..<table.count {
                let place = table.position + slot * pair
                if slot & 0xFFFF == 0 { try step(place - reader.dataEnd) }
                let (hash, position) = try window.pair(at: place)
                guard position != 0 else {
                    lastFree = slot
                    continue
                }
                guard hash & 0xFF == UInt64(number) else { throw reader.damage("a slot is in the wrong hash table", at: place) }
                let wanted = (hash >> 8) % table.count
                if wanted <= slot {
                    if let lastFree, lastFree >= wanted { throw reader.damage("a slot is unreachable", at: place) }
                } else {
                    if lastFree != nil { throw reader.damage("a slot is unreachable", at: place) }
                    wrapped = min(wrapped, wanted)
                }
                if hash == Self.emptyKeyHash, !empty.insert(position).inserted {
                    throw reader.damage("two slots refer to the same record", at: place)
                }
                slots.add(hash, position)
            }
            if let lastFree, lastFree >= wrapped { throw reader.damage("a slot is unreachable", at: table.position) }
        }
        return empty
    }

    private mutating func walkRecords(seeing indexed: Set<UInt64>) throws(CDBError) {
        var window = CDBWindow(reader, end: reader.dataEnd)
        var position = reader.dialect.headerSize
        var number = 0
        while position < reader.dataEnd {
            if number & 0xFFFF == 0 { try step(reader.size - reader.dataEnd + position) }
            number += 1
            let record = try window.record(at: position)
            let hash = try unsafe reader.dialect.hash(window.bytes(record.keyCount, at: record.keyPosition))
            if record.keyCount != 0 || indexed.contains(position) {
                records.add(hash, position)
            } else {
                let isFilled = try unsafe window.bytes(record.valueCount, at: record.valuePosition).allSatisfy { $0 == 0 }
                guard isFilled else { throw reader.damage("no slot refers to the record", at: position) }
            }
            position = record.end
        }
    }

    /// Returns the difference between slots and records as an error.
    private func difference() throws(CDBError) -> CDBError {
        var window = CDBWindow(reader, end: reader.dataEnd)
        var position = reader.dialect.headerSize
        while position < reader.dataEnd {
            let record = try window.record(at: position)
            let key = try unsafe window.bytes(record.keyCount, at: record.keyPosition)
            var probe = try reader.probe(hash: unsafe reader.dialect.hash(key))
            var isFound = false
            while !isFound, let found = try unsafe reader.nextRecord(&probe, key) { isFound = found.position == position }
            if !isFound { return reader.damage("no slot refers to the record", at: position) }
            position = record.end
        }
        return reader.damage("a slot refers to no record", at: reader.dataEnd)
    }
}
