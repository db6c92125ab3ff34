import CRocks
public import CairnCore

/// Limits the total memory of memtables in any number of databases; RocksDB's `WriteBufferManager`.
///
/// This is a target, not a hard limit: memtables grow past it while they are flushed. RocksDB's `allow_stall`, which makes writers wait instead,
/// is left off: if the smallest memtables of all column families together reached the limit, they would wait forever.
public final class WriteBufferManager: Sendable {
    let handle: ObjectHandle

    /// Creates a limit for all memtables.
    ///
    /// - Parameters:
    ///   - limit: The limit near which memtables are flushed; at least 1 MiB.
    ///   - cache: The block cache that the memtables' memory is charged to, so that both together stay within its size; `nil` for none.
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
    /// The current memory of the memtables.
    public var usage: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_write_buffer_manager_usage(handle.pointer))) }

    private static func check(_ limit: ByteCount) throws(RocksError) {
        guard limit >= .mebibytes(1) else {
            throw RocksError(.invalidArgument, "the limit for memtables is \(limit); RocksDB needs at least 1 MiB")
        }
    }
}
