import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

@Suite struct CacheTests {
    /// A database with a file whose blocks are a few kibibytes each, read through `cache`.
    private func reading(_ cache: BlockCache, _ body: (RocksDB) throws -> Void) throws {
        var setup = OptionSetup()
        setup.family.table.blockCache = cache
        setup.family.compression = .none
        try setup.open { db in
            for key in 100..<300 { try db.put(String(repeating: "v", count: 1000), for: "key\(key)") }
            try db.flush()
            try body(db)
        }
    }

    private func readAll(_ db: RocksDB) throws {
        for key in 100..<300 { #expect(try db.get("key\(key)", as: String.self)?.utf8.count == 1000) }
    }

    static let policies: [BlockCache.Policy] = [
        .lru(), .lru(highPriorityShare: 0.3, lowPriorityShare: 0.7), .lru(highPriorityShare: 0, lowPriorityShare: 0),
        .hyperClock(entrySize: .kibibytes(4)), .hyperClock(entrySize: .bytes(512)),
    ]

    @Test(arguments: policies) func holdsWhatIsRead(_ policy: BlockCache.Policy) throws {
        let cache = try BlockCache(capacity: .mebibytes(4), policy: policy, shardBits: 0)
        #expect(cache.capacity == .mebibytes(4) && cache.policy == policy && !cache.isStrict)
        try reading(cache) { db in
            try readAll(db)
            #expect(cache.usage > .bytes(200_000) && cache.pinnedUsage < cache.usage)
            let hit = try measuringPerformance { _ = try db.text("key100") }
            #expect(hit.blockReads == 0 && hit.blockCacheHits > 0)
            let usage = cache.usage
            cache.eraseUnreferenced()
            #expect(usage.bytes - cache.usage.bytes > 150_000)
            let miss = try measuringPerformance { _ = try db.text("key100") }
            #expect(miss.blockReads > 0)
            // Live changes.
            try readAll(db)
            cache.capacity = .kibibytes(64)
            #expect(cache.capacity == .kibibytes(64))
            try readAll(db)
            cache.capacity = .mebibytes(64)
            try readAll(db)
            #expect(cache.usage.bytes > 150_000)
        }
    }

    /// Full of what is in use, a strict cache lets no more in: the read fails, and succeeds once there is room.
    @Test(arguments: [BlockCache.Policy.lru(), .hyperClock(entrySize: .kibibytes(4))]) func strict(_ policy: BlockCache.Policy) throws {
        let cache = try BlockCache(capacity: .kibibytes(policy == .lru() ? 1 : 4), policy: policy, isStrict: true, shardBits: 0)
        #expect(cache.isStrict)
        try reading(cache) { db in
            let error = failure { try readAll(db) }
            #expect(error?.subcode == .memoryLimit, "\(String(describing: error))")
            cache.isStrict = false
            try readAll(db)
        }
    }

    @Test func secondary() throws {
        let second = try SecondaryCache(capacity: .mebibytes(8), compression: .zstd)
        let cache = try BlockCache(capacity: .kibibytes(64), shardBits: 0, secondary: second)
        var setup = OptionSetup()
        let statistics = try Statistics()
        setup.database.statistics = statistics
        setup.family.table.blockCache = cache
        try setup.open { db in
            for key in 100..<300 { try db.put(String(repeating: "v", count: 1000), for: "key\(key)") }
            try db.flush()
            for _ in 0..<4 { try readAll(db) }
            #expect(statistics.count(of: .secondaryCacheHits) ?? 0 > 0)
        }
    }

    @Test func badSettings() {
        let bad: [() throws -> Void] = [
            { _ = try BlockCache(capacity: .mebibytes(1), policy: .lru(highPriorityShare: 1.1)) },
            { _ = try BlockCache(capacity: .mebibytes(1), policy: .lru(highPriorityShare: -0.1)) },
            { _ = try BlockCache(capacity: .mebibytes(1), policy: .lru(highPriorityShare: 0.6, lowPriorityShare: 0.6)) },
            { _ = try BlockCache(capacity: .mebibytes(1), policy: .lru(highPriorityShare: .nan)) },
            { _ = try BlockCache(capacity: .mebibytes(1), shardBits: 20) }, { _ = try BlockCache(capacity: .mebibytes(1), shardBits: -2) },
            { _ = try BlockCache(capacity: .mebibytes(1), policy: .hyperClock(entrySize: .zero)) },
            { _ = try BlockCache(capacity: .mebibytes(1), policy: .hyperClock(entrySize: .bytes(-1))) },
            { _ = try BlockCache(capacity: .gibibytes(9000), policy: .hyperClock(entrySize: .kibibytes(4))) },
            {
                let second = try SecondaryCache(capacity: .mebibytes(1))
                _ = try BlockCache(capacity: .mebibytes(1), policy: .hyperClock(entrySize: .kibibytes(4)), secondary: second)
            },
            { _ = try SecondaryCache(capacity: .mebibytes(1), compression: .inherited) },
            { _ = try SecondaryCache(capacity: .mebibytes(1), shardBits: 99) },
        ]
        for body in bad { #expect(code(body) == .invalidArgument) }
    }

    /// Capacities and parts at their ends neither fail later nor end the process.
    @Test func extremes() async {
        await #expect(processExitsWith: .success) {
            for capacity in [ByteCount.zero, .bytes(-1), .bytes(1), .bytes(512), .mebibytes(3), .bytes(Int64.max)] {
                for bits in [nil, 0, 6] {
                    for policy in CacheTests.policies {
                        // A clock cache is refused where it would have no room for a table.
                        var made: BlockCache?
                        let refusal = code { made = try BlockCache(capacity: capacity, policy: policy, shardBits: bits) }
                        guard let cache = made else {
                            #expect(refusal == .invalidArgument)
                            continue
                        }
                        var setup = OptionSetup()
                        setup.family.table.blockCache = cache
                        try setup.open { db in
                            try db.fill("a", "b")
                            try db.flush()
                            #expect(try db.text("a") == "a")
                            cache.capacity = .mebibytes(1)
                            cache.capacity = .zero
                            #expect(try db.text("b") == "b")
                        }
                    }
                }
                let second = try SecondaryCache(capacity: capacity)
                var setup = OptionSetup()
                setup.family.table.blockCache = try BlockCache(capacity: .bytes(100), secondary: second)
                try setup.open { db in
                    try db.fill("a", "b")
                    try db.flush()
                    for _ in 0..<3 { #expect(try db.text("a") == "a") }
                }
            }
        }
    }

    @Test func rowCache() throws {
        let rows = try BlockCache(capacity: .mebibytes(1))
        let statistics = try Statistics()
        var setup = OptionSetup()
        setup.database.rowCache = rows
        setup.database.statistics = statistics
        setup.family.mergeOperator = try MergeOperator(named: "stringappend")
        try setup.open { db in
            try db.fill("a", "b", "c")
            try db.merge("1", for: "m")
            try db.flush()
            try db.merge("2", for: "m")
            try db.flush()
            for _ in 0..<3 {
                #expect(try db.text("a") == "a")
                #expect(try db.text("m") == "1,2")
                #expect(try db.text("nothing") == nil)
                #expect(try db.multiGet(["a", "b"], as: String.self) == ["a", "b"])
            }
            #expect(statistics.count(of: .rowCacheHit) ?? 0 > 0 && rows.usage > .zero)
            try db.put("new", for: "a")
            #expect(try db.text("a") == "new")
            try db.delete("b")
            try db.flush()
            #expect(try db.text("b") == nil)
            // RocksDB would answer from the cache what a range deletion took away.
            #expect(code { try db.deleteRange(from: "c", to: "d") } == .notSupported)
            #expect(try db.text("c") == "c")
        }
        // What was deleted before it was there is not seen either.
        let scene = try Scene()
        var db = try scene.open()
        try db.fill("a", "b", "c")
        try db.flush()
        try db.deleteRange(from: "b", to: "c")
        try db.close()
        #expect(code { try scene.open(options: setup.database) } == .invalidArgument)
        db = try scene.open()
        try db.compact()
        try db.close()
        db = try scene.open(options: setup.database)
        #expect(try db.text("b") == nil)
        #expect(code { try db.write { $0.deleteRange(from: "c", to: "d") } } == .notSupported)
        try db.close()
        // Nor do they come in by files.
        let file = scene.directory.path("ranges.sst")
        let writer = try SSTFileWriter(path: file)
        try writer.put("1", for: "a")
        try writer.deleteRange(from: "c", to: "d")
        _ = try writer.finish()
        let other = try RocksDB(path: scene.directory.path("other"), options: DatabaseOptions(createIfMissing: true))
        try other.ingest([file])
        try other.exportColumnFamily("default", to: scene.directory.path("export"))
        let cached = try RocksDB(path: scene.directory.path("cached"), options: setup.database)
        #expect(code { try cached.ingest([file]) } == .notSupported)
        #expect(code { try cached.importColumnFamily("x", from: scene.directory.path("export")) } == .notSupported)
        try cached.close()
        try RocksDB(path: scene.directory.path("cached"), options: setup.database).close()
        let clock = try BlockCache(capacity: .mebibytes(1), policy: .hyperClock(entrySize: .kibibytes(1)))
        setup.database.rowCache = clock
        #expect(code { try setup.open { _ in } } == .invalidOption)
    }

    @Test(arguments: policies) func blobCache(_ policy: BlockCache.Policy) throws {
        let cache = try BlockCache(capacity: .mebibytes(4), policy: policy)
        let statistics = try Statistics()
        var setup = OptionSetup()
        setup.database.statistics = statistics
        setup.family.enableBlobFiles = true
        setup.family.blobCache = cache
        try setup.open { db in
            for key in 0..<10 { try db.put(String(repeating: "v", count: 10_000), for: "key\(key)") }
            try db.flush()
            for _ in 0..<2 {
                for key in 0..<10 { #expect(try db.text("key\(key)")?.utf8.count == 10_000) }
            }
            #expect(statistics.count(of: .blobCacheMiss) == 10 && statistics.count(of: .blobCacheHit) == 10)
            #expect(try db.property(.blobCacheUsage) == cache.usage && cache.usage > .bytes(100_000))
        }
        #expect(setup.family.blobCache === cache)
    }
}
