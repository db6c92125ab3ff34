import CRocks
public import CairnCore

/// What a database keeps in memory, by kind; RocksDB's `MemoryUtil`.
public struct MemoryUse: Sendable, Hashable {
    /// All memtables, those included that are flushed and kept only by cursors.
    public let memtables: ByteCount
    /// Those not flushed yet.
    public let unflushedMemtables: ByteCount
    /// Indexes and filters of open table files outside the caches.
    public let tableReaders: ByteCount
    /// The block caches, blob caches and row cache of the database, each once, with what other databases put into them.
    public let caches: ByteCount

    /// Memtables, table readers and caches together.
    public var total: ByteCount { ByteCount(bytes: memtables.bytes + tableReaders.bytes + caches.bytes) }
}

extension RocksDB {
    /// What the database and all its column families keep in memory now, about.
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
