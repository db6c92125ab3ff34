// Human-readable reports. Their form changes from release to release.
extension Property where Value == String {
    /// ``cfStats`` and ``dbStats`` together, with histograms.
    public static var stats: Property { Property(name: "rocksdb.stats") }
    /// Writes, log and stalls: since the database was opened, and since this was last queried.
    public static var dbStats: Property { Property(name: "rocksdb.dbstats") }
    /// Files, sizes, compactions and time spent for each level; includes ``cfFileHistogram``.
    public static var cfStats: Property { Property(name: "rocksdb.cfstats") }
    /// ``cfStats`` without histograms.
    public static var cfStatsNoFileHistogram: Property { Property(name: "rocksdb.cfstats-no-file-histogram") }
    /// The durations of file reads in each level; empty without ``DatabaseOptions/statistics``.
    public static var cfFileHistogram: Property { Property(name: "rocksdb.cf-file-histogram") }
    /// The number of files of each level and their size in MB.
    public static var levelStats: Property { Property(name: "rocksdb.levelstats") }
    /// The table files of each level with their key ranges. **Shows keys.**
    public static var ssTables: Property { Property(name: "rocksdb.sstables") }
    /// The totals of the properties of all table files: entries, and the sizes of keys, values, indexes and filters. Reads files that are not
    /// open.
    public static var aggregatedTableProperties: Property { Property(name: "rocksdb.aggregated-table-properties") }
    /// ``aggregatedTableProperties`` for one level; `nil` if there is no such level.
    public static func aggregatedTablePropertiesAtLevel(_ level: Int) -> Property {
        Property(name: "rocksdb.aggregated-table-properties-at-level\(level)")
    }
    /// The contents of the block cache by kind. Scans the whole cache.
    public static var blockCacheEntryStats: Property { Property(name: "rocksdb.block-cache-entry-stats") }
    /// ``blockCacheEntryStats``, from the last scan if it was recent.
    public static var fastBlockCacheEntryStats: Property { Property(name: "rocksdb.fast-block-cache-entry-stats") }
    /// The number and sizes of blob files, and the garbage in them.
    public static var blobStats: Property { Property(name: "rocksdb.blob-stats") }
    /// All counters of ``DatabaseOptions/statistics``; empty without them.
    public static var optionsStatistics: Property { Property(name: "rocksdb.options-statistics") }
}
