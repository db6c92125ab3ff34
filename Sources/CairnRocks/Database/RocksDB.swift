import CRocks
import CairnCore
import Synchronization

/// A RocksDB database: a sorted map from bytes to bytes on disk, with atomic batches, snapshots and any number of column families.
///
/// Writes default to `Durability.buffered`: they survive a crash of the process, but not a power cut.
///
/// ```swift
/// let db = try RocksDB(path: "music.db", options: .init(createIfMissing: true))
/// try db.put("World", for: "Hello")
/// let text: String? = try db.get("Hello")
/// ```
///
/// The database itself reads from and writes to its default column family; ``RocksReader`` and ``RocksWriter`` declare the operations.
///
/// Only one process at a time can open a database for writing. All methods may be called from any thread and block it while the engine works: a read
/// from memory takes about a microsecond, but a write may wait for a flush or a sync. The database closes when its last reference is released, or
/// when ``close()`` is called. It is not meant for values of many megabytes (store files instead) or for data that several processes write.
public final class RocksDB: Sendable {
    let handle: DatabaseHandle
    /// The column family named `default`, which the database's own methods use.
    public let defaultColumnFamily: ColumnFamily
    /// How the database was opened.
    public let mode: OpenMode
    let sharedCache: BlockCache?
    let families: Mutex<[String: ColumnFamily]>
    /// Held while column families are created and dropped: RocksDB aborts the process when two threads create one with the same name.
    let changingFamilies = Mutex(())

    /// How a database is opened.
    public enum OpenMode: Sendable, Hashable {
        /// For reading and writing. No other process can then open the database for writing.
        case readWrite
        /// A frozen view of the database as it is now. Other processes may read and even write the database at the same time. Writing throws
        /// ``RocksError/Code/readOnly``.
        case readOnly
        /// A view of a database that another process may have open for writing; ``RocksDB/catchUp()`` brings it up to date. `path` is a separate
        /// directory for its own text log, created if needed. A secondary keeps all files open, does not interfere with the other process, and has no
        /// snapshots. Writing throws ``RocksError/Code/readOnly``.
        case secondary(path: String)
        /// For reading and writing, with transactions that lock the keys they write; see <doc:Transactions>. RocksDB's `TransactionDB`.
        ///
        /// All other writes take locks too, and throw ``RocksError/Code/timedOut`` if they cannot get them in time; but ingesting takes no locks, so ingest
        /// files only while no transaction uses their keys. Entities cannot be written.
        case transactions(TransactionDatabaseOptions = TransactionDatabaseOptions())
        /// For reading and writing, with transactions that check for conflicts when they commit; see <doc:Transactions>. RocksDB's
        /// `OptimisticTransactionDB`.
        case optimisticTransactions(OptimisticTransactionDatabaseOptions = OptimisticTransactionDatabaseOptions())
        /// Like ``readWrite``, but first permanently removes everything written later than this time to column families that keep their history
        /// (RocksDB's `OpenAndTrimHistory`). The database must exist.
        case trimmingHistory(after: UInt64)
    }

    init(
        handle: DatabaseHandle,
        families: [String: ColumnFamily],
        defaultColumnFamily: ColumnFamily,
        mode: OpenMode,
        sharedCache: BlockCache?
    ) {
        self.handle = handle
        self.families = Mutex(families)
        self.defaultColumnFamily = defaultColumnFamily
        self.mode = mode
        self.sharedCache = sharedCache
    }

    /// The directory of the database, as given when it was opened.
    public var path: String { handle.path }

    /// The statistics that it was opened with (``DatabaseOptions/statistics``).
    public var statistics: Statistics? { handle.statistics }

    /// Closes the database: waits for calls in flight, then releases all files and memory. Closing again does nothing.
    ///
    /// Unlike releasing the last reference, this closes the database now, and reports whether closing succeeded. Any later use throws
    /// ``RocksError/Code/closed``.
    ///
    /// - Throws: ``RocksError/Code/busy``, with counts, while cursors, snapshots, transactions or pauses are alive or values are lent to this thread,
    ///   or if called from a closure that RocksDB calls; the database then stays open. Any other error means that the last writes that bypassed the
    ///   log could not be flushed and are lost. The database is closed anyway.
    public func close() throws(RocksError) {
        try unsafe crk_db_close(handle.pointer).check("closing '\(path)'")
    }

    /// Whether ``close()`` has succeeded.
    public var isClosed: Bool { handle.isClosed }

    /// Returns the sequence number of the latest write: each put, merge and delete counts as one.
    public func latestSequenceNumber() throws(RocksError) -> UInt64 {
        var status = crk_status()
        let number = unsafe crk_latest_sequence_number(handle.pointer, &status)
        try status.check("reading the sequence number of '\(path)'")
        return number
    }

    /// The version of the RocksDB library in use, such as `7.8.3`.
    public static var libraryVersion: String {
        let version = crk_version()
        return "\(version / 1_000_000).\(version / 1_000 % 1_000).\(version % 1_000)"
    }
}

extension RocksDB: RocksStore {
    public var columnFamily: ColumnFamily { defaultColumnFamily }
}
