public import CairnCore

// The write path.
extension DatabaseOptions {
    /// The total memory for the memtables of all column families at which some are flushed; zero means no common limit. ``memoryBudget``
    /// overrides it. RocksDB's `db_write_buffer_size`. Default: zero; fixed while open.
    public var databaseWriteBufferSize: ByteCount {
        get { self["db_write_buffer_size"] }
        set { self["db_write_buffer_size"] = newValue }
    }
    /// The number of bytes per second accepted while writers are slowed down because compaction lags behind; zero means 16 MiB. RocksDB's
    /// `delayed_write_rate`. Default: zero; changeable while open.
    public var delayedWriteRate: ByteCount {
        get { self["delayed_write_rate"] }
        set { self["delayed_write_rate"] = newValue }
    }
    /// Whether column families are always flushed together, so that batches across several of them stay atomic without the log. Cannot be
    /// combined with ``enablePipelinedWrite``. RocksDB's `atomic_flush`. Default: false; fixed while open.
    public var atomicFlush: Bool {
        get { self["atomic_flush"] }
        set { self["atomic_flush"] = newValue }
    }
    /// Whether one group of writers may write to the log while another is still writing to the memtables. More throughput with many
    /// writers. RocksDB's `enable_pipelined_write`. Default: false; fixed while open.
    public var enablePipelinedWrite: Bool {
        get { self["enable_pipelined_write"] }
        set { self["enable_pipelined_write"] = newValue }
    }
    /// Whether writers reach the memtables in any order: more throughput, but snapshots and cursors may see a write appear later. Requires
    /// ``allowConcurrentMemtableWrite``; cannot be combined with ``enablePipelinedWrite`` or ``manualWALFlush``. RocksDB's
    /// `unordered_write`. Default: false; fixed while open.
    public var unorderedWrite: Bool {
        get { self["unordered_write"] }
        set { self["unordered_write"] = newValue }
    }
    /// Whether writes that only go to the log have a separate queue; for two-phase commit. RocksDB's `two_write_queues`. Default: false;
    /// fixed while open.
    public var twoWriteQueues: Bool {
        get { self["two_write_queues"] }
        set { self["two_write_queues"] = newValue }
    }
    /// Whether several threads insert into a memtable concurrently. Must be false for memtables other than ``MemtableFactory/skipList`` and
    /// for ``ColumnFamilyOptions/inPlaceUpdateSupport``. RocksDB's `allow_concurrent_memtable_write`. Default: true; fixed while open.
    public var allowConcurrentMemtableWrite: Bool {
        get { self["allow_concurrent_memtable_write"] }
        set { self["allow_concurrent_memtable_write"] = newValue }
    }
    /// Whether a writer that waits for its group spins for ``writeThreadMaxYield`` before it sleeps. RocksDB's
    /// `enable_write_thread_adaptive_yield`. Default: true; fixed while open.
    public var enableWriteThreadAdaptiveYield: Bool {
        get { self["enable_write_thread_adaptive_yield"] }
        set { self["enable_write_thread_adaptive_yield"] = newValue }
    }
    /// The maximum time that a waiting writer spins. RocksDB's `write_thread_max_yield_usec`. Default: 100 µs; fixed while open.
    public var writeThreadMaxYield: Duration {
        get { self[microseconds: "write_thread_max_yield_usec"] }
        set { self[microseconds: "write_thread_max_yield_usec"] = newValue }
    }
    /// The duration above which a yield counts as a sign that other threads need the processor. RocksDB's `write_thread_slow_yield_usec`.
    /// Default: 3 µs; fixed while open.
    public var writeThreadSlowYield: Duration {
        get { self[microseconds: "write_thread_slow_yield_usec"] }
        set { self[microseconds: "write_thread_slow_yield_usec"] = newValue }
    }
    /// The maximum size of what one group of waiting writers writes together. RocksDB's `max_write_batch_group_size_bytes`. Default: 1 MiB;
    /// fixed while open.
    public var maxWriteGroupSize: ByteCount {
        get { self["max_write_batch_group_size_bytes"] }
        set { self["max_write_batch_group_size_bytes"] = newValue }
    }
    /// Whether a flush compares the number of entries it wrote with the number inserted. RocksDB's `flush_verify_memtable_count`. Default:
    /// true; fixed while open.
    public var flushVerifyMemtableCount: Bool {
        get { self["flush_verify_memtable_count"] }
        set { self["flush_verify_memtable_count"] = newValue }
    }
    /// Whether a flush or compaction that encounters a misused `singleDelete` fails, which stops all writes and prevents the database from
    /// being reopened. RocksDB's `enforce_single_del_contracts`. Default: false, unlike RocksDB; fixed while open.
    public var enforceSingleDeleteContracts: Bool {
        get { self["enforce_single_del_contracts"] }
        set { self["enforce_single_del_contracts"] = newValue }
    }
}
