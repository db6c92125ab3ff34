public import CairnCore

// Blocks and the format of files.
extension TableOptions {
    /// The approximate uncompressed size of a block, the unit of reading and caching. Larger blocks mean a smaller index, better
    /// compression and costlier point reads. RocksDB's `block_size`. Default: 4 KiB; changeable while open, for new files.
    public var blockSize: ByteCount {
        get { self["block_size"] }
        set { self["block_size"] = newValue }
    }
    /// The percentage of free space below which a block is closed early if the next entry does not fit. RocksDB's `block_size_deviation`.
    /// Default: 10; fixed while open.
    public var blockSizeDeviation: Int {
        get { self["block_size_deviation"] }
        set { self["block_size_deviation"] = newValue }
    }
    /// The interval of keys that are stored whole rather than as a difference from the previous key; at least 1. RocksDB's
    /// `block_restart_interval`. Default: 16; changeable while open, for new files.
    public var blockRestartInterval: Int {
        get { self["block_restart_interval"] }
        set { self["block_restart_interval"] = newValue }
    }
    /// The ``blockRestartInterval`` of index blocks; at least 1. RocksDB's `index_block_restart_interval`. Default: 1; fixed while open.
    public var indexBlockRestartInterval: Int {
        get { self["index_block_restart_interval"] }
        set { self["index_block_restart_interval"] = newValue }
    }
    /// Whether blocks begin at multiples of the page or block size. Requires ``Compression/none`` and a power of two as ``blockSize``.
    /// RocksDB's `block_align`. Default: false; fixed while open.
    public var blockAlign: Bool {
        get { self["block_align"] }
        set { self["block_align"] = newValue }
    }
    /// How a key is found within a block. RocksDB's `data_block_index_type`. Default: ``DataBlockIndexType/binarySearch``; fixed while
    /// open.
    public var dataBlockIndexType: DataBlockIndexType {
        get { self["data_block_index_type"] }
        set { self["data_block_index_type"] = newValue }
    }
    /// The load factor of the hash table of ``DataBlockIndexType/binaryAndHash``: entries per bucket, above 0. RocksDB's
    /// `data_block_hash_table_util_ratio`. Default: 0.75; fixed while open.
    public var dataBlockHashTableUtilization: Double {
        get { self["data_block_hash_table_util_ratio"] }
        set { self["data_block_hash_table_util_ratio"] = newValue }
    }
    /// The checksum of each block. Files with any checksum type can be read. RocksDB's `checksum`. Default: ``ChecksumType/xxh3``; fixed
    /// while open.
    public var checksum: ChecksumType {
        get { self["checksum"] }
        set { self["checksum"] = newValue }
    }
    /// The version of the file format for new files: RocksDB 6.6 and later read 5; use a smaller version for older releases. RocksDB's
    /// `format_version`. Default: 5; fixed while open.
    public var formatVersion: Int {
        get { self["format_version"] }
        set { self["format_version"] = newValue }
    }
    /// When a block is complete. RocksDB's `flush_block_policy_factory`. Default: ``FlushBlockPolicy/bySize``; fixed while open.
    public var flushBlockPolicy: FlushBlockPolicy {
        get { self["flush_block_policy_factory"] }
        set { self["flush_block_policy_factory"] = newValue }
    }
    /// Whether each compressed block is decompressed and compared when it is written. RocksDB's `verify_compression`. Default: false; fixed
    /// while open.
    public var verifyCompression: Bool {
        get { self["verify_compression"] }
        set { self["verify_compression"] = newValue }
    }
}
