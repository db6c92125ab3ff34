public import CairnCore

// The shape of the levels.
extension ColumnFamilyOptions {
    /// The number of levels, including level 0; at least 2 with ``CompactionStyle/level``. A database cannot be opened with fewer levels than its
    /// data occupies. RocksDB's `num_levels`. Default: 7; fixed while open.
    public var levelCount: Int {
        get { self["num_levels"] }
        set { self["num_levels"] = newValue }
    }
    /// The maximum size of level 1. RocksDB's `max_bytes_for_level_base`. Default: 256 MiB; changeable while open.
    public var maxBytesForLevelBase: ByteCount {
        get { self["max_bytes_for_level_base"] }
        set { self["max_bytes_for_level_base"] = newValue }
    }
    /// The ratio of each further level's maximum size to that of the level above. RocksDB's `max_bytes_for_level_multiplier`. Default: 10;
    /// changeable while open.
    public var maxBytesForLevelMultiplier: Double {
        get { self["max_bytes_for_level_multiplier"] }
        set { self["max_bytes_for_level_multiplier"] = newValue }
    }
    /// An additional size factor for each level, starting at 0. RocksDB's `max_bytes_for_level_multiplier_additional`. Default: 1 for each
    /// of ``levelCount``; changeable while open.
    public var maxBytesForLevelMultiplierAdditional: [Int] {
        get { self["max_bytes_for_level_multiplier_additional"] }
        set { self["max_bytes_for_level_multiplier_additional"] = newValue }
    }
    /// Whether the sizes of levels are derived from the size of the last one, which keeps the space overhead near 10 %. Best decided when
    /// the database is created. RocksDB's `level_compaction_dynamic_level_bytes`. Default: false; fixed while open.
    public var levelCompactionDynamicLevelBytes: Bool {
        get { self["level_compaction_dynamic_level_bytes"] }
        set { self["level_compaction_dynamic_level_bytes"] = newValue }
    }
    /// Whether files are cut where files of the next level begin, at any size up to twice the target; this means less rewriting. RocksDB's
    /// `level_compaction_dynamic_file_size`. Default: true; fixed while open.
    public var levelCompactionDynamicFileSize: Bool {
        get { self["level_compaction_dynamic_file_size"] }
        set { self["level_compaction_dynamic_file_size"] = newValue }
    }
    /// The target size of files in level 1. RocksDB's `target_file_size_base`. Default: 64 MiB; changeable while open.
    public var targetFileSizeBase: ByteCount {
        get { self["target_file_size_base"] }
        set { self["target_file_size_base"] = newValue }
    }
    /// The ratio of each further level's target file size to that of the level above. RocksDB's `target_file_size_multiplier`. Default: 1;
    /// changeable while open.
    public var targetFileSizeMultiplier: Int {
        get { self["target_file_size_multiplier"] }
        set { self["target_file_size_multiplier"] = newValue }
    }
    /// The temperature reported for files of the last level to a file system that has storage tiers. Experimental. RocksDB's
    /// `last_level_temperature`. Default: ``Temperature/unknown``; changeable while open.
    public var lastLevelTemperature: Temperature {
        get { self["last_level_temperature"] }
        set { self["last_level_temperature"] = newValue }
    }
    /// How long new data is kept out of the last level; zero means not at all. Experimental. RocksDB's `preclude_last_level_data_seconds`.
    /// Default: zero; fixed while open.
    public var precludeLastLevelDuration: Duration {
        get { self[seconds: "preclude_last_level_data_seconds"] }
        set { self[seconds: "preclude_last_level_data_seconds"] = newValue }
    }
    /// How long RocksDB remembers when data was written, without acting on it; zero means not at all. Experimental. RocksDB's
    /// `preserve_internal_time_seconds`. Default: zero; fixed while open.
    public var preserveInternalTimeDuration: Duration {
        get { self[seconds: "preserve_internal_time_seconds"] }
        set { self[seconds: "preserve_internal_time_seconds"] = newValue }
    }
}
