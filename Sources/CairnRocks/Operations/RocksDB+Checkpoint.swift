import CRocks
import CairnCore

extension RocksDB {
    /// Makes a copy of the database as it is now, at `path`, that can be opened on its own.
    ///
    /// On the same file system, files are linked instead of copied: it takes no space until one side changes, and little time. Writers go on. The
    /// copy appears at `path` whole and on the disk, or not at all; a process that is killed meanwhile leaves a directory whose name begins so and ends
    /// in `.tmp`, which may be deleted.
    ///
    /// - Parameters:
    ///   - path: A directory that does not exist yet; its parent must.
    ///   - flushAbove: Memtables are flushed first, unless the write-ahead log is smaller than this; then it is copied. Default: always flush.
    /// - Returns: The number of the last write that the copy holds; zero if it was not flushed.
    /// - Throws: ``RocksError/Code/invalidArgument`` if something is at the path, ``RocksError/Code/ioError``.
    @discardableResult
    public func makeCheckpoint(at path: String, flushAbove: ByteCount = .zero) throws(RocksError) -> UInt64 {
        try checkForZeroByte(in: path, "path")
        var number: UInt64 = 0
        try unsafe crk_checkpoint(handle.pointer, path, UInt64(clamping: flushAbove.bytes), &number)
            .check("making a checkpoint of '\(self.path)' at '\(path)'")
        return number
    }

    /// As ``makeCheckpoint(at:flushAbove:)``, on a thread outside of those that tasks share.
    @discardableResult
    public func makeCheckpointInBackground(at path: String, flushAbove: ByteCount = .zero) async throws(RocksError) -> UInt64 {
        try await offPool { () throws(RocksError) in try self.makeCheckpoint(at: path, flushAbove: flushAbove) }.get()
    }

    /// Hands what is buffered of the write-ahead log to the operating system, and with `syncs` to the device: all writes before are then as
    /// safe as `Durability.synced`, except those that went past the log.
    public func flushLog(syncs: Bool = true) throws(RocksError) {
        try unsafe crk_flush_log(handle.pointer, syncs).check("flushing the log of '\(path)'")
    }
}
