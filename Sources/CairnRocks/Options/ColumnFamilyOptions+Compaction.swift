public import CairnCore

// Compaction: when files are merged.
extension ColumnFamilyOptions {
    /// How files are arranged and merged. RocksDB's `compaction_style`. Default: ``CompactionStyle/level``; fixed while open.
    public var compactionStyle: CompactionStyle {
        get { self["compaction_style"] }
        set { self["compaction_style"] = newValue }
    }
    /// Whether files are merged only on request. For bulk loading. RocksDB's `disable_auto_compactions`. Default: false; changeable while
    /// open.
    public var disableAutoCompactions: Bool {
        get { self["disable_auto_compactions"] }
        set { self["disable_auto_compactions"] = newValue }
    }
    /// Which file of a level is merged next. RocksDB's `compaction_pri`. Default: ``CompactionPriority/minOverlappingRatio``; fixed while
    /// open.
    public var compactionPriority: CompactionPriority {
        get { self["compaction_pri"] }
        set { self["compaction_pri"] = newValue }
    }
    /// The number of files in level 0 that triggers merging them into the next level; if negative, their number never does. RocksDB treats
    /// 0 as 1. RocksDB's `level0_file_num_compaction_trigger`. Default: 4; changeable while open.
    public var level0FileCountCompactionTrigger: Int {
        get { self["level0_file_num_compaction_trigger"] }
        set { self["level0_file_num_compaction_trigger"] = newValue }
    }
    /// The number of files in level 0 at which writers are slowed down; RocksDB raises it to ``level0FileCountCompactionTrigger``.
    /// RocksDB's `level0_slowdown_writes_trigger`. Default: 20; changeable while open.
    public var level0SlowdownWritesTrigger: Int {
        get { self["level0_slowdown_writes_trigger"] }
        set { self["level0_slowdown_writes_trigger"] = newValue }
    }
    /// The number of files in level 0 at which writers wait; RocksDB raises it to ``level0SlowdownWritesTrigger``. RocksDB's
    /// `level0_stop_writes_trigger`. Default: 36; changeable while open.
    public var level0StopWritesTrigger: Int {
        get { self["level0_stop_writes_trigger"] }
        set { self["level0_stop_writes_trigger"] = newValue }
    }
    /// How much data may wait to be merged before writers are slowed down. RocksDB's `soft_pending_compaction_bytes_limit`. Default: 64
    /// GiB; changeable while open.
    public var softPendingCompactionLimit: ByteCount {
        get { self["soft_pending_compaction_bytes_limit"] }
        set { self["soft_pending_compaction_bytes_limit"] = newValue }
    }
    /// How much data may wait to be merged before writers wait; zero means no limit. RocksDB's `hard_pending_compaction_bytes_limit`.
    /// Default: 256 GiB; changeable while open.
    public var hardPendingCompactionLimit: ByteCount {
        get { self["hard_pending_compaction_bytes_limit"] }
        set { self["hard_pending_compaction_bytes_limit"] = newValue }
    }
    /// The approximate amount of data in one compaction; zero means 25 times ``targetFileSizeBase``. RocksDB's `max_compaction_bytes`.
    /// Default: zero; changeable while open.
    public var maxCompactionSize: ByteCount {
        get { self["max_compaction_bytes"] }
        set { self["max_compaction_bytes"] = newValue }
    }
    /// Whether files that lie entirely within a compaction's range join it even beyond ``maxCompactionSize``. RocksDB's
    /// `ignore_max_compaction_bytes_for_input`. Default: true; changeable while open.
    public var ignoreMaxCompactionSizeForInput: Bool {
        get { self["ignore_max_compaction_bytes_for_input"] }
        set { self["ignore_max_compaction_bytes_for_input"] = newValue }
    }
    /// The age at which a file's data is merged downwards, which removes deleted entries; ``CompactionStyle/fifo`` deletes the file
    /// instead. In whole seconds; zero means never; `nil` leaves it to RocksDB: 30 days for block-based tables. RocksDB's `ttl`. Default:
    /// nil; changeable while open.
    public var ttl: Duration? {
        get { self[automaticSeconds: "ttl"] }
        set { self[automaticSeconds: "ttl"] = newValue }
    }
    /// The age at which a file is rewritten, so that compaction filters see its entries. In whole seconds; zero means never; `nil` leaves
    /// it to RocksDB: 30 days if there is a compaction filter, otherwise never. RocksDB's `periodic_compaction_seconds`. Default: nil;
    /// changeable while open.
    public var periodicCompactionInterval: Duration? {
        get { self[automaticSeconds: "periodic_compaction_seconds"] }
        set { self[automaticSeconds: "periodic_compaction_seconds"] = newValue }
    }
    /// The settings of ``CompactionStyle/universal``. Changeable while open. RocksDB's `compaction_options_universal`.
    public var universalCompaction: UniversalCompactionOptions {
        get { self["compaction_options_universal"] }
        set { self["compaction_options_universal"] = newValue }
    }
    /// The settings of ``CompactionStyle/fifo``. Changeable while open. RocksDB's `compaction_options_fifo`.
    public var fifoCompaction: FIFOCompactionOptions {
        get { self["compaction_options_fifo"] }
        set { self["compaction_options_fifo"] = newValue }
    }
    /// The name of a registered C++ compaction filter; the library includes `RemoveEmptyValueCompactionFilter`. RocksDB's
    /// `compaction_filter`. Default: `nullptr`, none; fixed while open.
    public var compactionFilterName: String {
        get { self["compaction_filter"] }
        set { self["compaction_filter"] = newValue }
    }
    /// The name of a registered C++ compaction filter factory; the library includes none. RocksDB's `compaction_filter_factory`. Default:
    /// `nullptr`, none; fixed while open.
    public var compactionFilterFactoryName: String {
        get { self["compaction_filter_factory"] }
        set { self["compaction_filter_factory"] = newValue }
    }
    /// Where compaction must start a new file. RocksDB's `sst_partitioner_factory`. Default: ``SSTPartitioner/none``; fixed while open.
    public var sstPartitioner: SSTPartitioner {
        get { self["sst_partitioner_factory"] }
        set { self["sst_partitioner_factory"] = newValue }
    }
}
