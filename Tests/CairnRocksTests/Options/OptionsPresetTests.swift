import CairnCore
import CairnRocks
import Testing

@Suite struct OptionsPresetTests {
    /// Each preset opens, works, and its options are in force.
    @Test(arguments: ["default", "pointLookup", "bulkLoad", "small"]) func columnFamily(_ name: String) throws {
        let presets = ["default": ColumnFamilyOptions(), "pointLookup": .pointLookup, "bulkLoad": .bulkLoad, "small": .small]
        var setup = OptionSetup()
        setup.family = presets[name]!
        try setup.open { db in
            for round in 0..<3 {
                for key in 0..<100 { try db.put("value\(round)", for: "key\(key)") }
                try db.flush()
            }
            #expect(try db.keys(.all, as: String.self).count == 100)
            #expect(try db.get("key42", as: String.self) == "value2")
            #expect(try db.get("nope") == nil)
            let current = try db.currentColumnFamilyOptions()
            for option in OptionCase.allColumnFamilyOptions where setup.family.settings[option.name] != nil {
                var live = ColumnFamilyOptions()
                live[option.name] = current[option.name]
                let (now, wanted) = (live[option.name] ?? "", setup.family[option.name] ?? "")
                #expect(now == wanted || Double(now) == Double(wanted), "\(option.name) is \(now)")
            }
            let table = try db.currentTableOptions()
            for (option, text) in setup.family.table.settings {
                #expect(table[option] == text || Double(table[option] ?? "-") == Double(text), "\(option)")
            }
        }
    }

    @Test(arguments: [false, true]) func database(_ server: Bool) throws {
        var setup = OptionSetup()
        setup.database = server ? .server(memoryBudget: .mebibytes(64), backgroundJobs: 3) : .small
        setup.database.createIfMissing = true
        try setup.open { db in
            try db.put("1", for: "a")
            try db.flush()
            #expect(try db.get("a", as: String.self) == "1")
            let current = try db.currentOptions()
            for (option, text) in setup.database.settings { #expect(current[option] == text, "\(option)") }
            #expect(current["wal_recovery_mode"] == "kTolerateCorruptedTailRecords")
        }
    }

    /// One cache of the budget's size serves every column family, and is charged for the memtables.
    @Test func memoryBudgetIsOneCache() throws {
        var setup = OptionSetup()
        setup.database.memoryBudget = .mebibytes(8)
        try setup.open { db in
            let other = try db.createColumnFamily("other")
            for family in [db.defaultColumnFamily, other] {
                #expect(try family.property(.blockCacheCapacity) == .mebibytes(8))
                #expect(try family.currentTableOptions()["cache_index_and_filter_blocks"] == "false")
            }
            for key in 0..<16 { try other.put(String(repeating: "v", count: 64 << 10), for: "key\(key)") }
            #expect(try other.property(.curSizeAllMemTables) ?? .zero >= .mebibytes(1))
            #expect(try db.property(.blockCacheUsage) ?? .zero >= .mebibytes(1))
        }
    }

    /// 32 MiB written to two column families make memtables be flushed, all by themselves, with a budget of 8 MiB only.
    @Test(arguments: [nil, ByteCount.mebibytes(8)]) func memoryBudgetFlushes(_ budget: ByteCount?) throws {
        var setup = OptionSetup()
        setup.database.memoryBudget = budget
        setup.family.disableAutoCompactions = true
        try setup.open { db in
            let families = try [db.defaultColumnFamily, db.createColumnFamily("other")]
            for key in 0..<512 { try families[key % 2].put(String(repeating: "v", count: 64 << 10), for: "key\(key)") }
            var closed: UInt64 = 0
            for family in families {
                for property in [Property.numImmutableMemTable, .numImmutableMemTableFlushed, .numFilesAtLevel(0)] {
                    closed += try family.property(property) ?? 0
                }
            }
            #expect((closed > 0) == (budget != nil))
        }
    }

    /// A table's own cache is left alone by the budget.
    @Test func ownCacheWins() throws {
        var setup = OptionSetup()
        setup.database.memoryBudget = .mebibytes(8)
        setup.family.table.blockCache = try BlockCache(capacity: .mebibytes(2))
        let capacity = try setup.open { try $0.property(.blockCacheCapacity) }
        #expect(capacity == .mebibytes(2))
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 1_048_575] as [Int64]) func tooSmallBudget(_ bytes: Int64) throws {
        var setup = OptionSetup()
        setup.database.memoryBudget = .bytes(bytes)
        let error = try #require(throws: RocksError.self) { try setup.open { _ in } }
        #expect(error.code == .invalidOption && error.message.contains("memoryBudget"))
    }

    @Test(arguments: [1_048_576, Int64.max] as [Int64]) func extremeBudget(_ bytes: Int64) throws {
        var setup = OptionSetup()
        setup.database.memoryBudget = .bytes(bytes)
        try setup.open { db in
            for key in 0..<200 { try db.put(String(repeating: "v", count: 10_000), for: "key\(key)") }
            try db.flush()
            #expect(try db.keys(.all, as: String.self).count == 200)
        }
    }
}
