public import CairnCore

// Memtables: the most recent writes, in memory.
extension ColumnFamilyOptions {
    /// The size at which a memtable is flushed to a file. A larger one means faster loading, more memory and longer recovery. RocksDB keeps
    /// it between 64 KiB and 64 GiB. RocksDB's `write_buffer_size`. Default: 64 MiB; changeable while open.
    public var writeBufferSize: ByteCount {
        get { self["write_buffer_size"] }
        set { self["write_buffer_size"] = newValue }
    }
    /// The maximum number of memtables, including those being flushed, before writers wait; at least 2. RocksDB's
    /// `max_write_buffer_number`. Default: 2; changeable while open.
    public var maxWriteBufferCount: Int {
        get { self["max_write_buffer_number"] }
        set { self["max_write_buffer_number"] = newValue }
    }
    /// The number of full memtables that are flushed together; less than ``maxWriteBufferCount``. RocksDB's
    /// `min_write_buffer_number_to_merge`. Default: 1; fixed while open.
    public var minWriteBufferCountToMerge: Int {
        get { self["min_write_buffer_number_to_merge"] }
        set { self["min_write_buffer_number_to_merge"] = newValue }
    }
    /// The maximum memory for flushed memtables that are kept for transactions' conflict checks; -1 byte means as much as all memtables.
    /// RocksDB's `max_write_buffer_size_to_maintain`. Default: zero; fixed while open.
    public var maxWriteBufferSizeToMaintain: ByteCount {
        get { self["max_write_buffer_size_to_maintain"] }
        set { self["max_write_buffer_size_to_maintain"] = newValue }
    }
    /// The number of memtables, including flushed ones, that are kept for conflict checks; deprecated in favour of
    /// ``maxWriteBufferSizeToMaintain``, which overrides it. RocksDB's `max_write_buffer_number_to_maintain`. Default: 0; fixed while open.
    public var maxWriteBufferCountToMaintain: Int {
        get { self["max_write_buffer_number_to_maintain"] }
        set { self["max_write_buffer_number_to_maintain"] = newValue }
    }
    /// The data structure of memtables. RocksDB's `memtable_factory`. Default: ``MemtableFactory/skipList``; fixed while open.
    public var memtableFactory: MemtableFactory {
        get { self["memtable_factory"] }
        set { self["memtable_factory"] = newValue }
    }
    /// The size of a memtable's Bloom filter as a fraction of ``writeBufferSize``; at most 0.25. The filter holds prefixes if there is a
    /// ``prefixExtractor``, and keys with ``memtableWholeKeyFiltering``. RocksDB's `memtable_prefix_bloom_size_ratio`. Default: 0, none;
    /// changeable while open.
    public var memtableBloomSizeRatio: Double {
        get { self["memtable_prefix_bloom_size_ratio"] }
        set { self["memtable_prefix_bloom_size_ratio"] = newValue }
    }
    /// Whether the memtable's Bloom filter holds whole keys, for point reads. RocksDB's `memtable_whole_key_filtering`. Default: false;
    /// changeable while open.
    public var memtableWholeKeyFiltering: Bool {
        get { self["memtable_whole_key_filtering"] }
        set { self["memtable_whole_key_filtering"] = newValue }
    }
    /// The prefixes for which a memtable remembers its last insert position: faster if the keys of a prefix arrive in order. Works only if
    /// ``DatabaseOptions/allowConcurrentMemtableWrite`` is false. RocksDB's `memtable_insert_with_hint_prefix_extractor`. Default: none;
    /// fixed while open.
    public var memtableInsertHintPrefix: PrefixExtractor {
        get { self["memtable_insert_with_hint_prefix_extractor"] }
        set { self["memtable_insert_with_hint_prefix_extractor"] = newValue }
    }
    /// The page size for allocating memtables from huge pages, which must have been reserved; zero means ordinary memory. RocksDB's
    /// `memtable_huge_page_size`. Default: zero; changeable while open.
    public var memtableHugePageSize: ByteCount {
        get { self["memtable_huge_page_size"] }
        set { self["memtable_huge_page_size"] = newValue }
    }
    /// The number of checksum bytes for each entry in memory: 0, 1, 2, 4 or 8. RocksDB's `memtable_protection_bytes_per_key`. Default: 0;
    /// changeable while open.
    public var memtableProtectionBytesPerKey: Int {
        get { self["memtable_protection_bytes_per_key"] }
        set { self["memtable_protection_bytes_per_key"] = newValue }
    }
    /// The amount of memory that a memtable allocates at a time. RocksDB's `arena_block_size`. Default: zero, which means an eighth of
    /// ``writeBufferSize``, at most 1 MiB; changeable while open.
    public var arenaBlockSize: ByteCount {
        get { self["arena_block_size"] }
        set { self["arena_block_size"] = newValue }
    }
    /// The number of merge operands of one key in the memtable at which a write combines them; zero means never. Speeds up reads of hot
    /// keys and slows down writes. RocksDB's `max_successive_merges`. Default: 0; changeable while open.
    public var maxSuccessiveMerges: Int {
        get { self["max_successive_merges"] }
        set { self["max_successive_merges"] = newValue }
    }
    /// Whether a value is overwritten in the memtable if the new one is not larger. Snapshots and cursors then see changes. Requires
    /// ``DatabaseOptions/allowConcurrentMemtableWrite`` to be false. RocksDB's `inplace_update_support`. Default: false; fixed while open.
    public var inPlaceUpdateSupport: Bool {
        get { self["inplace_update_support"] }
        set { self["inplace_update_support"] = newValue }
    }
    /// The number of locks that guard in-place updates. RocksDB's `inplace_update_num_locks`. Default: 10,000; changeable while open.
    public var inPlaceUpdateLockCount: Int {
        get { self["inplace_update_num_locks"] }
        set { self["inplace_update_num_locks"] = newValue }
    }
    /// Whether Bloom probes of plain tables stay within a cache line; zero means no. RocksDB's `bloom_locality`. Default: 0; fixed while
    /// open.
    public var bloomLocality: Int {
        get { self["bloom_locality"] }
        set { self["bloom_locality"] = newValue }
    }
    /// The fraction of useful data below which a memtable is compacted in memory instead of flushed; 1 is a good value. Experimental.
    /// RocksDB's `experimental_mempurge_threshold`. Default: 0, off; changeable while open.
    public var mempurgeThreshold: Double {
        get { self["experimental_mempurge_threshold"] }
        set { self["experimental_mempurge_threshold"] = newValue }
    }
}
