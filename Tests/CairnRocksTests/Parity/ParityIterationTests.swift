import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

@Suite struct ParityIteratorTests {
    let scene: Scene
    let db: RocksDB
    init() throws {
        scene = try Scene()
        db = try scene.open()
        for number in 1...4 { try db.put("value \(number)", for: "key \(number)") }
    }

    @Test func `a cursor yields all keys in order`() throws {
        var found: [String] = []
        var cursor = try db.makeCursor()
        while let entry = try cursor.next() { found.append(try entry.key(as: String.self)) }
        #expect(found == ["key 1", "key 2", "key 3", "key 4"])
    }

    @Test func `a cursor goes to the first and the last, on and back, with key and value at each stop`() throws {
        var cursor = try db.makeCursor()
        func pair(_ entry: borrowing Entry) throws -> String { try "\(entry.key(as: String.self))=\(entry.value(as: String.self))" }
        var stops: [String?] = []
        if let entry = try cursor.first() { stops.append(try pair(entry)) }
        if let entry = try cursor.next() { stops.append(try pair(entry)) }
        if let entry = try cursor.last() { stops.append(try pair(entry)) }
        if let entry = try cursor.previous() { stops.append(try pair(entry)) }
        #expect(stops == ["key 1=value 1", "key 2=value 2", "key 4=value 4", "key 3=value 3"])
        #expect(try db.walk(.last, .next) == ["key 4", nil])
        #expect(try db.walk(.seek("key 3"), .seek("key 5")) == ["key 3", nil])
    }

    static let ranges: [(ScanRange, [Int])] = [
        (.all, [1, 2, 3, 4]),
        (.all.reversed, [4, 3, 2, 1]),
        (.from("key 2"), [2, 3, 4]),
        (.to("key 4"), [1, 2, 3]),
        (.from("key 2", to: "key 4"), [2, 3]),
        // From the high key, inclusive, to the low one, exclusive.
        (.from("key 4", to: "key 2").reversed, [4, 3]),
    ]

    @Test(arguments: ranges) func `keys of a range`(range: ScanRange, numbers: [Int]) throws {
        #expect(try db.keyTexts(range) == numbers.map { "key \($0)" })
        var lent: [String] = []
        try db.forEachKey(range) { lent.append(String(decoding: [UInt8](copying: $0), as: UTF8.self)) }
        #expect(lent == numbers.map { "key \($0)" })
    }

    @Test(arguments: ranges) func `keys and values of a range`(range: ScanRange, numbers: [Int]) throws {
        #expect(try db.pairTexts(range) == numbers.map { "key \($0)=value \($0)" })
    }
}

@Suite struct ParityPrefixTests {
    let scene: Scene
    init() throws { scene = try Scene() }

    @Test func `a fixed prefix finds the keys that begin with it, and seeking finds the first behind`() throws {
        var options = ColumnFamilyOptions()
        options.prefixExtractor = .fixed(3)
        let db = try scene.open(options)
        try db.fill("100A", "100B", "101A", "101B")
        #expect(try db.keyTexts(.prefix("100")) == ["100A", "100B"])
        #expect(try db.keyTexts(.prefix("101")) == ["101A", "101B"])
        #expect(try db.walk(.seek("1000"), .next) == ["100A", "100B"])
    }

    @Test(arguments: [false, true]) func `a fixed prefix with an order of one's own and a Bloom filter`(isFlushed: Bool) throws {
        var options = ColumnFamilyOptions()
        // By what follows the first byte.
        options.comparator = KeyComparator(name: "parity.tail") { first, second in
            let (a, b) = ([UInt8](copying: first).dropFirst(), [UInt8](copying: second).dropFirst())
            return a.lexicographicallyPrecedes(b) ? -1 : (b.lexicographicallyPrecedes(a) ? 1 : 0)
        }
        options.prefixExtractor = .fixed(2)
        options.table.filterPolicy = .bloom(bitsPerKey: 10)
        // Keys of different bytes can be equal in this order, so the filter holds prefixes alone.
        options.table.wholeKeyFiltering = false
        let db = try scene.open(options)
        let keys = ["1010", "4211", "1012", "5313", "1020", "4221", "1022", "5323"]
        for key in keys { try db.put("value", for: key) }
        if isFlushed { try db.flush() }
        #expect(try db.keyTexts(.prefix("10")) == ["1010", "1012", "1020", "1022"])
        #expect(try db.keyTexts(.prefix("42")) == ["4211", "4221"])
        #expect(try db.keyTexts(.prefix("53")) == ["5313", "5323"])
    }
}

@Suite struct ParityComparatorTests {
    let scene: Scene
    init() throws { scene = try Scene() }

    func open(_ comparator: KeyComparator) throws -> RocksDB {
        var options = ColumnFamilyOptions()
        options.comparator = comparator
        return try scene.open(options)
    }

    @Test func `bytewise ascending`() throws {
        let db = try open(.bytewise)
        try db.fill("abc3", "abc1", "abc2")
        #expect(try db.keyTexts() == ["abc1", "abc2", "abc3"])
        #expect(try db.walk(.first, .last, .seek("abc")) == ["abc1", "abc3", "abc1"])
    }

    @Test func `bytewise descending`() throws {
        let db = try open(.reverseBytewise)
        try db.fill("abc3", "abc1", "abc2")
        #expect(try db.keyTexts() == ["abc3", "abc2", "abc1"])
        #expect(try db.walk(.first, .last, .seek("abc"), .seek("abc999")) == ["abc3", "abc1", nil, "abc3"])
    }

    @Test(arguments: [false, true]) func `strings ascending and descending`(isDescending: Bool) throws {
        let db = try open(isDescending ? .unicodeDescending : .unicodeAscending)
        let keys = (0..<10_000).map { "a\($0)" }
        try db.write { batch in
            for key in keys { batch.put(key, for: key) }
        }
        #expect(try db.keyTexts() == keys.sorted(by: isDescending ? { $0 > $1 } : { $0 < $1 }))
    }
}
