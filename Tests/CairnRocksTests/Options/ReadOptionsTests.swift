import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// How options change single reads and writes.
struct ReadOptionsTests {
    let scene = try! Scene()

    /// A database with "a" and "b" in a file that no cache holds, and "c" in memory.
    private func cold() throws -> RocksDB {
        do {
            let db = try scene.open()
            try db.fill("a", "b")
            try db.flush()
        }
        let db = try scene.open()
        try db.fill("c")
        return db
    }

    @Test func onlyWhatIsCached() throws {
        let db = try cold()
        let cached = ReadOptions(tier: .cached)
        #expect(try db.get("c", options: cached) == [99])
        #expect(code { try db.get("a", options: cached) } == .incomplete)
        #expect(code { try db.keys(options: cached) } == .incomplete)
        // Reading without filling the cache leaves it so.
        #expect(try db.get("a", options: ReadOptions(fillCache: false)) == [97])
        #expect(code { try db.get("a", options: cached) } == .incomplete)
        #expect(try db.get("a") == [97])
        #expect(try db.get("a", options: cached) == [97])
    }

    @Test func onlyMemtables() throws {
        #expect(try cold().keyTexts(options: ReadOptions(tier: .memtables)) == ["c"])
    }

    @Test func onlyWhatIsPersisted() throws {
        let db = try cold()
        try db.put("1", for: "lost", options: .unlogged)
        let persisted = ReadOptions(tier: .persisted)
        #expect(try db.get("lost", options: persisted) == nil && db.get("lost") == [49])
        #expect(try db.get("a", options: persisted) == [97])
        #expect(code { try db.makeCursor(.all, options: persisted) } == .notSupported)
    }

    @Test func theDefaultsOfAStore() throws {
        _ = try cold()
        let db = try RocksDB(path: scene.path, readOptions: ReadOptions(tier: .cached), writeOptions: .unlogged)
        #expect(db.defaultColumnFamily.readOptions.tier == .cached)
        #expect(code { try db.get("a") } == .incomplete)
        #expect(code { try db.withSnapshot { try $0.get("a") } } == .incomplete)
        #expect(try db.get("a", options: ReadOptions()) == [97])
        // A column family made later has them too.
        #expect(try db.createColumnFamily("new").writeOptions.durability == .none)
    }

    @Test func timeLimits() throws {
        let db = try cold()
        for limit in [Duration.zero, .seconds(-1), .seconds(Int64.min), .seconds(-1e20), Duration(attoseconds: .min), .nanoseconds(1)] {
            var options = ReadOptions()
            options.timeout = limit
            let found = code { try db.keys(options: options) }
            #expect(found == .timedOut || found == nil, "\(limit)")
        }
        // The seconds of the last two do not fit into 64 bits.
        for limit in [Duration.seconds(600), .seconds(Int64.max), .seconds(1e20), Duration(attoseconds: .max)] {
            var options = ReadOptions()
            options.timeout = limit
            options.ioTimeout = limit
            #expect(try db.keyTexts(options: options) == ["a", "b", "c"])
            #expect(try db.get("a", options: options) == [97])
        }
    }

    @Test func skippingTooMuch() throws {
        let db = try scene.open()
        for number in 100..<200 { try db.put("1", for: "\(number)") }
        for number in 100..<199 { try db.delete("\(number)") }
        var options = ReadOptions()
        options.maxSkippableInternalKeys = 10
        #expect(code { try db.keys(options: options) } == .incomplete)
        #expect(try db.keyTexts() == ["199"])
    }

    @Test func valueSizeLimit() throws {
        let db = try scene.open()
        for key in ["a", "b", "c"] { try db.put([UInt8](repeating: 1, count: 1_000), for: key) }
        var options = ReadOptions()
        options.valueSizeSoftLimit = .bytes(1_500)
        #expect(code { try db.multiGet(["a", "b", "c"], options: options) } == .aborted)
        options.valueSizeSoftLimit = .bytes(10_000)
        #expect(try db.multiGet(["a", "b", "c"], options: options).compactMap { $0 }.count == 3)
    }

    @Test func tailingCursors() throws {
        let db = try cold()
        var options = ReadOptions()
        options.tailing = true
        var cursor = try db.makeCursor(.all, options: options)
        #expect(try cursor.perform(.seek("c")) == "c")
        try db.fill("d")
        #expect(try cursor.perform(.seek("d")) == "d")
        // It only moves forward, and says so.
        for move in [Move.previous, .last, .seekToOrBefore("b")] { #expect(failure { try cursor.perform(move) }?.code == .notSupported) }
        #expect(try cursor.perform(.first) == "a")
        #expect(code { try db.keys(.all.reversed, options: options) } == .notSupported)
    }

    @Test func hiddenRangeDeletions() throws {
        let db = try scene.open()
        try db.fill("a", "b")
        try db.deleteRange(from: "a", to: "b")
        var options = ReadOptions()
        options.ignoresRangeDeletions = true
        #expect(try db.keyTexts(options: options) == ["a", "b"])
        #expect(try db.keyTexts() == ["b"])
    }

    @Test func anyOtherOptionReadsTheSame() throws {
        let db = try cold()
        var options = ReadOptions.scan
        options.pinsData = true
        options.adaptiveReadahead = true
        options.asyncIO = true
        options.optimizesMultiGetForIO = false
        options.backgroundPurgeOnCursorCleanup = true
        options.verifyChecksums = false
        #expect(try db.pairTexts(options: options) == ["a=a", "b=b", "c=c"])
        #expect(try db.multiGet(["a", "z", "c"], as: String.self, options: options) == ["a", nil, "c"])
        for size in [ByteCount.bytes(-1), .bytes(.max)] {
            options.readahead = size
            #expect(try db.get("a", options: options) == [97])
        }
    }

    @Test(arguments: [Durability.none, .buffered, .synced]) func durabilities(durability: Durability) throws {
        let db = try scene.open()
        var options = WriteOptions(durability: durability)
        options.lowPriority = true
        options.protectsMemory = true
        options.memtableInsertHintPerBatch = true
        options.noSlowdown = durability != .synced
        try db.put("1", for: "a", options: options)
        try db.delete("b", options: options)
        try db.singleDelete("c", options: options)
        try db.deleteRange(from: "x", to: "y", options: options)
        try db.write(options: options) { $0.put("2", for: "b") }
        #expect(try db.pairTexts() == ["a=1", "b=2"])
    }
}
