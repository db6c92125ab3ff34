import CRocks
public import CairnCore

/// A cache for blocks read from files, shared by any number of column families and databases; RocksDB's `Cache`.
///
/// Without one, each column family has its own cache of the library's default size (8 MiB in 7.8; see ``TableOptions``). A cache can also hold
/// the values of blob files (``ColumnFamilyOptions/blobCache``) or, on its own, whole rows (``DatabaseOptions/rowCache``).
///
/// ```swift
/// let cache = try BlockCache(capacity: .mebibytes(512), policy: .hyperClock(entrySize: .kibibytes(8)))
/// options.table.blockCache = cache
/// ```
///
/// Safe to use from any thread. A change to the cache affects all databases that share it.
public final class BlockCache: Sendable {
    let handle: ObjectHandle
    /// How the cache chooses what to evict.
    public let policy: Policy

    /// How a cache chooses what to evict.
    public struct Policy: Sendable, Hashable {
        enum Kind: Hashable { case lru(high: Double, low: Double), hyperClock(ByteCount) }
        let kind: Kind

        /// Evicts the least recently used entries first; RocksDB's `LRUCache`, the default.
        ///
        /// Shares are from 0 to 1, together at most 1. Index and filter blocks (``TableOptions/cacheIndexAndFilterBlocksWithHighPriority``) and
        /// entries read more than once, up to `highPriorityShare`, stay when other blocks are evicted; data blocks, up to `lowPriorityShare`,
        /// stay when blobs are evicted.
        public static func lru(highPriorityShare: Double = 0.5, lowPriorityShare: Double = 0) -> Policy {
            Policy(kind: .lru(high: highPriorityShare, low: lowPriorityShare))
        }
        /// Uses no locks, for many threads; RocksDB's `HyperClockCache`.
        ///
        /// `entrySize` is the average size of entries, at least 512 bytes. It fixes the size of the cache's table: use the larger of
        /// ``TableOptions/blockSize`` and ``TableOptions/metadataBlockSize``. If it is much too large, the cache stays half empty; if it is too
        /// small, the table takes more memory, which is allocated immediately and counts as used.
        public static func hyperClock(entrySize: ByteCount) -> Policy { Policy(kind: .hyperClock(entrySize)) }
    }

    /// Creates a cache that holds about `capacity`.
    ///
    /// - Parameters:
    ///   - capacity: The maximum size.
    ///   - policy: What is evicted first.
    ///   - isStrict: Whether blocks in use must not exceed the capacity: reads that need more then throw ``RocksError/Code/aborted`` or
    ///     ``RocksError/Code/incomplete`` with the subcode ``RocksError/Subcode/memoryLimit``.
    ///   - shardBits: The base-2 logarithm of the number of shards, each with its own lock; at most 19. `nil` lets RocksDB choose.
    ///   - chargesMetadata: Whether the cache's own memory counts towards the capacity.
    ///   - secondary: A cache that keeps evicted blocks. Only for ``Policy/lru(highPriorityShare:lowPriorityShare:)``.
    /// - Throws: ``RocksError/Code/invalidArgument`` for shares, sizes or numbers that are out of range; ``RocksError/Code/outOfMemory``.
    public init(
        capacity: ByteCount,
        policy: Policy = .lru(),
        isStrict: Bool = false,
        shardBits: Int? = nil,
        chargesMetadata: Bool = true,
        secondary: SecondaryCache? = nil
    ) throws(RocksError) {
        var settings = crk_cache_settings()
        settings.capacity = Int(clamping: max(0, capacity.bytes))
        settings.is_strict = isStrict
        settings.charges_metadata = chargesMetadata
        settings.shard_bits = try checkedShardBits(shardBits)
        switch policy.kind {
        case .lru(let high, let low):
            guard (0...1).contains(high), (0...1).contains(low), high + low <= 1 else {
                throw RocksError(.invalidArgument, "shares of a cache must be from 0 to 1 and add up to at most 1, not \(high) and \(low)")
            }
            settings.high_priority_ratio = high
            settings.low_priority_ratio = low
        case .hyperClock(let entrySize):
            // Each shard has room for at least one entry.
            let least = entrySize.bytes.multipliedReportingOverflow(by: 1 << (shardBits ?? 0))
            guard entrySize >= .bytes(512), !least.overflow, capacity.bytes >= least.partialValue, capacity <= .gibibytes(1024) else {
                let reason = "entries need at least 512 bytes, each part needs room for one, and the cache can have at most 1 TiB"
                throw RocksError(.invalidArgument, "a clock cache of \(capacity) for entries of \(entrySize) is not possible: \(reason)")
            }
            guard secondary == nil else { throw RocksError(.invalidArgument, "a clock cache cannot have a secondary cache") }
            settings.entry_size = Int(entrySize.bytes)
        }
        var pointer: OpaquePointer?
        try unsafe crk_cache_create(&settings, secondary?.handle.pointer, &pointer).check("making a block cache of \(capacity)")
        handle = unsafe ObjectHandle(owning: pointer!) { unsafe crk_cache_release($0) }
        self.policy = policy
    }

    /// The cache of a ``DatabaseOptions/memoryBudget``: shards of 4 MiB, smaller if there would be fewer than 16, larger if there would be more than
    /// 64. Entries larger than a shard are not kept; with few shards, threads wait for each other (measured in decision 18).
    convenience init(sharing budget: ByteCount) throws(RocksError) {
        let mebibytes = budget.bytes >> 20
        let shards = max(1, min(16, mebibytes), min(64, mebibytes / 4))
        try self.init(capacity: budget, shardBits: Int64.bitWidth - 1 - shards.leadingZeroBitCount)
    }

    /// The maximum size of the cache. Setting it immediately evicts any excess.
    public var capacity: ByteCount {
        get { ByteCount(bytes: Int64(clamping: unsafe crk_cache_capacity(handle.pointer))) }
        set { unsafe crk_cache_set_capacity(handle.pointer, Int(clamping: max(0, newValue.bytes))) }
    }
    /// Whether blocks in use must not exceed the capacity.
    public var isStrict: Bool {
        get { unsafe crk_cache_is_strict(handle.pointer) }
        set { unsafe crk_cache_set_strict(handle.pointer, newValue) }
    }
    /// The current size of the cache's contents.
    public var usage: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_cache_usage(handle.pointer))) }
    /// The size of the entries that are in use and cannot be evicted.
    public var pinnedUsage: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_cache_pinned_usage(handle.pointer))) }

    /// Evicts everything that is not in use; RocksDB's `EraseUnRefEntries`.
    public func eraseUnreferenced() { unsafe crk_cache_erase_unreferenced(handle.pointer) }

    /// Whether the cache accepts keys of any length, as a row cache must.
    var takesAnyKey: Bool {
        if case .lru = policy.kind { true } else { false }
    }
}

/// A cache that keeps, in compressed form, what a ``BlockCache`` evicts; RocksDB's `CompressedSecondaryCache`. More blocks fit, and a hit costs
/// a decompression rather than a read. Experimental in RocksDB.
public final class SecondaryCache: Sendable {
    let handle: ObjectHandle

    /// Creates a cache that holds about `capacity`, in 2 to the power of `shardBits` shards.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` for more than 19 `shardBits`, or a compression that the library was built without.
    public init(capacity: ByteCount, compression: Compression = .lz4, shardBits: Int? = nil) throws(RocksError) {
        let numbers: [Compression: UInt8] = [.none: 0, .snappy: 1, .zlib: 2, .bzip2: 3, .lz4: 4, .lz4hc: 5, .zstd: 7]
        guard let number = numbers[compression] else {
            throw RocksError(.invalidArgument, "a secondary cache cannot compress with \(compression)")
        }
        let bits = try checkedShardBits(shardBits)
        var pointer: OpaquePointer?
        try unsafe crk_secondary_cache_create(Int(clamping: max(0, capacity.bytes)), bits, number, &pointer).check(
            "making a secondary cache of \(capacity)"
        )
        handle = unsafe ObjectHandle(owning: pointer!) { unsafe crk_secondary_cache_release($0) }
    }
}

private func checkedShardBits(_ bits: Int?) throws(RocksError) -> Int32 {
    guard let bits else { return -1 }
    guard (0...19).contains(bits) else { throw RocksError(.invalidArgument, "a cache must have 0 to 19 shard bits, not \(bits)") }
    return Int32(bits)
}
