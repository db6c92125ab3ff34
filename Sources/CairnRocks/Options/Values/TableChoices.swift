/// The filter that tells which files cannot hold a key; RocksDB's `FilterPolicy`. Files with any of them are read.
public struct FilterPolicy: OptionObject {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = Self.canonical(rawValue) }

    /// No filter.
    public static let none = FilterPolicy(rawValue: "nullptr")
    /// A Bloom filter: with 10 bits a key, one file in a hundred is read in vain. Below 0.5: none; at most 100.
    public static func bloom(bitsPerKey: Double = 10) -> FilterPolicy {
        FilterPolicy(rawValue: "bloomfilter:\(text(bitsPerKey)):false")
    }
    /// A Ribbon filter as good as a Bloom filter of so many bits a key, but three tenths smaller and slower to make; levels above
    /// `bloomBeforeLevel` get Bloom filters. 0: flushed files only; -1: none.
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
    /// A hash table over prefixes beside it. Needs a ``ColumnFamilyOptions/prefixExtractor``; keys shorter than a fixed prefix are their own.
    public static let hashSearch = IndexType(rawValue: "kHashSearch")
    /// A small top over partitions that are cached one by one: for large files.
    public static let twoLevel = IndexType(rawValue: "kTwoLevelIndexSearch")
    /// Each block's first key too, so that a short scan reads fewer blocks; twice as large.
    public static let binarySearchWithFirstKey = IndexType(rawValue: "kBinarySearchWithFirstKey")
}

/// Which index keys are shortened; RocksDB's `IndexShorteningMode`.
public struct IndexShortening: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// None: a seek never reads a block in vain, the index is larger.
    public static let none = IndexShortening(rawValue: "kNoShortening")
    /// Those between blocks.
    public static let separators = IndexShortening(rawValue: "kShortenSeparators")
    /// Those between blocks and the one behind the last.
    public static let separatorsAndSuccessor = IndexShortening(rawValue: "kShortenSeparatorsAndSuccessor")
}

/// How a key is found within a block; RocksDB's `DataBlockIndexType`.
public struct DataBlockIndexType: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// By halving.
    public static let binarySearch = DataBlockIndexType(rawValue: "kDataBlockBinarySearch")
    /// By a hash table as well: point reads take less time, blocks more room.
    public static let binaryAndHash = DataBlockIndexType(rawValue: "kDataBlockBinaryAndHash")
}

/// The checksum of a block; RocksDB's `ChecksumType`.
public struct ChecksumType: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// None: damage is not noticed.
    public static let none = ChecksumType(rawValue: "kNoChecksum")
    /// CRC-32C.
    public static let crc32c = ChecksumType(rawValue: "kCRC32c")
    /// xxHash of 32 bits.
    public static let xxHash = ChecksumType(rawValue: "kxxHash")
    /// xxHash of 64 bits, half of it kept.
    public static let xxHash64 = ChecksumType(rawValue: "kxxHash64")
    /// XXH3, the fastest.
    public static let xxh3 = ChecksumType(rawValue: "kXXH3")
}

/// When a block is complete; RocksDB's `FlushBlockPolicyFactory`.
public struct FlushBlockPolicy: OptionObject {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = Self.canonical(rawValue) }

    /// When it has ``TableOptions/blockSize``.
    public static let bySize = FlushBlockPolicy(rawValue: "FlushBlockBySizePolicyFactory")
    /// With each key: for tests.
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

/// Which index and filter blocks stay in the block cache; RocksDB's `MetadataCacheOptions`. Counts for those that live there
/// (``TableOptions/cacheIndexAndFilterBlocks``). ``NamedOptions`` tells how to set one by name.
public struct MetadataCacheOptions: NestedOptions {
    public var settings: [String: String] = [:]
    /// RocksDB's defaults.
    public init() {}

    public static let defaults = parseOptionText(TableOptions.defaults["metadata_cache_options"] ?? "")

    /// The tops of divided indexes and filters. Default: ``PinningTier/fallback``.
    public var topLevelIndexPinning: PinningTier {
        get { self["top_level_index_pinning"] }
        set { self["top_level_index_pinning"] = newValue }
    }
    /// The partitions of divided indexes and filters. Default: ``PinningTier/fallback``.
    public var partitionPinning: PinningTier {
        get { self["partition_pinning"] }
        set { self["partition_pinning"] = newValue }
    }
    /// Indexes and filters in one piece. Default: ``PinningTier/fallback``.
    public var unpartitionedPinning: PinningTier {
        get { self["unpartitioned_pinning"] }
        set { self["unpartitioned_pinning"] = newValue }
    }

    /// Of which files; RocksDB's `PinningTier`.
    public struct PinningTier: OptionChoice {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// As ``TableOptions/pinLevel0IndexAndFilterBlocks`` and ``TableOptions/pinTopLevelIndexAndFilter`` say.
        public static let fallback = PinningTier(rawValue: "kFallback")
        /// Of none.
        public static let none = PinningTier(rawValue: "kNone")
        /// Of those that were flushed, or are no larger.
        public static let flushedAndSimilar = PinningTier(rawValue: "kFlushedAndSimilar")
        /// Of all.
        public static let all = PinningTier(rawValue: "kAll")
    }
}
