import CRocks
import CairnCore

/// Rules for values that are refused before RocksDB sees them: those that it silently reads as something else, and those that make it end the
/// process.
package enum OptionRules {
    /// Numbers that may be negative. All others are unsigned in RocksDB, which reads -1 as the largest number.
    static let signed: Set<String> = [
        "max_open_files", "max_background_jobs", "max_background_compactions", "max_background_flushes", "max_file_opening_threads",
        "max_bgerror_resume_count", "table_cache_numshardbits", "max_write_buffer_number", "min_write_buffer_number_to_merge",
        "max_write_buffer_number_to_maintain", "max_write_buffer_size_to_maintain", "num_levels", "level0_file_num_compaction_trigger",
        "level0_slowdown_writes_trigger", "level0_stop_writes_trigger", "target_file_size_multiplier", "blob_file_starting_level",
        "block_size_deviation", "block_restart_interval", "index_block_restart_interval", "window_bits", "level", "strategy",
        "compression_size_percent", "logging_threshold",
    ]

    private static let readahead: ClosedRange<Int128> = 0...(256 << 20)
    private static let threads: ClosedRange<Int128> = -1...512

    /// The ranges that RocksDB can handle, where it accepts more than that. Outside, a flush or compaction runs out of memory or threads, divides by
    /// zero or trips an assertion, and the process ends. Found by trying small, negative and huge values for each option of 7.8.3.
    static let numbers: [String: ClosedRange<Int128>] = [
        "max_background_jobs": threads, "max_background_compactions": threads, "max_background_flushes": threads,
        "max_file_opening_threads": threads, "table_cache_numshardbits": -1...19,
        "compaction_readahead_size": readahead, "log_readahead_size": readahead, "blob_compaction_readahead_size": readahead,
        "max_auto_readahead_size": readahead, "initial_auto_readahead_size": readahead, "manifest_preallocation_size": 0...(1 << 30),
        "write_buffer_size": 0...(64 << 30), "num_levels": 0...1000, "inplace_update_num_locks": 1...(1 << 20),
        "sample_for_compression": 0...Int128(Int32.max), "parallel_threads": 1...64,
        "bucket_count": 1...Int128(UInt32.max), "skiplist_height": 1...32, "branching_factor": 1...1000,
        "user_key_len": 0...0, "bloom_bits_per_key": 0...1000,
    ]

    /// The same for fractions.
    static let fractions: [String: ClosedRange<Double>] = ["hash_table_ratio": 0.01...1]

    /// Values that an option must not include, and why.
    static let words: [String: (word: String, reason: String)] = [
        "compression": (Compression.inherited.rawValue, "there is nothing to inherit from"),
        "compression_per_level": (Compression.inherited.rawValue, "there is nothing to inherit from"),
        "blob_compression_type": (Compression.inherited.rawValue, "there is nothing to inherit from"),
        "full_scan_mode": ("true", "getting a key would crash the process"),
    ]

    /// Substrings that an option's value must not contain, and why.
    static let parts: [String: (parts: [String], reason: String)] = [
        "merge_operator": (["sortlist", "MergeSortOperator"], "operands that are not lists of numbers would crash the process"),
        "comparator": (["u64ts"], "for keys with timestamps set keepsHistory; reading without times would crash the process"),
    ]

    /// The reason why a merge operator with this name is refused, if it is.
    static func refusal(ofMergeOperator name: String) -> String? {
        guard let rule = parts["merge_operator"], rule.parts.contains(where: name.contains) else { return nil }
        return rule.reason
    }

    /// Options that RocksDB 11 still reads, but ignores. A library that ignores an option does not list it among its own.
    package static let retired: Set<String> = [
        "check_flush_compaction_key_order", "fail_if_options_file_error", "ignore_max_compaction_bytes_for_input",
        "level_compaction_dynamic_file_size", "max_write_buffer_number_to_maintain", "random_access_max_buffer_size",
        "skip_checking_sst_file_sizes_on_db_open",
    ]

    /// Options whose value is a list of options.
    static let nested: [String: any NestedOptions.Type] = [
        "compression_opts": CompressionOptions.self, "bottommost_compression_opts": CompressionOptions.self,
        "compaction_options_universal": UniversalCompactionOptions.self, "compaction_options_fifo": FIFOCompactionOptions.self,
    ]

    /// Options whose value is an object: a name, possibly with numbers.
    static let objects: Set<String> = [
        "memtable_factory", "prefix_extractor", "memtable_insert_with_hint_prefix_extractor", "table_factory", "sst_partitioner_factory",
    ]
}

extension NamedOptions {
    /// Refuses options that a library would read and ignore; `listed` are the options that it lists.
    package func checkRetired(listed: [String: String] = Self.defaults) throws(RocksError) {
        guard let name = settings.keys.filter({ OptionRules.retired.contains($0) && listed[$0] == nil }).min() else { return }
        let others: [any NamedOptions.Type] = [DatabaseOptions.self, ColumnFamilyOptions.self]
        if let owner = others.first(where: { $0 != Self.self && $0.defaults[name] != nil }) {
            throw RocksError(.invalidOption, "'\(name)' is not an option of \(Self.self); set it in \(owner)")
        }
        throw RocksError(.invalidOption, "RocksDB \(RocksDB.libraryVersion) does not have the option '\(name)'; do not set it")
    }

    /// Refuses what ``OptionRules`` refuses.
    func checkRules() throws(RocksError) {
        try checkRetired()
        for (name, text) in settings {
            try checkRange(name, text)
            do {
                if let type = OptionRules.nested[name] {
                    try type.init(optionText: text)?.checkRules()
                } else if OptionRules.objects.contains(name) {
                    try checkObject(name, text)
                }
            } catch {
                throw refusal(name, text, error.message)
            }
        }
        if let options = self as? ColumnFamilyOptions { try options.checkTogether() }
        if let options = self as? DatabaseOptions { try options.checkTogether() }
    }

    private func checkRange(_ name: String, _ text: String) throws(RocksError) {
        let usual = Self.defaults[name] ?? ""
        if let rule = OptionRules.words[name], text.split(separator: ":").contains(Substring(rule.word)) {
            throw refusal(name, text, rule.reason)
        }
        if let rule = OptionRules.parts[name], rule.parts.contains(where: text.contains) { throw refusal(name, text, rule.reason) }
        let range = OptionRules.numbers[name]
        if range != nil || wholeNumber(usual) != nil {
            guard let number = wholeNumber(text) else { throw refusal(name, text, "expected a whole number") }
            if let range, !range.contains(number) {
                throw refusal(name, text, "it must be from \(range.lowerBound) to \(range.upperBound)")
            }
            if number < 0, !OptionRules.signed.contains(name) { throw refusal(name, text, "it cannot be negative") }
        } else if Double(usual) != nil {
            guard let number = Double(text), number.isFinite else { throw refusal(name, text, "expected a number") }
            if let range = OptionRules.fractions[name], !range.contains(number) {
                throw refusal(name, text, "it must be from \(range.lowerBound) to \(range.upperBound)")
            }
        }
    }

    /// Checks an object, written as `name`, `name:number`, `name.number` or `{id=name;setting=value}`.
    private func checkObject(_ name: String, _ text: String) throws(RocksError) {
        if name == "memtable_insert_with_hint_prefix_extractor", text != "nullptr", crk_version() < 10_004_000 {
            throw RocksError(.invalidOption, "with RocksDB before 10.4 the first deleteRange would crash the process")
        }
        var settings = parseOptionText(text.withoutBraces)
        let kind = settings.removeValue(forKey: "id") ?? text
        if let mark = kind.lastIndex(where: { ":.".contains($0) }), let number = wholeNumber(String(kind[mark...].dropFirst())) {
            guard number >= 0 else { throw RocksError(.invalidOption, "numbers cannot be negative") }
            if kind.hasHash { settings["bucket_count"] = String(number) }
        }
        if kind == "CuckooTable" { throw RocksError(.invalidOption, "getting a key of another length would crash the process") }
        if kind == TableFormat.blockBased.rawValue {
            var options = TableOptions()
            options.settings = settings
            try options.checkRules()
        } else {
            try ObjectSettings(settings: settings).checkRules()
        }
    }

    fileprivate func refusal(_ name: String, _ text: String, _ reason: String) -> RocksError {
        RocksError(.invalidOption, "option '\(name)' does not accept '\(text)': \(reason)")
    }
}

extension DatabaseOptions {
    fileprivate func checkTogether() throws(RocksError) {
        if let memoryBudget, memoryBudget < .mebibytes(1) {
            throw RocksError(.invalidOption, "memoryBudget is \(memoryBudget); RocksDB needs at least 1 MiB")
        }
        // RocksDB then reads with direct I/O in compactions, and asserts that it does not do so with mapped files.
        if allowMmapReads, useDirectIOForFlushAndCompaction {
            let reason = "with use_direct_io_for_flush_and_compaction, opening a file would crash the process"
            throw refusal("allow_mmap_reads", "true", reason)
        }
        // Space that is mapped but not allocated cannot be written to.
        if allowMmapWrites, !allowFallocate {
            throw refusal("allow_mmap_writes", "true", "without allow_fallocate, writing would crash the process")
        }
        if unorderedWrite, manualWALFlush {
            throw refusal("unordered_write", "true", "with manual_wal_flush, writers would wait forever")
        }
        if recycleLogFileCount > 0, walRecoveryMode == .skipAnyCorrupted, crk_version() < 9_001_000 {
            let reason = "with kSkipAnyCorruptedRecords and RocksDB before 9.1, a flush would crash the process"
            throw refusal("recycle_log_file_num", String(recycleLogFileCount), reason)
        }
    }
}

extension ColumnFamilyOptions {
    /// Checks combinations of options that RocksDB's asserts check.
    fileprivate func checkTogether() throws(RocksError) {
        if keepsHistory { try checkHistory() }
        try checkFilters()
        if let name = settings["compaction_filter"], name != "nullptr", compactionFilter != nil {
            throw refusal("compaction_filter", name, "it would silently override compactionFilter; set only one")
        }
        // Otherwise, files could be written only once, and not read.
        if tableFormat.rawValue.contains("PlainTable"), prefixExtractor == .none, customPrefixExtractor == nil {
            throw refusal("table_factory", tableFormat.rawValue, "plain tables need a prefix_extractor")
        }
        // A new memtable must not be full from the start.
        let room = max(writeBufferSize, .kibibytes(64))
        guard arenaBlockSize <= room else {
            throw refusal("arena_block_size", self["arena_block_size"] ?? "", "it must not exceed write_buffer_size, \(room)")
        }
        let text = memtableFactory.rawValue
        guard text.hasHash else { return }
        let given = parseOptionText(text.withoutBraces)["bucket_count"] ?? text.split(separator: ":").dropFirst().last.map(String.init)
        let buckets = given.flatMap { wholeNumber($0) } ?? (text.contains("Skip") || text.contains("prefix") ? 1_000_000 : 50_000)
        guard buckets * 8 <= room.bytes / 2 else {
            throw refusal("memtable_factory", text, "its buckets need half of write_buffer_size, \(room), or more")
        }
    }
}

extension ColumnFamilyOptions {
    /// Whole-key filters compare bytes: they would miss keys that are equal to the one looked up but not identical.
    private func checkFilters() throws(RocksError) {
        let byName = settings["comparator"]?.hasPrefix("cairn.") == true
        guard comparator?.equalKeys == .anyBytes || (comparator == nil && byName) else { return }
        let reason = "the comparator treats some keys with different bytes as equal, and a filter would miss them; "
        if memtableBloomSizeRatio > 0, memtableWholeKeyFiltering {
            throw refusal("memtable_whole_key_filtering", "true", reason + "turn it off, or give the comparator equalKeys: .sameBytes")
        }
        var tables = [table.settings]
        for name in ["table_factory", "block_based_table_factory"] {
            if let text = settings[name] { tables.append(parseOptionText(text.withoutBraces)) }
        }
        for settings in tables {
            guard let filter = settings["filter_policy"], filter != FilterPolicy.none.rawValue else { continue }
            guard Bool(optionText: settings["whole_key_filtering"] ?? "true") != false else { continue }
            throw refusal("filter_policy", filter, reason + "turn whole_key_filtering off, or give the comparator equalKeys: .sameBytes")
        }
    }

    /// Checks what cannot be combined with timestamps at the ends of keys: RocksDB 7.8 reads blobs as damaged, misses versions of values updated
    /// in place, and only walks plain tables forwards.
    private func checkHistory() throws(RocksError) {
        let against: [(String, Bool)] = [
            ("comparator", comparator != nil || settings["comparator"] != nil), ("merge_operator", mergeOperator != nil),
            ("merge_operator", self["merge_operator"].map { $0 != "nullptr" } ?? false),
            ("enable_blob_files", enableBlobFiles), ("inplace_update_support", inPlaceUpdateSupport),
            ("table_factory", settings["table_factory"].map { !$0.contains(TableFormat.blockBased.rawValue) } ?? false),
            ("memtable_factory", memtableFactory != .skipList),
            ("compaction_filter", compactionFilter != nil || self["compaction_filter"].map { $0 != "nullptr" } ?? false),
        ]
        for (name, isSet) in against where isSet {
            throw RocksError(.invalidOption, "option '\(name)' cannot be combined with keepsHistory")
        }
    }
}

extension String {
    /// Whether this names a hash memtable.
    fileprivate var hasHash: Bool { contains("Hash") || contains("prefix_hash") || contains("hash_linkedlist") }
}

/// The settings of an object, used only to apply the rules.
private struct ObjectSettings: NamedOptions {
    var settings: [String: String]
    static let defaults = PlainTableOptions.defaults.merging([
        "count": "0", "lookahead": "0", "bucket_count": "0", "threshold": "0", "huge_page_size": "0", "logging_threshold": "0",
        "length": "0", "skiplist_height": "4", "branching_factor": "4",
    ]) { $1 }
}
