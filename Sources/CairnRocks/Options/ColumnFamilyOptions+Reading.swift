// Reads and checks.
extension ColumnFamilyOptions {
    /// The part of a key that is its prefix, for filters, hash memtables and plain tables; the order must keep keys with the same prefix
    /// together. It can differ each time the column family is opened: files written with an extractor of another name are read without
    /// their prefix filters. RocksDB's `prefix_extractor`. Default: ``PrefixExtractor/none``; changeable while open.
    public var prefixExtractor: PrefixExtractor {
        get {
            let named: PrefixExtractor = self["prefix_extractor"]
            return customPrefixExtractor == named ? customPrefixExtractor ?? named : named
        }
        set {
            self["prefix_extractor"] = newValue
            customPrefixExtractor = newValue.isCustom ? newValue : nil
        }
    }
    /// Whether the last level has no filters, which saves most of their memory if nearly all keys looked up exist. RocksDB's
    /// `optimize_filters_for_hits`. Default: false; fixed while open.
    public var optimizeFiltersForHits: Bool {
        get { self["optimize_filters_for_hits"] }
        set { self["optimize_filters_for_hits"] = newValue }
    }
    /// The number of versions of one key after which a cursor seeks to the next key instead of stepping. RocksDB's
    /// `max_sequential_skip_in_iterations`. Default: 8; changeable while open.
    public var maxSequentialSkipInIterations: Int {
        get { self["max_sequential_skip_in_iterations"] }
        set { self["max_sequential_skip_in_iterations"] = newValue }
    }
    /// Whether the file layout is checked each time it changes. RocksDB's `force_consistency_checks`. Default: true; fixed while open.
    public var forceConsistencyChecks: Bool {
        get { self["force_consistency_checks"] }
        set { self["force_consistency_checks"] = newValue }
    }
    /// Whether flushes and compactions check that they write keys in order. RocksDB's `check_flush_compaction_key_order`. Default: true;
    /// changeable while open.
    public var checkFlushCompactionKeyOrder: Bool {
        get { self["check_flush_compaction_key_order"] }
        set { self["check_flush_compaction_key_order"] = newValue }
    }
    /// Whether each new file is read back and compared with what was written. RocksDB's `paranoid_file_checks`. Default: false; changeable
    /// while open.
    public var paranoidFileChecks: Bool {
        get { self["paranoid_file_checks"] }
        set { self["paranoid_file_checks"] = newValue }
    }
    /// Whether the time that flushes and compactions spend in I/O is measured. RocksDB's `report_bg_io_stats`. Default: false; changeable
    /// while open.
    public var reportBackgroundIOStats: Bool {
        get { self["report_bg_io_stats"] }
        set { self["report_bg_io_stats"] = newValue }
    }
}
