package import CairnCore
package import CairnRocks
package import CairnToolKit

/// The key figures of a column family.
package struct FamilyStats {
    package let name: String
    package let keys: UInt64
    package let liveData: ByteCount
    package let onDisk: ByteCount
    package let memtables: ByteCount
    package let tableReaders: ByteCount
    /// Without empty levels at the end.
    package let filesPerLevel: [UInt64]

    package var files: UInt64 { filesPerLevel.reduce(0, +) }

    package init(_ family: ColumnFamily) throws {
        func number(_ name: String) throws -> UInt64 { try family.intProperty(name) ?? 0 }
        func size(_ name: String) throws -> ByteCount { ByteCount(bytes: Int64(clamping: try number(name))) }
        name = family.name
        keys = try number("rocksdb.estimate-num-keys")
        liveData = try size("rocksdb.estimate-live-data-size")
        onDisk = try size("rocksdb.total-sst-files-size")
        memtables = try size("rocksdb.size-all-mem-tables")
        tableReaders = try size("rocksdb.estimate-table-readers-mem")
        var levels: [UInt64] = []
        while let text = try family.property("rocksdb.num-files-at-level\(levels.count)") { levels.append(UInt64(text) ?? 0) }
        while levels.last == 0 { levels.removeLast() }
        filesPerLevel = levels
    }

    package var json: JSONValue {
        .object([
            ("name", .string(name)),
            ("keys_estimate", .unsigned(keys)),
            ("live_data_bytes", .int(liveData.bytes)),
            ("files", .unsigned(files)),
            ("files_per_level", .array(filesPerLevel.map { .unsigned($0) })),
            ("on_disk_bytes", .int(onDisk.bytes)),
            ("memtable_bytes", .int(memtables.bytes)),
            ("table_reader_bytes", .int(tableReaders.bytes)),
        ])
    }
}
