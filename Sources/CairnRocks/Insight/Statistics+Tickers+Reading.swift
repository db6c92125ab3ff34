// Reads.
extension Statistics.Ticker {
    /// Point reads answered by a memtable.
    public static let memtableHit = Self(name: "rocksdb.memtable.hit")
    /// Point reads that no memtable answered.
    public static let memtableMiss = Self(name: "rocksdb.memtable.miss")
    /// Point reads answered by a file of level 0.
    public static let getHitL0 = Self(name: "rocksdb.l0.hit")
    /// Point reads answered by a file of level 1.
    public static let getHitL1 = Self(name: "rocksdb.l1.hit")
    /// Point reads answered by a file of level 2 or below.
    public static let getHitL2AndUp = Self(name: "rocksdb.l2andup.hit")
    /// Keys looked up by point reads, found or not.
    public static let numberKeysRead = Self(name: "rocksdb.number.keys.read")
    /// Bytes of values returned by point reads, excluding `multiGet`.
    public static let bytesRead = Self(name: "rocksdb.bytes.read")
    /// Cursor seeks.
    public static let numberDBSeek = Self(name: "rocksdb.number.db.seek")
    /// Cursor seeks that found an entry.
    public static let numberDBSeekFound = Self(name: "rocksdb.number.db.seek.found")
    /// Steps forward of cursors.
    public static let numberDBNext = Self(name: "rocksdb.number.db.next")
    /// Steps forward that arrived at an entry.
    public static let numberDBNextFound = Self(name: "rocksdb.number.db.next.found")
    /// Steps backward of cursors.
    public static let numberDBPrevious = Self(name: "rocksdb.number.db.prev")
    /// Steps backward that arrived at an entry.
    public static let numberDBPreviousFound = Self(name: "rocksdb.number.db.prev.found")
    /// Bytes of keys and values that cursors moved over.
    public static let iteratorBytesRead = Self(name: "rocksdb.db.iter.bytes.read")
    /// Open cursors. No longer counted.
    public static let iteratorsOpen = Self(name: "rocksdb.num.iterators")
    /// Cursors created.
    public static let iteratorsCreated = Self(name: "rocksdb.num.iterator.created")
    /// Cursors closed.
    public static let iteratorsDeleted = Self(name: "rocksdb.num.iterator.deleted")
    /// Entries that cursors skipped: overwritten, deleted, or too new for their snapshot.
    public static let numberIteratorSkip = Self(name: "rocksdb.number.iter.skip")
    /// Times a cursor used a new seek instead of stepping over many versions of a key.
    public static let numberOfReseeksInIteration = Self(name: "rocksdb.number.reseeks.iteration")
    /// Calls of `multiGet`.
    public static let numberMultigetCalls = Self(name: "rocksdb.number.multiget.get")
    /// Keys looked up by `multiGet`.
    public static let numberMultigetKeysRead = Self(name: "rocksdb.number.multiget.keys.read")
    /// Keys found by `multiGet`.
    public static let numberMultigetKeysFound = Self(name: "rocksdb.number.multiget.keys.found")
    /// Bytes of values that `multiGet` returned.
    public static let numberMultigetBytesRead = Self(name: "rocksdb.number.multiget.bytes.read")
    /// Coroutines that `multiGet` started, in builds that have them.
    public static let multigetCoroutineCount = Self(name: "rocksdb.multiget.coroutine.count")
    /// Times a merge operator failed.
    public static let numberMergeFailures = Self(name: "rocksdb.number.merge.failures")
    /// Nanoseconds spent in merge operators.
    public static let mergeOperationTotalTime = Self(name: "rocksdb.merge.operation.time.nanos")
    /// Nanoseconds spent in compaction filters.
    public static let filterOperationTotalTime = Self(name: "rocksdb.filter.operation.time.nanos")
    /// Approximate bytes of blocks that were read and used; requires ``TableOptions/readAmplificationBytesPerBit``.
    public static let readAmpEstimateUsefulBytes = Self(name: "rocksdb.read.amp.estimate.useful.bytes")
    /// Bytes of blocks that were read; requires ``TableOptions/readAmplificationBytesPerBit``.
    public static let readAmpTotalReadBytes = Self(name: "rocksdb.read.amp.total.read.bytes")
    /// Times the write-ahead log was opened to read updates from it.
    public static let getUpdatesSinceCalls = Self(name: "rocksdb.getupdatessince.calls")
    /// Times a reader acquired the current set of memtables and files.
    public static let numberSuperversionAcquires = Self(name: "rocksdb.number.superversion_acquires")
    /// Times a reader released its set of memtables and files.
    public static let numberSuperversionReleases = Self(name: "rocksdb.number.superversion_releases")
    /// Times the last reader of a set of memtables and files cleaned it up.
    public static let numberSuperversionCleanups = Self(name: "rocksdb.number.superversion_cleanups")
    /// Bytes read from files with the temperature ``Temperature/hot``.
    public static let hotFileReadBytes = Self(name: "rocksdb.hot.file.read.bytes")
    /// Bytes read from files with the temperature ``Temperature/warm``.
    public static let warmFileReadBytes = Self(name: "rocksdb.warm.file.read.bytes")
    /// Bytes read from files with the temperature ``Temperature/cold``.
    public static let coldFileReadBytes = Self(name: "rocksdb.cold.file.read.bytes")
    /// Reads of files with the temperature ``Temperature/hot``.
    public static let hotFileReadCount = Self(name: "rocksdb.hot.file.read.count")
    /// Reads of files with the temperature ``Temperature/warm``.
    public static let warmFileReadCount = Self(name: "rocksdb.warm.file.read.count")
    /// Reads of files with the temperature ``Temperature/cold``.
    public static let coldFileReadCount = Self(name: "rocksdb.cold.file.read.count")
    /// Bytes read from files of the last level.
    public static let lastLevelReadBytes = Self(name: "rocksdb.last.level.read.bytes")
    /// Reads of files of the last level.
    public static let lastLevelReadCount = Self(name: "rocksdb.last.level.read.count")
    /// Bytes read from files of all levels but the last.
    public static let nonLastLevelReadBytes = Self(name: "rocksdb.non.last.level.read.bytes")
    /// Reads of files of all levels but the last.
    public static let nonLastLevelReadCount = Self(name: "rocksdb.non.last.level.read.count")
    /// Microseconds spent in asynchronous reads.
    public static let readAsyncMicros = Self(name: "rocksdb.read.async.micros")
    /// Failed asynchronous reads.
    public static let asyncReadErrorCount = Self(name: "rocksdb.async.read.error.count")
}
