import CairnCore

extension ColumnFamilyOptions {
    /// The format of table files; ``table`` holds the options of the block-based format. Existing files keep their format and can be read only with
    /// it. RocksDB's `table_factory`. Default: ``TableFormat/blockBased``; fixed while open.
    public var tableFormat: TableFormat {
        get { self["table_factory"] }
        // The default is not spelt out, so that the options in `table` stay in effect.
        set { settings["table_factory"] = newValue == .blockBased ? nil : newValue.optionText }
    }

    /// Options for keys that are only put and looked up, never scanned: filters for files and memtables, and hash tables within blocks. Like
    /// RocksDB's `OptimizeForPointLookup`; combine it with a large ``TableOptions/blockCache`` or ``DatabaseOptions/memoryBudget``.
    public static var pointLookup: ColumnFamilyOptions {
        var options = ColumnFamilyOptions()
        options.table.filterPolicy = .bloom(bitsPerKey: 10)
        options.table.dataBlockIndexType = .binaryAndHash
        options.table.dataBlockHashTableUtilization = 0.75
        options.memtableBloomSizeRatio = 0.02
        options.memtableWholeKeyFiltering = true
        return options
    }

    /// Options for writing a large amount of data before anything is read: writers are never slowed down, and files are merged only on request,
    /// all at once. Like RocksDB's `PrepareForBulkLoad`; afterwards, compact and reopen with other options.
    public static var bulkLoad: ColumnFamilyOptions {
        var options = ColumnFamilyOptions()
        options.disableAutoCompactions = true
        options.level0FileCountCompactionTrigger = 1 << 30
        options.level0SlowdownWritesTrigger = 1 << 30
        options.level0StopWritesTrigger = 1 << 30
        options.softPendingCompactionLimit = .zero
        options.hardPendingCompactionLimit = .zero
        options.maxCompactionSize = .bytes(1 << 60)
        options.levelCount = 2
        options.maxWriteBufferCount = 6
        options.minWriteBufferCountToMerge = 1
        options.targetFileSizeBase = .mebibytes(256)
        return options
    }

    /// Options for less than about 1 GiB of data in little memory: small memtables and files. Like RocksDB's `OptimizeForSmallDb`, except that indexes
    /// and filters stay in memory while their file is open; goes with ``DatabaseOptions/small``.
    public static var small: ColumnFamilyOptions {
        var options = ColumnFamilyOptions()
        options.writeBufferSize = .mebibytes(2)
        options.targetFileSizeBase = .mebibytes(2)
        options.maxBytesForLevelBase = .mebibytes(10)
        options.softPendingCompactionLimit = .mebibytes(256)
        options.hardPendingCompactionLimit = .gibibytes(1)
        return options
    }
}
