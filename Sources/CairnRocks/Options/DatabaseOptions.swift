import CRocks
public import CairnCore

/// Receives a line of RocksDB's text log.
public typealias LogHandler = @Sendable (_ level: InfoLogLevel, _ text: String) -> Void

/// Options of a whole database; RocksDB's `DBOptions`.
///
/// ```swift
/// var options = DatabaseOptions(createIfMissing: true)
/// options.memoryBudget = .mebibytes(256)
/// options.maxBackgroundJobs = 4
/// ```
///
/// ``NamedOptions`` tells how to set an option by name.
public struct DatabaseOptions: NamedOptions {
    /// The options set, by RocksDB's name. Those whose default is not RocksDB's are always among them.
    public var settings: [String: String] = Self.cairnDefaults {
        didSet { settings.merge(Self.cairnDefaults) { set, _ in set } }
    }

    private static let cairnDefaults: [String: String] = {
        let ours = ["wal_recovery_mode": WALRecoveryMode.tolerateCorruptedTail.optionText, "enforce_single_del_contracts": "false"]
        return ours.filter { defaults[$0.key] != nil }
    }()

    /// What block caches and memtables may take together: one cache of this size for all column families, index and filter blocks counted
    /// in, and memtables that are flushed when they take half of it.
    ///
    /// A target, not a wall: blocks in use stay, and memtables grow past it while writers outrun flushes. `nil` leaves RocksDB's defaults:
    /// a small cache per column family, and memtables of 64 MiB each without a common limit. At least 1 MiB. Default: nil; fixed while open.
    public var memoryBudget: ByteCount?

    /// Keeps whole values of keys that were read, beside their blocks, for point reads of the same few keys; RocksDB's `row_cache`. With one,
    /// `deleteRange` throws ``RocksError/Code/notSupported``, and opening a database whose files hold deletions of ranges
    /// ``RocksError/Code/invalidArgument``: RocksDB would answer from the cache what they took away; so do files that hold some, to be ingested or imported, and
    /// ``RocksDB/OpenMode/secondary(path:)``. A cache of its own, with the policy
    /// ``BlockCache/Policy/lru(highPriorityShare:lowPriorityShare:)``. Default: nil; fixed while open.
    public var rowCache: BlockCache?

    /// Where the database counts what it does. May be shared by several databases. Default: nil, nothing is counted.
    public var statistics: Statistics?

    /// Where the database tells what it does: flushes, compactions, files, stalls, errors. Default: nil, nowhere.
    public var events: DatabaseEvents?

    /// Gets each line of RocksDB's text log that ``infoLogLevel`` lets through. Default: nil.
    ///
    /// ```swift
    /// options.logHandler = { level, text in print("[\(level)] \(text)") }
    /// ```
    ///
    /// Called on many threads, RocksDB's and those that call the database, often with RocksDB's locks held: it must be fast, and must not
    /// call the database, which may wait for ever. Closing the database from there throws ``RocksError/Code/busy``. Lines come without time,
    /// and the head of the log as ``InfoLogLevel/header``.
    public var logHandler: LogHandler?
    /// Whether the log goes to its file as well where there is a ``logHandler``. Without one it always does. Default: true.
    public var writesLogFile = true

    /// Where the files are: on disk, in memory, encrypted. Default: ``Environment/default``, on disk; fixed while open.
    public var environment = Environment.default

    /// How fast flushes and compactions may write. May be shared by several databases. Default: nil, no limit; fixed while open.
    public var rateLimiter: RateLimiter?

    /// Watches the table files of one or several databases: how much space they may take, how fast they are deleted. It must be made for the
    /// same ``environment``. Default: nil; fixed while open.
    public var fileManager: SSTFileManager?

    /// Limits the memtables of several databases together; ``memoryBudget`` makes one of its own. Default: nil; fixed while open.
    public var writeBufferManager: WriteBufferManager?

    /// RocksDB's defaults, but for ``walRecoveryMode`` and `enforce_single_del_contracts`, which is false: else a key that was deleted in two
    /// ways keeps the database from writing files, and from being opened again.
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

    /// For phones and small machines: 16 MiB for caches and memtables, at most 500 files open, one flush and one compaction at a time, two
    /// logs. Goes with ``ColumnFamilyOptions/small``.
    public static var small: DatabaseOptions {
        var options = DatabaseOptions()
        options.memoryBudget = .mebibytes(16)
        options.maxOpenFiles = 500
        options.maxFileOpeningThreads = 1
        options.maxBackgroundJobs = 1
        options.keepLogFileCount = 2
        return options
    }

    /// For a server that lives on this database: caches and memtables within `memoryBudget`, as many background jobs as given, files and
    /// logs handed to the device in steps of 1 MiB.
    public static func server(memoryBudget: ByteCount, backgroundJobs: Int = 4) -> DatabaseOptions {
        var options = DatabaseOptions()
        options.memoryBudget = memoryBudget
        options.maxBackgroundJobs = backgroundJobs
        options.bytesPerSync = .mebibytes(1)
        options.walBytesPerSync = .mebibytes(1)
        return options
    }
}
