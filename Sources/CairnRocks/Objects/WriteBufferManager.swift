import CRocks
public import CairnCore

/// Limits the memory of memtables in any number of databases together; RocksDB's `WriteBufferManager`.
///
/// A target, not a wall: memtables grow past it while they are flushed. RocksDB's `allow_stall`, which makes writers wait instead, is left off:
/// where the smallest memtables of all column families together reach the limit, they would wait for ever.
public final class WriteBufferManager: Sendable {
    let handle: ObjectHandle

    /// A limit for all memtables.
    ///
    /// - Parameters:
    ///   - limit: Near it, memtables are flushed; 1 MiB at least.
    ///   - cache: The block cache that the memtables' memory is taken from, so that both together stay within its size; `nil`: none.
    /// - Throws: ``RocksError/Code/invalidArgument`` for less than 1 MiB.
    public init(limit: ByteCount, cache: BlockCache? = nil) throws(RocksError) {
        try Self.check(limit)
        let pointer = unsafe crk_write_buffer_manager_create(Int(clamping: limit.bytes), cache?.handle.pointer)
        handle = unsafe try ObjectHandle(pointer, "a write buffer manager") { unsafe crk_write_buffer_manager_release($0) }
    }

    /// Changes the limit.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` for less than 1 MiB.
    public func setLimit(_ limit: ByteCount) throws(RocksError) {
        try Self.check(limit)
        unsafe crk_write_buffer_manager_set_limit(handle.pointer, Int(clamping: limit.bytes))
    }

    /// The limit.
    public var limit: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_write_buffer_manager_limit(handle.pointer))) }
    /// How much the memtables take now.
    public var usage: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_write_buffer_manager_usage(handle.pointer))) }

    private static func check(_ limit: ByteCount) throws(RocksError) {
        guard limit >= .mebibytes(1) else {
            throw RocksError(.invalidArgument, "a limit of \(limit) for memtables; RocksDB needs 1 MiB or more to work with")
        }
    }
}
