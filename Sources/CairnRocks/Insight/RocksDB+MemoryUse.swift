import CRocks
public import CairnCore

/// The memory use of a database by kind; RocksDB's `MemoryUtil`.
public struct MemoryUse: Sendable, Hashable {
    /// All memtables, including flushed ones that only cursors keep alive.
    public let memtables: ByteCount
    /// Memtables that are not flushed yet.
    public let unflushedMemtables: ByteCount
    /// Indexes and filters of open table files outside the caches.
    public let tableReaders: ByteCount
    /// The block caches, blob caches and row cache of the database, each counted once, including what other databases put into them.
    public let caches: ByteCount

    /// Memtables, table readers and caches together.
    public var total: ByteCount { ByteCount(bytes: memtables.bytes + tableReaders.bytes + caches.bytes) }
}

extension RocksDB {
    /// Returns the approximate current memory use of the database and all its column families.
    public func memoryUse() throws(RocksError) -> MemoryUse {
        var use = crk_memory_use()
        try unsafe crk_memory_usage(handle.pointer, &use).check("measuring the memory of '\(path)'")
        return MemoryUse(
            memtables: ByteCount(bytes: Int64(clamping: use.memtables)),
            unflushedMemtables: ByteCount(bytes: Int64(clamping: use.unflushed_memtables)),
            tableReaders: ByteCount(bytes: Int64(clamping: use.table_readers)),
            caches: ByteCount(bytes: Int64(clamping: use.caches))
        )
    }
}
