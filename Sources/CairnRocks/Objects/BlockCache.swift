import CRocks
public import CairnCore

/// Memory for blocks read from files, shared by any number of column families and databases; RocksDB's `Cache`.
///
/// Without one, each column family has a cache of its own of the library's default size (8 MiB in 7.8; see ``TableOptions``). It can also hold
/// the values of blob files (``ColumnFamilyOptions/blobCache``) or, alone, whole rows (``DatabaseOptions/rowCache``).
///
/// ```swift
/// let cache = try BlockCache(capacity: .mebibytes(512), policy: .hyperClock(entrySize: .kibibytes(8)))
/// options.table.blockCache = cache
/// ```
///
/// Safe from any thread. What changes the cache changes it for all who share it.
public final class BlockCache: Sendable {
    let handle: ObjectHandle
    /// How the cache chooses what to evict.
    public let policy: Policy

    /// How a cache chooses what to evict.
    public struct Policy: Sendable, Hashable {
        enum Kind: Hashable { case lru(high: Double, low: Double), hyperClock(ByteCount) }
        let kind: Kind

        /// The least recently used go first; RocksDB's `LRUCache`, the default.
        ///
        /// Shares from 0 to 1, together at most 1: index and filter blocks (``TableOptions/cacheIndexAndFilterBlocksWithHighPriority``) and
        /// what was read more than once stay within `highPriorityShare` when other blocks are evicted; data blocks within `lowPriorityShare`
        /// when blobs are.
        public static func lru(highPriorityShare: Double = 0.5, lowPriorityShare: Double = 0) -> Policy {
            Policy(kind: .lru(high: highPriorityShare, low: lowPriorityShare))
        }
        /// No locks, for many threads; RocksDB's `HyperClockCache`.
        ///
        /// `entrySize` is how large entries are on average, at least 512 bytes, which fixes the size of its table: take the larger of
        /// ``TableOptions/blockSize`` and ``TableOptions/metadataBlockSize``. Much too large, and the cache stays half empty; too small, and its
        /// table takes more memory, which is taken at once and counts as used.
        public static func hyperClock(entrySize: ByteCount) -> Policy { Policy(kind: .hyperClock(entrySize)) }
    }

    /// A cache that holds about `capacity`.
    ///
    /// - Parameters:
    ///   - capacity: How much it may hold.
    ///   - policy: What goes first.
    ///   - isStrict: Whether blocks in use may not exceed it: reads that need more then throw ``RocksError/Code/aborted`` or
    ///     ``RocksError/Code/incomplete`` with the subcode ``RocksError/Subcode/memoryLimit``.
    ///   - shardBits: Into how many parts it is divided, each with a lock: 2 to this power, at most 19. `nil`: as RocksDB sees fit.
    ///   - chargesMetadata: Whether the cache's own memory counts.
    ///   - secondary: Keeps what is evicted. For ``Policy/lru(highPriorityShare:lowPriorityShare:)`` only.
    /// - Throws: ``RocksError/Code/invalidArgument`` for other shares, sizes and numbers; ``RocksError/Code/outOfMemory``.
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
                throw RocksError(.invalidArgument, "shares of a cache are 0 to 1, together at most 1, not \(high) and \(low)")
            }
            settings.high_priority_ratio = high
            settings.low_priority_ratio = low
        case .hyperClock(let entrySize):
            // Each part has room for an entry or more.
            let least = entrySize.bytes.multipliedReportingOverflow(by: 1 << (shardBits ?? 0))
            guard entrySize >= .bytes(512), !least.overflow, capacity.bytes >= least.partialValue, capacity <= .gibibytes(1024) else {
                let reason = "entries have 512 bytes or more, each part has room for one, and the cache has at most 1 TiB"
                throw RocksError(.invalidArgument, "a clock cache of \(capacity) for entries of \(entrySize) is not possible: \(reason)")
            }
            guard secondary == nil else { throw RocksError(.invalidArgument, "a clock cache takes no secondary cache") }
            settings.entry_size = Int(entrySize.bytes)
        }
        var pointer: OpaquePointer?
        try unsafe crk_cache_create(&settings, secondary?.handle.pointer, &pointer).check("making a block cache of \(capacity)")
        handle = unsafe ObjectHandle(owning: pointer!) { unsafe crk_cache_release($0) }
        self.policy = policy
    }

    /// How much the cache may hold. Setting it evicts what is too much at once.
    public var capacity: ByteCount {
        get { ByteCount(bytes: Int64(clamping: unsafe crk_cache_capacity(handle.pointer))) }
        set { unsafe crk_cache_set_capacity(handle.pointer, Int(clamping: max(0, newValue.bytes))) }
    }
    /// Whether blocks in use may not exceed the capacity.
    public var isStrict: Bool {
        get { unsafe crk_cache_is_strict(handle.pointer) }
        set { unsafe crk_cache_set_strict(handle.pointer, newValue) }
    }
    /// How much it holds now.
    public var usage: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_cache_usage(handle.pointer))) }
    /// How much of that is in use and cannot be evicted.
    public var pinnedUsage: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_cache_pinned_usage(handle.pointer))) }

    /// Evicts everything that is not in use; RocksDB's `EraseUnRefEntries`.
    public func eraseUnreferenced() { unsafe crk_cache_erase_unreferenced(handle.pointer) }

    /// Whether it takes keys of any length, as a row cache must.
    var takesAnyKey: Bool {
        if case .lru = policy.kind { true } else { false }
    }
}

/// Memory that keeps, compressed, what a ``BlockCache`` evicts; RocksDB's `CompressedSecondaryCache`. More blocks fit, and finding one costs its
/// decompression rather than a read. Experimental in RocksDB.
public final class SecondaryCache: Sendable {
    let handle: ObjectHandle

    /// A cache that holds about `capacity`, in 2 to the power of `shardBits` parts.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` for more than 19 `shardBits`, or a compression that the library was built without.
    public init(capacity: ByteCount, compression: Compression = .lz4, shardBits: Int? = nil) throws(RocksError) {
        let numbers: [Compression: UInt8] = [.none: 0, .snappy: 1, .zlib: 2, .bzip2: 3, .lz4: 4, .lz4hc: 5, .zstd: 7]
        guard let number = numbers[compression] else {
            throw RocksError(.invalidArgument, "a secondary cache does not compress by \(compression)")
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
    guard (0...19).contains(bits) else { throw RocksError(.invalidArgument, "a cache has 0 to 19 shard bits, not \(bits)") }
    return Int32(bits)
}
