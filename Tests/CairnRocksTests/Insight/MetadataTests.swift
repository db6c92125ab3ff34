import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// Indexes and filters of files are read once, when the file is opened, whatever the memory that is given and however the file was written.
struct MetadataTests {
    private static let rows: UInt64 = 350_000
    private static let lookUps: UInt64 = 1_000

    /// How files are written: by default, as `.small` did once, and split into partitions.
    enum Files: String, CaseIterable { case whole, twoLevel, partitioned }

    /// A file for all tests, with a filter of 100 bits for each key, so that it is larger than a shard of any of the caches (4.2 MiB).
    private static let files: [Files: String] = {
        Dictionary(uniqueKeysWithValues: Files.allCases.map { ($0, try! write($0)) })
    }()
    private static let directory = try! TemporaryDirectory()

    private static func write(_ files: Files) throws -> String {
        let writer = try SSTFileWriter(path: directory.path("\(files).sst"), options: options(files))
        for row in 0..<rows { try writer.put(key(row), for: key(row)) }
        return try writer.finish().path
    }

    private static func options(_ files: Files) -> ColumnFamilyOptions {
        var options = ColumnFamilyOptions.pointLookup
        options.table.filterPolicy = .bloom(bitsPerKey: 100)
        if files != .whole { options.table.indexType = .twoLevel }
        options.table.partitionFilters = files == .partitioned
        return options
    }

    struct Setting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let database: DatabaseOptions
        var family = ColumnFamilyOptions.pointLookup

        static let all: [Setting] = [
            Setting(testDescription: "defaults", database: DatabaseOptions()),
            Setting(testDescription: "small", database: .small, family: .small),
            Setting(testDescription: "small, for look-ups", database: .small),
            Setting(testDescription: "1 MiB", database: .server(memoryBudget: .mebibytes(1))),
            Setting(testDescription: "4 MiB", database: .server(memoryBudget: .mebibytes(4))),
            Setting(testDescription: "256 MiB", database: .server(memoryBudget: .mebibytes(256))),
            Setting(testDescription: "100 files", database: limited(to: 100)),
        ]

        private static func limited(to files: Int) -> DatabaseOptions {
            var options = DatabaseOptions.server(memoryBudget: .mebibytes(64))
            options.maxOpenFiles = files
            return options
        }
    }

    @Test(arguments: Setting.all, Files.allCases) func areReadOnce(_ setting: Setting, _ files: Files) throws {
        // Partitions live in the cache, whose size nobody has chosen.
        if setting.database.memoryBudget == nil, files != .whole { return }
        let scene = try Scene()
        try ingest(into: scene, files)
        var database = setting.database
        database.createIfMissing = true
        var family = setting.family
        // Filters are read only with a policy, whichever.
        family.table.filterPolicy = .bloom(bitsPerKey: 10)
        let db = try RocksDB(path: scene.path, options: database, columnFamilyOptions: family)
        func lookUp() throws {
            for number in 0..<Self.lookUps {
                let key = Self.key(number * (Self.rows / Self.lookUps))
                #expect(try db.get(key) != nil && db.get(key + [0]) == nil)
            }
        }
        try lookUp()
        let report = try measuringPerformance { try lookUp() }
        #expect(report["filter_block_read_count"] == 0)
        #expect(report["index_block_read_count"] == 0)
        try db.close()
    }

    /// What stays in memory counts towards the budget, so that data makes room for it.
    @Test func countTowardsTheBudget() throws {
        let scene = try Scene()
        try ingest(into: scene, .whole)
        let db = try RocksDB(path: scene.path, options: .server(memoryBudget: .mebibytes(16)), columnFamilyOptions: .pointLookup)
        let metadata = try #require(try db.property(.estimateTableReadersMem))
        // 100 bits for each key.
        #expect(metadata > .bytes(Int64(Self.rows) * 12))
        for row in stride(from: 0, to: Self.rows, by: 20) { _ = try db.get(Self.key(row)) }
        let usage = try #require(try db.property(.blockCacheUsage)), pinned = try #require(try db.property(.blockCachePinnedUsage))
        #expect(pinned >= metadata && usage <= .mebibytes(16))
        try db.close()
    }

    /// Parts that are asked for are evicted like data.
    @Test func partsAreNotPinned() throws {
        let scene = try Scene()
        try ingest(into: scene, .partitioned)
        var family = ColumnFamilyOptions.pointLookup
        family.table.indexType = .twoLevel
        family.table.partitionFilters = true
        let db = try RocksDB(path: scene.path, options: .server(memoryBudget: .mebibytes(16)), columnFamilyOptions: family)
        for row in stride(from: 0, to: Self.rows, by: 20) { _ = try db.get(Self.key(row)) }
        let pinned = try #require(try db.property(.blockCachePinnedUsage))
        // An empty memtable's memory, and the top levels.
        #expect(pinned <= .mebibytes(2))
        try db.close()
    }

    private func ingest(into scene: Scene, _ files: Files) throws {
        let options = DatabaseOptions(createIfMissing: true)
        let db = try RocksDB(path: scene.path, options: options, columnFamilyOptions: Self.options(files))
        try db.ingest([Self.files[files]!])
        try db.close()
    }

    private static func key(_ row: UInt64) -> [UInt8] { unsafe withUnsafeBytes(of: row.bigEndian) { unsafe Array($0) } }
}
