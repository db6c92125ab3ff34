public import CairnCore

// The shape of the levels.
extension ColumnFamilyOptions {
    /// How many levels there are, level 0 included; at least 2 with ``CompactionStyle/level``. A database cannot be opened with fewer than
    /// hold data. Default: 7; fixed while open.
    public var levelCount: Int {
        get { self["num_levels"] }
        set { self["num_levels"] = newValue }
    }
    /// How much level 1 may hold. Default: 256 MiB; changeable while open.
    public var maxBytesForLevelBase: ByteCount {
        get { self["max_bytes_for_level_base"] }
        set { self["max_bytes_for_level_base"] = newValue }
    }
    /// How many times more each further level may hold. Default: 10; changeable while open.
    public var maxBytesForLevelMultiplier: Double {
        get { self["max_bytes_for_level_multiplier"] }
        set { self["max_bytes_for_level_multiplier"] = newValue }
    }
    /// A further factor for each level from 0 on. Default: 1 for each of ``levelCount``; changeable while open.
    public var maxBytesForLevelMultiplierAdditional: [Int] {
        get { self["max_bytes_for_level_multiplier_additional"] }
        set { self["max_bytes_for_level_multiplier_additional"] = newValue }
    }
    /// Whether the sizes of levels are derived from that of the last one, which keeps the overhead in space near a tenth. Best decided when
    /// the database is made. Default: false; fixed while open.
    public var levelCompactionDynamicLevelBytes: Bool {
        get { self["level_compaction_dynamic_level_bytes"] }
        set { self["level_compaction_dynamic_level_bytes"] = newValue }
    }
    /// Whether files are cut where files of the next level begin, from nothing to twice the target size: less rewriting. Default: true;
    /// fixed while open.
    public var levelCompactionDynamicFileSize: Bool {
        get { self["level_compaction_dynamic_file_size"] }
        set { self["level_compaction_dynamic_file_size"] = newValue }
    }
    /// How large files of level 1 become. Default: 64 MiB; changeable while open.
    public var targetFileSizeBase: ByteCount {
        get { self["target_file_size_base"] }
        set { self["target_file_size_base"] = newValue }
    }
    /// How many times larger files of each further level become. Default: 1; changeable while open.
    public var targetFileSizeMultiplier: Int {
        get { self["target_file_size_multiplier"] }
        set { self["target_file_size_multiplier"] = newValue }
    }
    /// What a file system that knows storage tiers is told about files of the last level. Experimental. Default: ``Temperature/unknown``;
    /// changeable while open.
    public var lastLevelTemperature: Temperature {
        get { self["last_level_temperature"] }
        set { self["last_level_temperature"] = newValue }
    }
    /// How long new data is kept out of the last level; zero: not at all. Experimental. Default: zero; fixed while open.
    public var precludeLastLevelDuration: Duration {
        get { self[seconds: "preclude_last_level_data_seconds"] }
        set { self[seconds: "preclude_last_level_data_seconds"] = newValue }
    }
    /// For how long RocksDB remembers when data was written, without acting on it; zero: not at all. Experimental. Default: zero; fixed
    /// while open.
    public var preserveInternalTimeDuration: Duration {
        get { self[seconds: "preserve_internal_time_seconds"] }
        set { self[seconds: "preserve_internal_time_seconds"] = newValue }
    }
}
