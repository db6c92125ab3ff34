public import CairnCore
public import CairnRocks

/// Options for opening a ``RocksEngine``.
public struct RocksEngineOptions: Sendable {
    /// Whether to create a store if it does not exist. Default: true.
    public var createIfMissing = true
    /// Whether to open for reading only: a frozen view of the store as it is now. Others can still open it for writing. Default: false.
    public var readOnly = false
    /// The permission bits of the directory of a new store. The files in it are readable by everyone, less the process's umask, so only the
    /// directory protects them. Checkpoints get the permissions of the store's directory. Default: `0o700`, accessible only to its owner.
    public var directoryMode: UInt32 = 0o700
    /// The approximate memory for caches, unwritten data, and the indexes and filters of files. Indexes and filters always stay in memory, even if they
    /// exceed the budget: they take about 1.3 bytes for each key (an object has one key for each index) and 20 bytes for each 8 KiB of data. A quarter of
    /// the budget caches pages of objects that were read more than once. At least 1 MiB. Default: 64 MiB.
    public var memoryBudget = ByteCount.mebibytes(64)
    /// The compression of data on disk. Existing data stays as it is until it is compacted. Default: LZ4, which reads as fast as no compression and
    /// halves data that is partly text. In encrypted stores, only indexes can be compressed.
    public var compression = Compression.lz4
    /// Commits of at least this size are written as a sorted file that the database ingests, instead of through its log: this is faster, because
    /// nothing is written twice, but takes several syncs. Default: 16 MiB.
    public var largeCommitSize = ByteCount.mebibytes(16)
    /// The same for commits that write at least this many keys. Default: 10,000.
    public var largeCommitCount = 10_000
    /// Collects the database's statistics; see `DatabaseOptions.statistics`. Default: nil, nothing is counted.
    public var statistics: Statistics?
    /// Receives the database's events; see `DatabaseOptions.events`. Default: nil, nowhere.
    public var events: DatabaseEvents?
    /// Receives the warnings and errors of RocksDB's text log; see `DatabaseOptions.logHandler`. Default: nil.
    public var logHandler: LogHandler?

    /// The defaults.
    public init() {}

    /// The corresponding RocksDB options.
    var databaseOptions: DatabaseOptions {
        var options = DatabaseOptions(createIfMissing: createIfMissing && !readOnly)
        options.directoryMode = directoryMode
        options.memoryBudget = .bytes(max(min(1 << 20, memoryBudget.bytes), memoryBudget.bytes - memoryBudget.bytes / 4))
        options.maxOpenFiles = 500
        // Most stores have few files: threads to open them would cost more.
        options.maxFileOpeningThreads = 1
        options.bytesPerSync = .mebibytes(1)
        options.keepLogFileCount = 2
        options.infoLogLevel = .warn
        options.statistics = statistics
        options.events = events
        options.logHandler = logHandler
        return options
    }

    /// The options of its only column family, tuned for values of 0.5 to 4 KiB that are read individually, among small keys that are scanned.
    var columnFamilyOptions: ColumnFamilyOptions {
        var options = ColumnFamilyOptions()
        options.compression = compression
        options.writeBufferSize = .bytes(max(1 << 20, min(memoryBudget.bytes / 4, 32 << 20)))
        options.table.blockSize = .kibibytes(8)
        options.table.filterPolicy = .bloom(bitsPerKey: 10)
        options.memtableBloomSizeRatio = 0.02
        options.memtableWholeKeyFiltering = true
        return options
    }
}
