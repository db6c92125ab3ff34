import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// Prefix extractors, and the formats that need one. Keys may be shorter than the prefix: RocksDB ends the process over them.
struct PrefixTests {
    let scene = try! Scene()

    private static func prefixed(_ length: Int, _ settings: [String: String] = [:]) -> ColumnFamilyOptions {
        var options = ColumnFamilyOptions()
        options["prefix_extractor"] = "fixed:\(length)"
        for (name, value) in settings { options[name] = value }
        return options
    }

    private static func inPrefix(sameAsStart: Bool = false) -> ReadOptions {
        var options = ReadOptions()
        options.seekMode = .prefix
        options.prefixSameAsStart = sameAsStart
        return options
    }

    @Test func fixedLength() throws {
        let db = try scene.open(Self.prefixed(3))
        try db.fill("100A", "100B", "101A", "101B")
        for _ in 0..<2 {
            #expect(try db.keyTexts(.prefix("100")) == ["100A", "100B"])
            #expect(try db.keyTexts(.prefix("101")) == ["101A", "101B"])
            #expect(try db.walk(.all, options: Self.inPrefix(), .seek("1000"), .next) == ["100A", "100B"])
            #expect(try db.walk(.all, options: Self.inPrefix(sameAsStart: true), .seek("100"), .next, .next) == ["100A", "100B", nil])
            try db.flush()
        }
    }

    @Test func withAnOrderThatIgnoresTheFirstByte() throws {
        let order = KeyComparator(name: "test.rest") { first, second in
            compareBytes(first.extracting(droppingFirst: 1), second.extracting(droppingFirst: 1))
        }
        var options = Self.prefixed(2)
        options.comparator = order
        options.table["filter_policy"] = "bloomfilter:10:false"
        // Keys of different bytes can be equal in this order.
        options.table["whole_key_filtering"] = "false"
        let db = try scene.open(options)
        let keys = ["1010", "4211", "1012", "5313", "4220", "5330", "1077", "1088"]
        for key in keys { try db.put("x", for: key) }
        for _ in 0..<2 {
            for prefix in ["10", "42", "53"] {
                let expected = keys.filter { $0.hasPrefix(prefix) }.sorted()
                #expect(try db.keyTexts(.prefix(prefix)) == expected)
            }
            try db.flush()
        }
    }

    private static let keys = ["", "a", "ab", "abc", "abcd", "abd", "b", "xyz", "xyzz", "y"]
    static let formats: [[String: String]] = [
        [:], ["memtable_factory": "prefix_hash:16"], ["memtable_factory": "hash_linkedlist:16"], ["table_factory": "PlainTable"],
        ["memtable_factory": "prefix_hash:16", "table_factory": "PlainTable"],
        ["block_based_table_factory": "{index_type=kHashSearch;filter_policy=bloomfilter:10:false;whole_key_filtering=false}"],
        ["memtable_prefix_bloom_size_ratio": "0.1", "memtable_whole_key_filtering": "true"],
    ]

    private static let ranges: [(ScanRange, @Sendable (String) -> Bool)] = [
        (.all, { _ in true }), (.from("a"), { $0 >= "a" }), (.from("ab", to: "b"), { $0 >= "ab" && $0 < "b" }), (.to("xy"), { $0 < "xy" }),
        (.prefix("a"), { $0.hasPrefix("a") }), (.prefix("abc"), { $0.hasPrefix("abc") }), (.prefix(""), { _ in true }),
    ]

    private static func isRefusal(_ error: any Error) -> Bool {
        [.notSupported, .invalidArgument].contains((error as? RocksError)?.code)
    }

    private func open(_ format: [String: String], _ name: String = "fixed:3") throws -> RocksDB {
        var options = DatabaseOptions(createIfMissing: true)
        options["allow_concurrent_memtable_write"] = "false"
        var format = format
        format["prefix_extractor"] = name
        return try scene.open(Self.prefixed(3, format), options: options)
    }

    @Test(arguments: formats) func shortKeysEverywhere(format: [String: String]) throws {
        var db = try open(format)
        for key in Self.keys { try db.put(key, for: key) }
        let plain = format["table_factory"] != nil
        for round in 0..<3 {
            for key in Self.keys { #expect(try db.text(key) == key, "\(round)") }
            for key in ["abe", "aa", "c", "xy", "xyzzz"] { #expect(try db.get(key) == nil, "\(round)") }
            #expect(try db.multiGet(Self.keys, as: String.self) == Self.keys)
            #expect(try db.keyMayExist("") && db.keyMayExist("a") && db.keyMayExist("abc"))
            for (range, holds) in Self.ranges {
                let expected = Self.keys.filter(holds)
                // A plain table may have no total order, and has no way back; it never leaves a key out silently.
                do { #expect(try db.keyTexts(range) == expected, "\(round)") } catch {
                    #expect(plain && round > 0 && Self.isRefusal(error))
                }
                do { _ = try db.keyTexts(range.reversed); #expect(!plain) } catch { #expect(plain && Self.isRefusal(error)) }
            }
            for key in ["a", "abc", "", "xyzz"] {
                #expect(try db.walk(.all, options: Self.inPrefix(), .seek(key)) == [key], "\(round) \(key)")
            }
            #expect(try db.walk(.all, options: Self.inPrefix(sameAsStart: true), .seek("abc"), .next, .next) == ["abc", "abcd", nil])
            #expect(try db.walk(.all, options: Self.inPrefix(sameAsStart: true), .seek("a"), .next) == ["a", nil])
            if round == 0 { try db.flush() } else if round == 1 { try db.close(); db = try open(format) }
        }
        try db.write { batch in
            batch.put("new", for: "q")
            batch.delete("a")
            batch.singleDelete("")
        }
        try db.write(
            WriteBatch(
                data: {
                    let batch = WriteBatch(); batch.put("new", for: "z"); return batch
                }().data
            )
        )
        #expect(try db.text("q") == "new" && db.text("z") == "new" && db.get("a") == nil && db.get("") == nil)
        #expect(code { try db.deleteRange(from: "a", to: "b") } == (plain ? .notSupported : nil))
        try db.put("1", for: "alive")
        try db.flush()
        #expect(try db.text("alive") == "1")
    }

    /// Total order, both ways, where the format has it.
    @Test(arguments: formats.filter { $0["table_factory"] == nil }) func totalOrder(format: [String: String]) throws {
        let db = try open(format)
        for key in Self.keys { try db.put(key, for: key) }
        for _ in 0..<2 {
            #expect(try db.keyTexts() == Self.keys)
            #expect(try db.keyTexts(.all.reversed) == Self.keys.reversed())
            #expect(try db.keyTexts(.from("abc", to: "a").reversed) == ["abc", "ab"])
            #expect(try db.walk(.seekToOrBefore("ac"), .previous, .next, .next) == ["abd", "abcd", "abd", "b"])
            try db.flush()
        }
    }

    /// Where RocksDB ends the process.
    @Test func plainTablesHaveNoWayBack() throws {
        let db = try open(["table_factory": "PlainTable"])
        try db.fill("abc", "abd", "xyz")
        try db.flush()
        var cursor = try db.makeCursor(.all, options: Self.inPrefix())
        #expect(try cursor.perform(.seek("abd")) == "abd")
        for move in [Move.previous, .last, .seekToOrBefore("abd")] { #expect(failure { try cursor.perform(move) }?.code == .notSupported) }
        // The cursor can still move forward.
        #expect(try cursor.perform(.seek("abc")) == "abc")
        #expect(code { try db.keys(.all.reversed) } == .notSupported)
        #expect(code { try db.keys(.prefix("abc").reversed, options: Self.inPrefix()) } == .notSupported)
    }

    @Test func hashMemtablesHaveNoWayBackOutOfTotalOrder() throws {
        let db = try open(["memtable_factory": "prefix_hash:16"])
        try db.fill("abc", "abd", "xyz")
        #expect(code { try db.keys(.all.reversed, options: Self.inPrefix()) } == .notSupported)
        #expect(try db.keyTexts(.all.reversed) == ["xyz", "abd", "abc"])
    }

    /// Keys written before there was an extractor, some of them short, meet one when the log is replayed.
    @Test func shortKeysInTheLog() throws {
        do {
            let db = try scene.open()
            for key in Self.keys { try db.put(key, for: key) }
        }
        #expect(try open(["memtable_factory": "prefix_hash:16"]).keyTexts() == Self.keys)
        #expect(try open(["memtable_factory": "hash_linkedlist:16"], "rocksdb.FixedPrefix.2").keyTexts() == Self.keys)
    }

    @Test(arguments: ["fixed:3", "rocksdb.FixedPrefix.3", "capped:3", "rocksdb.CappedPrefix.3", "rocksdb.Noop", "fixed:0", "fixed:1000"])
    func allExtractors(name: String) throws {
        var db = try open(["memtable_factory": "prefix_hash:16"], name)
        for key in Self.keys { try db.put(key, for: key) }
        try db.flush()
        #expect(try db.keyTexts() == Self.keys && db.keyTexts(.all.reversed) == Self.keys.reversed())
        let full = name.replacing("fixed:", with: "rocksdb.FixedPrefix.").replacing("capped:", with: "rocksdb.CappedPrefix.")
        #expect(try db.currentColumnFamilyOptions()["prefix_extractor"] == full)
        // Another one may come later.
        try db.close()
        db = try open([:], "fixed:2")
        #expect(try db.walk(.all, options: Self.inPrefix(), .seek("abcd"), .next) == ["abcd", "abd"])
    }

    @Test func badNames() throws {
        for name in ["fixed:", "fixed:-1", "fixed:x", "fixed:3x", "fixed:99999999999999999999", "nobody:3", "fixed"] {
            #expect(code { try open([:], name) } == .invalidOption, "\(name)")
        }
    }
}
