import BenchKit
import CairnCore
import CairnRocks

/// Blocks of indexes and filters that are read from files by look-ups that were made before.
enum MetadataGates {
    private static let rows: UInt32 = 1_000_000
    private static let lookUps: UInt32 = 1_000

    static var all: [Gate] {
        [
            gate("defaults", DatabaseOptions(), ColumnFamilyOptions()),
            gate("defaults, .pointLookup", DatabaseOptions(), .pointLookup),
            gate(".small", .small, .small),
            gate(".small, .pointLookup", .small, .pointLookup),
            gate(".server(4 MiB), .pointLookup", .server(memoryBudget: .mebibytes(4)), .pointLookup),
            gate(".server(256 MiB), .pointLookup", .server(memoryBudget: .mebibytes(256)), .pointLookup),
            gate(".server(64 MiB), two-level files", .server(memoryBudget: .mebibytes(64)), .pointLookup, isPartitioned: true),
        ]
    }

    /// - Parameter isPartitioned: Whether the rows are written with indexes and filters in partitions, and read without asking for them.
    private static func gate(
        _ name: String,
        _ database: DatabaseOptions,
        _ family: ColumnFamilyOptions,
        isPartitioned: Bool = false
    ) -> Gate {
        Gate("rocks/metadata reads \(name)", atMost: 0, because: "indexes and filters stay in memory while their file is open") {
            let folder = try Folder.temporary()
            defer { folder.remove() }
            let path = folder.path("gate.db")
            try write(at: path, folder.path("in.sst"), family, isPartitioned)
            let db = try RocksDB(path: path, options: database, columnFamilyOptions: family)
            func lookUp() throws {
                for number in 0..<lookUps {
                    let key = key(number &* 2_654_435_761 % rows)
                    guard try db.get(key) != nil, try db.get(key + [0]) == nil else {
                        throw Disagreement("a row is lost, or found for another key")
                    }
                }
            }
            try lookUp()
            let report = try measuringPerformance { try lookUp() }
            try db.close()
            return Double(report["index_block_read_count"] + report["filter_block_read_count"])
        }
    }

    private static func write(at path: String, _ file: String, _ family: ColumnFamilyOptions, _ isPartitioned: Bool) throws {
        var family = family
        // A filter as large as five million rows have it, which is larger than a shard of each of the caches.
        if family.table.filterPolicy != .none { family.table.filterPolicy = .bloom(bitsPerKey: 50) }
        if isPartitioned {
            family.table.indexType = .twoLevel
            family.table.partitionFilters = true
        }
        let writer = try SSTFileWriter(path: file, options: family)
        for row in 0..<rows { try writer.put(Rows.valueTemplate, for: key(row)) }
        try writer.finish()
        let db = try RocksDB(path: path, options: DatabaseOptions(createIfMissing: true), columnFamilyOptions: family)
        try db.ingest([file])
        try db.close()
    }

    private static func key(_ row: UInt32) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: Rows.keySize)
        Rows.setKey(&key, row: row)
        return key
    }
}
