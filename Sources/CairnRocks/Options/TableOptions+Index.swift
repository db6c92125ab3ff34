public import CairnCore

// Index and filters.
extension TableOptions {
    /// The filter that detects files that cannot hold a key. Saves point reads most of their file accesses. RocksDB's `filter_policy`.
    /// Default: ``FilterPolicy/none``; fixed while open.
    public var filterPolicy: FilterPolicy {
        get { self["filter_policy"] }
        set { self["filter_policy"] = newValue }
    }
    /// Whether filters hold whole keys, not only prefixes (``ColumnFamilyOptions/prefixExtractor``). Point reads need it. RocksDB's
    /// `whole_key_filtering`. Default: true; fixed while open.
    public var wholeKeyFiltering: Bool {
        get { self["whole_key_filtering"] }
        set { self["whole_key_filtering"] = newValue }
    }
    /// Whether filters are sized so that the allocator wastes little memory on them. RocksDB's `optimize_filters_for_memory`. Default:
    /// false; fixed while open.
    public var optimizeFiltersForMemory: Bool {
        get { self["optimize_filters_for_memory"] }
        set { self["optimize_filters_for_memory"] = newValue }
    }
    /// Whether each filter is checked after it is built, which takes a third more time. RocksDB's `detect_filter_construct_corruption`.
    /// Default: false; changeable while open, for new files.
    public var detectFilterConstructCorruption: Bool {
        get { self["detect_filter_construct_corruption"] }
        set { self["detect_filter_construct_corruption"] = newValue }
    }
    /// The structure of the index. RocksDB's `index_type`. Default: ``IndexType/binarySearch``; fixed while open.
    public var indexType: IndexType {
        get { self["index_type"] }
        set { self["index_type"] = newValue }
    }
    /// Which index keys are shortened. RocksDB's `index_shortening`. Default: ``IndexShortening/separators``; fixed while open.
    public var indexShortening: IndexShortening {
        get { self["index_shortening"] }
        set { self["index_shortening"] = newValue }
    }
    /// Whether the index is compressed in the file. RocksDB's `enable_index_compression`. Default: true; fixed while open.
    public var enableIndexCompression: Bool {
        get { self["enable_index_compression"] }
        set { self["enable_index_compression"] = newValue }
    }
    /// Whether filters are split into partitions that are cached separately. Requires ``IndexType/twoLevel``; otherwise RocksDB turns it
    /// off. RocksDB's `partition_filters`. Default: false; fixed while open.
    public var partitionFilters: Bool {
        get { self["partition_filters"] }
        set { self["partition_filters"] = newValue }
    }
    /// The target size of index and filter partitions. RocksDB's `metadata_block_size`. Default: 4 KiB; fixed while open.
    public var metadataBlockSize: ByteCount {
        get { self["metadata_block_size"] }
        set { self["metadata_block_size"] = newValue }
    }
}
