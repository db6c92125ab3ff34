public import CairnCore

// Memtables.
extension Property where Value == UInt64 {
    /// How many entries the memtable in use has, deletions included.
    public static var numEntriesActiveMemTable: Property { Property(name: "rocksdb.num-entries-active-mem-table") }
    /// How many entries the full memtables have that are not flushed yet.
    public static var numEntriesImmMemTables: Property { Property(name: "rocksdb.num-entries-imm-mem-tables") }
    /// How many of the entries of the memtable in use are deletions.
    public static var numDeletesActiveMemTable: Property { Property(name: "rocksdb.num-deletes-active-mem-table") }
    /// How many of the entries of full memtables are deletions.
    public static var numDeletesImmMemTables: Property { Property(name: "rocksdb.num-deletes-imm-mem-tables") }
    /// How many full memtables are not flushed yet.
    public static var numImmutableMemTable: Property { Property(name: "rocksdb.num-immutable-mem-table") }
    /// How many memtables are flushed and still kept.
    public static var numImmutableMemTableFlushed: Property { Property(name: "rocksdb.num-immutable-mem-table-flushed") }
}

extension Property where Value == ByteCount {
    /// How much memory the memtable in use takes, about.
    public static var curSizeActiveMemTable: Property { Property(name: "rocksdb.cur-size-active-mem-table") }
    /// How much memory it takes with those that are not flushed yet, about.
    public static var curSizeAllMemTables: Property { Property(name: "rocksdb.cur-size-all-mem-tables") }
    /// How much memory all take, with those that only cursors keep, about.
    public static var sizeAllMemTables: Property { Property(name: "rocksdb.size-all-mem-tables") }
}

extension Property where Value == Bool {
    /// Whether a flush is due.
    public static var memTableFlushPending: Property { Property(name: "rocksdb.mem-table-flush-pending") }
}
