import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// Prefixes that a closure finds.
struct PrefixExtractorTests {
    let scene = try! Scene()

    /// Up to the first colon, and it; keys without one have none.
    private static let upToColon = PrefixExtractor.custom(name: "test.colon") { key in
        [UInt8](copying: key).firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 }
    }

    private static func inPrefix() -> ReadOptions {
        var options = ReadOptions()
        options.seekMode = .prefix
        options.prefixSameAsStart = true
        return options
    }

    @Test func ofYourOwn() throws {
        var options = ColumnFamilyOptions()
        options.prefixExtractor = Self.upToColon
        #expect(options.prefixExtractor == Self.upToColon && options["prefix_extractor"] == "test.colon")
        options.table.filterPolicy = .bloom()
        options.table.wholeKeyFiltering = false
        options.memtableBloomSizeRatio = 0.1
        var db = try scene.open(options)
        let keys = ["", "ann:", "ann:1", "ann:2", "bert:1", "carl", "carl:9", "x:"]
        for key in keys { try db.put(key, for: key) }
        for round in 0..<3 {
            #expect(try db.keyTexts() == keys && db.keyTexts(.all.reversed) == keys.reversed())
            #expect(try db.keyTexts(.prefix("ann:")) == ["ann:", "ann:1", "ann:2"])
            #expect(try db.walk(.all, options: Self.inPrefix(), .seek("ann:1"), .next, .next) == ["ann:1", "ann:2", nil])
            #expect(try db.walk(.all, options: Self.inPrefix(), .seek("dora:")) == [nil])
            for key in keys { #expect(try db.text(key) == key) }
            #expect(try db.get("bert:2") == nil && db.get("nobody") == nil)
            #expect(try db.currentColumnFamilyOptions()["prefix_extractor"] == "test.colon")
            #expect(try PrefixExtractor(rawValue: #require(try db.currentColumnFamilyOptions()["prefix_extractor"])) == Self.upToColon)
            if round == 0 { try db.flush() } else { try db.close(); db = try scene.open(options) }
        }
    }

    /// The filter is used: a seek to a prefix that is not there reads nothing.
    @Test func filters() throws {
        var options = ColumnFamilyOptions()
        options.prefixExtractor = Self.upToColon
        options.table.filterPolicy = .bloom(bitsPerKey: 20)
        options.table.wholeKeyFiltering = false
        var database = DatabaseOptions(createIfMissing: true)
        let statistics = try Statistics()
        database.statistics = statistics
        let db = try scene.open(options, options: database)
        for number in 0..<100 { try db.put("1", for: "user\(number * 2):1") }
        try db.flush()
        func useful() -> UInt64 { statistics.tickers["rocksdb.bloom.filter.prefix.useful"] ?? 0 }
        for number in 0..<99 { #expect(try db.walk(.all, options: Self.inPrefix(), .seek("user\(number * 2 + 1):")) == [nil]) }
        #expect(useful() > 80)
    }

    /// The name of a custom extractor is not enough to make one; the name of a built-in one replaces the custom one.
    @Test func byName() throws {
        var options = ColumnFamilyOptions()
        options["prefix_extractor"] = "test.colon"
        #expect(code { try scene.open(options) } == .invalidOption)
        options.prefixExtractor = Self.upToColon
        _ = try scene.open(options)
        options["prefix_extractor"] = "rocksdb.FixedPrefix.2"
        #expect(options.prefixExtractor == .fixed(2))
        #expect(try scene.open(options).currentColumnFamilyOptions()["prefix_extractor"] == "rocksdb.FixedPrefix.2")
        options.prefixExtractor = .none
        #expect(try scene.open(options).currentColumnFamilyOptions()["prefix_extractor"] == "nullptr")
        // Where there is a name only.
        options.memtableInsertHintPrefix = Self.upToColon
        #expect(code { try scene.open(options) } == .invalidOption)
    }

    @Test(arguments: [
        "", "rocksdb.mine", "cairn.mine", "leveldb.x", "a:1", "fixed:3", "a;b", "a=b", "{a", "a}", "a\nb", "a\0b", "nullptr",
    ])
    func namesThatCannotBe(name: String) throws {
        var options = ColumnFamilyOptions()
        options.prefixExtractor = .custom(name: name) { _ in 1 }
        #expect(code { try scene.open(options) } == .invalidArgument)
    }

    /// Lengths out of bounds are clamped: RocksDB would read past the key.
    @Test(arguments: [Int.min, -1, 0, 1, 7, 1_000_000, Int.max]) func anyLength(length: Int) throws {
        var options = ColumnFamilyOptions()
        options.prefixExtractor = .custom(name: "test.length") { _ in length }
        options.table.filterPolicy = .bloom()
        options.memtableBloomSizeRatio = 0.1
        let db = try scene.open(options)
        let keys = ["", "a", "ab", "b"]
        for key in keys { try db.put(key, for: key) }
        for _ in 0..<2 {
            #expect(try db.keyTexts() == keys)
            for key in keys { #expect(try db.text(key) == key && db.walk(.all, options: Self.inPrefix(), .seek(key)) == [key]) }
            try db.flush()
        }
    }

    static let formats: [(name: String, settings: [String: String])] = [
        ("skip list", [:]), ("vector", ["memtable_factory": "VectorRepFactory"]),
        ("hash skip list", ["memtable_factory": "prefix_hash:16"]), ("hash linked list", ["memtable_factory": "hash_linkedlist:16"]),
        ("plain table", ["table_factory": "PlainTable"]),
        ("hash and plain", ["memtable_factory": "prefix_hash:16", "table_factory": "PlainTable"]),
        ("bloom", ["block_based_table_factory": "{filter_policy=bloomfilter:10:false}", "memtable_prefix_bloom_size_ratio": "0.1"]),
        ("prefix bloom", ["block_based_table_factory": "{filter_policy=bloomfilter:10:false;whole_key_filtering=false}"]),
        ("hash index", ["block_based_table_factory": "{index_type=kHashSearch}"]),
        (
            "partitioned",
            [
                "block_based_table_factory":
                    "{index_type=kTwoLevelIndexSearch;partition_filters=true;metadata_block_size=64;filter_policy=ribbonfilter:10:0}"
            ]
        ),
    ]

    static let extractors: [PrefixExtractor] = [
        upToColon, .fixed(2), .capped(3), .wholeKey,
        // As long as its first digit says.
        .custom(name: "test.digit") { key in
            guard let first = [UInt8](copying: key).first, (49...52).contains(first) else { return nil }
            return Int(first) - 48
        },
    ]

    private func open(_ format: [String: String], _ extractor: PrefixExtractor) throws -> RocksDB? {
        var database = DatabaseOptions(createIfMissing: true)
        database.allowConcurrentMemtableWrite = false
        var options = ColumnFamilyOptions()
        options.settings = format
        options.prefixExtractor = extractor
        do {
            return try scene.open(options, options: database)
        } catch let error as RocksError where error.code == .invalidOption {
            Issue.record("\(error)")
            return nil
        }
    }

    /// Random writes and reads beside a dictionary, in each format, in memory, in files, and opened again with another extractor.
    @Test(arguments: 0..<formats.count) func agreesWithADictionary(format: Int) async throws {
        let settings = Self.formats[format].settings, plain = settings["table_factory"] != nil
        for extractor in Self.extractors {
            try await withSeeds("prefixes: \(Self.formats[format].name), \(extractor)", count: Thorough.count(1, of: 2)) { generator in
                let test = PrefixExtractorTests()
                guard var db = try test.open(settings, extractor) else { return }
                var model: [String: String] = [:]
                func key() -> String {
                    (0..<generator.int(in: 0..<5)).map { _ in generator.pick(["1", "2", "3", "a", ":", "b:"]) }.joined()
                }
                for step in 0..<Thorough.count(40, of: 250) {
                    let touched = key()
                    switch generator.int(in: 0..<12) {
                    case 0...4:
                        try db.put("\(step)", for: touched)
                        model[touched] = "\(step)"
                    case 5:
                        try db.delete(touched)
                        model[touched] = nil
                    case 6 where generator.oneIn(4): try db.flush()
                    case 7 where generator.oneIn(8): try db.compact()
                    case 8 where generator.oneIn(8):
                        // Plain tables know keys by the prefixes they were written with.
                        let other = plain ? extractor : generator.pick(Self.extractors)
                        try db.close()
                        guard let again = try test.open(settings, other) ?? test.open(settings, extractor) else { return }
                        db = again
                    default:
                        #expect(try db.text(touched) == model[touched])
                        #expect(try db.multiGet([touched], as: String.self) == [model[touched]])
                        // Plain tables have no total order; they refuse, and never leave a key out.
                        do {
                            let expected = model.keys.filter { $0.hasPrefix(touched) }.sorted()
                            #expect(try db.keyTexts(.prefix(touched)) == expected, "step \(step), prefix '\(touched)'")
                            #expect(try db.keyTexts() == model.keys.sorted(), "step \(step)")
                        } catch let error as RocksError {
                            #expect(plain && [.notSupported, .invalidArgument].contains(error.code), "\(error)")
                        }
                        // In its prefix, a key that is there is found.
                        if model[touched] != nil {
                            #expect(try db.walk(.all, options: Self.inPrefix(), .seek(touched)) == [touched], "step \(step)")
                        }
                    }
                }
                try db.close()
            }
        }
    }

    /// An extractor that never says the same thing twice makes prefix seeks worthless, but ends nothing.
    @Test(arguments: 0..<formats.count) func nonsense(format: Int) throws {
        let state = Box(SeededGenerator(seed: 1))
        let nonsense = PrefixExtractor.custom(name: "test.nonsense") { key in
            var length = 0
            state.update { length = $0.int(in: -1..<5) }
            return length < 0 ? nil : length
        }
        let db = try #require(try open(Self.formats[format].settings, nonsense))
        let keys = (0..<300).map { "\($0)" }
        for key in keys { try db.put(key, for: key) }
        try? db.flush()
        for key in keys {
            _ = code { try db.get(key) }
            _ = code { try db.walk(.all, options: Self.inPrefix(), .seek(key), .next, .next) }
        }
        _ = code { try db.keys() }
        _ = code { try db.compact() }
        try db.close()
    }

    /// The closure lives as long as the database, and no longer.
    @Test func retention() throws {
        final class Witness: Sendable {}
        weak var witness: Witness?
        var db: RocksDB?
        do {
            let captured = Witness()
            witness = captured
            var options = ColumnFamilyOptions()
            options.prefixExtractor = .custom(name: "test.witness") { _ in withExtendedLifetime(captured) { 1 } }
            db = try scene.open(options)
        }
        try db?.fill("a", "b")
        try db?.flush()
        #expect(try witness != nil && db?.keyTexts() == ["a", "b"])
        db = nil
        #expect(witness == nil)
    }
}
