import CRocks
import CairnCore

extension RocksStore {
    /// The column family at one time, for reading and writing; it must keep its history (``ColumnFamilyOptions/keepsHistory``), else using the
    /// result throws ``RocksError/Code/notSupported``. Without it, such a column family refuses to be read and written.
    public func at(_ time: UInt64) -> HistoryMoment { HistoryMoment(columnFamily, time: time, snapshot: nil) }

    /// The column family at its latest time.
    public var latest: HistoryMoment { at(.max) }

    /// Gives up what only readers at times before `begin` could see; they throw ``RocksError/Code/invalidArgument`` from now on.
    ///
    /// Compactions drop it as they come by; ``compact(_:options:progress:)`` afterwards drops it at once. RocksDB's `IncreaseFullHistoryTsLow`.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` if more is forgotten already, ``RocksError/Code/notSupported`` if the column family keeps no
    ///   history.
    public func forgetHistory(before begin: UInt64) throws(RocksError) {
        let family = columnFamily.handle
        try unsafe crk_history_forget(family.pointer, begin).check(family.attempt("forgetting the history of"))
    }

    /// The times that the column family knows: from the earliest that can be read to the latest that was written (zero: none yet).
    ///
    /// In a database that is open for reading only, both are zero, and reading what was forgotten finds keys missing.
    ///
    /// - Throws: ``RocksError/Code/notSupported`` if the column family keeps no history.
    public func historySpan() throws(RocksError) -> (begin: UInt64, latest: UInt64) {
        let family = columnFamily.handle
        var begin: UInt64 = 0
        var latest: UInt64 = 0
        try unsafe crk_history_span(family.pointer, &begin, &latest).check(family.attempt("asking for the history of"))
        return (begin, latest)
    }
}

extension Snapshot {
    /// What the snapshot sees of one time of a column family that keeps its history; for reading only.
    public func at(_ time: UInt64) -> HistoryMoment { HistoryMoment(columnFamily, time: time, snapshot: handle) }
}

extension WriteBatch {
    /// The same batch, with operations happening at `time`, in a column family that keeps its history. Within a batch, too, time goes
    /// forward.
    public func at(_ time: UInt64) -> WriteBatch { WriteBatch(storage: storage, columnFamily: columnFamily, time: time) }
}

extension TableView where Space == ColumnFamily {
    /// The table at one time, for reading and writing; its column family must keep its history. As ``RocksStore/at(_:)``.
    public func at(_ time: UInt64) -> TableView<HistoryMoment, Key, Value> { moved(to: space.at(time)) }
}
