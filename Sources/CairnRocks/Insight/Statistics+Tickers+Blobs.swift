// Blob files. What only the former, separate BlobDB counted is always zero.
extension Statistics.Ticker {
    /// Puts into a former BlobDB.
    public static let blobDBNumPut = Self(name: "rocksdb.blobdb.num.put")
    /// Batches written to a former BlobDB.
    public static let blobDBNumWrite = Self(name: "rocksdb.blobdb.num.write")
    /// Point reads of a former BlobDB.
    public static let blobDBNumGet = Self(name: "rocksdb.blobdb.num.get")
    /// Calls of `multiGet` on a former BlobDB.
    public static let blobDBNumMultiget = Self(name: "rocksdb.blobdb.num.multiget")
    /// Times a cursor of a former BlobDB was positioned.
    public static let blobDBNumSeek = Self(name: "rocksdb.blobdb.num.seek")
    /// Steps forward of cursors of a former BlobDB.
    public static let blobDBNumNext = Self(name: "rocksdb.blobdb.num.next")
    /// Steps backward of cursors of a former BlobDB.
    public static let blobDBNumPrevious = Self(name: "rocksdb.blobdb.num.prev")
    /// Keys written to a former BlobDB.
    public static let blobDBNumKeysWritten = Self(name: "rocksdb.blobdb.num.keys.written")
    /// Keys read from a former BlobDB.
    public static let blobDBNumKeysRead = Self(name: "rocksdb.blobdb.num.keys.read")
    /// Bytes of keys and values written to a former BlobDB.
    public static let blobDBBytesWritten = Self(name: "rocksdb.blobdb.bytes.written")
    /// Bytes of keys and values read from a former BlobDB.
    public static let blobDBBytesRead = Self(name: "rocksdb.blobdb.bytes.read")
    /// Values that a former BlobDB kept beside their keys.
    public static let blobDBWriteInlined = Self(name: "rocksdb.blobdb.write.inlined")
    /// Those of them that expire.
    public static let blobDBWriteInlinedTTL = Self(name: "rocksdb.blobdb.write.inlined.ttl")
    /// Values that a former BlobDB wrote to blob files.
    public static let blobDBWriteBlob = Self(name: "rocksdb.blobdb.write.blob")
    /// Those of them that expire.
    public static let blobDBWriteBlobTTL = Self(name: "rocksdb.blobdb.write.blob.ttl")
    /// Bytes written to blob files.
    public static let blobFileBytesWritten = Self(name: "rocksdb.blobdb.blob.file.bytes.written")
    /// Bytes read from blob files.
    public static let blobFileBytesRead = Self(name: "rocksdb.blobdb.blob.file.bytes.read")
    /// Times a blob file was synced.
    public static let blobFileSynced = Self(name: "rocksdb.blobdb.blob.file.synced")
    /// Entries that a former BlobDB dropped when they expired.
    public static let blobDBBlobIndexExpiredCount = Self(name: "rocksdb.blobdb.blob.index.expired.count")
    /// Their bytes.
    public static let blobDBBlobIndexExpiredSize = Self(name: "rocksdb.blobdb.blob.index.expired.size")
    /// Entries that a former BlobDB dropped with their file.
    public static let blobDBBlobIndexEvictedCount = Self(name: "rocksdb.blobdb.blob.index.evicted.count")
    /// Their bytes.
    public static let blobDBBlobIndexEvictedSize = Self(name: "rocksdb.blobdb.blob.index.evicted.size")
    /// Blob files that the garbage collection of a former BlobDB replaced.
    public static let blobDBGCNumFiles = Self(name: "rocksdb.blobdb.gc.num.files")
    /// Blob files that it made.
    public static let blobDBGCNumNewFiles = Self(name: "rocksdb.blobdb.gc.num.new.files")
    /// Times it failed.
    public static let blobDBGCFailures = Self(name: "rocksdb.blobdb.gc.failures")
    /// Overwritten keys that it dropped.
    public static let blobDBGCNumKeysOverwritten = Self(name: "rocksdb.blobdb.gc.num.keys.overwritten")
    /// Expired keys that it dropped.
    public static let blobDBGCNumKeysExpired = Self(name: "rocksdb.blobdb.gc.num.keys.expired")
    /// Values that garbage collection moved to new blob files.
    public static let blobGCNumKeysRelocated = Self(name: "rocksdb.blobdb.gc.num.keys.relocated")
    /// Bytes of overwritten values that it dropped.
    public static let blobDBGCBytesOverwritten = Self(name: "rocksdb.blobdb.gc.bytes.overwritten")
    /// Bytes of expired values that it dropped.
    public static let blobDBGCBytesExpired = Self(name: "rocksdb.blobdb.gc.bytes.expired")
    /// Bytes of values that garbage collection moved to new blob files.
    public static let blobGCBytesRelocated = Self(name: "rocksdb.blobdb.gc.bytes.relocated")
    /// Blob files that a full former BlobDB dropped.
    public static let blobDBFIFONumFilesEvicted = Self(name: "rocksdb.blobdb.fifo.num.files.evicted")
    /// Keys in them.
    public static let blobDBFIFONumKeysEvicted = Self(name: "rocksdb.blobdb.fifo.num.keys.evicted")
    /// Bytes in them.
    public static let blobDBFIFOBytesEvicted = Self(name: "rocksdb.blobdb.fifo.bytes.evicted")
    /// Values not found in the blob cache.
    public static let blobCacheMiss = Self(name: "rocksdb.blobdb.cache.miss")
    /// Values found in the blob cache.
    public static let blobCacheHit = Self(name: "rocksdb.blobdb.cache.hit")
    /// Values put into the blob cache.
    public static let blobCacheAdd = Self(name: "rocksdb.blobdb.cache.add")
    /// Values that the blob cache did not take.
    public static let blobCacheAddFailures = Self(name: "rocksdb.blobdb.cache.add.failures")
    /// Bytes read from the blob cache.
    public static let blobCacheBytesRead = Self(name: "rocksdb.blobdb.cache.bytes.read")
    /// Bytes put into the blob cache.
    public static let blobCacheBytesWrite = Self(name: "rocksdb.blobdb.cache.bytes.write")
}
