// Writing, flushes, compactions, files, errors.
extension Statistics.Ticker {
    /// Keys written: put, merged, deleted.
    public static let numberKeysWritten = Self(name: "rocksdb.number.keys.written")
    /// Keys overwritten in the memtable, with ``ColumnFamilyOptions/inPlaceUpdateSupport``.
    public static let numberKeysUpdated = Self(name: "rocksdb.number.keys.updated")
    /// Bytes of keys and values written, before compression.
    public static let bytesWritten = Self(name: "rocksdb.bytes.written")
    /// Deletions that were not written since there was nothing to delete.
    public static let numberFilteredDeletes = Self(name: "rocksdb.number.deletes.filtered")
    /// Times the write-ahead log was synced.
    public static let walFileSynced = Self(name: "rocksdb.wal.synced")
    /// Bytes written to the write-ahead log.
    public static let walFileBytes = Self(name: "rocksdb.wal.bytes")
    /// Writes that their own thread carried out.
    public static let writeDoneBySelf = Self(name: "rocksdb.write.self")
    /// Writes that the thread of another writer carried out with its own.
    public static let writeDoneByOther = Self(name: "rocksdb.write.other")
    /// Writes that ran out of time.
    public static let writeTimedOut = Self(name: "rocksdb.write.timeout")
    /// Writes that went through the write-ahead log.
    public static let writeWithWAL = Self(name: "rocksdb.write.wal")
    /// Microseconds that writers waited for flushes and compactions.
    public static let stallMicros = Self(name: "rocksdb.stall.micros")
    /// Microseconds that writers were slowed down by level 0. No longer counted.
    public static let stallL0SlowdownMicros = Self(name: "rocksdb.l0.slowdown.micros")
    /// Microseconds that writers waited for memtables. No longer counted.
    public static let stallMemtableCompactionMicros = Self(name: "rocksdb.memtable.compaction.micros")
    /// Microseconds that the number of files in level 0 held writers up. No longer counted.
    public static let stallL0NumFilesMicros = Self(name: "rocksdb.l0.num.files.stall.micros")
    /// Microseconds spent waiting for the database's mutex. Needs ``StatsLevel/all``.
    public static let dbMutexWaitMicros = Self(name: "rocksdb.db.mutex.wait.micros")
    /// Milliseconds that the limit of a level delayed writes. No longer counted.
    public static let rateLimitDelayMillis = Self(name: "rocksdb.rate.limit.delay.millis")
    /// Periods in which the rate limiter's bytes were all used up.
    public static let numberRateLimiterDrains = Self(name: "rocksdb.number.rate_limiter.drains")
    /// Bytes of keys and values in memtables when they were flushed.
    public static let memtablePayloadBytesAtFlush = Self(name: "rocksdb.memtable.payload.bytes.at.flush")
    /// Bytes of them that were overwritten by then.
    public static let memtableGarbageBytesAtFlush = Self(name: "rocksdb.memtable.garbage.bytes.at.flush")
    /// Bytes that flushes wrote.
    public static let flushWriteBytes = Self(name: "rocksdb.flush.write.bytes")
    /// Bytes that compactions read.
    public static let compactReadBytes = Self(name: "rocksdb.compact.read.bytes")
    /// Bytes that compactions wrote.
    public static let compactWriteBytes = Self(name: "rocksdb.compact.write.bytes")
    /// Bytes read by compactions of files marked for it.
    public static let compactReadBytesMarked = Self(name: "rocksdb.compact.read.marked.bytes")
    /// Bytes read by periodic compactions.
    public static let compactReadBytesPeriodic = Self(name: "rocksdb.compact.read.periodic.bytes")
    /// Bytes read by compactions for age.
    public static let compactReadBytesTTL = Self(name: "rocksdb.compact.read.ttl.bytes")
    /// Bytes written by compactions of files marked for it.
    public static let compactWriteBytesMarked = Self(name: "rocksdb.compact.write.marked.bytes")
    /// Bytes written by periodic compactions.
    public static let compactWriteBytesPeriodic = Self(name: "rocksdb.compact.write.periodic.bytes")
    /// Bytes written by compactions for age.
    public static let compactWriteBytesTTL = Self(name: "rocksdb.compact.write.ttl.bytes")
    /// Bytes that compactions elsewhere read.
    public static let remoteCompactReadBytes = Self(name: "rocksdb.remote.compact.read.bytes")
    /// Bytes that compactions elsewhere wrote.
    public static let remoteCompactWriteBytes = Self(name: "rocksdb.remote.compact.write.bytes")
    /// Entries that compactions dropped since there was a newer one.
    public static let compactionKeyDropNewerEntry = Self(name: "rocksdb.compaction.key.drop.new")
    /// Deletions that compactions dropped since nothing was left to delete.
    public static let compactionKeyDropObsolete = Self(name: "rocksdb.compaction.key.drop.obsolete")
    /// Entries that compactions dropped since their range was deleted.
    public static let compactionKeyDropRangeDelete = Self(name: "rocksdb.compaction.key.drop.range_del")
    /// Entries that a compaction filter dropped.
    public static let compactionKeyDropUser = Self(name: "rocksdb.compaction.key.drop.user")
    /// Deletions of ranges that were dropped with all their keys gone.
    public static let compactionRangeDeleteDropObsolete = Self(name: "rocksdb.compaction.range_del.drop.obsolete")
    /// Deletions dropped before the last level, since no file below had the key.
    public static let compactionOptimizedDeleteDropObsolete = Self(name: "rocksdb.compaction.optimized.del.drop.obsolete")
    /// Compactions given up for want of disk space.
    public static let compactionCancelled = Self(name: "rocksdb.compaction.cancelled")
    /// Blocks compressed.
    public static let numberBlockCompressed = Self(name: "rocksdb.number.block.compressed")
    /// Blocks decompressed.
    public static let numberBlockDecompressed = Self(name: "rocksdb.number.block.decompressed")
    /// Blocks stored as they are, since compressing saved too little.
    public static let numberBlockNotCompressed = Self(name: "rocksdb.number.block.not_compressed")
    /// Files closed. No longer counted.
    public static let fileCloses = Self(name: "rocksdb.no.file.closes")
    /// Table files opened.
    public static let fileOpens = Self(name: "rocksdb.no.file.opens")
    /// Table files that could not be opened.
    public static let fileErrors = Self(name: "rocksdb.no.file.errors")
    /// Times the properties of a file were read without opening it as a table.
    public static let numberDirectLoadTableProperties = Self(name: "rocksdb.number.direct.load.table.properties")
    /// Checksums of blocks computed while reading.
    public static let blockChecksumComputeCount = Self(name: "rocksdb.block.checksum.compute.count")
    /// Bytes read by ``RocksDB/verifyChecksums()``.
    public static let verifyChecksumReadBytes = Self(name: "rocksdb.verify_checksum.read.bytes")
    /// Files set aside to be deleted slowly.
    public static let filesMarkedTrash = Self(name: "rocksdb.files.marked.trash")
    /// Files deleted at once.
    public static let filesDeletedImmediately = Self(name: "rocksdb.files.deleted.immediately")
    /// Bytes that backups read.
    public static let backupReadBytes = Self(name: "rocksdb.backup.read.bytes")
    /// Bytes that backups wrote.
    public static let backupWriteBytes = Self(name: "rocksdb.backup.write.bytes")
    /// Errors of background work. RocksDB's name is misspelt so.
    public static let backgroundErrorCount = Self(name: "rocksdb.error.handler.bg.errro.count")
    /// Those that came from the file system.
    public static let backgroundIOErrorCount = Self(name: "rocksdb.error.handler.bg.io.errro.count")
    /// Those of them that may pass.
    public static let backgroundRetryableIOErrorCount = Self(name: "rocksdb.error.handler.bg.retryable.io.errro.count")
    /// Times RocksDB began to recover by itself.
    public static let autoresumeCount = Self(name: "rocksdb.error.handler.autoresume.count")
    /// Attempts it took.
    public static let autoresumeRetryTotalCount = Self(name: "rocksdb.error.handler.autoresume.retry.total.count")
    /// Times it succeeded.
    public static let autoresumeSuccessCount = Self(name: "rocksdb.error.handler.autoresume.success.count")
    /// Times a write-prepared transaction locked what it should rarely need, on preparing.
    public static let transactionPrepareMutexOverhead = Self(name: "rocksdb.txn.overhead.mutex.prepare")
    /// The same, for the map of old commits.
    public static let transactionOldCommitMapMutexOverhead = Self(name: "rocksdb.txn.overhead.mutex.old.commit.map")
    /// Times a batch was searched for keys that come twice.
    public static let transactionDuplicateKeyOverhead = Self(name: "rocksdb.txn.overhead.duplicate.key")
    /// Times the list of snapshots was locked.
    public static let transactionSnapshotMutexOverhead = Self(name: "rocksdb.txn.overhead.mutex.snapshot")
    /// Reads of a transaction that had to be repeated, since their snapshot was too old.
    public static let transactionGetTryAgain = Self(name: "rocksdb.txn.get.tryagain")
}
