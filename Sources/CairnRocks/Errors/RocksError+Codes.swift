extension RocksError {
    /// The kinds of failure: RocksDB's `Status::Code` and Cairn's own. An open set, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        let name: String
        public var description: String { name }

        /// RocksDB's number for this code (its `Status::Code`), or for the code that it reports instead of this one, such as 5 (`kIOError`) for
        /// ``noSpace``. `nil` for codes that only Cairn has.
        public var statusNumber: UInt8? { Self.statusNumbers[self] }

        /// There is no database at the path, or no backup, file or directory of that name. A missing key is `nil`, not this error.
        public static let notFound = Code(name: "notFound")
        /// Stored data is damaged, or a merge operator failed. No data is returned in its place.
        public static let corruption = Code(name: "corruption")
        /// The operation is not available: a merge without a merge operator, a feature the library lacks.
        public static let notSupported = Code(name: "notSupported")
        /// An argument or a combination of arguments is invalid; the message names it.
        public static let invalidArgument = Code(name: "invalidArgument")
        /// The file system reported an error that has no code of its own: a failing device, a file of the database that is missing.
        public static let ioError = Code(name: "ioError")
        /// The disk or the user's quota is full, or ``SSTFileManager/setMaxAllowedSpace(_:)`` does not allow more
        /// (``RocksError/Subcode/spaceLimit``). RocksDB reports this and the next four as `IOError`.
        public static let noSpace = Code(name: "noSpace")
        /// The file system does not permit the operation, because of a file's owner and mode or because it is mounted read-only.
        public static let permissionDenied = Code(name: "permissionDenied")
        /// There is a directory where a file should be.
        public static let isDirectory = Code(name: "isDirectory")
        /// There is a file where a directory should be, such as the database's directory.
        public static let notADirectory = Code(name: "notADirectory")
        /// A file would become larger than the system allows.
        public static let tooLarge = Code(name: "tooLarge")
        /// The database, or the directory of backups, was opened for reading only. RocksDB reports this as `NotSupported`.
        public static let readOnly = Code(name: "readOnly")
        /// The file is not of the kind that the call reads.
        public static let foreignFile = Code(name: "foreignFile")
        /// The value consists of merge operands without their base value.
        public static let mergeInProgress = Code(name: "mergeInProgress")
        /// The answer would need I/O that ``ReadOptions/tier`` forbids, or a size limit was reached.
        public static let incomplete = Code(name: "incomplete")
        /// The database is shutting down.
        public static let shutdownInProgress = Code(name: "shutdownInProgress")
        /// The time limit ``ReadOptions/timeout`` has passed, or the time limit for acquiring a lock on a key (``RocksError/Subcode/lockTimeout``).
        public static let timedOut = Code(name: "timedOut")
        /// The operation was abandoned partway, without effect.
        public static let aborted = Code(name: "aborted")
        /// Something is in use: cursors, snapshots, transactions, pauses or lent values that are alive when the database is closed (the message
        /// counts them); or a transaction conflicts with others, is in a deadlock (``RocksError/Subcode/deadlock``) or has too many locks.
        public static let busy = Code(name: "busy")
        /// The database is already open for writing, in this process or another, so it cannot be opened for writing, destroyed, repaired or restored
        /// over. RocksDB reports this as `IOError`.
        public static let locked = Code(name: "locked")
        /// The transaction's ``TransactionOptions/expiration`` has passed.
        public static let expired = Code(name: "expired")
        /// The same operation may succeed if retried, such as a transaction whose keys can no longer be checked for conflicts.
        public static let tryAgain = Code(name: "tryAgain")
        /// A compaction would be too large.
        public static let compactionTooLarge = Code(name: "compactionTooLarge")
        /// The column family was dropped.
        public static let columnFamilyDropped = Code(name: "columnFamilyDropped")
        /// The database, cursor or snapshot is closed, or the transaction is over.
        public static let closed = Code(name: "closed")
        /// The requested changes are not in the write-ahead log: it was deleted, or they were made without it. See
        /// ``RocksDB/changes(since:skippingGaps:)``.
        public static let logTruncated = Code(name: "logTruncated")
        /// Memory ran out.
        public static let outOfMemory = Code(name: "outOfMemory")
        /// The database is encrypted with another key, is encrypted but was opened without a key, or is not encrypted but was opened with one.
        /// Nothing was changed.
        public static let wrongKey = Code(name: "wrongKey")
        /// The database has no column family with that name.
        public static let columnFamilyNotFound = Code(name: "columnFamilyNotFound")
        /// No option has this name, or the option does not accept this value; the message names both.
        public static let invalidOption = Code(name: "invalidOption")
        /// A key or value could not be encoded or decoded; ``RocksError/cause`` is the `CodecError`.
        public static let codec = Code(name: "codec")
        /// RocksDB reported a status that this version of Cairn has no code for; the message contains RocksDB's text.
        public static let unknown = Code(name: "unknown")
    }

    /// RocksDB's `Status::SubCode`. An open set.
    public struct Subcode: Hashable, Sendable, RawRepresentable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// No subcode.
        public static let none = Subcode(rawValue: 0)
        /// A mutex was not acquired in time.
        public static let mutexTimeout = Subcode(rawValue: 1)
        /// A lock on a key was not acquired in time.
        public static let lockTimeout = Subcode(rawValue: 2)
        /// Too many locks are held.
        public static let lockLimit = Subcode(rawValue: 3)
        /// The disk is full.
        public static let noSpace = Subcode(rawValue: 4)
        /// Two transactions wait for each other.
        public static let deadlock = Subcode(rawValue: 5)
        /// The file handle is stale.
        public static let staleFile = Subcode(rawValue: 6)
        /// A memory limit was reached.
        public static let memoryLimit = Subcode(rawValue: 7)
        /// A limit on disk space was reached.
        public static let spaceLimit = Subcode(rawValue: 8)
        /// A path does not exist.
        public static let pathNotFound = Subcode(rawValue: 9)
        /// There is no room for the merge operands.
        public static let mergeOperandsInsufficientCapacity = Subcode(rawValue: 10)
        /// Manual compactions are paused.
        public static let manualCompactionPaused = Subcode(rawValue: 11)
        /// The requested data has been overwritten.
        public static let overwritten = Subcode(rawValue: 12)
        /// The transaction was not prepared.
        public static let transactionNotPrepared = Subcode(rawValue: 13)
        /// Another process took over the files.
        public static let ioFenced = Subcode(rawValue: 14)
    }

    /// RocksDB's `Status::Severity`: what an error in background work means for the database.
    public enum Severity: UInt8, Sendable, Comparable {
        /// Not an error in background work.
        case none
        /// Reads and writes continue.
        case soft
        /// Writes stop; the database may recover by itself.
        case hard
        /// Writes stop until the database is opened again.
        case fatal
        /// Writes stop and data may be lost.
        case unrecoverable

        public static func < (lhs: Severity, rhs: Severity) -> Bool { lhs.rawValue < rhs.rawValue }
    }
}
