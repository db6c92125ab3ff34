public import CairnCore

// The write path.
extension DatabaseOptions {
    /// How much memory the memtables of all column families may take together before some are flushed; zero: no common limit.
    /// ``memoryBudget`` overrides it. Default: zero; fixed while open.
    public var databaseWriteBufferSize: ByteCount {
        get { self["db_write_buffer_size"] }
        set { self["db_write_buffer_size"] = newValue }
    }
    /// How many bytes a second are accepted while writers are slowed down because compaction is behind; zero: 16 MiB. Default: zero;
    /// changeable while open.
    public var delayedWriteRate: ByteCount {
        get { self["delayed_write_rate"] }
        set { self["delayed_write_rate"] = newValue }
    }
    /// Whether column families are always flushed together, so that batches over several of them stay whole without the log. Not with
    /// ``enablePipelinedWrite``. Default: false; fixed while open.
    public var atomicFlush: Bool {
        get { self["atomic_flush"] }
        set { self["atomic_flush"] = newValue }
    }
    /// Whether one group of writers may write to the log while another still writes to the memtables. More throughput with many writers.
    /// Default: false; fixed while open.
    public var enablePipelinedWrite: Bool {
        get { self["enable_pipelined_write"] }
        set { self["enable_pipelined_write"] = newValue }
    }
    /// Whether writers reach the memtables in any order: more throughput, but snapshots and cursors may see a write appear later. Needs
    /// ``allowConcurrentMemtableWrite``; not with ``enablePipelinedWrite`` or ``manualWALFlush``. Default: false; fixed while open.
    public var unorderedWrite: Bool {
        get { self["unordered_write"] }
        set { self["unordered_write"] = newValue }
    }
    /// Whether writes that go to the log alone have a queue of their own; for two-phase commit. Default: false; fixed while open.
    public var twoWriteQueues: Bool {
        get { self["two_write_queues"] }
        set { self["two_write_queues"] = newValue }
    }
    /// Whether several threads insert into a memtable at once. Must be false for memtables other than ``MemtableFactory/skipList`` and for
    /// ``ColumnFamilyOptions/inPlaceUpdateSupport``. Default: true; fixed while open.
    public var allowConcurrentMemtableWrite: Bool {
        get { self["allow_concurrent_memtable_write"] }
        set { self["allow_concurrent_memtable_write"] = newValue }
    }
    /// Whether a writer that waits for its group spins for ``writeThreadMaxYield`` before it sleeps. Default: true; fixed while open.
    public var enableWriteThreadAdaptiveYield: Bool {
        get { self["enable_write_thread_adaptive_yield"] }
        set { self["enable_write_thread_adaptive_yield"] = newValue }
    }
    /// How long a waiting writer spins at most. Default: 100 µs; fixed while open.
    public var writeThreadMaxYield: Duration {
        get { self[microseconds: "write_thread_max_yield_usec"] }
        set { self[microseconds: "write_thread_max_yield_usec"] = newValue }
    }
    /// A yield that takes longer is taken as a sign that the processor is wanted by others. Default: 3 µs; fixed while open.
    public var writeThreadSlowYield: Duration {
        get { self[microseconds: "write_thread_slow_yield_usec"] }
        set { self[microseconds: "write_thread_slow_yield_usec"] = newValue }
    }
    /// How much one group of waiting writers may write together. Default: 1 MiB; fixed while open.
    public var maxWriteGroupSize: ByteCount {
        get { self["max_write_batch_group_size_bytes"] }
        set { self["max_write_batch_group_size_bytes"] = newValue }
    }
    /// Whether a flush compares the number of entries it wrote with those inserted. Default: true; fixed while open.
    public var flushVerifyMemtableCount: Bool {
        get { self["flush_verify_memtable_count"] }
        set { self["flush_verify_memtable_count"] = newValue }
    }
    /// Whether a flush or compaction that meets a misused `singleDelete` stops with an error, which stops all writes and keeps the database
    /// from being opened again. Default: false, unlike RocksDB; fixed while open.
    public var enforceSingleDeleteContracts: Bool {
        get { self["enforce_single_del_contracts"] }
        set { self["enforce_single_del_contracts"] = newValue }
    }
}
