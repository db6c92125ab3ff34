import CairnCore
import CairnObjects
import CairnRocks
import CairnTestSupport
import Testing

/// Indexes and filters of files are read once, whatever the budget and however the file was written.
@Suite struct RocksMetadataTests {
    private static let rows: UInt64 = 100_000

    /// Filters of 100 bits for each key are larger than a shard of the cache that RocksDB would make for any of these budgets.
    @Test(arguments: [1, 4, 64], [false, true]) func `indexes and filters are read once`(_ mebibytes: Int64, _ isPartitioned: Bool) throws {
        let directory = try TemporaryDirectory(), path = directory.path("store")
        var family = ColumnFamilyOptions.pointLookup
        family.table.filterPolicy = .bloom(bitsPerKey: 100)
        if isPartitioned { family.table.indexType = .twoLevel }
        family.table.partitionFilters = isPartitioned
        let writer = try SSTFileWriter(path: directory.path("in.sst"), options: family)
        for row in 0..<Self.rows { try writer.put(Self.key(row), for: Self.key(row)) }
        try writer.finish()
        let db = try RocksDB(path: path, options: DatabaseOptions(createIfMissing: true), columnFamilyOptions: family)
        try db.ingest([directory.path("in.sst")])
        try db.close()

        var options = RocksEngineOptions()
        options.memoryBudget = .mebibytes(mebibytes)
        let engine = try RocksEngine(path: path, options: options)
        // Opened for reading first, then for writing.
        for isWritten in [false, true] {
            if isWritten {
                var commit = EngineCommit()
                commit.put("1", for: "a")
                try engine.commit(commit)
            }
            let view = try engine.makeView()
            func lookUp() throws {
                for number in 0..<1000 as Range<UInt64> {
                    let key = Self.key(number * (Self.rows / 1000))
                    #expect(try view.get(key) == key && view.get(key + [0]) == nil)
                }
            }
            try lookUp()
            let report = try measuringPerformance { try lookUp() }
            #expect(report["filter_block_read_count"] == 0 && report["index_block_read_count"] == 0)
        }
        try engine.close()
    }

    private static func key(_ row: UInt64) -> [UInt8] { unsafe withUnsafeBytes(of: row.bigEndian) { unsafe Array($0) } }
}
