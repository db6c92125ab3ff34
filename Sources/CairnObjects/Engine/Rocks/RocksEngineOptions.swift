public import CairnCore
public import CairnRocks

/// How a ``RocksEngine`` is opened.
public struct RocksEngineOptions: Sendable {
    /// Whether a store is made where there is none. Default: true.
    public var createIfMissing = true
    /// Whether to open for reading only: a frozen view of the store as it is now. Nobody is kept from opening it for writing. Default: false.
    public var readOnly = false
    /// What caches and unwritten data may take in memory, about. At least 1 MiB. Default: 64 MiB.
    public var memoryBudget = ByteCount.mebibytes(64)
    /// How the data are compressed on disk. Old data stay as they are until they are compacted. Default: LZ4, which is read as fast as none
    /// and halves what is partly text. Of encrypted stores, only indexes can be compressed.
    public var compression = Compression.lz4
    /// Commits of so many bytes or more are written as a sorted file that the database takes over, instead of through its log: faster, since
    /// nothing is written twice, at the price of several syncs. Default: 16 MiB.
    public var largeCommitSize = ByteCount.mebibytes(16)
    /// So are commits that write so many keys or more. Default: 50,000.
    public var largeCommitCount = 50_000

    /// The defaults.
    public init() {}

    /// As RocksDB's options.
    var databaseOptions: DatabaseOptions {
        var options = DatabaseOptions(createIfMissing: createIfMissing && !readOnly)
        options.memoryBudget = memoryBudget
        options.maxOpenFiles = 500
        // Most stores have few files: threads that open them would cost more.
        options.maxFileOpeningThreads = 1
        options.bytesPerSync = .mebibytes(1)
        options.keepLogFileCount = 2
        options.infoLogLevel = .warn
        return options
    }

    /// As options of its one column family, made for values of 0.5 to 4 KiB that are got one by one, among small keys that are scanned.
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
