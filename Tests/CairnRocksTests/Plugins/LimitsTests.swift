import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

struct LimitsTests {
    let scene = try! Scene()
    var options: DatabaseOptions { DatabaseOptions(createIfMissing: true) }

    private func fill(_ db: RocksDB, _ round: Int, keys: Int = 200) throws {
        // Bytes that do not compress.
        var generator = SeededGenerator(seed: UInt64(round))
        for key in 0..<keys { try db.put(generator.bytes(1_000), for: "\(round) \(key)") }
        try db.flush()
    }

    @Test func rateLimiter() throws {
        let limiter = try RateLimiter(bytesPerSecond: .mebibytes(200), mode: .readsAndWrites)
        #expect(limiter.bytesPerSecond == .mebibytes(200) && limiter.totalBytes == .zero && limiter.totalRequests == 0)
        var options = options
        options.rateLimiter = limiter
        let other = try Scene(), db = try scene.open(options: options), second = try other.open(options: options)
        try fill(db, 1)
        let first = limiter.totalBytes
        #expect(first > .kibibytes(150) && limiter.totalRequests > 0)
        try limiter.setBytesPerSecond(.mebibytes(300))
        #expect(limiter.bytesPerSecond == .mebibytes(300) && limiter.totalBytes == first)
        try fill(second, 2)
        #expect(limiter.totalBytes > first)
        var charged = ReadOptions(fillCache: false)
        charged.rateLimiterPriority = .user
        let before = limiter.totalBytes
        try db.compact()
        _ = try db.entries(options: charged)
        #expect(limiter.totalBytes > before)
    }

    /// RocksDB asserts that rates are above zero, loops forever if a refill is empty, and asserts that no request exceeds a refill.
    @Test func ratesThatWouldNotDo() throws {
        for rate in [-1, 0, 1, 10_000] as [Int64] {
            #expect(code { try RateLimiter(bytesPerSecond: ByteCount(bytes: rate)) } == .invalidArgument, "\(rate)")
        }
        #expect(code { try RateLimiter(bytesPerSecond: .mebibytes(1), refillPeriod: .microseconds(10)) } == .invalidArgument)
        #expect(code { try RateLimiter(bytesPerSecond: .mebibytes(1), fairness: 0) } == .invalidArgument)
        #expect(code { try RateLimiter(bytesPerSecond: .kibibytes(20), isAutoTuned: true) } == .invalidArgument)
        let huge = try RateLimiter(bytesPerSecond: ByteCount(bytes: .max), refillPeriod: .seconds(1_000_000))
        #expect(code { try huge.setBytesPerSecond(ByteCount(bytes: 0)) } == .invalidArgument)
        _ = try RateLimiter(bytesPerSecond: .mebibytes(1), refillPeriod: Duration(attoseconds: .max))
        let tuned = try RateLimiter(bytesPerSecond: .mebibytes(100), refillPeriod: .milliseconds(1), isAutoTuned: true)
        for limiter in [huge, tuned] {
            var options = options
            options.rateLimiter = limiter
            let scene = try Scene(), db = try scene.open(options: options)
            try fill(db, 1)
            #expect(limiter.totalBytes > .zero)
        }
    }

    @Test func rateChangesUnderLoad() async throws {
        let limiter = try RateLimiter(bytesPerSecond: .mebibytes(500))
        var options = options
        options.rateLimiter = limiter
        let db = try scene.open(options: options)
        try await onThreads(2) { thread in
            for round in 0..<40 {
                if thread == 0 {
                    try limiter.setBytesPerSecond(round.isMultiple(of: 2) ? .mebibytes(20) : .mebibytes(500))
                } else if round < 6 {
                    try fill(db, round)
                }
            }
        }
        #expect(limiter.totalBytes > .kibibytes(150))
    }

    @Test func spaceLimit() throws {
        let files = try SSTFileManager()
        var options = options
        options.fileManager = files
        var db = try scene.open(options: options)
        try fill(db, 1)
        #expect(files.totalSize > .kibibytes(150) && !files.isFull && files.files.count == 1)
        #expect(files.files.keys.allSatisfy { $0.hasSuffix(".sst") } && files.files.values.first == files.totalSize)
        files.setMaxAllowedSpace(.kibibytes(300))
        // The flush that goes beyond is done; then writing ends.
        var failed: RocksError?
        for round in 2..<6 where failed == nil { failed = failure { try fill(db, round) } }
        #expect(failed?.code == .noSpace && failed?.subcode == .spaceLimit)
        #expect(failed?.message.contains("raise the limit with setMaxAllowedSpace") == true)
        #expect(files.isFull && failure { try db.put("1", for: "a") }?.subcode == .spaceLimit)
        #expect(try db.contains("1 0"))
        _ = code { try db.close() }
        files.setMaxAllowedSpace(.zero)
        db = try scene.open(options: options)
        try db.put("1", for: "a")
        #expect(try db.contains("1 0") && db.contains("2 0"))
    }

    @Test func deletionRate() throws {
        #expect(code { try SSTFileManager(deletionRate: ByteCount(bytes: -1)) } == .invalidArgument)
        #expect(code { try SSTFileManager(maxTrashRatio: -1) } == .invalidArgument)
        #expect(code { try SSTFileManager(maxTrashRatio: .nan) } == .invalidArgument)
        // So slow that what is deleted waits, however long the test takes.
        let files = try SSTFileManager(deletionRate: ByteCount(bytes: 1), maxTrashRatio: 1_000)
        #expect(files.deletionRate == ByteCount(bytes: 1) && files.maxTrashRatio == 1_000)
        var options = options
        options.fileManager = files
        let db = try scene.open(options: options)
        try fill(db, 1)
        try fill(db, 1)
        try db.compact()
        #expect(files.trashSize > .zero)
        files.deletionRate = .zero
        files.setCompactionBuffer(.mebibytes(1))
        #expect(files.deletionRate == .zero)
        var memory = options
        memory.environment = try .inMemory()
        #expect(code { try RocksDB(path: "/x", options: memory) } == .invalidOption)
    }

    @Test func writeBufferManager() throws {
        let cache = try BlockCache(capacity: .mebibytes(64)), manager = try WriteBufferManager(limit: .mebibytes(32), cache: cache)
        var options = options
        options.writeBufferManager = manager
        let other = try Scene(), db = try scene.open(options: options), second = try other.open(options: options)
        for key in 0..<2_000 { try db.put([UInt8](repeating: 1, count: 1_000), for: "\(key)") }
        let one = manager.usage
        for key in 0..<2_000 { try second.put([UInt8](repeating: 1, count: 1_000), for: "\(key)") }
        #expect(one >= .mebibytes(1) && manager.usage >= one + .mebibytes(1) && cache.usage >= manager.usage)
        try manager.setLimit(.mebibytes(1))
        #expect(manager.limit == .mebibytes(1))
        // Beyond the limit memtables are flushed.
        for key in 0..<50 { try second.put([UInt8](repeating: 1, count: 1_000), for: "\(key)") }
        try second.flush()
        try db.flush()
        #expect(manager.usage < .mebibytes(8))
        #expect(
            code { try manager.setLimit(.zero) } == .invalidArgument && code { try WriteBufferManager(limit: .zero) } == .invalidArgument
        )
        options.memoryBudget = .mebibytes(8)
        #expect(code { try RocksDB(path: scene.directory.path("other"), options: options) } == .invalidOption)
    }

    @Test func taskLimiter() throws {
        let limiter = try ConcurrentTaskLimiter(name: "test", limit: 1)
        #expect(limiter.name == "test" && limiter.running == 0)
        var family = ColumnFamilyOptions()
        family.compactionLimiter = limiter
        family["level0_file_num_compaction_trigger"] = "2"
        let db = try scene.open(family)
        for round in 0..<6 { try fill(db, round, keys: 20) }
        try db.compact()
        limiter.setLimit(nil)
        limiter.setLimit(-5)
        #expect(try db.count() == 120)
        #expect(code { try ConcurrentTaskLimiter(name: "a\0b", limit: 1) } == .invalidArgument)
    }

    @Test func compactsDeletions() throws {
        var family = ColumnFamilyOptions()
        family.compactsDeletions = DeletionTrigger(window: 128, deletions: 50)
        family["level0_file_num_compaction_trigger"] = "100"
        let db = try scene.open(family)
        for key in 0..<500 { try db.put("value", for: "\(key)") }
        try db.flush()
        try db.compact(options: CompactOptions(bottommostLevel: .force))
        for key in 0..<400 { try db.delete("\(key)") }
        try db.flush()
        // The file of deletions is marked, and compacted with no other reason to.
        try waitUntil {
            try db.put("1", for: "waiting")
            return try db.property("rocksdb.num-files-at-level0") == "0"
        }
        var odd = ColumnFamilyOptions()
        odd.compactsDeletions = DeletionTrigger(window: -1, deletions: -1, ratio: .nan)
        let other = try db.createColumnFamily("odd", options: odd)
        for key in 0..<300 { try other.delete("\(key)") }
        try other.flush()
        #expect(try other.count() == 0)
    }

    @Test func checksumsOfFiles() throws {
        var options = options
        options.fileChecksumFactory = .crc32c
        let db = try scene.open(options: options)
        try fill(db, 1)
        try db.verifyChecksums()
        #expect(try db.currentOptions()["file_checksum_gen_factory"]?.contains("FileChecksumGenCrc32cFactory") == true)
    }
}
