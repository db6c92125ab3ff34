/// The filter that detects files that cannot hold a key; RocksDB's `FilterPolicy`. Files with any filter policy can be read.
public struct FilterPolicy: OptionObject {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = Self.canonical(rawValue) }

    /// No filter.
    public static let none = FilterPolicy(rawValue: "nullptr")
    /// A Bloom filter. With 10 bits per key, one in a hundred files is read unnecessarily. Below 0.5 there is no filter; the maximum is 100.
    public static func bloom(bitsPerKey: Double = 10) -> FilterPolicy {
        FilterPolicy(rawValue: "bloomfilter:\(text(bitsPerKey)):false")
    }
    /// A Ribbon filter that is as good as a Bloom filter with the given bits per key, but 30 % smaller, and slower to build. Levels above
    /// `bloomBeforeLevel` get Bloom filters: with 0, only flushed files do; with -1, none.
    public static func ribbon(bitsPerKey: Double = 10, bloomBeforeLevel: Int = 0) -> FilterPolicy {
        FilterPolicy(rawValue: "ribbonfilter:\(text(bitsPerKey)):\(bloomBeforeLevel)")
    }

    private static func text(_ bits: Double) -> String {
        let text = String(bits)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

/// The structure of a file's index; RocksDB's `IndexType`.
public struct IndexType: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// One sorted block.
    public static let binarySearch = IndexType(rawValue: "kBinarySearch")
    /// A binary search index with a hash table over prefixes. Requires a ``ColumnFamilyOptions/prefixExtractor``; keys shorter than a fixed
    /// prefix are their own prefix.
    public static let hashSearch = IndexType(rawValue: "kHashSearch")
    /// A small top level over partitions that are cached separately: for large files.
    public static let twoLevel = IndexType(rawValue: "kTwoLevelIndexSearch")
    /// A binary search index that also holds each block's first key, so that a short scan reads fewer blocks; twice as large.
    public static let binarySearchWithFirstKey = IndexType(rawValue: "kBinarySearchWithFirstKey")
}

/// Which index keys are shortened; RocksDB's `IndexShorteningMode`.
public struct IndexShortening: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// None: a seek never reads a block unnecessarily, but the index is larger.
    public static let none = IndexShortening(rawValue: "kNoShortening")
    /// The keys between blocks.
    public static let separators = IndexShortening(rawValue: "kShortenSeparators")
    /// The keys between blocks and the one after the last block.
    public static let separatorsAndSuccessor = IndexShortening(rawValue: "kShortenSeparatorsAndSuccessor")
}

/// How a key is found within a block; RocksDB's `DataBlockIndexType`.
public struct DataBlockIndexType: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// By binary search.
    public static let binarySearch = DataBlockIndexType(rawValue: "kDataBlockBinarySearch")
    /// Also by a hash table: point reads are faster, blocks are larger.
    public static let binaryAndHash = DataBlockIndexType(rawValue: "kDataBlockBinaryAndHash")
}

/// The checksum of a block; RocksDB's `ChecksumType`.
public struct ChecksumType: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// None: damage goes unnoticed.
    public static let none = ChecksumType(rawValue: "kNoChecksum")
    /// CRC-32C.
    public static let crc32c = ChecksumType(rawValue: "kCRC32c")
    /// 32-bit xxHash.
    public static let xxHash = ChecksumType(rawValue: "kxxHash")
    /// Half of a 64-bit xxHash.
    public static let xxHash64 = ChecksumType(rawValue: "kxxHash64")
    /// XXH3, the fastest.
    public static let xxh3 = ChecksumType(rawValue: "kXXH3")
}

/// When a block is complete; RocksDB's `FlushBlockPolicyFactory`.
public struct FlushBlockPolicy: OptionObject {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = Self.canonical(rawValue) }

    /// When it reaches ``TableOptions/blockSize``.
    public static let bySize = FlushBlockPolicy(rawValue: "FlushBlockBySizePolicyFactory")
    /// After each key: for tests.
    public static let everyKey = FlushBlockPolicy(rawValue: "FlushBlockEveryKeyPolicyFactory")
}

/// When new data enters a cache; RocksDB's `PrepopulateBlockCache` and `PrepopulateBlobCache`.
public struct CachePrepopulation: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// When it is read.
    public static let never = CachePrepopulation(rawValue: "kDisable")
    /// When it is flushed from the memtable.
    public static let onFlush = CachePrepopulation(rawValue: "kFlushOnly")
}

/// Which index and filter blocks stay in the block cache; RocksDB's `MetadataCacheOptions`. Applies only to blocks that live in the cache
/// (``TableOptions/cacheIndexAndFilterBlocks``). See ``NamedOptions`` for setting one by name.
public struct MetadataCacheOptions: NestedOptions {
    public var settings: [String: String] = [:]
    /// Creates RocksDB's default options.
    public init() {}

    public static let defaults = parseOptionText(TableOptions.defaults["metadata_cache_options"] ?? "")

    /// The top levels of partitioned indexes and filters. RocksDB's `top_level_index_pinning`. Default: ``PinningTier/fallback``.
    public var topLevelIndexPinning: PinningTier {
        get { self["top_level_index_pinning"] }
        set { self["top_level_index_pinning"] = newValue }
    }
    /// The partitions of partitioned indexes and filters. RocksDB's `partition_pinning`. Default: ``PinningTier/fallback``.
    public var partitionPinning: PinningTier {
        get { self["partition_pinning"] }
        set { self["partition_pinning"] = newValue }
    }
    /// Indexes and filters that are not partitioned. RocksDB's `unpartitioned_pinning`. Default: ``PinningTier/fallback``.
    public var unpartitionedPinning: PinningTier {
        get { self["unpartitioned_pinning"] }
        set { self["unpartitioned_pinning"] = newValue }
    }

    /// The files whose blocks stay; RocksDB's `PinningTier`.
    public struct PinningTier: OptionChoice {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// As ``TableOptions/pinLevel0IndexAndFilterBlocks`` and ``TableOptions/pinTopLevelIndexAndFilter`` specify.
        public static let fallback = PinningTier(rawValue: "kFallback")
        /// No files.
        public static let none = PinningTier(rawValue: "kNone")
        /// Flushed files, and files that are no larger.
        public static let flushedAndSimilar = PinningTier(rawValue: "kFlushedAndSimilar")
        /// All files.
        public static let all = PinningTier(rawValue: "kAll")
    }
}
