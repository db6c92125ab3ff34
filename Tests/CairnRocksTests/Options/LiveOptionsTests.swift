import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

@Suite struct LiveOptionsTests {
    @Test func changesAreInForceAndStored() throws {
        let scene = try Scene()
        let db = try scene.open()
        let songs = try db.createColumnFamily("songs")
        try db.setOptions {
            #expect($0.maxBackgroundJobs == 2)
            $0.maxBackgroundJobs = 4
            $0.statsDumpPeriod = .seconds(60)
        }
        try songs.setColumnFamilyOptions {
            $0.writeBufferSize = .mebibytes(1)
            $0.compression = .none
            $0.compressionOptions.level = 5
            $0.table.prepopulateBlockCache = .onFlush
        }
        try db.setColumnFamilyOptions { $0["disable_auto_compactions"] = "true" }
        #expect(try db.currentOptions()["max_background_jobs"] == "4")
        #expect(try songs.currentColumnFamilyOptions()["write_buffer_size"] == "1048576")
        #expect(try songs.currentColumnFamilyOptions()["arena_block_size"] == "131072")
        #expect(try songs.currentTableOptions()["prepopulate_block_cache"] == "kFlushOnly")
        #expect(try db.currentColumnFamilyOptions()["write_buffer_size"] == "67108864")
        // Setting `nil` goes back to the default.
        try songs.setColumnFamilyOptions { $0["compression"] = nil }
        #expect(try songs.currentColumnFamilyOptions()["compression"] == ColumnFamilyOptions.defaults["compression"])
        let stored = try StoredOptions(path: scene.path)
        #expect(stored.database.maxBackgroundJobs == 4 && stored.database.statsDumpPeriod == .seconds(60))
        #expect(stored.columnFamilies["songs"]?.writeBufferSize == .mebibytes(1))
        #expect(stored.columnFamilies["songs"]?.compressionOptions.level == 5)
        #expect(stored.columnFamilies["songs"]?.table.prepopulateBlockCache == .onFlush)
        #expect(stored.columnFamilies["default"]?.disableAutoCompactions == true)
        try db.close()
    }

    /// Nothing changed: nothing is done, however the options in force look.
    @Test(arguments: OptionsTests.all) func noChange(_ option: OptionCase) throws {
        var setup = OptionSetup()
        option.set(&setup)
        if option.isRefused { return }
        do {
            try setup.open { db in
                try db.setOptions { _ in }
                try db.setColumnFamilyOptions { _ in }
            }
        } catch let error as RocksError where option.fileSystemMayRefuse {
            #expect(error.code != .invalidOption)
        }
    }

    @Test func fixedOptionsAreRefused() throws {
        let scene = try Scene()
        let db = try scene.open()
        func expect(_ name: String, _ body: () throws -> Void) {
            let error = failure(body)
            #expect(error?.code == .invalidOption && error?.message.contains("'\(name)'") == true, "\(name): \(String(describing: error))")
        }
        expect("max_manifest_file_size") { try db.setOptions { $0["max_manifest_file_size"] = "1000000" } }
        expect("memoryBudget") { try db.setOptions { $0.memoryBudget = .mebibytes(9) } }
        let statistics = try Statistics()
        expect("statistics") { try db.setOptions { $0.statistics = statistics } }
        expect("num_levels") { try db.setColumnFamilyOptions { $0.levelCount = 3 } }
        expect("comparator") { try db.setColumnFamilyOptions { $0.comparator = .reverseBytewise } }
        expect("comparator") { try db.setColumnFamilyOptions { $0["comparator"] = KeyComparator.reverseBytewise.name } }
        let last = StoredOptionsTests.last
        expect("mergeOperator") { try db.setColumnFamilyOptions { $0.mergeOperator = last } }
        let cache = try BlockCache(capacity: .mebibytes(1))
        expect("blockCache") { try db.setColumnFamilyOptions { $0.table.blockCache = cache } }
        expect("index_type") { try db.setColumnFamilyOptions { $0.table.indexType = .twoLevel } }
        expect("nope") { try db.setOptions { $0["nope"] = "1" } }
        expect("nope") { try db.setColumnFamilyOptions { $0["nope"] = "1" } }
        // All or nothing.
        expect("num_levels") {
            try db.setColumnFamilyOptions {
                $0.levelCount = 3
                $0.writeBufferSize = .mebibytes(2)
            }
        }
        #expect(try db.currentColumnFamilyOptions()["write_buffer_size"] == "67108864")
        try db.close()
        #expect(code { try db.setOptions { $0.maxBackgroundJobs = 3 } } == .closed)
        #expect(code { try db.setColumnFamilyOptions { $0.writeBufferSize = .mebibytes(2) } } == .closed)
        let frozen = try RocksDB(path: scene.path, mode: .readOnly)
        #expect(code { try frozen.setOptions { $0.maxBackgroundJobs = 3 } } == .readOnly)
        #expect(code { try frozen.setColumnFamilyOptions { $0.writeBufferSize = .mebibytes(2) } } == .readOnly)
    }

    /// It would wait for itself. All of a database's options are changed one after the other, also those of its column families.
    @Test func noChangeWithinAChange() throws {
        let scene = try Scene(), other = try Scene()
        let db = try scene.open(), another = try other.open()
        let songs = try db.createColumnFamily("songs")
        var errors: [RocksError?] = []
        func changeWithin() {
            errors = [
                failure { try db.setOptions { $0.maxTotalWALSize = .mebibytes(9) } },
                failure { try db.setColumnFamilyOptions { $0.writeBufferSize = .mebibytes(9) } },
                failure { try songs.setColumnFamilyOptions { $0.writeBufferSize = .mebibytes(9) } },
            ]
        }
        func expectRefusals() {
            #expect(errors.count == 3 && errors.allSatisfy { $0?.code == .invalidArgument }, "\(errors)")
            #expect(errors.allSatisfy { $0?.message.contains("a closure on this thread") == true }, "\(errors)")
        }
        try db.setOptions {
            changeWithin()
            $0.maxTotalWALSize = .mebibytes(3)
            // Another database is another matter.
            #expect(code { try another.setOptions { $0.maxTotalWALSize = .mebibytes(4) } } == nil)
        }
        expectRefusals()
        try songs.setColumnFamilyOptions {
            changeWithin()
            $0.writeBufferSize = .mebibytes(3)
        }
        expectRefusals()
        #expect(try db.currentOptions()["max_total_wal_size"] == "3145728" && another.currentOptions()["max_total_wal_size"] == "4194304")
        #expect(try songs.currentColumnFamilyOptions()["write_buffer_size"] == "3145728")
        #expect(try db.currentColumnFamilyOptions()["write_buffer_size"] == "67108864")
        // Afterwards, also after one that failed, options can be changed again.
        #expect(code { try db.setOptions { $0["nope"] = "1" } } == .invalidOption)
        try db.setOptions { $0.maxTotalWALSize = .mebibytes(5) }
        try db.setColumnFamilyOptions { $0.writeBufferSize = .mebibytes(5) }
    }

    @Test func changesOfOtherThreadsWait() async throws {
        let scene = try Scene()
        let db = try scene.open()
        try db.setOptions { $0.maxTotalWALSize = .mebibytes(1) }
        try await onThreads(4) { _ in
            for _ in 0..<5 { try db.setOptions { $0.maxTotalWALSize = ByteCount(bytes: $0.maxTotalWALSize.bytes + 1) } }
        }
        #expect(try db.currentOptions()["max_total_wal_size"] == "\((1 << 20) + 20)")
    }

    /// Values that opening adjusts and a live change does not, and those that do not go with what is in force.
    @Test func badValuesAreRefused() throws {
        var hashed = ColumnFamilyOptions()
        hashed.memtableFactory = .hashSkipList(bucketCount: 1000)
        hashed.prefixExtractor = .fixed(2)
        var plain = ColumnFamilyOptions()
        plain.tableFormat = .plain()
        plain.prefixExtractor = .fixed(2)
        var options = DatabaseOptions(createIfMissing: true)
        options.createMissingColumnFamilies = true
        options.allowConcurrentMemtableWrite = false
        options.manualWALFlush = true
        let scene = try Scene()
        let db = try scene.open(ColumnFamilyOptions(), ["hashed": hashed, "plain": plain], options: options)
        let bad: [(String, (inout ColumnFamilyOptions) -> Void)] = [
            ("write_buffer_size", { $0.writeBufferSize = .bytes(1000) }), ("write_buffer_size", { $0["write_buffer_size"] = "0" }),
            ("write_buffer_size", { $0["write_buffer_size"] = "12abc" }),
            ("max_write_buffer_number", { $0["max_write_buffer_number"] = "0" }),
            ("level0_file_num_compaction_trigger", { $0["level0_file_num_compaction_trigger"] = "0" }),
            ("level0_file_num_compaction_trigger", { $0["level0_file_num_compaction_trigger"] = "-1" }),
            ("level0_slowdown_writes_trigger", { $0["level0_slowdown_writes_trigger"] = "2" }),
            ("level0_stop_writes_trigger", { $0["level0_stop_writes_trigger"] = "0" }),
            ("arena_block_size", { $0.arenaBlockSize = .gibibytes(2) }),
            ("block_restart_interval", { $0.table.blockRestartInterval = 0 }), ("block_size", { $0.table.blockSize = .gibibytes(64) }),
            ("max_auto_readahead_size", { $0.table.maxAutoReadahead = .gibibytes(64) }),
            ("compression", { $0.compression = .inherited }), ("compression", { $0["compression"] = "kNope" }),
        ]
        for (name, change) in bad {
            let error = failure { try db.setColumnFamilyOptions(change) }
            #expect(error?.code == .invalidOption && error?.message.contains(name) == true, "\(name): \(String(describing: error))")
        }
        for name in ["hashed", "plain"] {
            let family = try db.columnFamily(name)
            let error = failure { try family.setColumnFamilyOptions { $0.prefixExtractor = .fixed(3) } }
            #expect(error?.code == .invalidOption && error?.message.contains("'prefix_extractor'") == true)
        }
        try db.setColumnFamilyOptions { $0.prefixExtractor = .fixed(3) }
        for (name, value) in [("max_background_jobs", "65536"), ("compaction_readahead_size", "64G"), ("bytes_per_sync", "-1")] {
            #expect(code { try db.setOptions { $0[name] = value } } == .invalidOption)
        }
        try db.close()
    }

    /// Every number small, negative and huge, every flag both ways, one at a time: the change throws, or the database works on.
    @Test func extremesDoNotEndTheProcess() async throws {
        try await withSeeds("extreme changes", count: 1) { generator in
            await #expect(processExitsWith: .success) { [seed = generator.seed as UInt64] in
                for (option, value) in OptionsTests.extremes(seed: seed) {
                    var setup = OptionSetup()
                    setup.database.allowFallocate = false
                    try setup.open { db in
                        let refused = failure {
                            switch option.kind {
                            case .database: try db.setOptions { $0[option.name] = value }
                            case .family: try db.setColumnFamilyOptions { $0[option.name] = value }
                            case .table: try db.setColumnFamilyOptions { $0.table[option.name] = value }
                            }
                        }
                        if refused != nil { return }
                        print("\(option.name)=\(value)")
                        for round in 0..<2 {
                            for key in 0..<20 { try db.put(String(repeating: "v", count: key * 50), for: "key\(key)") }
                            try db.delete("key\(round)")
                            try db.deleteRange(from: "key7", to: "key9")
                            try db.flush()
                        }
                        try db.compact()
                        _ = try db.text("key5")
                        _ = try db.keyTexts(.all.reversed)
                    }
                }
            }
        }
    }

    /// The comment of each option says whether it can change, and RocksDB agrees: each is tried.
    @Test func commentsTellTheTruth() async throws {
        let documented = try OptionComments.read()
        try await withSeeds("options and their comments", count: 1) { generator in
            for option in Thorough.sample(60, of: OptionsTests.all, using: &generator) { try check(option, documented) }
        }
    }

    private func check(_ option: OptionCase, _ documented: [String: (text: String, isChangeable: Bool)]) throws {
        let comment = try #require(documented[option.name], "\(option.name) has no comment")
        var wanted = OptionSetup()
        option.set(&wanted)
        // What the change needs beside it is there from the start.
        var setup = wanted
        switch option.kind {
        case .database: setup.database[option.name] = nil
        case .family: setup.family[option.name] = nil
        case .table: setup.family.table[option.name] = nil
        }
        if option.name == "create_if_missing" {
            #expect(!comment.isChangeable)
            return
        }
        if option.isRefused { return }
        if option.name == "enforce_single_del_contracts" { setup.database[option.name] = "true" }
        let error: RocksError?
        do {
            error = try setup.open { db in
                failure {
                    switch option.kind {
                    case .database: try db.setOptions { $0[option.name] = wanted.database[option.name] }
                    case .family: try db.setColumnFamilyOptions { $0[option.name] = wanted.family[option.name] }
                    case .table: try db.setColumnFamilyOptions { $0.table[option.name] = wanted.family.table[option.name] }
                    }
                }
            }
        } catch let error as RocksError where option.fileSystemMayRefuse {
            #expect(error.code != .invalidOption)
            return
        }
        // A value that is in force already says nothing.
        if ["wal_filter", "compaction_filter_factory", "compaction_filter"].contains(option.name) { return }
        let isFixed = error?.message.contains("cannot be changed while the database is open") == true
        #expect(comment.isChangeable == !isFixed, "\(option.name): \(comment.text) - \(String(describing: error))")
    }
}
