// Opening, recovery and closing.
extension DatabaseOptions {
    /// Whether opening creates the database if the directory holds none; the parent directory must exist. RocksDB's `create_if_missing`.
    /// Default: false; fixed while open.
    public var createIfMissing: Bool {
        get { self["create_if_missing"] }
        set { self["create_if_missing"] = newValue }
    }
    /// Whether opening creates column families that are named but do not exist. RocksDB's `create_missing_column_families`. Default: false;
    /// fixed while open.
    public var createMissingColumnFamilies: Bool {
        get { self["create_missing_column_families"] }
        set { self["create_missing_column_families"] = newValue }
    }
    /// Whether opening fails if the database exists. RocksDB's `error_if_exists`. Default: false; fixed while open.
    public var errorIfExists: Bool {
        get { self["error_if_exists"] }
        set { self["error_if_exists"] = newValue }
    }
    /// Whether damage found while opening, or a failed write, stops all writes until the database is reopened, instead of being ignored.
    /// RocksDB's `paranoid_checks`. Default: true; fixed while open.
    public var paranoidChecks: Bool {
        get { self["paranoid_checks"] }
        set { self["paranoid_checks"] = newValue }
    }
    /// Whether opening, if files are missing, falls back to the latest state whose files all exist, down to an empty database. The
    /// write-ahead log is not replayed. A last resort after losing files. RocksDB's `best_efforts_recovery`. Default: false; fixed while
    /// open.
    public var bestEffortsRecovery: Bool {
        get { self["best_efforts_recovery"] }
        set { self["best_efforts_recovery"] = newValue }
    }
    /// Whether opening, and creating or dropping a column family, fails if RocksDB cannot write its `OPTIONS` file. RocksDB's
    /// `fail_if_options_file_error`. Default: false; fixed while open.
    public var failIfOptionsFileError: Bool {
        get { self["fail_if_options_file_error"] }
        set { self["fail_if_options_file_error"] = newValue }
    }
    /// Whether opening keeps what it replayed from the log in memory instead of flushing it to small files immediately. Opens faster; the log stays
    /// until the next flush. RocksDB's `avoid_flush_during_recovery`. Default: false; fixed while open.
    public var avoidFlushDuringRecovery: Bool {
        get { self["avoid_flush_during_recovery"] }
        set { self["avoid_flush_during_recovery"] = newValue }
    }
    /// Whether closing skips the flush of entries that bypassed the log (`Durability.none`), which loses them. RocksDB's
    /// `avoid_flush_during_shutdown`. Default: false; changeable while open.
    public var avoidFlushDuringShutdown: Bool {
        get { self["avoid_flush_during_shutdown"] }
        set { self["avoid_flush_during_shutdown"] = newValue }
    }
    /// The number of threads that open table files when a database with ``maxOpenFiles`` -1 is opened. RocksDB's
    /// `max_file_opening_threads`. Default: 16; fixed while open.
    public var maxFileOpeningThreads: Int {
        get { self["max_file_opening_threads"] }
        set { self["max_file_opening_threads"] = newValue }
    }
    /// Whether opening skips reading table properties, which compaction uses to choose files. Opens large databases faster. RocksDB's
    /// `skip_stats_update_on_db_open`. Default: false; fixed while open.
    public var skipStatsUpdateOnOpen: Bool {
        get { self["skip_stats_update_on_db_open"] }
        set { self["skip_stats_update_on_db_open"] = newValue }
    }
    /// Whether opening skips comparing the sizes of table files with the manifest. Useful where getting a file's size is slow; always on
    /// without ``paranoidChecks``. RocksDB's `skip_checking_sst_file_sizes_on_db_open`. Default: false; fixed while open.
    public var skipCheckingFileSizesOnOpen: Bool {
        get { self["skip_checking_sst_file_sizes_on_db_open"] }
        set { self["skip_checking_sst_file_sizes_on_db_open"] = newValue }
    }
    /// Whether each table file that is opened is compared with its identity in the manifest, to detect mixed-up files. RocksDB's
    /// `verify_sst_unique_id_in_manifest`. Default: true; fixed while open.
    public var verifyUniqueFileIDs: Bool {
        get { self["verify_sst_unique_id_in_manifest"] }
        set { self["verify_sst_unique_id_in_manifest"] = newValue }
    }
    /// Whether the database's identity is also kept in the manifest, which has checksums, and not only in the file `IDENTITY`. RocksDB 7.8
    /// reports false even if it is set. RocksDB's `write_dbid_to_manifest`. Default: false; fixed while open.
    public var writeDatabaseIDToManifest: Bool {
        get { self["write_dbid_to_manifest"] }
        set { self["write_dbid_to_manifest"] = newValue }
    }
    /// The name of the machine that is stored in each table file, to trace damaged files to their origin; empty means none. RocksDB's
    /// `db_host_id`. Default: `__hostname__`, which stands for the machine's name; fixed while open.
    public var hostID: String {
        get { self["db_host_id"] }
        set { self["db_host_id"] = newValue }
    }
    /// Whether the last level is reserved for files ingested *behind* all other data. Must be set from the start; requires three or more
    /// levels. RocksDB's `allow_ingest_behind`. Default: false; fixed while open.
    public var allowIngestBehind: Bool {
        get { self["allow_ingest_behind"] }
        set { self["allow_ingest_behind"] = newValue }
    }
    /// Whether RocksDB's messages and log may show damaged keys and values. RocksDB's `allow_data_in_errors`. Default: false; fixed while
    /// open.
    public var allowDataInErrors: Bool {
        get { self["allow_data_in_errors"] }
        set { self["allow_data_in_errors"] = newValue }
    }
}
