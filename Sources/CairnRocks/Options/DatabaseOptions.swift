import CRocks
public import CairnCore

/// Receives a line of RocksDB's text log.
public typealias LogHandler = @Sendable (_ level: InfoLogLevel, _ text: String) -> Void

/// The options of a whole database; RocksDB's `DBOptions`.
///
/// ```swift
/// var options = DatabaseOptions(createIfMissing: true)
/// options.memoryBudget = .mebibytes(256)
/// options.maxBackgroundJobs = 4
/// ```
///
/// See ``NamedOptions`` for setting an option by name.
public struct DatabaseOptions: NamedOptions {
    /// The options set, by RocksDB's name. Options whose default differs from RocksDB's are always included.
    public var settings: [String: String] = Self.cairnDefaults {
        didSet { settings.merge(Self.cairnDefaults) { set, _ in set } }
    }

    private static let cairnDefaults: [String: String] = {
        let ours = ["wal_recovery_mode": WALRecoveryMode.tolerateCorruptedTail.optionText, "enforce_single_del_contracts": "false"]
        return ours.filter { defaults[$0.key] != nil }
    }()

    /// The total memory for block caches, indexes, filters and memtables: one cache of this size for all column families, to which the memory of
    /// indexes, filters and memtables is charged. Memtables are flushed when they take half of it.
    ///
    /// Indexes and filters stay in memory while their file is open, so no lookup reads them again. They take about 1.3 bytes per key with a
    /// filter of 10 bits per key, and 15 to 30 bytes per block. ``maxOpenFiles`` limits the number of open files. If indexes and filters
    /// take more than the budget, so does the database, and nothing else is cached; ``IndexType/twoLevel`` and
    /// ``TableOptions/partitionFilters`` split those of new files into partitions that are evicted like data.
    ///
    /// This is a target, not a hard limit: blocks in use stay, and memtables grow past it while writers outrun flushes. `nil` leaves RocksDB's
    /// defaults: a small cache per column family, indexes and filters outside of it, and memtables of 64 MiB each without a common limit. At least
    /// 1 MiB. Default: nil; fixed while open.
    public var memoryBudget: ByteCount?

    /// A cache of whole values of keys that were read, in addition to their blocks, for point reads of the same few keys; RocksDB's `row_cache`.
    /// RocksDB would answer from this cache even if a range deletion had removed the key. With a row cache, therefore, `deleteRange` throws
    /// ``RocksError/Code/notSupported``, as do ingesting or importing files that hold range deletions and ``RocksDB/OpenMode/secondary(path:)``;
    /// opening a database whose files hold range deletions throws ``RocksError/Code/invalidArgument``. Use a separate cache with the policy
    /// ``BlockCache/Policy/lru(highPriorityShare:lowPriorityShare:)``. Default: nil; fixed while open.
    public var rowCache: BlockCache?

    /// Collects the database's statistics. Several databases may share it. RocksDB's `statistics`. Default: nil, nothing is counted.
    public var statistics: Statistics?

    /// Receives the database's events: flushes, compactions, files, stalls, errors. RocksDB's `listeners`. Default: nil, nowhere.
    public var events: DatabaseEvents?

    /// Receives each line of RocksDB's text log that ``infoLogLevel`` lets through. RocksDB's `info_log`. Default: nil.
    ///
    /// ```swift
    /// options.logHandler = { level, text in print("[\(level)] \(text)") }
    /// ```
    ///
    /// The handler is called on many threads, both RocksDB's and those that call the database, often while RocksDB holds locks. It must be fast
    /// and must not call the database, which may deadlock. Closing the database from the handler throws ``RocksError/Code/busy``. Lines have no
    /// timestamp; the header of the log arrives as ``InfoLogLevel/header``.
    public var logHandler: LogHandler?
    /// Whether the log also goes to its file if there is a ``logHandler``. Without a handler it always does. Default: true.
    public var writesLogFile = true

    /// Where the files are: on disk, in memory, encrypted. RocksDB's `env`. Default: ``Environment/default``, on disk; fixed while open.
    public var environment = Environment.default

    /// The permission bits of the directories that opening creates: the database's, ``walDirectory`` and ``logDirectory``. RocksDB creates
    /// the files in them with the mode 0644 less the process's umask, so only the directory protects them. Checkpoints, exports and backups
    /// get the permissions of the database's directory. Default: nil, that is `0o700` in an encrypted environment, otherwise RocksDB's 0755
    /// less the process's umask.
    public var directoryMode: UInt32?

    /// Limits how fast flushes and compactions write. Several databases may share it. RocksDB's `rate_limiter`. Default: nil, no limit;
    /// fixed while open.
    public var rateLimiter: RateLimiter?

    /// Manages the table files of one or more databases: how much space they may take, and how fast they are deleted. It must be made for
    /// the same ``environment``. RocksDB's `sst_file_manager`. Default: nil; fixed while open.
    public var fileManager: SSTFileManager?

    /// Limits the total size of the memtables of several databases; ``memoryBudget`` creates a separate one. RocksDB's
    /// `write_buffer_manager`. Default: nil; fixed while open.
    public var writeBufferManager: WriteBufferManager?

    /// Creates RocksDB's default options, except for ``walRecoveryMode`` and `enforce_single_del_contracts`, which is false: otherwise, a key
    /// that was deleted in two ways would prevent the database from writing files and from being reopened.
    public init(createIfMissing: Bool = false) {
        if createIfMissing { self.createIfMissing = true }
    }

    init(environment: Environment) { self.environment = environment }

    public static let defaults: [String: String] = {
        guard let options = unsafe crk_db_options_create() else { return [:] }
        defer { unsafe crk_db_options_free(options) }
        let (status, pairs) = unsafe Collector.pairs { unsafe crk_db_options_list(options, $0, $1) }
        crk_status_free(status)
        return pairs
    }()

    /// Options for phones and small machines: 16 MiB for caches and memtables, at most 500 open files, one flush and one compaction at a time,
    /// two logs. Goes with ``ColumnFamilyOptions/small``.
    public static var small: DatabaseOptions {
        var options = DatabaseOptions()
        options.memoryBudget = .mebibytes(16)
        options.maxOpenFiles = 500
        options.maxFileOpeningThreads = 1
        options.maxBackgroundJobs = 1
        options.keepLogFileCount = 2
        return options
    }

    /// Options for a server whose main job is this database: caches and memtables within `memoryBudget`, the given number of background jobs,
    /// and files and logs sent to the device in steps of 1 MiB.
    public static func server(memoryBudget: ByteCount, backgroundJobs: Int = 4) -> DatabaseOptions {
        var options = DatabaseOptions()
        options.memoryBudget = memoryBudget
        options.maxBackgroundJobs = backgroundJobs
        options.bytesPerSync = .mebibytes(1)
        options.walBytesPerSync = .mebibytes(1)
        return options
    }
}
