extension RocksError {
    /// The kinds of failure: RocksDB's `Status::Code`, and Cairn's own. An open set; a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        let name: String
        public var description: String { name }

        /// Something named does not exist: a backup, a file. A missing key is `nil`, not this.
        public static let notFound = Code(name: "notFound")
        /// Stored data is damaged, or a merge operator failed. Nothing is returned in its place.
        public static let corruption = Code(name: "corruption")
        /// The operation does not exist here: a write to a read-only database, a merge without operator, a feature the library lacks.
        public static let notSupported = Code(name: "notSupported")
        /// An argument or a combination of them makes no sense; the message names it.
        public static let invalidArgument = Code(name: "invalidArgument")
        /// The file system refused: missing directory, locked database, full disk (``RocksError/Subcode/noSpace``).
        public static let ioError = Code(name: "ioError")
        /// The value consists of merge operands whose base is elsewhere.
        public static let mergeInProgress = Code(name: "mergeInProgress")
        /// The answer would need I/O that ``ReadOptions/tier`` forbids, or a size limit was reached.
        public static let incomplete = Code(name: "incomplete")
        /// The database is shutting down.
        public static let shutdownInProgress = Code(name: "shutdownInProgress")
        /// The time given by ``ReadOptions/timeout`` is over, or that for a lock on a key (``RocksError/Subcode/lockTimeout``).
        public static let timedOut = Code(name: "timedOut")
        /// The operation was given up half-way, without effect.
        public static let aborted = Code(name: "aborted")
        /// Something stands in the way: closing while cursors, snapshots, transactions or lent values live (the message counts them), or a
        /// transaction's conflict with others, a deadlock (``RocksError/Subcode/deadlock``) or too many locks.
        public static let busy = Code(name: "busy")
        /// The database is open for writing already, in this process or in another, and so cannot be opened for writing, destroyed, repaired or
        /// restored over. RocksDB reports it as `IOError`.
        public static let locked = Code(name: "locked")
        /// The transaction ran out of its time.
        public static let expired = Code(name: "expired")
        /// The same operation may succeed when repeated; so for a transaction whose keys cannot be checked for conflicts any more.
        public static let tryAgain = Code(name: "tryAgain")
        /// A compaction would be too large.
        public static let compactionTooLarge = Code(name: "compactionTooLarge")
        /// The column family was dropped.
        public static let columnFamilyDropped = Code(name: "columnFamilyDropped")
        /// The database, cursor or snapshot was closed before, or the transaction is over.
        public static let closed = Code(name: "closed")
        /// Changes that were asked for are not in the write-ahead log: it was deleted, or they were made without it. See
        /// ``RocksDB/changes(since:skippingGaps:)``.
        public static let logTruncated = Code(name: "logTruncated")
        /// Memory ran out.
        public static let outOfMemory = Code(name: "outOfMemory")
        /// The database is encrypted with another key, or encrypted and opened without one, or not encrypted and opened with one. Nothing was
        /// changed.
        public static let wrongKey = Code(name: "wrongKey")
        /// There is no database at the path.
        public static let databaseNotFound = Code(name: "databaseNotFound")
        /// The database has no column family of that name.
        public static let columnFamilyNotFound = Code(name: "columnFamilyNotFound")
        /// No option has this name, or it does not take this value; the message names both.
        public static let invalidOption = Code(name: "invalidOption")
        /// A key or value could not be encoded or decoded; ``RocksError/cause`` is the `CodecError`.
        public static let codec = Code(name: "codec")
        /// RocksDB reported something this version of Cairn has no name for; the message has RocksDB's words.
        public static let unknown = Code(name: "unknown")
    }

    /// RocksDB's `Status::SubCode`. An open set.
    public struct Subcode: Hashable, Sendable, RawRepresentable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// No finer distinction.
        public static let none = Subcode(rawValue: 0)
        /// A mutex could not be had in time.
        public static let mutexTimeout = Subcode(rawValue: 1)
        /// A lock on a key could not be had in time.
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
        /// What was asked for has been overwritten.
        public static let overwritten = Subcode(rawValue: 12)
        /// The transaction was not prepared.
        public static let transactionNotPrepared = Subcode(rawValue: 13)
        /// Another process took over the files.
        public static let ioFenced = Subcode(rawValue: 14)
    }

    /// RocksDB's `Status::Severity`: what an error of background work means for the database.
    public enum Severity: UInt8, Sendable, Comparable {
        /// Not an error of background work.
        case none
        /// Reads and writes go on.
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
