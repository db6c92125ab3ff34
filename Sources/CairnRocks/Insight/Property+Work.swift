public import CairnCore

// What the database is doing: background work, writers, snapshots, caches.
extension Property where Value == UInt64 {
    /// The number of running flushes in the whole database.
    public static var numRunningFlushes: Property { Property(name: "rocksdb.num-running-flushes") }
    /// The number of running compactions in the whole database.
    public static var numRunningCompactions: Property { Property(name: "rocksdb.num-running-compactions") }
    /// The number of failures of background work since the database was opened.
    public static var backgroundErrors: Property { Property(name: "rocksdb.background-errors") }
    /// The number of live snapshots in the whole database.
    public static var numSnapshots: Property { Property(name: "rocksdb.num-snapshots") }
    /// The sequence number of the oldest snapshot; 0 if there is none.
    public static var oldestSnapshotSequence: Property { Property(name: "rocksdb.oldest-snapshot-sequence") }
    /// The creation time of the oldest snapshot, in seconds since 1970; 0 if there is none.
    public static var oldestSnapshotTime: Property { Property(name: "rocksdb.oldest-snapshot-time") }
}

extension Property where Value == ByteCount {
    /// The amount per second to which writers are slowed down; zero if they are not.
    public static var actualDelayedWriteRate: Property { Property(name: "rocksdb.actual-delayed-write-rate") }
    /// The capacity of the block cache.
    public static var blockCacheCapacity: Property { Property(name: "rocksdb.block-cache-capacity") }
    /// The size of the block cache's contents.
    public static var blockCacheUsage: Property { Property(name: "rocksdb.block-cache-usage") }
    /// The size of the block cache's entries that are in use and cannot be evicted.
    public static var blockCachePinnedUsage: Property { Property(name: "rocksdb.block-cache-pinned-usage") }
    /// The capacity of the blob cache; `nil` without one.
    public static var blobCacheCapacity: Property { Property(name: "rocksdb.blob-cache-capacity") }
    /// The size of the blob cache's contents; `nil` without one.
    public static var blobCacheUsage: Property { Property(name: "rocksdb.blob-cache-usage") }
    /// The size of the blob cache's entries that are in use and cannot be evicted; `nil` without one.
    public static var blobCachePinnedUsage: Property { Property(name: "rocksdb.blob-cache-pinned-usage") }
}

extension Property where Value == Bool {
    /// Whether a compaction is pending.
    public static var compactionPending: Property { Property(name: "rocksdb.compaction-pending") }
    /// Whether writers wait because flushes or compactions lag behind.
    public static var isWriteStopped: Property { Property(name: "rocksdb.is-write-stopped") }
    /// Whether obsolete files are deleted.
    public static var isFileDeletionsEnabled: Property { Property(name: "rocksdb.is-file-deletions-enabled") }
}
