public import CairnCore

// What the database is doing: background work, writers, snapshots, caches.
extension Property where Value == UInt64 {
    /// How many flushes are running, in the whole database.
    public static var numRunningFlushes: Property { Property(name: "rocksdb.num-running-flushes") }
    /// How many compactions are running, in the whole database.
    public static var numRunningCompactions: Property { Property(name: "rocksdb.num-running-compactions") }
    /// How many times background work has failed since the database was opened.
    public static var backgroundErrors: Property { Property(name: "rocksdb.background-errors") }
    /// How many snapshots are alive, in the whole database.
    public static var numSnapshots: Property { Property(name: "rocksdb.num-snapshots") }
    /// The sequence number of the oldest of them; 0: there is none.
    public static var oldestSnapshotSequence: Property { Property(name: "rocksdb.oldest-snapshot-sequence") }
    /// When the oldest of them was made, in seconds since 1970; 0: there is none.
    public static var oldestSnapshotTime: Property { Property(name: "rocksdb.oldest-snapshot-time") }
}

extension Property where Value == ByteCount {
    /// To how much a second writers are slowed down; zero: they are not.
    public static var actualDelayedWriteRate: Property { Property(name: "rocksdb.actual-delayed-write-rate") }
    /// How much the block cache may hold.
    public static var blockCacheCapacity: Property { Property(name: "rocksdb.block-cache-capacity") }
    /// How much the block cache holds.
    public static var blockCacheUsage: Property { Property(name: "rocksdb.block-cache-usage") }
    /// How much of it is in use and cannot be evicted.
    public static var blockCachePinnedUsage: Property { Property(name: "rocksdb.block-cache-pinned-usage") }
    /// How much the blob cache may hold; `nil` without one.
    public static var blobCacheCapacity: Property { Property(name: "rocksdb.blob-cache-capacity") }
    /// How much the blob cache holds; `nil` without one.
    public static var blobCacheUsage: Property { Property(name: "rocksdb.blob-cache-usage") }
    /// How much of it is in use and cannot be evicted; `nil` without one.
    public static var blobCachePinnedUsage: Property { Property(name: "rocksdb.blob-cache-pinned-usage") }
}

extension Property where Value == Bool {
    /// Whether a compaction is due.
    public static var compactionPending: Property { Property(name: "rocksdb.compaction-pending") }
    /// Whether writers wait because flushes or compactions are behind.
    public static var isWriteStopped: Property { Property(name: "rocksdb.is-write-stopped") }
    /// Whether files that are no longer needed are deleted.
    public static var isFileDeletionsEnabled: Property { Property(name: "rocksdb.is-file-deletions-enabled") }
}
