import CairnCore
import CairnRocks
import Testing

@Suite struct OptionsTests {
    static let all = OptionCase.allDatabaseOptions + OptionCase.allColumnFamilyOptions + OptionCase.allTableOptions

    /// Named in RocksDB's lists, but typed as objects: ``ColumnFamilyOptions/comparator``, ``ColumnFamilyOptions/mergeOperator``.
    static let objects: Set<String> = ["comparator", "merge_operator"]
    /// RocksDB leaves options with an empty value out of its lists.
    static let unlisted: Set<String> = ["wal_dir", "db_log_dir", "compression_per_level"]

    /// RocksDB's list of each kind of options, and our properties.
    static let lists: [([String: String], [OptionCase])] = [
        (DatabaseOptions.defaults, OptionCase.allDatabaseOptions), (ColumnFamilyOptions.defaults, OptionCase.allColumnFamilyOptions),
        (TableOptions.defaults, OptionCase.allTableOptions),
    ]

    @Test func everyOptionHasAProperty() {
        for (defaults, cases) in Self.lists {
            let names = Set(cases.map(\.name))
            #expect(names.count == cases.count)
            #expect(Set(defaults.keys).subtracting(names).subtracting(Self.objects).sorted() == [], "options without a property")
        }
    }

    /// A property may be ahead of an older library, or remain for one that a newer library dropped; not with the one tested here.
    @Test(.enabled(if: RocksDB.libraryVersion.hasPrefix("7.8."), "the lists are those of RocksDB 7.8"))
    func everyPropertyHasAnOption() {
        for (defaults, cases) in Self.lists {
            let names = Set(cases.map(\.name)).subtracting(defaults.keys).subtracting(Self.unlisted)
            #expect(names.sorted() == [], "properties without an option")
        }
    }

    /// Set through its property, every option is in force in a database opened with it.
    @Test(arguments: all) func roundTrip(_ option: OptionCase) throws {
        var setup = OptionSetup()
        option.set(&setup)
        #expect(option.returnsValue(setup))
        if option.isRefused {
            let error = try #require(throws: RocksError.self) { try setup.open { _ in } }
            #expect(error.code == .invalidOption && error.message.contains("'\(option.name)'"))
            return
        }
        let live: String?
        do {
            live = try setup.open { db in
                try db.put("1", for: "key")
                try db.flush()
                #expect(try db.get("key", as: String.self) == "1")
                return switch option.kind {
                case .database: try db.currentOptions()[option.name]
                case .family: try db.currentColumnFamilyOptions()[option.name]
                case .table: try db.currentTableOptions()[option.name]
                }
            }
        } catch let error as RocksError where option.fileSystemMayRefuse {
            #expect(error.code != .invalidOption)
            return
        }
        #expect(option.understands(live ?? ""), "RocksDB says \(live ?? "nothing")")
    }

    /// The default value of a property is the library's default: written back, it is the same value.
    @Test(arguments: all) func defaultIsUnderstood(_ option: OptionCase) throws {
        let defaults =
            switch option.kind {
            case .database: DatabaseOptions.defaults
            case .family: ColumnFamilyOptions.defaults
            case .table: TableOptions.defaults
            }
        guard let library = defaults[option.name] else {
            #expect(Self.unlisted.contains(option.name))
            return
        }
        // The defaults that are not the library's.
        let own = ["wal_recovery_mode": "kTolerateCorruptedTailRecords", "enforce_single_del_contracts": "false"]
        if let ours = own[option.name] {
            #expect(option.defaultText() == ours)
            return
        }
        // `nil` is written back by leaving the default alone.
        guard let ours = option.defaultText() else {
            #expect(["ttl", "periodic_compaction_seconds", "table_factory"].contains(option.name))
            return
        }
        #expect(normal(ours) == normal(library))
    }

    /// Numbers without regard to their digits, lists of settings without regard to their order.
    private func normal(_ text: String) -> Set<String> {
        let settings = text.trimmed.split(separator: ";").map(String.init)
        return Set(settings.map { Double($0).map { "\($0)" } ?? $0 })
    }

    /// However the option is unset, opening does not go back to RocksDB's default, which loses writes in silence.
    @Test func logRecoveryKeepsItsDefault() throws {
        var unset = OptionSetup()
        unset.database["wal_recovery_mode"] = nil
        var cleared = OptionSetup()
        cleared.database.settings = ["create_if_missing": "true"]
        var set = OptionSetup()
        set.database["wal_recovery_mode"] = "kAbsoluteConsistency"
        for (setup, mode) in [
            (unset, WALRecoveryMode.tolerateCorruptedTail), (cleared, .tolerateCorruptedTail), (set, .absoluteConsistency),
        ] {
            #expect(setup.database.walRecoveryMode == mode)
            #expect(try setup.open { try $0.currentOptions()["wal_recovery_mode"] } == mode.optionText)
        }
    }

    @Test func directories() throws {
        try withDirectory { directory in
            var options = DatabaseOptions(createIfMissing: true)
            options.walDirectory = directory + "/wal"
            options.logDirectory = directory
            let db = try RocksDB(path: directory + "/db", options: options)
            #expect(try db.currentOptions()["wal_dir"] == directory + "/wal")
            #expect(try db.currentOptions()["db_log_dir"] == directory)
            try db.close()
        }
    }

    /// Durations are rounded up to RocksDB's unit, so that a short one never becomes "never".
    @Test func units() {
        var options = DatabaseOptions()
        options.walTTL = .milliseconds(1)
        #expect(options["WAL_ttl_seconds"] == "1")
        options.walTTL = .seconds(Int64.max)
        #expect(options["WAL_ttl_seconds"] == "9223372036854775807")
        options.writeThreadMaxYield = .zero
        #expect(options["write_thread_max_yield_usec"] == "0")
        options.writeThreadMaxYield = .nanoseconds(1_500)
        #expect(options["write_thread_max_yield_usec"] == "2")
        options.walSizeLimit = .bytes(1)
        #expect(options["WAL_size_limit_MB"] == "1")
        options["WAL_size_limit_MB"] = "9223372036854775807"
        #expect(options.walSizeLimit == .mebibytes(.max >> 20))
        options["max_total_wal_size"] = "64M"
        #expect(options.maxTotalWALSize == .mebibytes(64))
        options["max_total_wal_size"] = "18446744073709551615"
        #expect(options.maxTotalWALSize == .bytes(.max))
        var family = ColumnFamilyOptions()
        #expect(family.ttl == nil)
        family.ttl = .seconds(5)
        #expect(family["ttl"] == "5" && family.ttl == .seconds(5))
        family.ttl = nil
        #expect(family.settings["ttl"] == nil)
    }

    /// Nested options: each setting on its own, and by name.
    @Test func nestedOptions() {
        var options = ColumnFamilyOptions()
        #expect(options.compressionOptions == CompressionOptions())
        options.compressionOptions.level = 3
        options.compressionOptions["window_bits"] = "15"
        #expect(options.compressionOptions.level == 3 && options.compressionOptions.windowBits == 15)
        #expect(options.compressionOptions.strategy == 0 && options.compressionOptions.useZSTDDictionaryTrainer)
        options.fifoCompaction.ageForWarm = .seconds(9)
        #expect(options.fifoCompaction.ageForWarm == .seconds(9) && options.fifoCompaction.maxTableFilesSize == .gibibytes(1))
        options.universalCompaction.maxMergeWidth = 5
        #expect(options.universalCompaction.maxMergeWidth == 5 && options.universalCompaction.minMergeWidth == 2)
        options.table.metadataCacheOptions.partitionPinning = .all
        #expect(options.table.metadataCacheOptions.partitionPinning == .all)
        #expect(options.table.metadataCacheOptions.topLevelIndexPinning == .fallback)
    }
}

extension String {
    fileprivate var trimmed: String { hasPrefix("{") && hasSuffix("}") ? String(dropFirst().dropLast()) : self }
}
