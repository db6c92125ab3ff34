// Reports for people. Their form changes from release to release.
extension Property where Value == String {
    /// ``cfStats`` and ``dbStats`` together, with histograms.
    public static var stats: Property { Property(name: "rocksdb.stats") }
    /// Writes, log, stalls: since the database was opened, and since this was last asked.
    public static var dbStats: Property { Property(name: "rocksdb.dbstats") }
    /// For each level files, sizes, compactions, time spent; with ``cfFileHistogram``.
    public static var cfStats: Property { Property(name: "rocksdb.cfstats") }
    /// ``cfStats`` without histograms.
    public static var cfStatsNoFileHistogram: Property { Property(name: "rocksdb.cfstats-no-file-histogram") }
    /// How long reads of files of each level took; empty without ``DatabaseOptions/statistics``.
    public static var cfFileHistogram: Property { Property(name: "rocksdb.cf-file-histogram") }
    /// For each level the number of files and their size in MB.
    public static var levelStats: Property { Property(name: "rocksdb.levelstats") }
    /// The table files of each level with their ranges of keys. **Shows keys.**
    public static var ssTables: Property { Property(name: "rocksdb.sstables") }
    /// The properties of all table files summed up: entries, sizes of keys, values, indexes, filters. Reads files not yet open.
    public static var aggregatedTableProperties: Property { Property(name: "rocksdb.aggregated-table-properties") }
    /// The same for one level; `nil` if there is no such level.
    public static func aggregatedTablePropertiesAtLevel(_ level: Int) -> Property {
        Property(name: "rocksdb.aggregated-table-properties-at-level\(level)")
    }
    /// What the block cache holds, by kind. Walks through the whole cache.
    public static var blockCacheEntryStats: Property { Property(name: "rocksdb.block-cache-entry-stats") }
    /// The same, perhaps from some time ago.
    public static var fastBlockCacheEntryStats: Property { Property(name: "rocksdb.fast-block-cache-entry-stats") }
    /// Number and sizes of blob files, and the garbage in them.
    public static var blobStats: Property { Property(name: "rocksdb.blob-stats") }
    /// All counters of ``DatabaseOptions/statistics``; empty without them.
    public static var optionsStatistics: Property { Property(name: "rocksdb.options-statistics") }
}
