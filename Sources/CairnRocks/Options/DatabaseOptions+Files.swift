public import CairnCore

// Files: how many there are, how they are read and written, and when they are deleted.
extension DatabaseOptions {
    /// The maximum number of open table files; -1 means all, which are then opened with the database. RocksDB raises smaller values to 20.
    /// RocksDB's `max_open_files`. Default: -1; changeable while open.
    public var maxOpenFiles: Int {
        get { self["max_open_files"] }
        set { self["max_open_files"] = newValue }
    }
    /// The number of bytes written to a table file after which its dirty pages are sent to the device, to smooth out writes; zero means
    /// never. RocksDB's `bytes_per_sync`. Default: zero; changeable while open.
    public var bytesPerSync: ByteCount {
        get { self["bytes_per_sync"] }
        set { self["bytes_per_sync"] = newValue }
    }
    /// Whether a file's writer waits while more than ``bytesPerSync`` (``walBytesPerSync``) is on its way to the device. RocksDB's
    /// `strict_bytes_per_sync`. Default: false; changeable while open.
    public var strictBytesPerSync: Bool {
        get { self["strict_bytes_per_sync"] }
        set { self["strict_bytes_per_sync"] = newValue }
    }
    /// How much a compaction reads at once; 2 MiB or more on spinning disks. RocksDB's `compaction_readahead_size`. Default: zero, block by
    /// block (2 MiB with ``useDirectReads``); changeable while open.
    public var compactionReadahead: ByteCount {
        get { self["compaction_readahead_size"] }
        set { self["compaction_readahead_size"] = newValue }
    }
    /// The largest buffer for writing a file. RocksDB's `writable_file_max_buffer_size`. Default: 1 MiB; changeable while open.
    public var writableFileMaxBufferSize: ByteCount {
        get { self["writable_file_max_buffer_size"] }
        set { self["writable_file_max_buffer_size"] = newValue }
    }
    /// Whether reads bypass the page cache (`O_DIRECT`), so that only the block cache holds data. The file system must support it.
    /// RocksDB's `use_direct_reads`. Default: false; fixed while open.
    public var useDirectReads: Bool {
        get { self["use_direct_reads"] }
        set { self["use_direct_reads"] = newValue }
    }
    /// Whether flushes and compactions bypass the page cache (`O_DIRECT`) when they write. The file system must support it. RocksDB's
    /// `use_direct_io_for_flush_and_compaction`. Default: false; fixed while open.
    public var useDirectIOForFlushAndCompaction: Bool {
        get { self["use_direct_io_for_flush_and_compaction"] }
        set { self["use_direct_io_for_flush_and_compaction"] = newValue }
    }
    /// Whether table files are memory-mapped. Uncompressed blocks are then read in place, bypassing the block cache. Cannot be combined
    /// with ``useDirectReads`` or ``useDirectIOForFlushAndCompaction``. RocksDB's `allow_mmap_reads`. Default: false; fixed while open.
    public var allowMmapReads: Bool {
        get { self["allow_mmap_reads"] }
        set { self["allow_mmap_reads"] = newValue }
    }
    /// Whether files are written through memory maps. Requires ``allowFallocate``; cannot be combined with
    /// ``useDirectIOForFlushAndCompaction``. RocksDB's `allow_mmap_writes`. Default: false; fixed while open.
    public var allowMmapWrites: Bool {
        get { self["allow_mmap_writes"] }
        set { self["allow_mmap_writes"] = newValue }
    }
    /// Whether files are synced with `fsync` instead of `fdatasync`: equally safe but slower, for file systems with defects. RocksDB's
    /// `use_fsync`. Default: false; fixed while open.
    public var useFsync: Bool {
        get { self["use_fsync"] }
        set { self["use_fsync"] = newValue }
    }
    /// Whether disk space is preallocated for files being written. Set to false on btrfs, which does not release it. RocksDB's `allow_fallocate`.
    /// Default: true; fixed while open.
    public var allowFallocate: Bool {
        get { self["allow_fallocate"] }
        set { self["allow_fallocate"] = newValue }
    }
    /// Whether files are closed in programs that the process starts. RocksDB's `is_fd_close_on_exec`. Default: true; fixed while open.
    public var closeFilesOnExec: Bool {
        get { self["is_fd_close_on_exec"] }
        set { self["is_fd_close_on_exec"] = newValue }
    }
    /// Whether the operating system is asked not to read ahead in table files. RocksDB's `advise_random_on_open`. Default: true; fixed
    /// while open.
    public var adviseRandomOnOpen: Bool {
        get { self["advise_random_on_open"] }
        set { self["advise_random_on_open"] = newValue }
    }
    /// The access pattern that is announced to the operating system for files that a compaction reads. RocksDB's
    /// `access_hint_on_compaction_start`. Default: ``AccessHint/normal``; fixed while open.
    public var compactionAccessHint: AccessHint {
        get { self["access_hint_on_compaction_start"] }
        set { self["access_hint_on_compaction_start"] = newValue }
    }
    /// The base-2 logarithm of the number of shards in the table of open files; more shards mean less contention between threads. RocksDB's
    /// `table_cache_numshardbits`. Default: 6; fixed while open.
    public var tableCacheShardBits: Int {
        get { self["table_cache_numshardbits"] }
        set { self["table_cache_numshardbits"] = newValue }
    }
    /// How often the directory is searched for obsolete files, in addition to after each compaction. RocksDB's
    /// `delete_obsolete_files_period_micros`. Default: 6 h; changeable while open.
    public var deleteObsoleteFilesPeriod: Duration {
        get { self[microseconds: "delete_obsolete_files_period_micros"] }
        set { self[microseconds: "delete_obsolete_files_period_micros"] = newValue }
    }
    /// The size at which the manifest, the list of files, is rewritten. RocksDB's `max_manifest_file_size`. Default: 1 GiB; fixed while
    /// open.
    public var maxManifestSize: ByteCount {
        get { self["max_manifest_file_size"] }
        set { self["max_manifest_file_size"] = newValue }
    }
    /// How much disk space is reserved for the manifest at a time. RocksDB's `manifest_preallocation_size`. Default: 4 MiB; fixed while
    /// open.
    public var manifestPreallocationSize: ByteCount {
        get { self["manifest_preallocation_size"] }
        set { self["manifest_preallocation_size"] = newValue }
    }
    /// How the checksum of each whole table file, which is kept in the manifest, is computed. RocksDB's `file_checksum_gen_factory`.
    /// Default: ``FileChecksumFactory/none``; fixed while open.
    public var fileChecksumFactory: FileChecksumFactory {
        get { self["file_checksum_gen_factory"] }
        set { self["file_checksum_gen_factory"] = newValue }
    }
    /// The lowest cache tier in use; the second tier exists only if a cache has one. RocksDB's `lowest_used_cache_tier`. Default:
    /// ``CacheTier/secondary``; fixed while open.
    public var lowestCacheTier: CacheTier {
        get { self["lowest_used_cache_tier"] }
        set { self["lowest_used_cache_tier"] = newValue }
    }
    /// The largest buffer for unbuffered reads on Windows; no effect elsewhere. RocksDB's `random_access_max_buffer_size`. Default: 1 MiB;
    /// fixed while open.
    public var randomAccessMaxBufferSize: ByteCount {
        get { self["random_access_max_buffer_size"] }
        set { self["random_access_max_buffer_size"] = newValue }
    }
}
