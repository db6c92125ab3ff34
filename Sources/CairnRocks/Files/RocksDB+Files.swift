import CRocks
import CairnCore

extension RocksDB {
    /// All files that a copy of the database needs, and how much of each. Copy them within ``withFileDeletionsDisabled(_:)``.
    ///
    /// - Parameters:
    ///   - flushAbove: Memtables are flushed first, unless the write-ahead log is smaller than this. Default: always flush.
    ///   - withChecksums: Whether checksums are filled in, where the database keeps them.
    public func storageFiles(flushAbove: ByteCount = .zero, withChecksums: Bool = false) throws(RocksError) -> [StorageFile] {
        let (status, files) = unsafe Collector<StorageFile>.collect { collector in
            unsafe crk_storage_files(handle.pointer, UInt64(clamping: flushAbove.bytes), withChecksums, collector) {
                unsafe Collector<StorageFile>.add(StorageFile($1.pointee), to: $0)
            }
        }
        try status.check("listing the files of '\(path)'")
        return files
    }

    /// The files of the write-ahead log, oldest first, archived ones included.
    public func logFiles() throws(RocksError) -> [LogFile] { try logFiles(onlyCurrent: false) }

    /// The file of the write-ahead log that is written now.
    public func currentLogFile() throws(RocksError) -> LogFile { try logFiles(onlyCurrent: true)[0] }

    private func logFiles(onlyCurrent: Bool) throws(RocksError) -> [LogFile] {
        let (status, files) = unsafe Collector<LogFile>.collect { collector in
            unsafe crk_log_files(handle.pointer, onlyCurrent, collector) { unsafe Collector<LogFile>.add(LogFile($1.pointee), to: $0) }
        }
        try status.check("listing the logs of '\(path)'")
        return files
    }

    /// Calls `body` while no file of the database is deleted; files that become useless meanwhile are deleted afterwards. May be nested, and
    /// called from several threads.
    public func withFileDeletionsDisabled<Value>(_ body: () throws -> Value) throws -> Value {
        try unsafe crk_disable_file_deletions(handle.pointer).check("keeping the files of '\(path)'")
        let result = Result { try body() }
        return try unsafe crk_enable_file_deletions(handle.pointer).ending(result, "letting files of '\(path)' go")
    }

    /// Reads all sorted files and compares them with the checksums of whole files that the database keeps.
    ///
    /// - Throws: ``RocksError/Code/corruption`` naming the first file that differs; ``RocksError/Code/invalidArgument`` if the database keeps
    ///   none: the option is `file_checksum_gen_factory`.
    public func verifyFileChecksums() throws(RocksError) {
        try unsafe crk_verify_file_checksums(handle.pointer).check("verifying the files of '\(path)'")
    }

    /// As ``verifyFileChecksums()``, on a thread outside of those that tasks share. Cancelling the task does not end it.
    public func verifyFileChecksumsInBackground() async throws(RocksError) {
        try await offPool { () throws(RocksError) in try self.verifyFileChecksums() }.get()
    }

    /// What RocksDB calls the database: drawn at random when it was made, and the same for its checkpoints and backups.
    public func identity() throws(RocksError) -> String { try identity(ofSession: false) }

    /// What RocksDB calls this opening of the database.
    public func sessionIdentity() throws(RocksError) -> String { try identity(ofSession: true) }

    private func identity(ofSession session: Bool) throws(RocksError) -> String {
        let (status, found) = unsafe Collector<String>.collect { collector in
            unsafe crk_identity(handle.pointer, session, collector) { unsafe Collector<String>.add($1.text, to: $0) }
        }
        try status.check("reading the identity of '\(path)'")
        return found[0]
    }

    /// Lets a database that an error of background work has stopped, such as a full disk, write again. Does nothing if there was no error.
    ///
    /// - Throws: The error again, if its cause is not mended or it cannot be recovered from.
    public func resume() throws(RocksError) {
        try unsafe crk_resume(handle.pointer).check("letting '\(path)' go on")
    }

    /// Reads what the primary has written since; for a database opened in mode ``OpenMode/secondary(path:)``.
    ///
    /// Column families that the primary has made since are not seen; those it has dropped stay readable. Cursors made before go on seeing what
    /// they saw.
    ///
    /// - Throws: ``RocksError/Code/notSupported`` in any other mode; ``RocksError/Code/invalidArgument`` if the primary merges in a column family
    ///   for which no merge operator was given here; ``RocksError/Code/ioError``, ``RocksError/Code/corruption``.
    public func catchUp() throws(RocksError) {
        try unsafe crk_catch_up(handle.pointer).check("catching up with '\(path)'")
    }
}
