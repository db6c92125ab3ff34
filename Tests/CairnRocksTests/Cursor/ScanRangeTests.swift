import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

struct ScanRangeTests {
    let scene = try! Scene()
    private static let middle = KeyRange(lowerBound: Array("B".utf8), upperBound: Array("D".utf8))

    private func database(_ options: ColumnFamilyOptions = ColumnFamilyOptions()) throws -> RocksDB {
        let db = try scene.open(options)
        try db.fill("A", "C")
        try db.flush()
        try db.fill("B", "D")
        return db
    }

    /// As the table in the documentation of `ScanRange` has it.
    @Test(arguments: [
        (ScanRange.all, "A, B, C, D"), (.from("B", to: "D"), "B, C"), (.from("B"), "B, C, D"), (.to("C"), "A, B"),
        (.all.reversed, "D, C, B, A"), (.from("C", to: "A").reversed, "C, B"), (.prefix("C"), "C"),
        (.from("B", through: "C"), "B, C"), (.through("C"), "A, B, C"),
    ]) func asDocumented(range: ScanRange, keys: String) throws {
        #expect(try database().keyTexts(range) == keys.split(separator: ", ").map { String($0) })
    }

    @Test(arguments: [
        (ScanRange.from("BB"), "C, D"), (.to("BB"), "A, B"), (.from("BB", to: "CC"), "C"), (.from(""), "A, B, C, D"), (.to(""), ""),
        (.from("", to: ""), ""), (.from("B", to: "B"), ""), (.from("D", to: "B"), ""), (.from("E"), ""), (.to("A"), ""),
        (.to("Z"), "A, B, C, D"),
        (.from("A", to: "A\0"), "A"), (.prefix(""), "A, B, C, D"), (.prefix("E"), ""), (.prefix("CC"), ""),
        (.from("BB").reversed, "B, A"), (.to("BB").reversed, "D, C"), (.from("BB", to: "A").reversed, "B"),
        (.from("Z").reversed, "D, C, B, A"),
        (.from("").reversed, ""), (.to("").reversed, "D, C, B, A"), (.from("A", to: "C").reversed, ""), (.from("B", to: "B").reversed, ""),
        (.prefix("C").reversed, "C"), (.prefix("").reversed, "D, C, B, A"), (.from("C").reversed, "C, B, A"),
        (.to("A").reversed, "D, C, B"),
        (.keys(middle), "B, C"), (.keys(middle).reversed, "C, B"),
        (.from("B", through: "B"), "B"), (.through("BB"), "A, B"), (.through("Z"), "A, B, C, D"), (.through(""), ""),
        (.from("D", through: "B"), ""), (.from("C", through: "A").reversed, "C, B, A"), (.through("B").reversed, "D, C, B"),
        (.from("C", through: "BB").reversed, "C"), (.from(String?.none, to: "C"), "A, B"), (.from("C", to: String?.none), "C, D"),
        (.from(nil, to: String?.none), "A, B, C, D"), (.from(nil, through: "C" as String?), "A, B, C"),
        (.from("B" as String?, through: nil), "B, C, D"), (.from("C" as String?, through: nil).reversed, "C, B, A"),
    ]) func otherBounds(range: ScanRange, keys: String) throws {
        let db = try database()
        let expected = keys.split(separator: ", ").map { String($0) }
        #expect(try db.keyTexts(range) == expected)
        #expect(try db.count(range) == expected.count)
        // The same from the other end.
        var cursor = try db.makeCursor(range)
        var backwards: [String] = []
        var key = try cursor.perform(.last)
        while let found = key {
            backwards.append(found)
            key = try cursor.perform(.previous)
        }
        #expect(backwards == expected.reversed())
        #expect(range.reversed.reversed == range)
    }

    /// An inclusive end is the same in an order where no key is known to be the next one.
    @Test(arguments: [KeyComparator.reverseBytewise, KeyComparator(name: "test.custom") { $0.bytewise($1) }])
    func inclusiveEndsInOtherOrders(order: KeyComparator) throws {
        let db = try scene.open(.init(comparator: order)), keys = order.compare("A", "B") < 0 ? ["A", "B", "C"] : ["C", "B", "A"]
        try db.fill("A", "B", "C")
        for (first, start) in keys.enumerated() {
            for (last, end) in keys.enumerated() {
                let expected = first <= last ? Array(keys[first...last]) : []
                #expect(try db.keyTexts(.from(start, through: end)) == expected)
                #expect(try db.keyTexts(.from(end, through: start).reversed) == expected.reversed())
                #expect(try db.walk(.from(start, through: end), .last) == [expected.last])
            }
            #expect(try db.keyTexts(.through(start)) == Array(keys[...first]))
            #expect(try db.keyTexts(.through(start).reversed) == keys[first...].reversed())
            #expect(try db.walk(.through(start), .last, .next, .previous, .seekToOrBefore(keys[2])) == [start, nil, start, start])
        }
    }

    @Test func prefixesOfAllBytes() throws {
        let db = try scene.open()
        let keys: [[UInt8]] = [[], [0], [0, 0], [0xFE], [0xFE, 0xFF], [0xFF], [0xFF, 0], [0xFF, 0xFF], [0xFF, 0xFF, 1]]
        for key in keys { try db.put("", for: key) }
        for family in [db.defaultColumnFamily, try db.createColumnFamily("down", options: .init(comparator: .reverseBytewise))] {
            for key in keys { try family.put("", for: key) }
            let ordered = family.name == "down" ? keys.reversed() : keys
            for prefix in keys + [[1], [0xFF, 0xFF, 0xFF]] {
                let expected = ordered.filter { $0.starts(with: prefix) }
                #expect(try family.keys(.prefix(prefix)) == expected, "\(family.name) \(prefix)")
                #expect(try family.keys(.prefix(prefix).reversed) == expected.reversed(), "\(family.name) \(prefix)")
            }
        }
    }

    /// Prefix scans end where the prefix does, instead of at the end of the database.
    @Test func aPrefixScanVisitsOnlyItsKeys() throws {
        var options = DatabaseOptions(createIfMissing: true)
        let statistics = try Statistics()
        options.statistics = statistics
        for comparator in [KeyComparator.bytewise, .reverseBytewise] {
            let scene = try Scene(), db = try scene.open(.init(comparator: comparator), options: options)
            for number in 1_000..<3_000 { try db.put("", for: "\(number)") }
            for range in [ScanRange.prefix("123"), .prefix("123").reversed] {
                try statistics.reset()
                #expect(try db.count(range) == 10)
                let steps =
                    statistics.tickers["rocksdb.number.db.next", default: 0] + statistics.tickers["rocksdb.number.db.prev", default: 0]
                #expect(steps <= 11, "\(comparator.name) \(range.isReversed)")
            }
        }
    }

    @Test func inReverseOrder() throws {
        let db = try database(.init(comparator: .reverseBytewise))
        #expect(try db.keyTexts(.from("C", to: "A")) == ["C", "B"])
        #expect(try db.keyTexts(.from("A", to: "C").reversed) == ["A", "B"])
        #expect(try db.keyTexts(.from("CC")) == ["C", "B", "A"])
        #expect(try db.keyTexts(.to("B").reversed) == ["A"])
        #expect(try db.keyTexts(.from("A", to: "C")).isEmpty)
        #expect(try db.walk(.seek("BB"), .previous) == ["B", "C"])
        #expect(try db.walk(.seekToOrBefore("BB"), .next) == ["C", "B"])
    }

    /// Bounds are compared as the column family compares, not by bytes.
    @Test func inAnOrderOfYourOwn() throws {
        // Shorter keys first.
        let byLength = KeyComparator(name: "test.length") { first, second in
            first.byteCount != second.byteCount ? first.byteCount - second.byteCount : compareBytes(first, second)
        }
        let db = try scene.open(.init(comparator: byLength))
        try db.fill("zz", "a", "bbb", "c")
        try db.flush()
        try db.fill("b", "", "aaaa", "za")
        #expect(try db.keyTexts() == ["", "a", "b", "c", "za", "zz", "bbb", "aaaa"])
        #expect(try db.keyTexts(.from("c", to: "bbb")) == ["c", "za", "zz"])
        #expect(try db.keyTexts(.from("bbb", to: "c").reversed) == ["bbb", "zz", "za"])
        #expect(try db.keyTexts(.from("zb").reversed) == ["za", "c", "b", "a", ""])
        #expect(try db.keyTexts(.prefix("z")) == ["za", "zz"])
        #expect(try db.keyTexts(.prefix("b")) == ["b", "bbb"])
        #expect(try db.keyTexts(.prefix("a").reversed) == ["aaaa", "a"])
        #expect(try db.walk(.prefix("a"), .seek("b"), .next, .previous, .previous) == ["aaaa", nil, "aaaa", "a"])
        try db.deleteRange(from: "c", to: "bbb")
        #expect(try db.keyTexts() == ["", "a", "b", "bbb", "aaaa"])
        #expect(code { try db.deleteRange(from: "bbb", to: "c") } == .invalidArgument)
    }
}

/// Unsigned bytes, ascending.
func compareBytes(_ first: RawSpan, _ second: RawSpan) -> Int {
    for offset in 0..<min(first.byteCount, second.byteCount) {
        let left = unsafe first.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
        let right = unsafe second.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
        if left != right { return Int(left) - Int(right) }
    }
    return first.byteCount - second.byteCount
}

extension RawSpan {
    fileprivate func bytewise(_ other: RawSpan) -> Int {
        let (first, second) = ([UInt8](copying: self), [UInt8](copying: other))
        return first == second ? 0 : (first.lexicographicallyPrecedes(second) ? -1 : 1)
    }
}
