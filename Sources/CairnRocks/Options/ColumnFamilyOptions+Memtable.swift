public import CairnCore

// Memtables: what was written last, in memory.
extension ColumnFamilyOptions {
    /// How large a memtable becomes before it is flushed to a file. Larger: faster loading, more memory, longer recovery. RocksDB keeps it
    /// within 64 KiB and 64 GiB. Default: 64 MiB; changeable while open.
    public var writeBufferSize: ByteCount {
        get { self["write_buffer_size"] }
        set { self["write_buffer_size"] = newValue }
    }
    /// How many memtables may exist, the ones being flushed included, before writers wait; at least 2. Default: 2; changeable while open.
    public var maxWriteBufferCount: Int {
        get { self["max_write_buffer_number"] }
        set { self["max_write_buffer_number"] = newValue }
    }
    /// How many full memtables are gathered and flushed together; less than ``maxWriteBufferCount``. Default: 1; fixed while open.
    public var minWriteBufferCountToMerge: Int {
        get { self["min_write_buffer_number_to_merge"] }
        set { self["min_write_buffer_number_to_merge"] = newValue }
    }
    /// How much memory flushed memtables may take that are kept for conflict checks of transactions; -1 byte: as much as all memtables.
    /// Default: zero; fixed while open.
    public var maxWriteBufferSizeToMaintain: ByteCount {
        get { self["max_write_buffer_size_to_maintain"] }
        set { self["max_write_buffer_size_to_maintain"] = newValue }
    }
    /// How many memtables are kept for that, flushed ones included; deprecated in favour of ``maxWriteBufferSizeToMaintain``, which
    /// overrides it. Default: 0; fixed while open.
    public var maxWriteBufferCountToMaintain: Int {
        get { self["max_write_buffer_number_to_maintain"] }
        set { self["max_write_buffer_number_to_maintain"] = newValue }
    }
    /// The data structure of memtables. Default: ``MemtableFactory/skipList``; fixed while open.
    public var memtableFactory: MemtableFactory {
        get { self["memtable_factory"] }
        set { self["memtable_factory"] = newValue }
    }
    /// How large a memtable's Bloom filter is, as a part of ``writeBufferSize``; at most 0.25. Holds prefixes if there is a
    /// ``prefixExtractor``, keys with ``memtableWholeKeyFiltering``. Default: 0, none; changeable while open.
    public var memtableBloomSizeRatio: Double {
        get { self["memtable_prefix_bloom_size_ratio"] }
        set { self["memtable_prefix_bloom_size_ratio"] = newValue }
    }
    /// Whether the memtable's Bloom filter holds whole keys, for point reads. Default: false; changeable while open.
    public var memtableWholeKeyFiltering: Bool {
        get { self["memtable_whole_key_filtering"] }
        set { self["memtable_whole_key_filtering"] = newValue }
    }
    /// For each prefix the memtable remembers where it inserted last: faster if keys with one prefix arrive in order. Works with
    /// ``DatabaseOptions/allowConcurrentMemtableWrite`` off only. Default: none; fixed while open.
    public var memtableInsertHintPrefix: PrefixExtractor {
        get { self["memtable_insert_with_hint_prefix_extractor"] }
        set { self["memtable_insert_with_hint_prefix_extractor"] = newValue }
    }
    /// The page size to take memtable memory from huge pages, which must have been reserved; zero: ordinary memory. Default: zero;
    /// changeable while open.
    public var memtableHugePageSize: ByteCount {
        get { self["memtable_huge_page_size"] }
        set { self["memtable_huge_page_size"] = newValue }
    }
    /// How many bytes of checksum each entry carries in memory: 0, 1, 2, 4 or 8. Default: 0; changeable while open.
    public var memtableProtectionBytesPerKey: Int {
        get { self["memtable_protection_bytes_per_key"] }
        set { self["memtable_protection_bytes_per_key"] = newValue }
    }
    /// How much memory a memtable takes at a time. Default: zero, which means an eighth of ``writeBufferSize``, at most 1 MiB; changeable
    /// while open.
    public var arenaBlockSize: ByteCount {
        get { self["arena_block_size"] }
        set { self["arena_block_size"] = newValue }
    }
    /// After how many merges of one key in the memtable they are combined while writing; zero: never. Speeds up reading hot keys, slows
    /// writing. Default: 0; changeable while open.
    public var maxSuccessiveMerges: Int {
        get { self["max_successive_merges"] }
        set { self["max_successive_merges"] = newValue }
    }
    /// Whether a value is overwritten in the memtable if the new one is not larger. Snapshots and cursors then see changes. Needs
    /// ``DatabaseOptions/allowConcurrentMemtableWrite`` off. Default: false; fixed while open.
    public var inPlaceUpdateSupport: Bool {
        get { self["inplace_update_support"] }
        set { self["inplace_update_support"] = newValue }
    }
    /// How many locks guard such overwriting. Default: 10,000; changeable while open.
    public var inPlaceUpdateLockCount: Int {
        get { self["inplace_update_num_locks"] }
        set { self["inplace_update_num_locks"] = newValue }
    }
    /// Whether Bloom probes of plain tables stay within a cache line; zero: no. Default: 0; fixed while open.
    public var bloomLocality: Int {
        get { self["bloom_locality"] }
        set { self["bloom_locality"] = newValue }
    }
    /// A memtable whose useful part is below this share is cleaned in memory instead of flushed; 1 is a good value. Experimental. Default:
    /// 0, off; changeable while open.
    public var mempurgeThreshold: Double {
        get { self["experimental_mempurge_threshold"] }
        set { self["experimental_mempurge_threshold"] = newValue }
    }
}
