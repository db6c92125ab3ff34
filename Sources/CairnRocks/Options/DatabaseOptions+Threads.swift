// Background work and threads.
extension DatabaseOptions {
    /// The maximum number of concurrent flushes and compactions; a quarter of them are for flushes. The number of cores is a good value for
    /// a busy server. RocksDB's `max_background_jobs`. Default: 2; changeable while open.
    public var maxBackgroundJobs: Int {
        get { self["max_background_jobs"] }
        set { self["max_background_jobs"] = newValue }
    }
    /// The maximum number of parts that one compaction is split into to run in parallel. RocksDB's `max_subcompactions`. Default: 1;
    /// changeable while open.
    public var maxSubcompactions: Int {
        get { self["max_subcompactions"] }
        set { self["max_subcompactions"] = newValue }
    }
    /// The maximum number of concurrent flushes; -1 derives it from ``maxBackgroundJobs``, which is the recommended way to set it.
    /// RocksDB's `max_background_flushes`. Default: -1; changeable while open.
    public var maxBackgroundFlushes: Int {
        get { self["max_background_flushes"] }
        set { self["max_background_flushes"] = newValue }
    }
    /// The maximum number of concurrent compactions; -1 derives it from ``maxBackgroundJobs``, which is the recommended way to set it.
    /// RocksDB's `max_background_compactions`. Default: -1; changeable while open.
    public var maxBackgroundCompactions: Int {
        get { self["max_background_compactions"] }
        set { self["max_background_compactions"] = newValue }
    }
    /// Whether closing a cursor leaves deleting files and freeing memtables to a background job. For steady latency. RocksDB's
    /// `avoid_unnecessary_blocking_io`. Default: false; fixed while open.
    public var avoidUnnecessaryBlockingIO: Bool {
        get { self["avoid_unnecessary_blocking_io"] }
        set { self["avoid_unnecessary_blocking_io"] = newValue }
    }
    /// How many times RocksDB automatically tries to resume after an I/O error that may be transient; zero or less means never. RocksDB's
    /// `max_bgerror_resume_count`. Default: 2,147,483,647; fixed while open.
    public var maxErrorResumeCount: Int {
        get { self["max_bgerror_resume_count"] }
        set { self["max_bgerror_resume_count"] = newValue }
    }
    /// How long RocksDB waits between attempts to resume after an I/O error. RocksDB's `bgerror_resume_retry_interval`. Default: 1 s; fixed while
    /// open.
    public var errorResumeInterval: Duration {
        get { self[microseconds: "bgerror_resume_retry_interval"] }
        set { self[microseconds: "bgerror_resume_retry_interval"] = newValue }
    }
    /// Whether background threads publish what they are doing. RocksDB's `enable_thread_tracking`. Default: false; fixed while open.
    public var enableThreadTracking: Bool {
        get { self["enable_thread_tracking"] }
        set { self["enable_thread_tracking"] = newValue }
    }
    /// Whether the database's mutex spins before it sleeps, where the C library supports it. RocksDB's `use_adaptive_mutex`. Default:
    /// false; fixed while open.
    public var useAdaptiveMutex: Bool {
        get { self["use_adaptive_mutex"] }
        set { self["use_adaptive_mutex"] = newValue }
    }
}
