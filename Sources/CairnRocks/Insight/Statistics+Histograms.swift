// Distributions. Times are in microseconds unless their name says otherwise.
extension Statistics.HistogramKind {
    /// How long point reads took.
    public static let dbGet = Self(name: "rocksdb.db.get.micros")
    /// How long writes took.
    public static let dbWrite = Self(name: "rocksdb.db.write.micros")
    /// How long calls of `multiGet` took.
    public static let dbMultiget = Self(name: "rocksdb.db.multiget.micros")
    /// How long cursor seeks took.
    public static let dbSeek = Self(name: "rocksdb.db.seek.micros")
    /// How long flushes took.
    public static let flushTime = Self(name: "rocksdb.db.flush.micros")
    /// How long compactions took.
    public static let compactionTime = Self(name: "rocksdb.compaction.times.micros")
    /// How much CPU time compactions took.
    public static let compactionCPUTime = Self(name: "rocksdb.compaction.times.cpu_micros")
    /// How long splitting a compaction took.
    public static let subcompactionSetupTime = Self(name: "rocksdb.subcompaction.setup.times.micros")
    /// How long syncing a flushed file took.
    public static let tableSync = Self(name: "rocksdb.table.sync.micros")
    /// How long syncing a compacted file took.
    public static let compactionOutfileSync = Self(name: "rocksdb.compaction.outfile.sync.micros")
    /// How long syncing the write-ahead log took.
    public static let walFileSync = Self(name: "rocksdb.wal.file.sync.micros")
    /// How long syncing the manifest took.
    public static let manifestFileSync = Self(name: "rocksdb.manifest.file.sync.micros")
    /// How long reading a file's index and filter took when it was opened.
    public static let tableOpenIO = Self(name: "rocksdb.table.open.io.micros")
    /// How long reading a block for a compaction took.
    public static let readBlockCompaction = Self(name: "rocksdb.read.block.compaction.micros")
    /// How long reading a block for a read operation took.
    public static let readBlockGet = Self(name: "rocksdb.read.block.get.micros")
    /// How long writing a block took.
    public static let writeRawBlock = Self(name: "rocksdb.write.raw.block.micros")
    /// How long reads of table files took.
    public static let sstRead = Self(name: "rocksdb.sst.read.micros")
    /// How many keys of a `multiGet` were looked up in one file.
    public static let sstBatchSize = Self(name: "rocksdb.sst.batch.size")
    /// How long writers were stalled.
    public static let writeStall = Self(name: "rocksdb.db.write.stall")
    /// How often level 0 slowed writers down. No longer measured.
    public static let stallL0SlowdownCount = Self(name: "rocksdb.l0.slowdown.count")
    /// How often memtables stalled writers. No longer measured.
    public static let stallMemtableCompactionCount = Self(name: "rocksdb.memtable.compaction.count")
    /// How often the number of files in level 0 stalled writers. No longer measured.
    public static let stallL0NumFilesCount = Self(name: "rocksdb.num.files.stall.count")
    /// How often the hard limit of a level delayed writes. No longer measured.
    public static let hardRateLimitDelayCount = Self(name: "rocksdb.hard.rate.limit.delay.count")
    /// How often the soft limit of a level delayed writes. No longer measured.
    public static let softRateLimitDelayCount = Self(name: "rocksdb.soft.rate.limit.delay.count")
    /// How many files one compaction read.
    public static let numFilesInSingleCompaction = Self(name: "rocksdb.numfiles.in.singlecompaction")
    /// How many parts a compaction was split into.
    public static let numSubcompactionsScheduled = Self(name: "rocksdb.num.subcompactions.scheduled")
    /// How large the values of point reads were.
    public static let bytesPerRead = Self(name: "rocksdb.bytes.per.read")
    /// How large writes were.
    public static let bytesPerWrite = Self(name: "rocksdb.bytes.per.write")
    /// How large the values of one `multiGet` were in total.
    public static let bytesPerMultiget = Self(name: "rocksdb.bytes.per.multiget")
    /// How large blocks were before they were compressed.
    public static let bytesCompressed = Self(name: "rocksdb.bytes.compressed")
    /// How large blocks were after they were decompressed.
    public static let bytesDecompressed = Self(name: "rocksdb.bytes.decompressed")
    /// How long compressing a block took, in nanoseconds. Needs ``StatsLevel/exceptTimeForMutex`` or more.
    public static let compressionTime = Self(name: "rocksdb.compression.times.nanos")
    /// How long decompressing a block took, in nanoseconds. Needs ``StatsLevel/exceptTimeForMutex`` or more.
    public static let decompressionTime = Self(name: "rocksdb.decompression.times.nanos")
    /// How many operands a read had to merge.
    public static let readNumMergeOperands = Self(name: "rocksdb.read.num.merge_operands")
    /// How many index and filter blocks a `multiGet` read from one level.
    public static let numIndexAndFilterBlocksReadPerLevel = Self(name: "rocksdb.num.index.and.filter.blocks.read.per.level")
    /// How many data blocks a `multiGet` read from one level. No longer measured.
    public static let numDataBlocksReadPerLevel = Self(name: "rocksdb.num.data.blocks.read.per.level")
    /// How many files of one level a `multiGet` searched.
    public static let numSSTReadPerLevel = Self(name: "rocksdb.num.sst.read.per.level")
    /// How many reads of a `multiGet` were in flight at once.
    public static let multigetIOBatchSize = Self(name: "rocksdb.multiget.io.batch.size")
    /// How many levels a `multiGet` had to read from.
    public static let numLevelReadPerMultiget = Self(name: "rocksdb.num.level.read.per.multiget")
    /// How many attempts an automatic recovery took.
    public static let autoresumeRetryCount = Self(name: "rocksdb.error.handler.autoresume.retry.count")
    /// How large asynchronous reads were.
    public static let asyncReadBytes = Self(name: "rocksdb.async.read.bytes")
    /// How long readers waited for asynchronous reads.
    public static let pollWait = Self(name: "rocksdb.poll.wait.micros")
    /// How much was read ahead but not used.
    public static let prefetchedBytesDiscarded = Self(name: "rocksdb.prefetched.bytes.discarded")
    /// How long aborting an asynchronous read took.
    public static let asyncPrefetchAbort = Self(name: "rocksdb.async.prefetch.abort.micros")
    /// How long writing to a blob file took.
    public static let blobFileWrite = Self(name: "rocksdb.blobdb.blob.file.write.micros")
    /// How long reading from a blob file took.
    public static let blobFileRead = Self(name: "rocksdb.blobdb.blob.file.read.micros")
    /// How long syncing a blob file took.
    public static let blobFileSync = Self(name: "rocksdb.blobdb.blob.file.sync.micros")
    /// How long compressing a value for a blob file took.
    public static let blobCompression = Self(name: "rocksdb.blobdb.compression.micros")
    /// How long decompressing a value of a blob file took.
    public static let blobDecompression = Self(name: "rocksdb.blobdb.decompression.micros")
    /// How large keys in the legacy BlobDB were.
    public static let blobDBKeySize = Self(name: "rocksdb.blobdb.key.size")
    /// How large values in the legacy BlobDB were.
    public static let blobDBValueSize = Self(name: "rocksdb.blobdb.value.size")
    /// How long writing to the legacy BlobDB took.
    public static let blobDBWrite = Self(name: "rocksdb.blobdb.write.micros")
    /// How long reading from the legacy BlobDB took.
    public static let blobDBGet = Self(name: "rocksdb.blobdb.get.micros")
    /// How long `multiGet` on the legacy BlobDB took.
    public static let blobDBMultiget = Self(name: "rocksdb.blobdb.multiget.micros")
    /// How long cursor seeks in the legacy BlobDB took.
    public static let blobDBSeek = Self(name: "rocksdb.blobdb.seek.micros")
    /// How long a step forward of a cursor in the legacy BlobDB took.
    public static let blobDBNext = Self(name: "rocksdb.blobdb.next.micros")
    /// How long a step backward of a cursor in the legacy BlobDB took.
    public static let blobDBPrevious = Self(name: "rocksdb.blobdb.prev.micros")
    /// How long garbage collection of the legacy BlobDB took. No longer measured.
    public static let blobDBGC = Self(name: "rocksdb.blobdb.gc.micros")
}
