import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// One option that opening must refuse.
struct BadOption: Sendable, CustomTestStringConvertible {
    enum Kind { case database, family, table }
    let kind: Kind
    let name: String
    let value: String
    var with: @Sendable (inout OptionSetup) -> Void = { _ in }
    var testDescription: String { "\(name)=\(value)" }

    init(_ kind: Kind, _ name: String, _ value: String, with others: @escaping @Sendable (inout OptionSetup) -> Void = { _ in }) {
        (self.kind, self.name, self.value, with) = (kind, name, value, others)
    }

    var setup: OptionSetup {
        var setup = OptionSetup()
        with(&setup)
        switch kind {
        case .database: setup.database[name] = value
        case .family: setup.family[name] = value
        case .table: setup.family.table[name] = value
        }
        return setup
    }
}

@Suite struct OptionsRefusalTests {
    /// What RocksDB refuses itself.
    static let unreadable = [
        BadOption(.database, "no_such_option", "1"), BadOption(.family, "no_such_option", "1"), BadOption(.table, "no_such_option", "1"),
        BadOption(.database, "create_if_missing", "yes"), BadOption(.database, "info_log_level", "LOUD"),
        BadOption(.family, "compression", "kNope"), BadOption(.family, "memtable_factory", "nope"),
        BadOption(.family, "table_factory", "nope"), BadOption(.family, "prefix_extractor", "fixed:4x"),
        BadOption(.family, "merge_operator", "nope"), BadOption(.family, "compaction_filter", "nope"),
        BadOption(.family, "compression_opts", "{bogus=1}"), BadOption(.family, "num_levels", "3000000000"),
        BadOption(.table, "filter_policy", "bloomfilter"), BadOption(.table, "checksum", "kMD5"),
        BadOption(.table, "flush_block_policy_factory", "nope"), BadOption(.database, "wal_filter", "nope"),
    ]

    /// What RocksDB would read as something else: `12abc` as 12, -1 as the largest number there is.
    static let misread = [
        BadOption(.family, "write_buffer_size", "12abc"), BadOption(.family, "write_buffer_size", "1e3"),
        BadOption(.database, "max_total_wal_size", "-1"), BadOption(.database, "bytes_per_sync", "0x10"),
        BadOption(.table, "block_size", "-4096"), BadOption(.table, "block_size", "1.5"), BadOption(.table, "block_size", ""),
        BadOption(.family, "max_bytes_for_level_multiplier", "ten"), BadOption(.family, "max_bytes_for_level_multiplier", "5x"),
        BadOption(.family, "max_bytes_for_level_multiplier", "nan"), BadOption(.family, "blob_garbage_collection_age_cutoff", "inf"),
        BadOption(.family, "compression_opts", "{max_dict_bytes=-1}"), BadOption(.family, "prefix_extractor", "fixed:-1"),
        BadOption(.family, "prefix_extractor", "rocksdb.CappedPrefix.-1"), BadOption(.family, "memtable_factory", "vector:-1"),
        BadOption(.family, "memtable_factory", "skip_list:-1"),
        BadOption(.family, "sst_partitioner_factory", "{id=SstPartitionerFixedPrefixFactory;length=-1}"),
    ]

    /// What would end the process: at opening, or at some flush, compaction or read long after.
    static let fatal = [
        BadOption(.database, "compaction_readahead_size", "68719476736"), BadOption(.database, "log_readahead_size", "68719476736"),
        BadOption(.database, "max_file_opening_threads", "2147483647"), BadOption(.database, "max_background_jobs", "65536"),
        BadOption(.database, "max_background_flushes", "65536"), BadOption(.database, "max_background_compactions", "65536"),
        BadOption(.database, "table_cache_numshardbits", "20"), BadOption(.database, "manifest_preallocation_size", "9223372036854775807"),
        BadOption(.database, "recycle_log_file_num", "2") { $0.database.walRecoveryMode = .skipAnyCorrupted },
        BadOption(.database, "unordered_write", "true") { $0.database.manualWALFlush = true },
        BadOption(.database, "allow_mmap_reads", "true") { $0.database.useDirectIOForFlushAndCompaction = true },
        BadOption(.database, "allow_mmap_writes", "true") { $0.database.allowFallocate = false },
        BadOption(.family, "arena_block_size", "2G"),
        BadOption(.family, "arena_block_size", "1M") { $0.family.writeBufferSize = .kibibytes(64) },
        BadOption(.family, "write_buffer_size", "9223372036854775807"), BadOption(.family, "num_levels", "65536"),
        BadOption(.family, "num_levels", "-1"), BadOption(.family, "sample_for_compression", "68719476736"),
        BadOption(.family, "blob_compaction_readahead_size", "68719476736"),
        BadOption(.family, "compression", "kDisableCompressionOption"),
        BadOption(.family, "blob_compression_type", "kDisableCompressionOption"),
        BadOption(.family, "compression_per_level", "kNoCompression:kDisableCompressionOption"),
        BadOption(.family, "compression_opts", "{parallel_threads=0}"), BadOption(.family, "compression_opts", "{parallel_threads=100000}"),
        BadOption(.family, "bottommost_compression_opts", "{enabled=true;parallel_threads=0}"),
        BadOption(.family, "inplace_update_num_locks", "0"), BadOption(.family, "inplace_update_num_locks", "4294967295"),
        BadOption(.family, "memtable_factory", "prefix_hash:0"), BadOption(.family, "memtable_factory", "hash_linkedlist:0"),
        BadOption(.family, "memtable_factory", "{id=HashSkipListRepFactory;skiplist_height=0}"),
        BadOption(.family, "memtable_factory", "{id=HashSkipListRepFactory;branching_factor=0}"),
        BadOption(.family, "memtable_factory", "prefix_hash:10000000"), BadOption(.family, "memtable_factory", "hash_linkedlist:10000000"),
        BadOption(.family, "memtable_factory", "prefix_hash") { $0.family.writeBufferSize = .mebibytes(1) },
        BadOption(.family, "table_factory", "{id=PlainTable;user_key_len=8}"),
        BadOption(.family, "table_factory", "{id=PlainTable;full_scan_mode=true}"),
        BadOption(.family, "table_factory", "{id=PlainTable;bloom_bits_per_key=-1}"),
        BadOption(.family, "table_factory", "{id=PlainTable;hash_table_ratio=-1}"),
        BadOption(.family, "merge_operator", "sortlist"), BadOption(.family, "merge_operator", "MergeSortOperator"),
        BadOption(.family, "comparator", "leveldb.BytewiseComparator.u64ts"),
        BadOption(.family, "table_factory", "CuckooTable"), BadOption(.family, "table_factory", "{id=CuckooTable;hash_table_ratio=0.5}"),
        BadOption(.family, "table_factory", "{id=BlockBasedTable;max_auto_readahead_size=64G}"),
        BadOption(.table, "max_auto_readahead_size", "64G"), BadOption(.table, "initial_auto_readahead_size", "64G"),
        BadOption(.family, "table_factory", "PlainTable"), BadOption(.family, "table_factory", "{id=PlainTable;bloom_bits_per_key=9}"),
    ]

    /// The error names option and value, or says that there is no such option; no database is made, and a good one opens afterwards.
    @Test(arguments: unreadable + misread + fatal) func isRefused(_ bad: BadOption) throws {
        try withDirectory { directory in
            let setup = bad.setup
            let error = try #require(throws: RocksError.self) {
                try RocksDB(path: directory + "/db", options: setup.database, columnFamilyOptions: setup.family)
            }
            #expect(error.code == .invalidOption, "\(error)")
            if bad.name == "no_such_option" {
                #expect(error.message.hasSuffix("there is no option 'no_such_option'"), "\(error)")
            } else {
                #expect(error.message.contains("'\(bad.name)'") && error.message.contains("'\(bad.value)'"), "\(error)")
            }
            let db = try RocksDB(path: directory + "/db", options: .init(createIfMissing: true))
            // A column family made later is held to the same rules.
            if bad.kind != .database {
                let error = try #require(throws: RocksError.self) { try db.createColumnFamily("two", options: setup.family) }
                #expect(error.code == .invalidOption)
                #expect(db.columnFamilyNames == ["default"])
            }
            try db.close()
        }
    }

    @Test func tableAndNamedFormat() throws {
        var setup = OptionSetup()
        setup.family.tableFormat = .plain()
        setup.family.table.blockSize = .kibibytes(8)
        let error = try #require(throws: RocksError.self) { try setup.open { _ in } }
        #expect(error.code == .invalidOption && error.message.contains("table_factory"))
        setup.family.tableFormat = .blockBased
        let size = try setup.open { try $0.currentTableOptions()["block_size"] }
        #expect(size == "8192")
    }

    /// Every number small, negative and huge, every flag both ways, one at a time: opening throws, or the database works.
    @Test func extremesDoNotEndTheProcess() async throws {
        try await withSeeds("extreme options", count: 1) { generator in
            await #expect(processExitsWith: .success) { [seed = generator.seed as UInt64] in
                // Some values are taken for relative paths, so this process works in a directory of its own.
                try withDirectory { directory in
                    try #require(FileManager.default.changeCurrentDirectoryPath(directory))
                    for (option, value) in OptionsTests.extremes(seed: seed) { try tryExtreme(option, value) }
                }
            }
        }
    }
}

extension OptionsTests {
    /// Options and extreme values of them: a sample, unless everything is to run.
    static func extremes(seed: UInt64) -> [(option: OptionCase, value: String)] {
        var generator = SeededGenerator(seed: seed)
        let extremes = all.flatMap { option in
            let usual = [DatabaseOptions.defaults, ColumnFamilyOptions.defaults, TableOptions.defaults].compactMap { $0[option.name] }
            let isNumber = usual.contains { Double($0) != nil }
            let values = isNumber ? ["-1", "0", "1", "2147483647", "18446744073709551615"] : ["0", "1"]
            return values.map { (option: option, value: $0) }
        }
        return Thorough.sample(100, of: extremes, using: &generator)
    }
}

/// Opens and uses a database with an extreme value.
private func tryExtreme(_ option: OptionCase, _ value: String) throws {
    var setup = OptionSetup()
    switch option.kind {
    case .database: setup.database[option.name] = value
    case .family: setup.family[option.name] = value
    case .table: setup.family.table[option.name] = value
    }
    // Only space that is used shall be taken from the disk.
    setup.database.allowFallocate = false
    do { try setup.open(exercise) } catch is RocksError {}
}

/// Writes, flushes and reads a little.
private func exercise(_ db: RocksDB) throws {
    for round in 0..<2 {
        for key in 0..<20 { try db.put(String(repeating: "v", count: key * 50), for: "key\(key)") }
        try db.delete("key\(round)")
        try db.deleteRange(from: "key7", to: "key9")
        try db.flush()
    }
    _ = try db.get("key5", as: String.self)
    _ = try db.keys(.all, as: String.self)
    _ = try db.keys(.all.reversed, as: String.self)
}
