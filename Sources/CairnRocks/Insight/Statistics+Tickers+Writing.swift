// Writes, flushes, compactions, files, errors.
extension Statistics.Ticker {
    /// Keys written by puts, merges and deletes.
    public static let numberKeysWritten = Self(name: "rocksdb.number.keys.written")
    /// Keys overwritten in the memtable, with ``ColumnFamilyOptions/inPlaceUpdateSupport``.
    public static let numberKeysUpdated = Self(name: "rocksdb.number.keys.updated")
    /// Bytes of keys and values written, before compression.
    public static let bytesWritten = Self(name: "rocksdb.bytes.written")
    /// Deletions that were not written because there was nothing to delete.
    public static let numberFilteredDeletes = Self(name: "rocksdb.number.deletes.filtered")
    /// Syncs of the write-ahead log.
    public static let walFileSynced = Self(name: "rocksdb.wal.synced")
    /// Bytes written to the write-ahead log.
    public static let walFileBytes = Self(name: "rocksdb.wal.bytes")
    /// Writes carried out by their own thread.
    public static let writeDoneBySelf = Self(name: "rocksdb.write.self")
    /// Writes carried out by the thread of another writer, together with its own.
    public static let writeDoneByOther = Self(name: "rocksdb.write.other")
    /// Writes that timed out.
    public static let writeTimedOut = Self(name: "rocksdb.write.timeout")
    /// Writes that went through the write-ahead log.
    public static let writeWithWAL = Self(name: "rocksdb.write.wal")
    /// Microseconds that writers waited for flushes and compactions.
    public static let stallMicros = Self(name: "rocksdb.stall.micros")
    /// Microseconds that writers were slowed down by level 0. No longer counted.
    public static let stallL0SlowdownMicros = Self(name: "rocksdb.l0.slowdown.micros")
    /// Microseconds that writers waited for memtables. No longer counted.
    public static let stallMemtableCompactionMicros = Self(name: "rocksdb.memtable.compaction.micros")
    /// Microseconds that the number of files in level 0 stalled writers. No longer counted.
    public static let stallL0NumFilesMicros = Self(name: "rocksdb.l0.num.files.stall.micros")
    /// Microseconds spent waiting for the database's mutex. Requires ``StatsLevel/all``.
    public static let dbMutexWaitMicros = Self(name: "rocksdb.db.mutex.wait.micros")
    /// Milliseconds that the limit of a level delayed writes. No longer counted.
    public static let rateLimitDelayMillis = Self(name: "rocksdb.rate.limit.delay.millis")
    /// Periods in which the rate limiter's bytes were used up.
    public static let numberRateLimiterDrains = Self(name: "rocksdb.number.rate_limiter.drains")
    /// Bytes of keys and values in memtables when they were flushed.
    public static let memtablePayloadBytesAtFlush = Self(name: "rocksdb.memtable.payload.bytes.at.flush")
    /// Bytes of keys and values in memtables that had been overwritten when they were flushed.
    public static let memtableGarbageBytesAtFlush = Self(name: "rocksdb.memtable.garbage.bytes.at.flush")
    /// Bytes written by flushes.
    public static let flushWriteBytes = Self(name: "rocksdb.flush.write.bytes")
    /// Bytes read by compactions.
    public static let compactReadBytes = Self(name: "rocksdb.compact.read.bytes")
    /// Bytes written by compactions.
    public static let compactWriteBytes = Self(name: "rocksdb.compact.write.bytes")
    /// Bytes read by compactions of files marked for compaction.
    public static let compactReadBytesMarked = Self(name: "rocksdb.compact.read.marked.bytes")
    /// Bytes read by periodic compactions.
    public static let compactReadBytesPeriodic = Self(name: "rocksdb.compact.read.periodic.bytes")
    /// Bytes read by compactions due to age.
    public static let compactReadBytesTTL = Self(name: "rocksdb.compact.read.ttl.bytes")
    /// Bytes written by compactions of files marked for compaction.
    public static let compactWriteBytesMarked = Self(name: "rocksdb.compact.write.marked.bytes")
    /// Bytes written by periodic compactions.
    public static let compactWriteBytesPeriodic = Self(name: "rocksdb.compact.write.periodic.bytes")
    /// Bytes written by compactions due to age.
    public static let compactWriteBytesTTL = Self(name: "rocksdb.compact.write.ttl.bytes")
    /// Bytes read by remote compactions.
    public static let remoteCompactReadBytes = Self(name: "rocksdb.remote.compact.read.bytes")
    /// Bytes written by remote compactions.
    public static let remoteCompactWriteBytes = Self(name: "rocksdb.remote.compact.write.bytes")
    /// Entries that compactions dropped because there was a newer one.
    public static let compactionKeyDropNewerEntry = Self(name: "rocksdb.compaction.key.drop.new")
    /// Deletions that compactions dropped because nothing was left to delete.
    public static let compactionKeyDropObsolete = Self(name: "rocksdb.compaction.key.drop.obsolete")
    /// Entries that compactions dropped because their range was deleted.
    public static let compactionKeyDropRangeDelete = Self(name: "rocksdb.compaction.key.drop.range_del")
    /// Entries that a compaction filter dropped.
    public static let compactionKeyDropUser = Self(name: "rocksdb.compaction.key.drop.user")
    /// Range deletions dropped because all their keys were gone.
    public static let compactionRangeDeleteDropObsolete = Self(name: "rocksdb.compaction.range_del.drop.obsolete")
    /// Deletions dropped before the last level because no file below had the key.
    public static let compactionOptimizedDeleteDropObsolete = Self(name: "rocksdb.compaction.optimized.del.drop.obsolete")
    /// Compactions cancelled for lack of disk space.
    public static let compactionCancelled = Self(name: "rocksdb.compaction.cancelled")
    /// Blocks compressed.
    public static let numberBlockCompressed = Self(name: "rocksdb.number.block.compressed")
    /// Blocks decompressed.
    public static let numberBlockDecompressed = Self(name: "rocksdb.number.block.decompressed")
    /// Blocks stored uncompressed because compression saved too little.
    public static let numberBlockNotCompressed = Self(name: "rocksdb.number.block.not_compressed")
    /// Files closed. No longer counted.
    public static let fileCloses = Self(name: "rocksdb.no.file.closes")
    /// Table files opened.
    public static let fileOpens = Self(name: "rocksdb.no.file.opens")
    /// Table files that failed to open.
    public static let fileErrors = Self(name: "rocksdb.no.file.errors")
    /// Times the properties of a file were read without opening it as a table.
    public static let numberDirectLoadTableProperties = Self(name: "rocksdb.number.direct.load.table.properties")
    /// Block checksums computed during reads.
    public static let blockChecksumComputeCount = Self(name: "rocksdb.block.checksum.compute.count")
    /// Bytes read by ``RocksDB/verifyChecksums()``.
    public static let verifyChecksumReadBytes = Self(name: "rocksdb.verify_checksum.read.bytes")
    /// Files moved to the trash, to be deleted slowly.
    public static let filesMarkedTrash = Self(name: "rocksdb.files.marked.trash")
    /// Files deleted immediately.
    public static let filesDeletedImmediately = Self(name: "rocksdb.files.deleted.immediately")
    /// Bytes that backups read.
    public static let backupReadBytes = Self(name: "rocksdb.backup.read.bytes")
    /// Bytes that backups wrote.
    public static let backupWriteBytes = Self(name: "rocksdb.backup.write.bytes")
    /// Errors of background work. The misspelling is in RocksDB's name.
    public static let backgroundErrorCount = Self(name: "rocksdb.error.handler.bg.errro.count")
    /// Errors of background work that came from the file system.
    public static let backgroundIOErrorCount = Self(name: "rocksdb.error.handler.bg.io.errro.count")
    /// Errors from the file system that may be transient.
    public static let backgroundRetryableIOErrorCount = Self(name: "rocksdb.error.handler.bg.retryable.io.errro.count")
    /// Automatic recoveries that RocksDB started.
    public static let autoresumeCount = Self(name: "rocksdb.error.handler.autoresume.count")
    /// Attempts made by automatic recoveries.
    public static let autoresumeRetryTotalCount = Self(name: "rocksdb.error.handler.autoresume.retry.total.count")
    /// Automatic recoveries that succeeded.
    public static let autoresumeSuccessCount = Self(name: "rocksdb.error.handler.autoresume.success.count")
    /// Times a write-prepared transaction took a rarely needed lock when it was prepared.
    public static let transactionPrepareMutexOverhead = Self(name: "rocksdb.txn.overhead.mutex.prepare")
    /// Times a write-prepared transaction took a rarely needed lock on the map of old commits.
    public static let transactionOldCommitMapMutexOverhead = Self(name: "rocksdb.txn.overhead.mutex.old.commit.map")
    /// Times a batch was searched for duplicate keys.
    public static let transactionDuplicateKeyOverhead = Self(name: "rocksdb.txn.overhead.duplicate.key")
    /// Times the list of snapshots was locked.
    public static let transactionSnapshotMutexOverhead = Self(name: "rocksdb.txn.overhead.mutex.snapshot")
    /// Reads of a transaction that had to be repeated because their snapshot was too old.
    public static let transactionGetTryAgain = Self(name: "rocksdb.txn.get.tryagain")
}
