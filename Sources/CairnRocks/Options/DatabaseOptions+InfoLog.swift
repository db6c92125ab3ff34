public import CairnCore

// RocksDB's text log (`LOG`) and the statistics it contains.
extension DatabaseOptions {
    /// The lowest severity of messages that are written to the log. RocksDB's `info_log_level`. Default: ``InfoLogLevel/info``
    /// (``InfoLogLevel/debug`` where the headers were compiled with assertions); fixed while open.
    public var infoLogLevel: InfoLogLevel {
        get { self["info_log_level"] }
        set { self["info_log_level"] = newValue }
    }
    /// The size at which a new log is started; zero means no limit. RocksDB's `max_log_file_size`. Default: zero; fixed while open.
    public var maxLogFileSize: ByteCount {
        get { self["max_log_file_size"] }
        set { self["max_log_file_size"] = newValue }
    }
    /// The age at which a new log is started; zero means never. RocksDB's `log_file_time_to_roll`. Default: zero; fixed while open.
    public var logFileTimeToRoll: Duration {
        get { self[seconds: "log_file_time_to_roll"] }
        set { self[seconds: "log_file_time_to_roll"] = newValue }
    }
    /// How many old logs (`LOG.old.*`) are kept; at least one. RocksDB's `keep_log_file_num`. Default: 1000; fixed while open.
    public var keepLogFileCount: Int {
        get { self["keep_log_file_num"] }
        set { self["keep_log_file_num"] = newValue }
    }
    /// The directory of the log; if empty, the database's own. RocksDB's `db_log_dir`. Default: empty; fixed while open.
    public var logDirectory: String {
        get { self["db_log_dir"] }
        set { self["db_log_dir"] = newValue }
    }
    /// How often statistics are written to the log; zero means never. RocksDB's `stats_dump_period_sec`. Default: 10 min; changeable while
    /// open.
    public var statsDumpPeriod: Duration {
        get { self[seconds: "stats_dump_period_sec"] }
        set { self[seconds: "stats_dump_period_sec"] = newValue }
    }
    /// Whether the allocator's statistics are written too, if the library was built with jemalloc. RocksDB's `dump_malloc_stats`. Default:
    /// false; fixed while open.
    public var dumpMallocStats: Bool {
        get { self["dump_malloc_stats"] }
        set { self["dump_malloc_stats"] = newValue }
    }
    /// How often ``statistics`` are added to the history that RocksDB keeps; zero means never. RocksDB's `stats_persist_period_sec`.
    /// Default: 10 min; changeable while open.
    public var statsPersistPeriod: Duration {
        get { self[seconds: "stats_persist_period_sec"] }
        set { self[seconds: "stats_persist_period_sec"] = newValue }
    }
    /// The maximum memory for the history. RocksDB's `stats_history_buffer_size`. Default: 1 MiB; changeable while open.
    public var statsHistoryBufferSize: ByteCount {
        get { self["stats_history_buffer_size"] }
        set { self["stats_history_buffer_size"] = newValue }
    }
    /// Whether the history is kept in a hidden column family, `___rocksdb_stats_history___`, instead of in memory. RocksDB's
    /// `persist_stats_to_disk`. Default: false; fixed while open.
    public var persistStatsToDisk: Bool {
        get { self["persist_stats_to_disk"] }
        set { self["persist_stats_to_disk"] = newValue }
    }
}
