public import CairnCore

// Caching and readahead.
extension TableOptions {
    /// Whether index and filters live in the block cache and count towards its capacity, instead of staying in memory while the file is
    /// open. An index or filter that is larger than a shard of the cache (1/64 of it, but at least 512 KiB) is then read again for each
    /// lookup, unless ``metadataCacheOptions`` pin it. Not needed with ``DatabaseOptions/memoryBudget``, which includes index and filters,
    /// and pins them. RocksDB's `cache_index_and_filter_blocks`. Default: false; fixed while open.
    public var cacheIndexAndFilterBlocks: Bool {
        get { self["cache_index_and_filter_blocks"] }
        set { self["cache_index_and_filter_blocks"] = newValue }
    }
    /// Whether index and filter blocks are evicted later than data blocks. RocksDB's `cache_index_and_filter_blocks_with_high_priority`.
    /// Default: true; fixed while open.
    public var cacheIndexAndFilterBlocksWithHighPriority: Bool {
        get { self["cache_index_and_filter_blocks_with_high_priority"] }
        set { self["cache_index_and_filter_blocks_with_high_priority"] = newValue }
    }
    /// Which index and filter blocks are never evicted. With ``DatabaseOptions/memoryBudget``,
    /// ``MetadataCacheOptions/PinningTier/fallback`` means all, except for partitions with ``IndexType/twoLevel``. Fixed while open.
    /// RocksDB's `metadata_cache_options`.
    public var metadataCacheOptions: MetadataCacheOptions {
        get { self["metadata_cache_options"] }
        set { self["metadata_cache_options"] = newValue }
    }
    /// Whether index and filter blocks of level 0 are never evicted; the older form of ``metadataCacheOptions``. RocksDB's
    /// `pin_l0_filter_and_index_blocks_in_cache`. Default: false; fixed while open.
    public var pinLevel0IndexAndFilterBlocks: Bool {
        get { self["pin_l0_filter_and_index_blocks_in_cache"] }
        set { self["pin_l0_filter_and_index_blocks_in_cache"] = newValue }
    }
    /// Whether the top level of partitioned indexes and filters is never evicted; the older form of ``metadataCacheOptions``. RocksDB's
    /// `pin_top_level_index_and_filter`. Default: true; fixed while open.
    public var pinTopLevelIndexAndFilter: Bool {
        get { self["pin_top_level_index_and_filter"] }
        set { self["pin_top_level_index_and_filter"] = newValue }
    }
    /// Whether there is no block cache at all. Cannot be combined with ``cacheIndexAndFilterBlocks``. RocksDB's `no_block_cache`. Default:
    /// false; fixed while open.
    public var disableBlockCache: Bool {
        get { self["no_block_cache"] }
        set { self["no_block_cache"] = newValue }
    }
    /// Whether flushes add blocks to the cache, for data that is read soon after. RocksDB's `prepopulate_block_cache`. Default:
    /// ``CachePrepopulation/never``; changeable while open, for new files.
    public var prepopulateBlockCache: CachePrepopulation {
        get { self["prepopulate_block_cache"] }
        set { self["prepopulate_block_cache"] = newValue }
    }
    /// The initial readahead of a cursor that reads sequentially; it doubles with each read. Zero means never. RocksDB's
    /// `initial_auto_readahead_size`. Default: 8 KiB; changeable while open, for files opened later.
    public var initialAutoReadahead: ByteCount {
        get { self["initial_auto_readahead_size"] }
        set { self["initial_auto_readahead_size"] = newValue }
    }
    /// The maximum readahead of a cursor that reads sequentially; zero means never. RocksDB's `max_auto_readahead_size`. Default: 256 KiB; changeable
    /// while open, for files opened later.
    public var maxAutoReadahead: ByteCount {
        get { self["max_auto_readahead_size"] }
        set { self["max_auto_readahead_size"] = newValue }
    }
    /// The number of sequentially read blocks after which readahead starts. RocksDB's `num_file_reads_for_auto_readahead`. Default: 2;
    /// changeable while open, for files opened later.
    public var fileReadsForAutoReadahead: Int {
        get { self["num_file_reads_for_auto_readahead"] }
        set { self["num_file_reads_for_auto_readahead"] = newValue }
    }
    /// The number of bytes in a cached block for which one bit records whether they were used, to measure read amplification in statistics;
    /// a power of two. RocksDB's `read_amp_bytes_per_bit`. Default: 0, off; fixed while open.
    public var readAmplificationBytesPerBit: Int {
        get { self["read_amp_bytes_per_bit"] }
        set { self["read_amp_bytes_per_bit"] = newValue }
    }
}
