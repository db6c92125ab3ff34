import CRocks
import CairnCore

/// A property whose answer is a list of named values; for RocksDB's `GetMapProperty`.
public struct MapProperty: Hashable, Sendable {
    /// RocksDB's name, such as `rocksdb.cfstats`.
    public let name: String
    /// A property by RocksDB's name, for what has no member here.
    public init(name: String) { self.name = name }

    /// Files, sizes, compactions and stalls of the column family: `compaction.L0.SizeBytes`, `io_stalls.stop_for_pending_compaction_bytes`...
    public static let columnFamilyStats = MapProperty(name: "rocksdb.cfstats")
    /// What the whole database wrote, and how: `db.user_bytes_written`, `db.wal_syncs`...
    public static let databaseStats = MapProperty(name: "rocksdb.dbstats")
    /// What of the block cache is what: `count.data-block`, `bytes.index-block`, `percent.misc`... Walks over the cache.
    public static let blockCacheEntryStats = MapProperty(name: "rocksdb.block-cache-entry-stats")
    /// As ``blockCacheEntryStats``, from the last walk if it was not long ago.
    public static let fastBlockCacheEntryStats = MapProperty(name: "rocksdb.fast-block-cache-entry-stats")
    /// The properties of all table files added up: `num_entries`, `raw_key_size`... Reads properties of files.
    public static let aggregatedTableProperties = MapProperty(name: "rocksdb.aggregated-table-properties")
    /// The same for the files of one level.
    public static func aggregatedTablePropertiesAtLevel(_ level: Int) -> MapProperty {
        MapProperty(name: "rocksdb.aggregated-table-properties-at-level\(level)")
    }
}

extension RocksStore {
    /// What the database says about a property that is a list, by the names of its entries; `nil` if there is no such list.
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
    /// A numeric property of all column families together; RocksDB's `GetAggregatedIntProperty`. `nil` if there is no number of that name.
    ///
    /// Numbers are added up, also where a sum means little, as for ``Property/baseLevel``; a block cache that column families share is counted
    /// once for each.
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

    /// Sets what the database and its column families count by themselves back to zero: ``MapProperty/columnFamilyStats``,
    /// ``MapProperty/databaseStats`` and the reports of ``Property/stats``. ``Statistics`` are not touched: ``Statistics/reset()`` does that.
    ///
    /// RocksDB's name: `ResetStats`.
    public func resetStats() throws(RocksError) {
        try unsafe crk_reset_stats(handle.pointer).check("resetting the stats of '\(path)'")
    }
}
