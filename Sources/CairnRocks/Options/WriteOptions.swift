public import CairnCore

/// How a write behaves; RocksDB's `WriteOptions`.
///
/// ```swift
/// try db.put("paid", for: "invoice/7", options: .synced)
/// ```
public struct WriteOptions: Sendable, Hashable {
    /// What a write survives once the call has returned. Default: `Durability.buffered`.
    ///
    /// - `.none`: past the write-ahead log (`disableWAL`); lost with the process unless a flush came first.
    /// - `.buffered`: in the log, handed to the operating system; survives `kill -9`, not a power cut.
    /// - `.synced`: the log is synced (`sync`); survives a power cut. Costs one device flush, shared by writers that wait together.
    public var durability = Durability.buffered
    /// Whether a batch skips operations on column families that no longer exist instead of failing. Default: false.
    public var ignoresMissingColumnFamilies = false
    /// Whether a write fails with ``RocksError/Code/incomplete`` rather than wait while RocksDB holds writers back. Default: false.
    public var noSlowdown = false
    /// Whether the write yields to others when compaction falls behind. Default: false.
    public var lowPriority = false
    /// Whether a batch remembers its place in the memtable from key to key: faster for ascending keys. Default: false.
    public var memtableInsertHintPerBatch = false
    /// The priority of log writes towards the rate limiter; only ``IOPriority/user`` is allowed by RocksDB. Default: nil, not charged.
    public var rateLimiterPriority: IOPriority?
    /// Whether each entry carries eight bytes of protection against damage in memory until it is written. Default: false.
    public var protectsMemory = false

    /// The defaults, with the durability wanted.
    public init(durability: Durability = .buffered) { self.durability = durability }

    /// ``durability`` `.synced`, all else default.
    public static let synced = WriteOptions(durability: .synced)
    /// ``durability`` `.none`, all else default: for data that can be made again.
    public static let unlogged = WriteOptions(durability: .none)
}
