public import CairnCore

/// How files are arranged and merged; RocksDB's `CompactionStyle`.
public struct CompactionStyle: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Levels, each several times larger than the one above: fast reads and little extra space.
    public static let level = CompactionStyle(rawValue: "kCompactionStyleLevel")
    /// Sorted runs that are merged when they have similar sizes: less writing, but more space and slower reads.
    public static let universal = CompactionStyle(rawValue: "kCompactionStyleUniversal")
    /// The oldest files are **deleted** when there is too much data or they are too old: for caches and logs.
    public static let fifo = CompactionStyle(rawValue: "kCompactionStyleFIFO")
    /// Files are merged only on request. At ``ColumnFamilyOptions/level0StopWritesTrigger`` files, writers wait until a compaction is requested.
    public static let none = CompactionStyle(rawValue: "kCompactionStyleNone")
}

/// Which file of a level is merged next; RocksDB's `CompactionPri`.
public struct CompactionPriority: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Large files; files with many deletions come first.
    public static let byCompensatedSize = CompactionPriority(rawValue: "kByCompensatedSize")
    /// The file whose newest entry is the oldest: if few keys are overwritten often.
    public static let oldestLargestSequenceFirst = CompactionPriority(rawValue: "kOldestLargestSeqFirst")
    /// The file whose range has not been merged for the longest time: if keys are overwritten evenly.
    public static let oldestSmallestSequenceFirst = CompactionPriority(rawValue: "kOldestSmallestSeqFirst")
    /// The file that overlaps least with the next level: least writing in most cases.
    public static let minOverlappingRatio = CompactionPriority(rawValue: "kMinOverlappingRatio")
    /// Each file in turn.
    public static let roundRobin = CompactionPriority(rawValue: "kRoundRobin")
}

/// The settings of ``CompactionStyle/universal``; RocksDB's `CompactionOptionsUniversal`. See ``NamedOptions`` for setting one by name.
public struct UniversalCompactionOptions: NestedOptions {
    public var settings: [String: String] = [:]
    /// Creates RocksDB's default options.
    public init() {}

    public static let defaults = parseOptionText(ColumnFamilyOptions.defaults["compaction_options_universal"] ?? "")

    /// The percentage by which the next run may be larger than the runs before it and still be merged with them. RocksDB's `size_ratio`.
    /// Default: 1.
    public var sizeRatio: Int {
        get { self["size_ratio"] }
        set { self["size_ratio"] = newValue }
    }
    /// The minimum number of runs that are merged; 2 or more. RocksDB's `min_merge_width`. Default: 2.
    public var minMergeWidth: Int {
        get { self["min_merge_width"] }
        set { self["min_merge_width"] = newValue }
    }
    /// The maximum number of runs that are merged; 2 or more. RocksDB's `max_merge_width`. Default: 4,294,967,295.
    public var maxMergeWidth: Int {
        get { self["max_merge_width"] }
        set { self["max_merge_width"] = newValue }
    }
    /// The percentage by which all other runs may exceed the oldest before everything is merged: the limit on wasted space. RocksDB's
    /// `max_size_amplification_percent`. Default: 200.
    public var maxSizeAmplificationPercent: Int {
        get { self["max_size_amplification_percent"] }
        set { self["max_size_amplification_percent"] = newValue }
    }
    /// The percentage of the data, oldest first, that is compressed; -1 means all. RocksDB's `compression_size_percent`. Default: -1.
    public var compressionSizePercent: Int {
        get { self["compression_size_percent"] }
        set { self["compression_size_percent"] = newValue }
    }
    /// How ``sizeRatio`` is measured. RocksDB's `stop_style`. Default: ``StopStyle/totalSize``.
    public var stopStyle: StopStyle {
        get { self["stop_style"] }
        set { self["stop_style"] = newValue }
    }
    /// Whether files that do not overlap others are moved rather than rewritten. RocksDB's `allow_trivial_move`. Default: false.
    public var allowTrivialMove: Bool {
        get { self["allow_trivial_move"] }
        set { self["allow_trivial_move"] = newValue }
    }
    /// Whether merges are kept below ``ColumnFamilyOptions/maxCompactionSize``. Experimental. RocksDB's `incremental`. Default: false.
    public var incremental: Bool {
        get { self["incremental"] }
        set { self["incremental"] = newValue }
    }

    /// When a merge stops adding runs; RocksDB's `CompactionStopStyle`.
    public struct StopStyle: OptionChoice {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// When the size of the next run differs from that of the last.
        public static let similarSize = StopStyle(rawValue: "kCompactionStopStyleSimilarSize")
        /// When the next run is larger than all runs before it together.
        public static let totalSize = StopStyle(rawValue: "kCompactionStopStyleTotalSize")
    }
}

/// The settings of ``CompactionStyle/fifo``; RocksDB's `CompactionOptionsFIFO`. See ``NamedOptions`` for setting one by name.
public struct FIFOCompactionOptions: NestedOptions {
    public var settings: [String: String] = [:]
    /// Creates RocksDB's default options.
    public init() {}

    public static let defaults = parseOptionText(ColumnFamilyOptions.defaults["compaction_options_fifo"] ?? "")

    /// The total size of all files at which the oldest are **deleted**. RocksDB's `max_table_files_size`. Default: 1 GiB.
    public var maxTableFilesSize: ByteCount {
        get { self["max_table_files_size"] }
        set { self["max_table_files_size"] = newValue }
    }
    /// Whether small files are merged into larger ones. RocksDB's `allow_compaction`. Default: false.
    public var allowCompaction: Bool {
        get { self["allow_compaction"] }
        set { self["allow_compaction"] = newValue }
    }
    /// The age at which a file is moved to warm storage; zero means never. RocksDB's `age_for_warm`. Default: zero.
    public var ageForWarm: Duration {
        get { self[seconds: "age_for_warm"] }
        set { self[seconds: "age_for_warm"] = newValue }
    }
}
