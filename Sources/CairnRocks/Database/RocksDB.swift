import CRocks
import CairnCore
import Synchronization

/// A RocksDB database: a sorted map from bytes to bytes on disk, with atomic batches, snapshots and any number of column families.
///
/// Writes are `Durability.buffered` unless asked otherwise: they survive the death of the process, not a power cut.
///
/// ```swift
/// let db = try RocksDB(path: "music.db", options: .init(createIfMissing: true))
/// try db.put("World", for: "Hello")
/// let text: String? = try db.get("Hello")
/// ```
///
/// The database itself reads and writes its default column family; ``RocksReader`` and ``RocksWriter`` hold the verbs.
///
/// One process at a time can open a database for writing. All methods may be called from any thread and block it while the engine works: a
/// read from memory takes about a microsecond, but a write may wait for a flush or a sync. The database closes with its last reference, or by
/// ``close()``. Not for: values of many megabytes (store files), data that several processes write.
public final class RocksDB: Sendable {
    let handle: DatabaseHandle
    /// The column family named `default`, which the database's own verbs use.
    public let defaultColumnFamily: ColumnFamily
    /// How the database was opened.
    public let mode: OpenMode
    let sharedCache: BlockCache?
    let families: Mutex<[String: ColumnFamily]>
    /// Held while column families are created and dropped: RocksDB ends the process when two threads create one of the same name.
    let changingFamilies = Mutex(())
    /// Held while options are read, changed and set, so that two changes do not lose one another.
    let changingOptions = Mutex(())

    /// How a database is opened.
    public enum OpenMode: Sendable, Hashable {
        /// For reading and writing; keeps other processes from opening it so.
        case readWrite
        /// A frozen view of the database as it is now; other processes may read and even write meanwhile. Writing throws
        /// ``RocksError/Code/notSupported``.
        case readOnly
        /// A view of a database that another process may have open for writing, which ``RocksDB/catchUp()`` brings up to date. `path` is a
        /// directory of its own for its text log, made if need be. It keeps all files open; neither it nor its snapshots, which it does not
        /// have, hinder the other process. Writing throws ``RocksError/Code/notSupported``.
        case secondary(path: String)
        /// For reading and writing, with transactions that lock the keys they write; see <doc:Transactions>. RocksDB's `TransactionDB`.
        ///
        /// Every other write takes locks too, and throws ``RocksError/Code/timedOut`` where it does not get them in time.
        case transactions(TransactionDatabaseOptions = TransactionDatabaseOptions())
        /// For reading and writing, with transactions that look for conflicts when they are committed; see <doc:Transactions>. RocksDB's
        /// `OptimisticTransactionDB`.
        case optimisticTransactions(OptimisticTransactionDatabaseOptions = OptimisticTransactionDatabaseOptions())
        /// As ``readWrite``; first, everything is removed that was written later than this time to column families that keep their history
        /// (RocksDB's `OpenAndTrimHistory`). For good: there is no way back. The database must exist.
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

    /// Closes the database: waits for calls in flight, then gives up all files and memory. Closing again does nothing.
    ///
    /// Unlike letting the last reference go, it tells whether closing succeeded and happens now, not when the last holder is done.
    /// Everything used afterwards throws ``RocksError/Code/closed``.
    ///
    /// - Throws: ``RocksError/Code/busy`` while cursors or snapshots are alive or values are lent to this thread, with their numbers, or when
    ///   called from within a closure that RocksDB calls: the database then stays open. Any other error is about the last writes: what went
    ///   past the log could not be written to files and is lost. The database is closed all the same.
    public func close() throws(RocksError) {
        try unsafe crk_db_close(handle.pointer).check("closing '\(path)'")
    }

    /// Whether ``close()`` has succeeded.
    public var isClosed: Bool { unsafe crk_db_is_closed(handle.pointer) }

    /// The number of the latest write: each put, merge and delete counts one.
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
