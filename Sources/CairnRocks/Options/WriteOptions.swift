public import CairnCore

/// The options of a write; RocksDB's `WriteOptions`.
///
/// ```swift
/// try db.put("paid", for: "invoice/7", options: .synced)
/// ```
public struct WriteOptions: Sendable, Hashable {
    /// What a write survives after the call has returned. Default: `Durability.buffered`.
    ///
    /// - `.none`: bypasses the write-ahead log (`disableWAL`); lost with the process unless it is flushed first.
    /// - `.buffered`: in the log, handed to the operating system; survives `kill -9`, but not a power failure.
    /// - `.synced`: the log is synced (`sync`); survives a power failure. Costs one device flush, shared by writers that wait together.
    public var durability = Durability.buffered
    /// Whether a batch skips operations on column families that no longer exist instead of failing. RocksDB's
    /// `ignore_missing_column_families`. Default: false.
    public var ignoresMissingColumnFamilies = false
    /// Whether a write fails with ``RocksError/Code/incomplete`` instead of waiting while RocksDB holds writers back. RocksDB's
    /// `no_slowdown`. Default: false.
    public var noSlowdown = false
    /// Whether the write yields to others when compaction falls behind. RocksDB's `low_pri`. Default: false.
    public var lowPriority = false
    /// Whether a batch remembers its position in the memtable from key to key: faster for ascending keys. RocksDB's
    /// `memtable_insert_hint_per_batch`. Default: false.
    public var memtableInsertHintPerBatch = false
    /// The rate limiter priority of log writes; RocksDB allows only ``IOPriority/user``. RocksDB's `rate_limiter_priority`. Default: nil,
    /// not charged.
    public var rateLimiterPriority: IOPriority?
    /// Whether each entry carries eight bytes of protection against damage in memory until it is written. RocksDB's
    /// `protection_bytes_per_key`. Default: false.
    public var protectsMemory = false

    /// Creates the default options with the given durability.
    public init(durability: Durability = .buffered) { self.durability = durability }

    /// Options with ``durability`` `.synced`, otherwise the defaults.
    public static let synced = WriteOptions(durability: .synced)
    /// Options with ``durability`` `.none`, otherwise the defaults: for data that can be regenerated.
    public static let unlogged = WriteOptions(durability: .none)
}
