import CRocks
public import CairnCore

/// Memory for blocks read from files, shared by any number of column families and databases; RocksDB's `Cache`, evicting the least recently
/// used.
///
/// Without one, each column family has a cache of its own of the library's default size (8 MiB in 7.8; see ``TableOptions``).
public final class BlockCache: Sendable {
    let handle: ObjectHandle

    /// A cache that holds about `capacity`; blocks in use may exceed it.
    public init(capacity: ByteCount) throws(RocksError) {
        let pointer = unsafe crk_cache_create_lru(Int(clamping: max(0, capacity.bytes)))
        handle = unsafe try ObjectHandle(pointer, "a block cache of \(capacity)") { unsafe crk_cache_release($0) }
    }

    /// How much the cache may hold.
    public var capacity: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_cache_capacity(handle.pointer))) }
    /// How much it holds now.
    public var usage: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_cache_usage(handle.pointer))) }
    /// How much of that is in use and cannot be evicted.
    public var pinnedUsage: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_cache_pinned_usage(handle.pointer))) }
}
