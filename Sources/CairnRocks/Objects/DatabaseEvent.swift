public import CairnCore

/// Something that happened in a database; see ``DatabaseEvents``. Later releases may add kinds: have a `default`.
public enum DatabaseEvent: Sendable {
    /// A memtable is about to be written to a file; the file is not there yet.
    case flushBegan(Flush)
    /// A memtable was written to a file, which is in use now.
    case flushCompleted(Flush)
    /// Files are about to be compacted.
    case compactionBegan(Compaction)
    /// Files were compacted, or that failed.
    case compactionCompleted(Compaction)
    /// A part of a compaction begins, on a thread of its own. Has no files.
    case subcompactionBegan(Compaction)
    /// A part of a compaction ended. Has no files.
    case subcompactionCompleted(Compaction)
    /// A memtable takes no more writes; it will be flushed.
    case memtableSealed(Memtable)
    /// A table file is about to be written. Its size and counts are zero.
    case tableFileCreationBegan(FileCreation)
    /// A table file was written, or that failed.
    case tableFileCreated(FileCreation)
    /// A table file was deleted, or that failed.
    case tableFileDeleted(FileDeletion)
    /// A blob file is about to be written. Its size and count are zero.
    case blobFileCreationBegan(FileCreation)
    /// A blob file was written, or that failed.
    case blobFileCreated(FileCreation)
    /// A blob file was deleted, or that failed.
    case blobFileDeleted(FileDeletion)
    /// RocksDB's handle of a column family is about to be deleted: it was dropped and let go, or the database closes.
    case columnFamilyReleased(name: String, id: UInt32)
    /// A file made elsewhere became part of the database.
    case externalFileIngested(Ingestion)
    /// Work in the background failed. Writing may fail from now on.
    case backgroundError(BackgroundError)
    /// RocksDB begins to recover by itself from such an error.
    case recoveryBegan(BackgroundError)
    /// RocksDB's attempt to recover ended.
    case recoveryEnded(Recovery)
    /// Writes are slowed down or stopped, or no longer.
    case stallChanged(Stall)
    /// A file was read, written, synced, truncated or closed. Told on demand only.
    case fileOperation(FileOperation)
    /// Reading or writing a file failed. Told on demand only.
    case ioFailure(FileOperation)
}

extension DatabaseEvent {
    /// A flush.
    public struct Flush: Sendable {
        /// The column family's name and ``ColumnFamily/id``.
        public let columnFamily: String, columnFamilyID: UInt32
        /// RocksDB's number of the work, and of the thread that does it.
        public let job: Int, threadID: UInt64
        /// Why it was done, by RocksDB's name of the constant of `FlushReason`, such as `kManualFlush` or `kWriteBufferFull`.
        public let reason: String
        /// The file; empty if it has no name yet.
        public let path: String
        /// Whether writes are slowed down or stopped because there are too many files.
        public let slowsWrites: Bool, stopsWrites: Bool
        /// The numbers of the first and last write in the file.
        public let sequenceNumbers: ClosedRange<UInt64>
        /// Entries in the file, and how many of them are deletions; zero when it begins.
        public let entryCount: Int, deletionCount: Int
    }

    /// A compaction, or a part of one.
    public struct Compaction: Sendable {
        /// The column family's name and ``ColumnFamily/id``.
        public let columnFamily: String, columnFamilyID: UInt32
        /// RocksDB's number of the work, and of the thread that does it.
        public let job: Int, threadID: UInt64
        /// The number of the part within the work; zero for all of it.
        public let part: Int
        /// Why it was done, by RocksDB's name of the constant of `CompactionReason`, such as `kManualCompaction` or `kLevelL0FilesNum`.
        public let reason: String
        /// The highest level that is read, and the level that is written.
        public let inputLevel: Int, outputLevel: Int
        /// The files read, and the files written. A file that was only moved to another level is in both.
        public let inputs: [File], outputs: [File]
        /// Entries read, deletions among them, entries that newer ones replaced, and entries written; zero when it begins.
        public let inputEntryCount: Int, inputDeletionCount: Int, replacedEntryCount: Int, outputEntryCount: Int
        /// How much was read and written; zero when it begins.
        public let inputSize: ByteCount, outputSize: ByteCount
        /// How long it took, and how much of a processor; zero when it begins.
        public let duration: Duration, processorTime: Duration
        /// Whether it was asked for rather than begun by RocksDB, and whether it takes all files of the column family.
        public let isManual: Bool, isFull: Bool
        /// How files are compressed, by RocksDB's name.
        public let compression: Compression
        /// Why it failed; `nil` if it did not.
        public let error: RocksError?
    }

    /// A file of a compaction.
    public struct File: Sendable, Hashable {
        /// Where it is.
        public let path: String
        /// The level it is in.
        public let level: Int
    }

    /// A memtable that takes no more writes.
    public struct Memtable: Sendable {
        /// The column family's name.
        public let columnFamily: String
        /// The number of its first write, and a number that no write in it is below.
        public let firstSequenceNumber: UInt64, earliestSequenceNumber: UInt64
        /// Entries in it, and how many of them are deletions.
        public let entryCount: Int, deletionCount: Int
    }

    /// The writing of a file.
    public struct FileCreation: Sendable {
        /// The column family's name.
        public let columnFamily: String
        /// RocksDB's number of the flush or compaction that wrote it.
        public let job: Int
        /// Why, by RocksDB's name of the constant: `kFlush`, `kCompaction`, `kRecovery`, `kMisc`.
        public let reason: String
        /// Where it is.
        public let path: String
        /// How large it is: for blob files, their values.
        public let size: ByteCount
        /// Entries in it, and how many of them are deletions.
        public let entryCount: Int, deletionCount: Int
        /// Why it failed; `nil` if it did not.
        public let error: RocksError?
    }

    /// The deletion of a file.
    public struct FileDeletion: Sendable {
        /// RocksDB's number of the work that deleted it.
        public let job: Int
        /// Where it was.
        public let path: String
        /// Why it failed; `nil` if it did not.
        public let error: RocksError?
    }

    /// A file that was taken in.
    public struct Ingestion: Sendable {
        /// The column family's name.
        public let columnFamily: String
        /// Where the file was, and where it is now.
        public let externalPath: String, path: String
        /// The number given to all its entries; zero if they kept their own.
        public let sequenceNumber: UInt64
        /// Entries in it.
        public let entryCount: Int
    }

    /// A failure of work in the background.
    public struct BackgroundError: Sendable {
        /// What failed, by RocksDB's name of the constant of `BackgroundErrorReason`: `kFlush`, `kCompaction`, `kMemTable`, ...
        public let reason: String
        /// How; ``RocksError/severity`` tells what follows.
        public let error: RocksError
    }

    /// The end of an attempt to recover.
    public struct Recovery: Sendable {
        /// What RocksDB recovers from.
        public let oldError: RocksError
        /// What is wrong now; `nil`: nothing, the database takes writes again.
        public let newError: RocksError?
    }

    /// A change in how writes are let in.
    public struct Stall: Sendable {
        /// How writes are let in.
        public enum State: Sendable, Hashable {
            /// As they come.
            case normal
            /// More slowly.
            case delayed
            /// Not at all.
            case stopped
        }
        /// The column family's name.
        public let columnFamily: String
        /// How it is now, and how it was.
        public let current: State, previous: State
    }

    /// An access to a file.
    public struct FileOperation: Sendable {
        /// What was done, by RocksDB's name of the constant of `FileOperationType`: `kRead`, `kWrite`, `kSync`, ...
        public let operation: String
        /// The file.
        public let path: String
        /// Where in the file, and how much; zero where that has no meaning.
        public let offset: Int, size: ByteCount
        /// How long it took; zero in failures.
        public let duration: Duration
        /// Why it failed; `nil` if it did not.
        public let error: RocksError?
    }
}
