public import CairnCore

// Table files, blob files, levels.
extension Property where Value == UInt64 {
    /// How many table files the level has; `nil` if there is no such level.
    public static func numFilesAtLevel(_ level: Int) -> Property {
        Property(name: "rocksdb.num-files-at-level\(level)")
    }
    /// How many arrangements of files are kept by cursors and compactions; many hold back the deletion of files.
    public static var numLiveVersions: Property { Property(name: "rocksdb.num-live-versions") }
    /// How many times the arrangement of memtables and files has changed since the database was opened.
    public static var currentSuperVersionNumber: Property { Property(name: "rocksdb.current-super-version-number") }
    /// The level into which level 0 is merged.
    public static var baseLevel: Property { Property(name: "rocksdb.base-level") }
    /// How many keys there are, about: entries less deletions, so overwritten and twice deleted keys lead it astray.
    public static var estimateNumKeys: Property { Property(name: "rocksdb.estimate-num-keys") }
    /// The number of the oldest write-ahead log that is needed; one for the whole database.
    public static var minLogNumberToKeep: Property { Property(name: "rocksdb.min-log-number-to-keep") }
    /// The smallest number of an unused table file that is kept; `UInt64.max`: all may go.
    public static var minObsoleteSSTNumberToKeep: Property { Property(name: "rocksdb.min-obsolete-sst-number-to-keep") }
    /// How many blob files are in use.
    public static var numBlobFiles: Property { Property(name: "rocksdb.num-blob-files") }
    /// When the oldest key was written, about, in seconds since 1970. With ``CompactionStyle/fifo`` without
    /// ``FIFOCompactionOptions/allowCompaction`` only. Reads properties of files.
    public static var estimateOldestKeyTime: Property { Property(name: "rocksdb.estimate-oldest-key-time") }
}

extension Property where Value == ByteCount {
    /// How large all table files are, those included that only cursors keep. Takes time if there are many.
    public static var totalSSTFilesSize: Property { Property(name: "rocksdb.total-sst-files-size") }
    /// How large the table files in use are.
    public static var liveSSTFilesSize: Property { Property(name: "rocksdb.live-sst-files-size") }
    /// How much of them is live data, about.
    public static var estimateLiveDataSize: Property { Property(name: "rocksdb.estimate-live-data-size") }
    /// How much memory open table files take outside the block cache: indexes and filters.
    public static var estimateTableReadersMem: Property { Property(name: "rocksdb.estimate-table-readers-mem") }
    /// How much compaction has yet to rewrite. With ``CompactionStyle/level`` only.
    public static var estimatePendingCompactionBytes: Property { Property(name: "rocksdb.estimate-pending-compaction-bytes") }
    /// How large all blob files are, those included that only cursors keep.
    public static var totalBlobFileSize: Property { Property(name: "rocksdb.total-blob-file-size") }
    /// How large the blob files in use are.
    public static var liveBlobFileSize: Property { Property(name: "rocksdb.live-blob-file-size") }
    /// How much of them is no longer needed.
    public static var liveBlobFileGarbageSize: Property { Property(name: "rocksdb.live-blob-file-garbage-size") }
}

extension Property where Value == Double {
    /// How many times larger the level's data is uncompressed; -1: the level has no open file; `nil`: there is no such level.
    public static func compressionRatioAtLevel(_ level: Int) -> Property {
        Property(name: "rocksdb.compression-ratio-at-level\(level)")
    }
}

extension Property where Value == ByteCount {
    /// How large the table files in use of this temperature are; `nil` for one this version of Cairn does not know.
    public static func liveSSTFilesSize(at temperature: Temperature) -> Property {
        // RocksDB's numbers of the temperatures.
        let numbers: [Temperature: Int] = [.unknown: 0, .hot: 4, .warm: 8, .cold: 12]
        return Property(name: "rocksdb.live-sst-files-size-at-temperature" + (numbers[temperature].map(String.init) ?? ""))
    }
}
