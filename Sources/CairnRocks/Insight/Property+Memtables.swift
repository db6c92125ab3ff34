public import CairnCore

// Memtables.
extension Property where Value == UInt64 {
    /// The number of entries in the active memtable, including deletions.
    public static var numEntriesActiveMemTable: Property { Property(name: "rocksdb.num-entries-active-mem-table") }
    /// The number of entries in full memtables that are not flushed yet.
    public static var numEntriesImmMemTables: Property { Property(name: "rocksdb.num-entries-imm-mem-tables") }
    /// The number of deletions in the active memtable.
    public static var numDeletesActiveMemTable: Property { Property(name: "rocksdb.num-deletes-active-mem-table") }
    /// The number of deletions in full memtables.
    public static var numDeletesImmMemTables: Property { Property(name: "rocksdb.num-deletes-imm-mem-tables") }
    /// The number of full memtables that are not flushed yet.
    public static var numImmutableMemTable: Property { Property(name: "rocksdb.num-immutable-mem-table") }
    /// The number of flushed memtables that are still kept.
    public static var numImmutableMemTableFlushed: Property { Property(name: "rocksdb.num-immutable-mem-table-flushed") }
}

extension Property where Value == ByteCount {
    /// The approximate memory of the active memtable.
    public static var curSizeActiveMemTable: Property { Property(name: "rocksdb.cur-size-active-mem-table") }
    /// The approximate memory of the active memtable and those that are not flushed yet.
    public static var curSizeAllMemTables: Property { Property(name: "rocksdb.cur-size-all-mem-tables") }
    /// The approximate memory of all memtables, including those that only cursors keep alive.
    public static var sizeAllMemTables: Property { Property(name: "rocksdb.size-all-mem-tables") }
}

extension Property where Value == Bool {
    /// Whether a flush is pending.
    public static var memTableFlushPending: Property { Property(name: "rocksdb.mem-table-flush-pending") }
}
