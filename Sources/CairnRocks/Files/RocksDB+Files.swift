import CRocks
import CairnCore

extension RocksDB {
    /// Returns all files that a copy of the database needs, and how much of each. Copy them within ``withFileDeletionsDisabled(_:)``.
    ///
    /// - Parameters:
    ///   - flushAbove: Memtables are flushed first, unless the write-ahead log is smaller than this. Default: always flush.
    ///   - withChecksums: Whether to fill in checksums, if the database keeps them.
    public func storageFiles(flushAbove: ByteCount = .zero, withChecksums: Bool = false) throws(RocksError) -> [StorageFile] {
        let (status, files) = unsafe Collector<StorageFile>.collect { collector in
            unsafe crk_storage_files(handle.pointer, UInt64(clamping: flushAbove.bytes), withChecksums, collector) {
                unsafe Collector<StorageFile>.add(StorageFile($1.pointee), to: $0)
            }
        }
        try status.check("listing the files of '\(path)'")
        return files
    }

    /// Returns the write-ahead log files, oldest first, including archived ones.
    public func logFiles() throws(RocksError) -> [LogFile] { try logFiles(onlyCurrent: false) }

    /// Returns the write-ahead log file that is being written to.
    public func currentLogFile() throws(RocksError) -> LogFile { try logFiles(onlyCurrent: true)[0] }

    private func logFiles(onlyCurrent: Bool) throws(RocksError) -> [LogFile] {
        let (status, files) = unsafe Collector<LogFile>.collect { collector in
            unsafe crk_log_files(handle.pointer, onlyCurrent, collector) { unsafe Collector<LogFile>.add(LogFile($1.pointee), to: $0) }
        }
        try status.check("listing the logs of '\(path)'")
        return files
    }

    /// Calls `body` with file deletion disabled; files that become obsolete during the call are deleted afterwards. Calls may be nested and may come
    /// from several threads.
    public func withFileDeletionsDisabled<Value>(_ body: () throws -> Value) throws -> Value {
        try unsafe crk_disable_file_deletions(handle.pointer).check("disabling file deletions of '\(path)'")
        let result = Result { try body() }
        return try unsafe crk_enable_file_deletions(handle.pointer).ending(result, "enabling file deletions of '\(path)'")
    }

    /// Reads all sorted files and compares them with the whole-file checksums that the database keeps.
    ///
    /// - Throws: ``RocksError/Code/corruption`` naming the first file that differs; ``RocksError/Code/invalidArgument`` if the database keeps no such
    ///   checksums: the option is `file_checksum_gen_factory`.
    public func verifyFileChecksums() throws(RocksError) {
        try unsafe crk_verify_file_checksums(handle.pointer).check("verifying the files of '\(path)'")
    }

    /// Same as ``verifyFileChecksums()``, on a separate thread. Cancelling the task does not end it.
    public func verifyFileChecksumsInBackground() async throws(RocksError) {
        try await offPool { () throws(RocksError) in try self.verifyFileChecksums() }.get()
    }

    /// Returns RocksDB's identifier for the database: chosen at random when the database was created, and shared by its checkpoints and backups.
    public func identity() throws(RocksError) -> String { try identity(ofSession: false) }

    /// Returns RocksDB's identifier for this session, from opening the database to closing it.
    public func sessionIdentity() throws(RocksError) -> String { try identity(ofSession: true) }

    private func identity(ofSession session: Bool) throws(RocksError) -> String {
        let (status, found) = unsafe Collector<String>.collect { collector in
            unsafe crk_identity(handle.pointer, session, collector) { unsafe Collector<String>.add($1.text, to: $0) }
        }
        try status.check("reading the identity of '\(path)'")
        return found[0]
    }

    /// Resumes writes after an error in background work, such as a full disk, has stopped them. Does nothing if there was no error.
    ///
    /// - Throws: The error again, if its cause persists or it cannot be recovered from.
    public func resume() throws(RocksError) {
        try unsafe crk_resume(handle.pointer).check("resuming writes to '\(path)'")
    }

    /// Reads what the primary has written since the database was opened, or since the last call; for mode ``OpenMode/secondary(path:)``.
    ///
    /// Column families that the primary has created since this database was opened are not visible; dropped ones remain readable. Existing cursors
    /// keep seeing what they saw.
    ///
    /// - Throws: ``RocksError/Code/notSupported`` in any other mode, and if the secondary must be opened again, because the primary has filled new column
    ///   families or has since been opened for transactions; also while the primary's write-ahead log holds entities, which RocksDB reads here only once
    ///   the primary has flushed them. ``RocksError/Code/invalidArgument`` if the primary merges in a column family for which no merge operator was given
    ///   here; ``RocksError/Code/ioError``, ``RocksError/Code/corruption``.
    public func catchUp() throws(RocksError) {
        try unsafe crk_catch_up(handle.pointer).check("catching up with '\(path)'")
    }
}
