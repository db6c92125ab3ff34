// Blob files. Counters of the legacy, separate BlobDB are always zero.
extension Statistics.Ticker {
    /// Puts into the legacy BlobDB.
    public static let blobDBNumPut = Self(name: "rocksdb.blobdb.num.put")
    /// Batches written to the legacy BlobDB.
    public static let blobDBNumWrite = Self(name: "rocksdb.blobdb.num.write")
    /// Point reads of the legacy BlobDB.
    public static let blobDBNumGet = Self(name: "rocksdb.blobdb.num.get")
    /// Calls of `multiGet` on the legacy BlobDB.
    public static let blobDBNumMultiget = Self(name: "rocksdb.blobdb.num.multiget")
    /// Cursor seeks in the legacy BlobDB.
    public static let blobDBNumSeek = Self(name: "rocksdb.blobdb.num.seek")
    /// Steps forward of cursors in the legacy BlobDB.
    public static let blobDBNumNext = Self(name: "rocksdb.blobdb.num.next")
    /// Steps backward of cursors in the legacy BlobDB.
    public static let blobDBNumPrevious = Self(name: "rocksdb.blobdb.num.prev")
    /// Keys written to the legacy BlobDB.
    public static let blobDBNumKeysWritten = Self(name: "rocksdb.blobdb.num.keys.written")
    /// Keys read from the legacy BlobDB.
    public static let blobDBNumKeysRead = Self(name: "rocksdb.blobdb.num.keys.read")
    /// Bytes of keys and values written to the legacy BlobDB.
    public static let blobDBBytesWritten = Self(name: "rocksdb.blobdb.bytes.written")
    /// Bytes of keys and values read from the legacy BlobDB.
    public static let blobDBBytesRead = Self(name: "rocksdb.blobdb.bytes.read")
    /// Values that the legacy BlobDB stored inline with their keys.
    public static let blobDBWriteInlined = Self(name: "rocksdb.blobdb.write.inlined")
    /// Values with an expiry that the legacy BlobDB stored inline.
    public static let blobDBWriteInlinedTTL = Self(name: "rocksdb.blobdb.write.inlined.ttl")
    /// Values that the legacy BlobDB wrote to blob files.
    public static let blobDBWriteBlob = Self(name: "rocksdb.blobdb.write.blob")
    /// Values with an expiry that the legacy BlobDB wrote to blob files.
    public static let blobDBWriteBlobTTL = Self(name: "rocksdb.blobdb.write.blob.ttl")
    /// Bytes written to blob files.
    public static let blobFileBytesWritten = Self(name: "rocksdb.blobdb.blob.file.bytes.written")
    /// Bytes read from blob files.
    public static let blobFileBytesRead = Self(name: "rocksdb.blobdb.blob.file.bytes.read")
    /// Syncs of blob files.
    public static let blobFileSynced = Self(name: "rocksdb.blobdb.blob.file.synced")
    /// Expired entries that the legacy BlobDB dropped.
    public static let blobDBBlobIndexExpiredCount = Self(name: "rocksdb.blobdb.blob.index.expired.count")
    /// Bytes of expired entries that the legacy BlobDB dropped.
    public static let blobDBBlobIndexExpiredSize = Self(name: "rocksdb.blobdb.blob.index.expired.size")
    /// Entries that the legacy BlobDB dropped with their file.
    public static let blobDBBlobIndexEvictedCount = Self(name: "rocksdb.blobdb.blob.index.evicted.count")
    /// Bytes of entries that the legacy BlobDB dropped with their file.
    public static let blobDBBlobIndexEvictedSize = Self(name: "rocksdb.blobdb.blob.index.evicted.size")
    /// Blob files that garbage collection of the legacy BlobDB replaced.
    public static let blobDBGCNumFiles = Self(name: "rocksdb.blobdb.gc.num.files")
    /// Blob files that garbage collection of the legacy BlobDB created.
    public static let blobDBGCNumNewFiles = Self(name: "rocksdb.blobdb.gc.num.new.files")
    /// Failures of garbage collection of the legacy BlobDB.
    public static let blobDBGCFailures = Self(name: "rocksdb.blobdb.gc.failures")
    /// Overwritten keys that garbage collection of the legacy BlobDB dropped.
    public static let blobDBGCNumKeysOverwritten = Self(name: "rocksdb.blobdb.gc.num.keys.overwritten")
    /// Expired keys that garbage collection of the legacy BlobDB dropped.
    public static let blobDBGCNumKeysExpired = Self(name: "rocksdb.blobdb.gc.num.keys.expired")
    /// Values that garbage collection moved to new blob files.
    public static let blobGCNumKeysRelocated = Self(name: "rocksdb.blobdb.gc.num.keys.relocated")
    /// Bytes of overwritten values that garbage collection of the legacy BlobDB dropped.
    public static let blobDBGCBytesOverwritten = Self(name: "rocksdb.blobdb.gc.bytes.overwritten")
    /// Bytes of expired values that garbage collection of the legacy BlobDB dropped.
    public static let blobDBGCBytesExpired = Self(name: "rocksdb.blobdb.gc.bytes.expired")
    /// Bytes of values that garbage collection moved to new blob files.
    public static let blobGCBytesRelocated = Self(name: "rocksdb.blobdb.gc.bytes.relocated")
    /// Blob files that the legacy BlobDB dropped because it was full.
    public static let blobDBFIFONumFilesEvicted = Self(name: "rocksdb.blobdb.fifo.num.files.evicted")
    /// Keys in blob files that the legacy BlobDB dropped because it was full.
    public static let blobDBFIFONumKeysEvicted = Self(name: "rocksdb.blobdb.fifo.num.keys.evicted")
    /// Bytes in blob files that the legacy BlobDB dropped because it was full.
    public static let blobDBFIFOBytesEvicted = Self(name: "rocksdb.blobdb.fifo.bytes.evicted")
    /// Values not found in the blob cache.
    public static let blobCacheMiss = Self(name: "rocksdb.blobdb.cache.miss")
    /// Values found in the blob cache.
    public static let blobCacheHit = Self(name: "rocksdb.blobdb.cache.hit")
    /// Values added to the blob cache.
    public static let blobCacheAdd = Self(name: "rocksdb.blobdb.cache.add")
    /// Values that the blob cache rejected.
    public static let blobCacheAddFailures = Self(name: "rocksdb.blobdb.cache.add.failures")
    /// Bytes read from the blob cache.
    public static let blobCacheBytesRead = Self(name: "rocksdb.blobdb.cache.bytes.read")
    /// Bytes added to the blob cache.
    public static let blobCacheBytesWrite = Self(name: "rocksdb.blobdb.cache.bytes.write")
}
