import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// Cursors made through a snapshot, which RocksDB reads again whenever they come upon a file with range deletions.
struct SnapshotCursorTests {
    let scene = try! Scene()

    @Test func theyOutliveTheClosingOfTheSnapshot() throws {
        var options = ColumnFamilyOptions()
        options.disableAutoCompactions = true
        let db = try scene.open(options)
        for file in 0..<8 {
            for row in 0..<50 { try db.put("value", for: "key \(file)-\(row + 100)") }
            try db.deleteRange(from: "key \(file)-110", to: "key \(file)-120")
            try db.flush()
        }
        let snapshot = try db.makeSnapshot()
        var cursor = try snapshot.makeCursor()
        #expect(try cursor.first() != nil)
        snapshot.close()
        #expect(code { try snapshot.get("a") } == .closed)
        for _ in 0..<20 { _ = try db.makeSnapshot() }
        var count = 1
        while try cursor.next() != nil { count += 1 }
        #expect(count == 8 * 40)
        #expect(failure { try db.close() }?.message.contains("1 cursor") == true)
        cursor.close()
        try db.close()
    }

    @Test func theyDoNotTail() throws {
        let db = try scene.open()
        var options = ReadOptions()
        options.tailing = true
        let snapshot = try db.makeSnapshot()
        #expect(code { try snapshot.keys(options: options) } == .invalidArgument)
    }
}

/// `ScanRange.keys` and `.prefix` mean bytes in every order.
@Test func byteRangesInEveryOrder() throws {
    let byLastByte = KeyComparator(name: "test.last-byte") { first, second in
        let a = [UInt8](copying: first), b = [UInt8](copying: second)
        return a.reversed().lexicographicallyPrecedes(b.reversed()) ? -1 : (a == b ? 0 : 1)
    }
    for comparator in [KeyComparator.bytewise, .reverseBytewise, byLastByte] {
        let scene = try Scene(), db = try scene.open(ColumnFamilyOptions(comparator: comparator))
        for key in ["a", "ann", "anna", "annb", "ao", "b", "bob", "z"] { try db.put("1", for: key) }
        let range = KeyRange(lowerBound: Array("ann".utf8), upperBound: Array("b".utf8))
        let expected = ["ann", "anna", "annb", "ao"]
        #expect(try db.keyTexts(.keys(range)).sorted() == expected)
        #expect(try db.keyTexts(.keys(range).reversed).sorted() == expected)
        #expect(try db.keyTexts(.keys(range)).reversed() == db.keyTexts(.keys(range).reversed))
        #expect(try db.keyTexts(.prefix("ann")).sorted() == ["ann", "anna", "annb"])
        #expect(try db.keyTexts(.keys(KeyRange(prefix: "z"))) == ["z"])
        try db.compact(.keys(range))
        #expect(try db.count() == 8)
    }
}
