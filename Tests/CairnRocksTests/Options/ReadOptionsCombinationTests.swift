import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// Read options in every combination that changes the way RocksDB takes: each call answers rightly or throws, and none ends the process.
@Suite struct ReadOptionsCombinationTests {
    let directory = try! TemporaryDirectory()

    /// A database with entries in a file and in the memtable, of the formats that `change` asks for and RocksDB then reports.
    func makeDatabase(reports: [String: String] = [:], _ change: (inout ColumnFamilyOptions) -> Void = { _ in }) throws -> RocksDB {
        var options = ColumnFamilyOptions()
        change(&options)
        var databaseOptions = DatabaseOptions(createIfMissing: true)
        databaseOptions["allow_concurrent_memtable_write"] = "false"
        let db = try RocksDB(path: directory.path("db"), options: databaseOptions, columnFamilyOptions: options)
        for number in 100..<200 { try db.put("value \(number)", for: "key \(number)") }
        try db.flush()
        for number in 200..<300 { try db.put("value \(number)", for: "key \(number)") }
        for (name, value) in reports { #expect(try db.currentColumnFamilyOptions()[name]?.contains(value) == true) }
        return db
    }

    static var combinations: [ReadOptions] {
        var all: [ReadOptions] = []
        for tier in [ReadOptions.Tier.all, .cached, .persisted, .memtables] {
            for seekMode in [ReadOptions.SeekMode.totalOrder, .prefix, .automatic] {
                for flags in 0..<16 {
                    var options = ReadOptions(verifyChecksums: flags & 1 == 0, tier: tier)
                    options.seekMode = seekMode
                    options.tailing = flags & 2 != 0
                    options.pinsData = flags & 4 != 0
                    options.prefixSameAsStart = flags & 8 != 0
                    all.append(options)
                }
            }
        }
        var other = ReadOptions(fillCache: false)
        other.readahead = .mebibytes(1)
        other.adaptiveReadahead = true
        other.asyncIO = true
        other.maxSkippableInternalKeys = 1
        other.backgroundPurgeOnCursorCleanup = true
        other.ignoresRangeDeletions = true
        other.timeout = .seconds(60)
        other.ioTimeout = .seconds(60)
        other.valueSizeSoftLimit = .mebibytes(1)
        other.rateLimiterPriority = .user
        all.append(other)
        return all
    }

    /// What a call may do: succeed, or throw one of the codes that say that the combination is not possible.
    func allow(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as RocksError {
            #expect([.notSupported, .invalidArgument, .incomplete].contains(error.code), "\(error)")
        }
    }

    func exercise(_ db: RocksDB) async throws {
        try await withSeeds("read options", count: 1) { random in
            for options in Thorough.sample(40, of: Self.combinations, using: &random) { try exercise(db, options) }
        }
        try db.close()
    }

    private func exercise(_ db: RocksDB, _ options: ReadOptions) throws {
        try allow {
            if let value = try db.get("key 150", as: String.self, options: options) { #expect(value == "value 150") }
        }
        try allow { _ = try db.multiGet(["key 150", "key 250", "nothing"], options: options) }
        try allow { _ = try db.keyMayExist("key 250", options: options) }
        for range in [ScanRange.all, .prefix("key 15"), .from("key 1", to: "key 2"), .all.reversed, .prefix("key 25").reversed] {
            try allow {
                var cursor = try db.makeCursor(range, options: options)
                try allow { while let entry = try cursor.next() { #expect(entry.key.byteCount == 7) } }
                try allow { _ = try cursor.previous() }
                try allow { _ = try cursor.last() }
                try allow { _ = try cursor.first() }
                try allow { _ = try cursor.seek(to: "key 260") }
                try allow { _ = try cursor.seek(toOrBefore: "key 160") }
                try allow { _ = try cursor.nextKey() }
                try allow { _ = try cursor.previous() }
            }
        }
    }

    @Test func blockBasedTableAndSkipList() async throws { try await exercise(makeDatabase()) }

    @Test func fixedPrefix() async throws { try await exercise(makeDatabase { $0["prefix_extractor"] = "fixed:5" }) }

    @Test func vectorMemtable() async throws {
        try await exercise(makeDatabase(reports: ["memtable_factory": "VectorRepFactory"]) { $0["memtable_factory"] = "vector" })
    }

    @Test func hashSkipListMemtable() async throws {
        let db = try makeDatabase(reports: ["memtable_factory": "HashSkipListRepFactory"]) {
            $0["memtable_factory"] = "prefix_hash"
            $0["prefix_extractor"] = "fixed:5"
        }
        try await exercise(db)
    }

    @Test func hashLinkedListMemtable() async throws {
        let db = try makeDatabase(reports: ["memtable_factory": "HashLinkListRepFactory"]) {
            $0["memtable_factory"] = "hash_linkedlist"
            $0["prefix_extractor"] = "fixed:5"
        }
        try await exercise(db)
    }

    @Test func plainTable() async throws {
        let db = try makeDatabase(reports: ["table_factory": "PlainTable"]) {
            $0["table_factory"] = "PlainTable"
            $0["prefix_extractor"] = "fixed:5"
        }
        try await exercise(db)
    }
}
