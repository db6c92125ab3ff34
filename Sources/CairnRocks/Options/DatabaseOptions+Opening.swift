// What opening and recovery do, and closing.
extension DatabaseOptions {
    /// Whether opening makes the database if the directory holds none; its parent must exist. Default: false; fixed while open.
    public var createIfMissing: Bool {
        get { self["create_if_missing"] }
        set { self["create_if_missing"] = newValue }
    }
    /// Whether opening makes column families that are named but do not exist. Default: false; fixed while open.
    public var createMissingColumnFamilies: Bool {
        get { self["create_missing_column_families"] }
        set { self["create_missing_column_families"] = newValue }
    }
    /// Whether opening fails if the database exists. Default: false; fixed while open.
    public var errorIfExists: Bool {
        get { self["error_if_exists"] }
        set { self["error_if_exists"] = newValue }
    }
    /// Whether damage found while opening, and a failed write, stop all writing until the database is opened again, instead of being passed
    /// over. Default: true; fixed while open.
    public var paranoidChecks: Bool {
        get { self["paranoid_checks"] }
        set { self["paranoid_checks"] = newValue }
    }
    /// Whether opening falls back to the latest state whose files are all there when some are missing, down to an empty database. The
    /// write-ahead log is not replayed. A last resort after losing files. Default: false; fixed while open.
    public var bestEffortsRecovery: Bool {
        get { self["best_efforts_recovery"] }
        set { self["best_efforts_recovery"] = newValue }
    }
    /// Whether opening, and making or dropping a column family, fails if RocksDB cannot write its `OPTIONS` file. Default: false; fixed
    /// while open.
    public var failIfOptionsFileError: Bool {
        get { self["fail_if_options_file_error"] }
        set { self["fail_if_options_file_error"] = newValue }
    }
    /// Whether opening keeps what it replayed from the log in memory instead of writing it to small files at once. Opens faster; the log
    /// stays until the next flush. Default: false; fixed while open.
    public var avoidFlushDuringRecovery: Bool {
        get { self["avoid_flush_during_recovery"] }
        set { self["avoid_flush_during_recovery"] = newValue }
    }
    /// Whether closing leaves out the flush of entries that bypassed the log (`Durability.none`), which loses them. Default:
    /// false; changeable while open.
    public var avoidFlushDuringShutdown: Bool {
        get { self["avoid_flush_during_shutdown"] }
        set { self["avoid_flush_during_shutdown"] = newValue }
    }
    /// How many threads open table files when a database with ``maxOpenFiles`` -1 is opened. Default: 16; fixed while open.
    public var maxFileOpeningThreads: Int {
        get { self["max_file_opening_threads"] }
        set { self["max_file_opening_threads"] = newValue }
    }
    /// Whether opening leaves out reading table properties, which compaction uses to choose files. Opens large databases faster. Default:
    /// false; fixed while open.
    public var skipStatsUpdateOnOpen: Bool {
        get { self["skip_stats_update_on_db_open"] }
        set { self["skip_stats_update_on_db_open"] = newValue }
    }
    /// Whether opening leaves out comparing the sizes of table files with the manifest. Useful where asking for a size is slow; always on
    /// without ``paranoidChecks``. Default: false; fixed while open.
    public var skipCheckingFileSizesOnOpen: Bool {
        get { self["skip_checking_sst_file_sizes_on_db_open"] }
        set { self["skip_checking_sst_file_sizes_on_db_open"] = newValue }
    }
    /// Whether a table file opened is compared with the identity kept in the manifest, to find files that were mixed up. Default: true;
    /// fixed while open.
    public var verifyUniqueFileIDs: Bool {
        get { self["verify_sst_unique_id_in_manifest"] }
        set { self["verify_sst_unique_id_in_manifest"] = newValue }
    }
    /// Whether the database's identity is also kept in the manifest, which has checksums, not only in the file `IDENTITY`. RocksDB 7.8
    /// reports false even where it is set. Default: false; fixed while open.
    public var writeDatabaseIDToManifest: Bool {
        get { self["write_dbid_to_manifest"] }
        set { self["write_dbid_to_manifest"] = newValue }
    }
    /// A name of the machine, kept in each table file, to trace damaged files to their origin; empty: none. Default: `__hostname__`, which
    /// stands for the machine's name; fixed while open.
    public var hostID: String {
        get { self["db_host_id"] }
        set { self["db_host_id"] = newValue }
    }
    /// Whether the last level is kept free for files ingested *behind* all other data. Must be set from the start; needs three levels or
    /// more. Default: false; fixed while open.
    public var allowIngestBehind: Bool {
        get { self["allow_ingest_behind"] }
        set { self["allow_ingest_behind"] = newValue }
    }
    /// Whether RocksDB's messages and log may show damaged keys and values. Default: false; fixed while open.
    public var allowDataInErrors: Bool {
        get { self["allow_data_in_errors"] }
        set { self["allow_data_in_errors"] = newValue }
    }
}
