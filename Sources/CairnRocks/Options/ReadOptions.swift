public import CairnCore

/// How a read behaves; RocksDB's `ReadOptions`.
///
/// Pass it to one call, or make it the default of a database or column family (``RocksDB/init(path:options:columnFamilyOptions:columnFamilies:mode:readOptions:writeOptions:)``,
/// ``ColumnFamily/with(readOptions:writeOptions:)``), which also saves converting it for each call.
public struct ReadOptions: Sendable, Hashable {
    /// Which storage a read may look at.
    public enum Tier: UInt8, Sendable {
        /// Everything: memory, caches, files. The default.
        case all = 0
        /// Memtables and block cache only; an answer that would need a file throws ``RocksError/Code/incomplete``. `multiGet` reads files all
        /// the same, in RocksDB 7.8.
        case cached = 1
        /// Only what survives a crash: skips memtables whose writes went past the write-ahead log. Point reads only.
        case persisted = 2
        /// Memtables only. Cursors only.
        case memtables = 3
    }

    /// How a cursor uses the prefix extractor, if the column family has one.
    public enum SeekMode: UInt8, Sendable {
        /// Sees all keys in order, whatever the memtable and table formats. The default.
        case totalOrder
        /// Uses the prefix filters: only keys with the prefix of the key sought are sure to be seen. RocksDB's own default.
        case prefix
        /// RocksDB decides by the bounds whether the filters can be used without changing the result.
        case automatic
    }

    /// Whether blocks read from files are checked against their checksums. Default: true. Leave it on.
    public var verifyChecksums = true
    /// Whether blocks read enter the block cache. Default: true; false for a scan that would push out what others need.
    public var fillCache = true
    /// Which storage may be looked at. Default: ``Tier/all``.
    public var tier = Tier.all
    /// How cursors use the prefix extractor. Default: ``SeekMode/totalOrder``, unlike RocksDB, whose default can miss keys.
    public var seekMode = SeekMode.totalOrder
    /// Whether a cursor ends where the prefix of the key sought ends. Needs a prefix extractor. Default: false.
    public var prefixSameAsStart = false
    /// Whether a cursor also sees what is written after it was made; it then only moves forward. Default: false.
    public var tailing = false
    /// Whether a cursor keeps the blocks it passed in memory. Default: false.
    public var pinsData = false
    /// How far ahead a cursor reads files; zero lets RocksDB decide from the access pattern. Default: zero.
    public var readahead = ByteCount.zero
    /// Whether readahead adapts and is handed from file to file. Default: false.
    public var adaptiveReadahead = false
    /// Whether readahead runs asynchronously, where the library was built with io_uring. Default: false.
    public var asyncIO = false
    /// Whether a `multiGet` reads the files of different levels at once, with ``asyncIO``. Default: true.
    public var optimizesMultiGetForIO = true
    /// After how many deleted entries in a row a cursor gives up with ``RocksError/Code/incomplete``; zero: never. Default: zero.
    public var maxSkippableInternalKeys: UInt64 = 0
    /// Whether files that a closed cursor kept alive are deleted by a background job. Default: false.
    public var backgroundPurgeOnCursorCleanup = false
    /// Whether entries hidden by `deleteRange` are returned all the same, which is faster where there are none. Default: false.
    public var ignoresRangeDeletions = false
    /// How long a call may take before it throws ``RocksError/Code/timedOut``; for a cursor, all its moves together, counted from its making.
    /// Checked between file accesses. `nil`: no limit. Default: nil.
    public var timeout: Duration?
    /// How long one file access may take, where the file system supports it. `nil`: no limit. Default: nil.
    public var ioTimeout: Duration?
    /// The sum of value sizes at which a `multiGet` stops with ``RocksError/Code/aborted``. `nil`: no limit. Default: nil.
    public var valueSizeSoftLimit: ByteCount?
    /// Whether reads are charged to the rate limiter, if there is one. Default: nil, not charged.
    public var rateLimiterPriority: IOPriority?

    /// The defaults; `fillCache: false` is the usual change, for long scans.
    public init(verifyChecksums: Bool = true, fillCache: Bool = true, tier: Tier = .all) {
        self.verifyChecksums = verifyChecksums
        self.fillCache = fillCache
        self.tier = tier
    }

    /// For a long scan beside other work: leaves the block cache alone and reads 2 MiB ahead.
    public static var scan: ReadOptions {
        var options = ReadOptions(fillCache: false)
        options.readahead = .mebibytes(2)
        return options
    }
}

/// A priority towards RocksDB's rate limiter (`Env::IOPriority`).
public enum IOPriority: UInt8, Sendable {
    /// Before all background work is done.
    case low = 0
    case mid = 1
    case high = 2
    /// The work of a user who waits.
    case user = 3
}
