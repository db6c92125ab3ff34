public import CairnCore

// Table files, blob files, levels.
extension Property where Value == UInt64 {
    /// The number of table files in the level; `nil` if there is no such level.
    public static func numFilesAtLevel(_ level: Int) -> Property {
        Property(name: "rocksdb.num-files-at-level\(level)")
    }
    /// The number of file layouts that cursors and compactions keep alive; many of them delay the deletion of files.
    public static var numLiveVersions: Property { Property(name: "rocksdb.num-live-versions") }
    /// How many times the set of memtables and files has changed since the database was opened.
    public static var currentSuperVersionNumber: Property { Property(name: "rocksdb.current-super-version-number") }
    /// The level into which level 0 is merged.
    public static var baseLevel: Property { Property(name: "rocksdb.base-level") }
    /// The estimated number of keys: entries minus deletions, so keys that were overwritten or deleted twice distort it.
    public static var estimateNumKeys: Property { Property(name: "rocksdb.estimate-num-keys") }
    /// The number of the oldest write-ahead log that is needed, for the whole database.
    public static var minLogNumberToKeep: Property { Property(name: "rocksdb.min-log-number-to-keep") }
    /// The smallest number of an obsolete table file that is kept; `UInt64.max` if all can be deleted.
    public static var minObsoleteSSTNumberToKeep: Property { Property(name: "rocksdb.min-obsolete-sst-number-to-keep") }
    /// The number of blob files in use.
    public static var numBlobFiles: Property { Property(name: "rocksdb.num-blob-files") }
    /// The approximate time at which the oldest key was written, in seconds since 1970. Only for ``CompactionStyle/fifo`` without
    /// ``FIFOCompactionOptions/allowCompaction``. Reads properties of files.
    public static var estimateOldestKeyTime: Property { Property(name: "rocksdb.estimate-oldest-key-time") }
}

extension Property where Value == ByteCount {
    /// The total size of all table files, including those that only cursors keep alive. Takes time if there are many.
    public static var totalSSTFilesSize: Property { Property(name: "rocksdb.total-sst-files-size") }
    /// The total size of table files in use.
    public static var liveSSTFilesSize: Property { Property(name: "rocksdb.live-sst-files-size") }
    /// The estimated size of live data in table files.
    public static var estimateLiveDataSize: Property { Property(name: "rocksdb.estimate-live-data-size") }
    /// The memory that open table files take outside the block cache: indexes and filters.
    public static var estimateTableReadersMem: Property { Property(name: "rocksdb.estimate-table-readers-mem") }
    /// The estimated amount of data that compaction has yet to rewrite. Only for ``CompactionStyle/level``.
    public static var estimatePendingCompactionBytes: Property { Property(name: "rocksdb.estimate-pending-compaction-bytes") }
    /// The total size of all blob files, including those that only cursors keep alive.
    public static var totalBlobFileSize: Property { Property(name: "rocksdb.total-blob-file-size") }
    /// The total size of blob files in use.
    public static var liveBlobFileSize: Property { Property(name: "rocksdb.live-blob-file-size") }
    /// The amount of garbage in blob files in use.
    public static var liveBlobFileGarbageSize: Property { Property(name: "rocksdb.live-blob-file-garbage-size") }
}

extension Property where Value == Double {
    /// The compression ratio of the level: the uncompressed size divided by the compressed size; -1 if the level has no open file, `nil` if
    /// there is no such level.
    public static func compressionRatioAtLevel(_ level: Int) -> Property {
        Property(name: "rocksdb.compression-ratio-at-level\(level)")
    }
}

extension Property where Value == ByteCount {
    /// The total size of table files in use with this temperature; `nil` for a temperature that this version of Cairn does not know.
    public static func liveSSTFilesSize(at temperature: Temperature) -> Property {
        // RocksDB's numbers of the temperatures.
        let numbers: [Temperature: Int] = [.unknown: 0, .hot: 4, .warm: 8, .cold: 12]
        return Property(name: "rocksdb.live-sst-files-size-at-temperature" + (numbers[temperature].map(String.init) ?? ""))
    }
}
