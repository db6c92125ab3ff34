import CRocks
import CairnCore

extension RocksStore {
    /// Returns the column family at one time, for reading and writing. It must keep its history (``ColumnFamilyOptions/keepsHistory``); otherwise
    /// using the result throws ``RocksError/Code/notSupported``. A column family that keeps its history cannot be read or written without a time.
    /// Nothing can be written at `UInt64.max`, the time of ``latest``: no write could follow.
    public func at(_ time: UInt64) -> HistoryMoment { HistoryMoment(columnFamily, time: time, snapshot: nil) }

    /// The column family at its latest time, for reading: writes throw ``RocksError/Code/invalidArgument``. Write with ``at(_:)``.
    public var latest: HistoryMoment { at(.max) }

    /// Discards the history that only readers at times before `begin` could see. Such reads throw ``RocksError/Code/invalidArgument`` from now on.
    ///
    /// Compactions drop it gradually; call ``compact(_:options:progress:)`` afterwards to drop it immediately. RocksDB's `IncreaseFullHistoryTsLow`.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` if more has already been forgotten, or if `begin` is `UInt64.max`, because nothing could be
    ///   written any more; ``RocksError/Code/notSupported`` if the column family keeps
    ///   no history.
    public func forgetHistory(before begin: UInt64) throws(RocksError) {
        let family = columnFamily.handle
        try unsafe crk_history_forget(family.pointer, begin).check(family.attempt("forgetting the history of"))
    }

    /// Returns the range of known times: the earliest that can be read and the latest that was written (zero if there is none yet).
    ///
    /// In a database opened for reading only, both are zero, and reads of forgotten times find keys missing.
    ///
    /// - Throws: ``RocksError/Code/notSupported`` if the column family keeps no history.
    public func historySpan() throws(RocksError) -> (begin: UInt64, latest: UInt64) {
        let family = columnFamily.handle
        var begin: UInt64 = 0
        var latest: UInt64 = 0
        try unsafe crk_history_span(family.pointer, &begin, &latest).check(family.attempt("reading the span of the history of"))
        return (begin, latest)
    }
}

extension Snapshot {
    /// Returns the snapshot's view of one time of a column family that keeps its history; for reading only.
    public func at(_ time: UInt64) -> HistoryMoment { HistoryMoment(columnFamily, time: time, snapshot: handle) }
}

extension WriteBatch {
    /// Returns the same batch, with operations made at `time`, in a column family that keeps its history. Time moves forward within a batch, too;
    /// `UInt64.max` is refused as in ``RocksStore/at(_:)``.
    public func at(_ time: UInt64) -> WriteBatch { WriteBatch(storage: storage, columnFamily: columnFamily, time: time) }
}

extension TableView where Space == ColumnFamily {
    /// Returns the table at one time, for reading and writing. Its column family must keep its history. See ``RocksStore/at(_:)``.
    public func at(_ time: UInt64) -> TableView<HistoryMoment, Key, Value> { moved(to: space.at(time)) }
}
