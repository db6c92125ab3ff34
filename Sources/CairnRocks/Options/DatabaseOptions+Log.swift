public import CairnCore

// The write-ahead log.
extension DatabaseOptions {
    /// How opening handles a damaged write-ahead log. RocksDB's `wal_recovery_mode`. Default: ``WALRecoveryMode/tolerateCorruptedTail``,
    /// unlike RocksDB; fixed while open.
    public var walRecoveryMode: WALRecoveryMode {
        get { self["wal_recovery_mode"] }
        set { self["wal_recovery_mode"] = newValue }
    }
    /// The total size of logs at which the column families that keep the oldest log alive are flushed; only matters with two or more column
    /// families. RocksDB's `max_total_wal_size`. Default: zero, which means four times the memory of all memtables; changeable while open.
    public var maxTotalWALSize: ByteCount {
        get { self["max_total_wal_size"] }
        set { self["max_total_wal_size"] = newValue }
    }
    /// The number of bytes written to a log after which its dirty pages are sent to the device, to smooth out writes; zero means never. No
    /// guarantee of durability. RocksDB's `wal_bytes_per_sync`. Default: zero; changeable while open.
    public var walBytesPerSync: ByteCount {
        get { self["wal_bytes_per_sync"] }
        set { self["wal_bytes_per_sync"] = newValue }
    }
    /// How the log is compressed: ``Compression/zstd`` or ``Compression/none``; RocksDB treats any other value as none. Trades processor
    /// time for disk bandwidth. RocksDB's `wal_compression`. Default: none; fixed while open.
    public var walCompression: Compression {
        get { self["wal_compression"] }
        set { self["wal_compression"] = newValue }
    }
    /// Whether log records stay in a buffer of the process until the log is flushed on request or the buffer is full. A write with any durability
    /// below `.synced` is then only as safe as `Durability.none`. RocksDB's `manual_wal_flush`. Default: false; fixed while open.
    public var manualWALFlush: Bool {
        get { self["manual_wal_flush"] }
        set { self["manual_wal_flush"] = newValue }
    }
    /// The directory of the logs, which can be on another device; if empty, the database's own. RocksDB's `wal_dir`. Default: empty; fixed
    /// while open.
    public var walDirectory: String {
        get { self["wal_dir"] }
        set { self["wal_dir"] = newValue }
    }
    /// How long logs that are no longer needed are kept in the directory `archive`, for replication; zero means no time limit. If ``walSizeLimit`` is
    /// also zero, they are deleted immediately. RocksDB's `WAL_ttl_seconds`. Default: zero; fixed while open.
    public var walTTL: Duration {
        get { self[seconds: "WAL_ttl_seconds"] }
        set { self[seconds: "WAL_ttl_seconds"] = newValue }
    }
    /// The maximum size of the archive of old logs, in whole mebibytes; zero means no size limit. See ``walTTL``. RocksDB's
    /// `WAL_size_limit_MB`. Default: zero; fixed while open.
    public var walSizeLimit: ByteCount {
        get { self[mebibytes: "WAL_size_limit_MB"] }
        set { self[mebibytes: "WAL_size_limit_MB"] = newValue }
    }
    /// How many old logs are kept for reuse, which saves allocating their blocks. RocksDB 7.8 treats it as zero, except with
    /// ``WALRecoveryMode/skipAnyCorrupted``, which would end the process: that combination is refused. RocksDB's `recycle_log_file_num`.
    /// Default: 0; fixed while open.
    public var recycleLogFileCount: Int {
        get { self["recycle_log_file_num"] }
        set { self["recycle_log_file_num"] = newValue }
    }
    /// Whether the manifest records the sizes of closed, synced logs, so that opening fails if one is missing or too short. RocksDB's
    /// `track_and_verify_wals_in_manifest`. Default: false; fixed while open.
    public var trackAndVerifyWALs: Bool {
        get { self["track_and_verify_wals_in_manifest"] }
        set { self["track_and_verify_wals_in_manifest"] = newValue }
    }
    /// How far ahead logs are read during opening; for storage with long round trips. RocksDB's `log_readahead_size`. Default: zero, off;
    /// fixed while open.
    public var logReadahead: ByteCount {
        get { self["log_readahead_size"] }
        set { self["log_readahead_size"] = newValue }
    }
    /// Whether opening accepts transactions that were prepared but neither committed nor rolled back. RocksDB's transaction databases set it.
    /// RocksDB's `allow_2pc`. Default: false; fixed while open.
    public var allowTwoPhaseCommit: Bool {
        get { self["allow_2pc"] }
        set { self["allow_2pc"] = newValue }
    }
    /// The name of a registered C++ filter of log records for recovery; `nullptr` means none. The library includes none. RocksDB's
    /// `wal_filter`. Default: `nullptr`; fixed while open.
    public var walFilterName: String {
        get { self["wal_filter"] }
        set { self["wal_filter"] = newValue }
    }
}
