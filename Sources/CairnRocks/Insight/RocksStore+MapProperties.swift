import CRocks
import CairnCore

/// A property whose value is a list of named values; for RocksDB's `GetMapProperty`.
public struct MapProperty: Hashable, Sendable {
    /// RocksDB's name, such as `rocksdb.cfstats`.
    public let name: String
    /// Creates a property by RocksDB's name, for one that has no member here.
    public init(name: String) { self.name = name }

    /// Files, sizes, compactions and stalls of the column family: `compaction.L0.SizeBytes`, `io_stalls.stop_for_pending_compaction_bytes`...
    public static let columnFamilyStats = MapProperty(name: "rocksdb.cfstats")
    /// What the whole database wrote: `db.user_bytes_written`, `db.wal_syncs`...
    public static let databaseStats = MapProperty(name: "rocksdb.dbstats")
    /// The contents of the block cache by kind: `count.data-block`, `bytes.index-block`, `percent.misc`... Scans the cache.
    public static let blockCacheEntryStats = MapProperty(name: "rocksdb.block-cache-entry-stats")
    /// The same as ``blockCacheEntryStats``, from the last scan if it was recent.
    public static let fastBlockCacheEntryStats = MapProperty(name: "rocksdb.fast-block-cache-entry-stats")
    /// The totals of the properties of all table files: `num_entries`, `raw_key_size`... Reads properties of files.
    public static let aggregatedTableProperties = MapProperty(name: "rocksdb.aggregated-table-properties")
    /// ``aggregatedTableProperties`` for the files of one level.
    public static func aggregatedTablePropertiesAtLevel(_ level: Int) -> MapProperty {
        MapProperty(name: "rocksdb.aggregated-table-properties-at-level\(level)")
    }
}

extension RocksStore {
    /// Returns the values of a map property by name, or `nil` if there is no such property.
    ///
    /// ```swift
    /// let files = try db.property(.aggregatedTableProperties)?["num_entries"]
    /// ```
    ///
    /// - Throws: ``RocksError/Code/closed``, ``RocksError/Code/columnFamilyDropped``.
    public func property(_ property: MapProperty) throws(RocksError) -> [String: String]? {
        guard !property.name.utf8.contains(0) else { return nil }
        let family = columnFamily.handle
        let (status, pairs) = unsafe Collector.pairs { unsafe crk_map_property(family.pointer, property.name, $0, $1) }
        if status.code == UInt8(CRK_NOT_FOUND.rawValue) {
            crk_status_free(status)
            return nil
        }
        try status.check(family.attempt("reading property '\(property.name)' of"))
        return pairs
    }
}

extension RocksDB {
    /// Returns the total of a numeric property over all column families, or `nil` if there is no numeric property of that name; RocksDB's
    /// `GetAggregatedIntProperty`.
    ///
    /// Numbers are added up even if the sum means little, as for ``Property/baseLevel``; a block cache that column families share is counted
    /// once for each of them.
    ///
    /// ```swift
    /// let keys = try db.aggregated(.estimateNumKeys)
    /// ```
    ///
    /// - Throws: ``RocksError/Code/closed``.
    public func aggregated<Value>(_ property: Property<Value>) throws(RocksError) -> Value? {
        guard !property.name.utf8.contains(0) else { return nil }
        var value: UInt64 = 0
        let status = unsafe crk_aggregated_int_property(handle.pointer, property.name, &value)
        if status.code == UInt8(CRK_NOT_FOUND.rawValue) {
            crk_status_free(status)
            return nil
        }
        try status.check("reading property '\(property.name)' of '\(path)'")
        return Value(propertyNumber: value)
    }

    /// Resets the built-in counters of the database and its column families (RocksDB's `ResetStats`): ``MapProperty/columnFamilyStats``,
    /// ``MapProperty/databaseStats`` and the reports of ``Property/stats``. Does not affect ``Statistics``; see ``Statistics/reset()``.
    public func resetStats() throws(RocksError) {
        try unsafe crk_reset_stats(handle.pointer).check("resetting the stats of '\(path)'")
    }
}
