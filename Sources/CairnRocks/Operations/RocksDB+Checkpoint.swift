import CRocks
import CairnCore

extension RocksDB {
    /// Makes a copy of the database as it is now, at `path`, that can be opened independently.
    ///
    /// Within the same file system, files are linked instead of copied: the copy takes little time, and no space until either side changes. Writers
    /// continue. The copy appears at `path` whole and synced to disk, or not at all, with the permissions of the database's directory. A process that
    /// is killed during the copy leaves behind a directory whose name begins with `path` and a dot; it can be deleted.
    ///
    /// - Parameters:
    ///   - path: The directory to create; it must not exist, but its parent must.
    ///   - flushAbove: Memtables are flushed first, unless the write-ahead log is smaller than this, in which case it is copied. Default: always
    ///     flush.
    /// - Returns: The sequence number of the last write in the copy; zero if the memtables were not flushed.
    /// - Throws: ``RocksError/Code/invalidArgument`` if something exists at `path`, or it is inside the database's directory; ``RocksError/Code/notFound`` if
    ///   its parent does not exist; ``RocksError/Code/noSpace``; ``RocksError/Code/ioError``, also if the copy is complete but its name could not be synced
    ///   to disk.
    @discardableResult
    public func makeCheckpoint(at path: String, flushAbove: ByteCount = .zero) throws(RocksError) -> UInt64 {
        try checkForZeroByte(in: path, "path")
        guard !FileSystem.isSame(path, orInside: self.path) else {
            let reason = "it is inside the directory of the database; choose a path outside"
            throw RocksError(.invalidArgument, "making a checkpoint of '\(self.path)' at '\(path)': \(reason)")
        }
        var number: UInt64 = 0
        try unsafe crk_checkpoint(handle.pointer, path, UInt64(clamping: flushAbove.bytes), &number)
            .check(creating: path, "making a checkpoint of '\(self.path)' at '\(path)'")
        handle.tableTypes?.copy(to: path)
        return number
    }

    /// Same as ``makeCheckpoint(at:flushAbove:)``, on a separate thread.
    @discardableResult
    public func makeCheckpointInBackground(at path: String, flushAbove: ByteCount = .zero) async throws(RocksError) -> UInt64 {
        try await offPool { () throws(RocksError) in try self.makeCheckpoint(at: path, flushAbove: flushAbove) }.get()
    }

    /// Hands the buffered part of the write-ahead log to the operating system and, with `syncs`, to the device: all earlier writes are then as
    /// durable as `Durability.synced`, except those that bypassed the log.
    public func flushLog(syncs: Bool = true) throws(RocksError) {
        try unsafe crk_flush_log(handle.pointer, syncs).check("flushing the log of '\(path)'")
    }
}
