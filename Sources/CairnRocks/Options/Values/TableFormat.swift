public import CairnCore

/// The format of table files; RocksDB's `TableFactory`. RocksDB's `CuckooTable` is refused: getting a key whose length differs from the stored
/// keys ends the process, and every read would have to check for that.
public struct TableFormat: OptionObject {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = Self.canonical(rawValue) }

    /// Blocks with an index; ``ColumnFamilyOptions/table`` holds its options. The default, and the only format with compression and a cache.
    public static let blockBased = TableFormat(rawValue: "BlockBasedTable")
    /// Consecutive entries with a hash index over prefixes, for in-memory file systems. Requires a ``ColumnFamilyOptions/prefixExtractor``,
    /// without which opening throws; cursors only move forward.
    public static func plain(_ options: PlainTableOptions = PlainTableOptions()) -> TableFormat {
        TableFormat(rawValue: "{id=PlainTable;" + options.optionText.withoutBraces + "}")
    }
}

/// The settings of ``TableFormat/plain(_:)``; RocksDB's `PlainTableOptions`.
public struct PlainTableOptions: NestedOptions {
    public var settings: [String: String] = [:]
    /// RocksDB's defaults.
    public init() {}

    public static let defaults = [
        "user_key_len": "0", "bloom_bits_per_key": "10", "hash_table_ratio": "0.75", "index_sparseness": "16", "huge_page_tlb_size": "0",
        "encoding_type": "kPlain", "full_scan_mode": "false", "store_index_in_file": "false",
    ]

    /// The number of Bloom filter bits per prefix; 0 means none. RocksDB's `bloom_bits_per_key`. Default: 10.
    public var bloomBitsPerKey: Int {
        get { self["bloom_bits_per_key"] }
        set { self["bloom_bits_per_key"] = newValue }
    }
    /// The load factor of the hash table: prefixes per bucket. RocksDB's `hash_table_ratio`. Default: 0.75.
    public var hashTableRatio: Double {
        get { self["hash_table_ratio"] }
        set { self["hash_table_ratio"] = newValue }
    }
    /// The interval of keys within a prefix that get an index entry. RocksDB's `index_sparseness`. Default: 16.
    public var indexSparseness: Int {
        get { self["index_sparseness"] }
        set { self["index_sparseness"] = newValue }
    }
    /// The page size for allocating index memory from huge pages; zero means ordinary memory. RocksDB's `huge_page_tlb_size`. Default:
    /// zero.
    public var hugePageSize: ByteCount {
        get { self["huge_page_tlb_size"] }
        set { self["huge_page_tlb_size"] = newValue }
    }
    /// Whether keys with the same prefix store it only once. The prefix extractor can then never change. RocksDB's `encoding_type`.
    /// Default: false.
    public var encodesPrefixOnce: Bool {
        get { self["encoding_type"] == "kPrefix" }
        set { self["encoding_type"] = newValue ? "kPrefix" : "kPlain" }
    }
    /// Whether index and filter are stored in the file rather than built when it is opened. RocksDB's `store_index_in_file`. Default:
    /// false.
    public var storeIndexInFile: Bool {
        get { self["store_index_in_file"] }
        set { self["store_index_in_file"] = newValue }
    }
}
