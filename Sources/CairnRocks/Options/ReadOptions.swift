public import CairnCore

/// The options of a read; RocksDB's `ReadOptions`.
///
/// Pass them to one call, or make them the default of a database or column family
/// (``RocksDB/init(path:options:columnFamilyOptions:columnFamilies:mode:readOptions:writeOptions:)``,
/// ``ColumnFamily/with(readOptions:writeOptions:)``), which also saves converting them for each call.
public struct ReadOptions: Sendable, Hashable {
    /// The storage that a read may access.
    public enum Tier: UInt8, Sendable {
        /// Everything: memory, caches, files. The default.
        case all = 0
        /// Memtables and block cache only; throws ``RocksError/Code/incomplete`` if an answer would need a file. In RocksDB 7.8, `multiGet` reads
        /// files anyway.
        case cached = 1
        /// Only what survives a crash: skips memtables whose writes bypassed the write-ahead log. Point reads only.
        case persisted = 2
        /// Memtables only. Cursors only.
        case memtables = 3
    }

    /// How a cursor uses the prefix extractor, if the column family has one.
    public enum SeekMode: UInt8, Sendable {
        /// Sees all keys in order, whatever the memtable and table formats. The default.
        case totalOrder
        /// Uses the prefix filters: only keys with the prefix of the seek key are sure to be seen. RocksDB's own default.
        case prefix
        /// Lets RocksDB decide from the bounds whether the filters can be used without changing the result.
        case automatic
    }

    /// Whether blocks read from files are verified against their checksums. RocksDB's `verify_checksums`. Default: true. Leave it on.
    public var verifyChecksums = true
    /// Whether blocks that are read are added to the block cache. RocksDB's `fill_cache`. Default: true; false for a scan that would evict blocks
    /// that others need.
    public var fillCache = true
    /// The storage that may be accessed. RocksDB's `read_tier`. Default: ``Tier/all``.
    public var tier = Tier.all
    /// How cursors use the prefix extractor. Default: ``SeekMode/totalOrder``, unlike RocksDB, whose default can miss keys.
    public var seekMode = SeekMode.totalOrder
    /// Whether a cursor ends where the prefix of the seek key ends. Requires a prefix extractor. RocksDB's `prefix_same_as_start`. Default:
    /// false.
    public var prefixSameAsStart = false
    /// Whether a cursor also sees what is written after it was created; it then only moves forward. RocksDB's `tailing`. Default: false.
    public var tailing = false
    /// Whether a cursor keeps the blocks it has passed in memory. RocksDB's `pin_data`. Default: false.
    public var pinsData = false
    /// How far ahead a cursor reads files; zero lets RocksDB decide from the access pattern. RocksDB's `readahead_size`. Default: zero.
    public var readahead = ByteCount.zero
    /// Whether readahead adapts and is handed from file to file. RocksDB's `adaptive_readahead`. Default: false.
    public var adaptiveReadahead = false
    /// Whether readahead runs asynchronously, where the library was built with io_uring. RocksDB's `async_io`. Default: false.
    public var asyncIO = false
    /// Whether a `multiGet` reads the files of different levels concurrently, with ``asyncIO``. RocksDB's `optimize_multiget_for_io`.
    /// Default: true.
    public var optimizesMultiGetForIO = true
    /// The number of consecutive deleted entries after which a cursor gives up with ``RocksError/Code/incomplete``; zero means never.
    /// RocksDB's `max_skippable_internal_keys`. Default: zero.
    public var maxSkippableInternalKeys: UInt64 = 0
    /// Whether a background job deletes files that a closed cursor kept alive. RocksDB's `background_purge_on_iterator_cleanup`. Default:
    /// false.
    public var backgroundPurgeOnCursorCleanup = false
    /// Whether entries hidden by `deleteRange` are returned anyway, which is faster if there are none. RocksDB's `ignore_range_deletions`.
    /// Default: false.
    public var ignoresRangeDeletions = false
    /// How long a call may take before it throws ``RocksError/Code/timedOut``; for a cursor, the limit covers all its moves together,
    /// counted from its creation. Checked between file accesses. `nil` means no limit. RocksDB's `deadline`. Default: nil.
    public var timeout: Duration?
    /// How long one file access may take, if the file system supports it. `nil` means no limit. RocksDB's `io_timeout`. Default: nil.
    public var ioTimeout: Duration?
    /// The total size of values at which a `multiGet` stops with ``RocksError/Code/aborted``. `nil` means no limit. RocksDB's
    /// `value_size_soft_limit`. Default: nil.
    public var valueSizeSoftLimit: ByteCount?
    /// The priority with which reads are charged to the rate limiter, if there is one. RocksDB's `rate_limiter_priority`. Default: nil, not
    /// charged.
    public var rateLimiterPriority: IOPriority?

    /// Creates the default options; `fillCache: false` is the usual change, for long scans.
    public init(verifyChecksums: Bool = true, fillCache: Bool = true, tier: Tier = .all) {
        self.verifyChecksums = verifyChecksums
        self.fillCache = fillCache
        self.tier = tier
    }

    /// Options for a long scan alongside other work: leaves the block cache alone and reads 2 MiB ahead.
    public static var scan: ReadOptions {
        var options = ReadOptions(fillCache: false)
        options.readahead = .mebibytes(2)
        return options
    }
}

/// A priority for RocksDB's rate limiter (`Env::IOPriority`).
public enum IOPriority: UInt8, Sendable {
    /// The lowest priority.
    case low = 0
    case mid = 1
    case high = 2
    /// The priority of work that a user waits for.
    case user = 3
}
