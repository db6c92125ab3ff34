public import CairnCore

/// Something that happened in a database; see ``DatabaseEvents``. Later releases may add cases, so use a `default` in a `switch`.
public enum DatabaseEvent: Sendable {
    /// A memtable is about to be written to a file; the file does not exist yet.
    case flushBegan(Flush)
    /// A memtable was written to a file, which is now in use.
    case flushCompleted(Flush)
    /// Files are about to be compacted.
    case compactionBegan(Compaction)
    /// A compaction finished or failed.
    case compactionCompleted(Compaction)
    /// A part of a compaction started on its own thread. Has no files.
    case subcompactionBegan(Compaction)
    /// A part of a compaction ended. Has no files.
    case subcompactionCompleted(Compaction)
    /// A memtable was closed for writes and will be flushed.
    case memtableSealed(Memtable)
    /// A table file is about to be written. Its size and counts are zero.
    case tableFileCreationBegan(FileCreation)
    /// A table file was written, or writing it failed.
    case tableFileCreated(FileCreation)
    /// A table file was deleted, or deleting it failed.
    case tableFileDeleted(FileDeletion)
    /// A blob file is about to be written. Its size and count are zero.
    case blobFileCreationBegan(FileCreation)
    /// A blob file was written, or writing it failed.
    case blobFileCreated(FileCreation)
    /// A blob file was deleted, or deleting it failed.
    case blobFileDeleted(FileDeletion)
    /// RocksDB is about to delete its handle for a column family that was dropped and released, or whose database is closing.
    case columnFamilyReleased(name: String, id: UInt32)
    /// An external file became part of the database.
    case externalFileIngested(Ingestion)
    /// Background work failed. Writes may fail from now on.
    case backgroundError(BackgroundError)
    /// RocksDB started to recover automatically from such an error.
    case recoveryBegan(BackgroundError)
    /// RocksDB's attempt to recover ended.
    case recoveryEnded(Recovery)
    /// Writes were slowed down or stopped, or returned to normal.
    case stallChanged(Stall)
    /// A file was read, written, synced, truncated or closed. Only reported on request.
    case fileOperation(FileOperation)
    /// Reading or writing a file failed. Only reported on request.
    case ioFailure(FileOperation)
}

extension DatabaseEvent {
    /// A flush.
    public struct Flush: Sendable {
        /// The column family's name and ``ColumnFamily/id``.
        public let columnFamily: String, columnFamilyID: UInt32
        /// RocksDB's numbers of the job and of the thread that runs it.
        public let job: Int, threadID: UInt64
        /// The reason for the flush: the name of RocksDB's `FlushReason` constant, such as `kManualFlush` or `kWriteBufferFull`.
        public let reason: String
        /// The path of the file; empty if it has no name yet.
        public let path: String
        /// Whether writes are slowed down or stopped because there are too many files.
        public let slowsWrites: Bool, stopsWrites: Bool
        /// The sequence numbers of the first and last write in the file.
        public let sequenceNumbers: ClosedRange<UInt64>
        /// The number of entries in the file, and how many of them are deletions; zero when the flush begins.
        public let entryCount: Int, deletionCount: Int
    }

    /// A compaction, or a part of one.
    public struct Compaction: Sendable {
        /// The column family's name and ``ColumnFamily/id``.
        public let columnFamily: String, columnFamilyID: UInt32
        /// RocksDB's numbers of the job and of the thread that runs it.
        public let job: Int, threadID: UInt64
        /// The number of the part within the job; zero for the whole job.
        public let part: Int
        /// The reason for the compaction: the name of RocksDB's `CompactionReason` constant, such as `kManualCompaction` or `kLevelL0FilesNum`.
        public let reason: String
        /// The highest level that is read, and the level that is written.
        public let inputLevel: Int, outputLevel: Int
        /// The files read, and the files written. A file that was only moved to another level is in both.
        public let inputs: [File], outputs: [File]
        /// The numbers of entries read, deletions among them, entries replaced by newer ones, and entries written; zero when the compaction
        /// begins.
        public let inputEntryCount: Int, inputDeletionCount: Int, replacedEntryCount: Int, outputEntryCount: Int
        /// The amounts of data read and written; zero when the compaction begins.
        public let inputSize: ByteCount, outputSize: ByteCount
        /// The elapsed time and the processor time; zero when the compaction begins.
        public let duration: Duration, processorTime: Duration
        /// Whether it was requested rather than started by RocksDB, and whether it includes all files of the column family.
        public let isManual: Bool, isFull: Bool
        /// How files are compressed, by RocksDB's name.
        public let compression: Compression
        /// The error if it failed, otherwise `nil`.
        public let error: RocksError?
    }

    /// A file of a compaction.
    public struct File: Sendable, Hashable {
        /// The path of the file.
        public let path: String
        /// The level of the file.
        public let level: Int
    }

    /// A memtable that accepts no more writes.
    public struct Memtable: Sendable {
        /// The column family's name.
        public let columnFamily: String
        /// The sequence number of the first write, and a lower bound of all sequence numbers in the memtable.
        public let firstSequenceNumber: UInt64, earliestSequenceNumber: UInt64
        /// The number of entries, and how many of them are deletions.
        public let entryCount: Int, deletionCount: Int
    }

    /// The creation of a file.
    public struct FileCreation: Sendable {
        /// The column family's name.
        public let columnFamily: String
        /// RocksDB's number of the flush or compaction that wrote the file.
        public let job: Int
        /// The reason: the name of RocksDB's constant, `kFlush`, `kCompaction`, `kRecovery` or `kMisc`.
        public let reason: String
        /// The path of the file.
        public let path: String
        /// The size of the file; for blob files, of their values.
        public let size: ByteCount
        /// The number of entries, and how many of them are deletions.
        public let entryCount: Int, deletionCount: Int
        /// The error if it failed, otherwise `nil`.
        public let error: RocksError?
    }

    /// The deletion of a file.
    public struct FileDeletion: Sendable {
        /// RocksDB's number of the job that deleted the file.
        public let job: Int
        /// The path of the file.
        public let path: String
        /// The error if it failed, otherwise `nil`.
        public let error: RocksError?
    }

    /// An ingested file.
    public struct Ingestion: Sendable {
        /// The column family's name.
        public let columnFamily: String
        /// The file's original path, and its path in the database.
        public let externalPath: String, path: String
        /// The sequence number of all its entries; zero if they kept their own.
        public let sequenceNumber: UInt64
        /// The number of entries.
        public let entryCount: Int
    }

    /// A failure of background work.
    public struct BackgroundError: Sendable {
        /// What failed: the name of RocksDB's `BackgroundErrorReason` constant, `kFlush`, `kCompaction`, `kMemTable`, ...
        public let reason: String
        /// The error; its ``RocksError/severity`` says what it means for the database.
        public let error: RocksError
    }

    /// The end of an attempt to recover.
    public struct Recovery: Sendable {
        /// The error that RocksDB recovers from.
        public let oldError: RocksError
        /// The remaining error; `nil` if the database accepts writes again.
        public let newError: RocksError?
    }

    /// A change between normal, delayed and stopped writes.
    public struct Stall: Sendable {
        /// Whether writes are delayed or stopped.
        public enum State: Sendable, Hashable {
            /// Writes are not delayed.
            case normal
            /// Writes are slowed down.
            case delayed
            /// Writes are stopped.
            case stopped
        }
        /// The column family's name.
        public let columnFamily: String
        /// The new state, and the previous one.
        public let current: State, previous: State
    }

    /// An access to a file.
    public struct FileOperation: Sendable {
        /// The operation: the name of RocksDB's `FileOperationType` constant, `kRead`, `kWrite`, `kSync`, ...
        public let operation: String
        /// The path of the file.
        public let path: String
        /// The position and amount of data in the file; zero if not applicable.
        public let offset: Int, size: ByteCount
        /// The duration; zero for failures.
        public let duration: Duration
        /// The error if it failed, otherwise `nil`.
        public let error: RocksError?
    }
}
