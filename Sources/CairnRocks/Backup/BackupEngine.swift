import CRocks
import CairnCore
import Synchronization

/// A directory of backups; RocksDB's `BackupEngine`.
///
/// ```swift
/// let backups = try BackupEngine(path: "backups")
/// let id = try backups.createBackup(of: db)
/// try backups.verify(id)
/// try backups.restore(id, to: "restored.db")
/// ```
///
/// A backup is a complete database, but takes only as much space as the data that has changed since the previous one. It can be made while
/// the database is in use. The directory must hold backups of one database only. It should be on another disk, and be open in only one
/// engine at a time.
///
/// Safe to use from any thread: listing, verifying and restoring run concurrently; making and deleting backups wait for all other operations. All
/// methods block the calling thread except those whose names end in `InBackground`.
@safe public final class BackupEngine: Sendable {
    let handle: ObjectHandle
    /// The directory, as given when opening.
    public let path: String
    /// Whether the engine can only read backups, not make or delete them.
    public let isReadOnly: Bool
    /// The options it was opened with.
    public let options: BackupOptions
    /// Whether this engine created the directory and has not set its final permissions yet.
    private let isNew: Atomic<Bool>

    /// Opens the backups at `path`. The directory is created if needed, but its parent is not. A new directory is accessible only to its
    /// owner until the first backup, which gives it the permissions of the database's directory.
    ///
    /// - Parameters:
    ///   - path: The directory of the backups.
    ///   - options: How backups are stored.
    ///   - readOnly: Whether to leave the directory unchanged; it must then exist. Several read-only engines may be open at once.
    /// - Throws: ``RocksError/Code/notFound`` if the directory is missing and may not be created, or has no parent;
    ///   ``RocksError/Code/permissionDenied``, ``RocksError/Code/notADirectory``, ``RocksError/Code/ioError``, ``RocksError/Code/invalidOption``;
    ///   ``RocksError/Code/notSupported`` if there is a pipe, a device or a socket in place of a file.
    ///   Damaged backups do not cause an error; see ``corruptedBackups()``.
    /// - Complexity: Reads the records of each backup, not its files.
    public init(path: String, options: BackupOptions = BackupOptions(), readOnly: Bool = false) throws(RocksError) {
        try checkForZeroByte(in: path, "path")
        var settings = try options.shimSettings(readOnly: readOnly)
        try Self.checkFiles(in: path)
        // RocksDB reports why it cannot be created.
        isNew = Atomic(!readOnly && (try? FileSystem.system.makeDirectory(path, mode: 0o700)) != nil)
        var pointer: OpaquePointer?
        let (status, attempt) = unsafe (crk_backup_engine_open(path, &settings, &pointer), "opening the backups at '\(path)'")
        if readOnly { try status.checkPath(attempt) } else { try status.check(creating: path, attempt) }
        unsafe handle = ObjectHandle(owning: pointer!) { unsafe crk_backup_engine_free($0) }
        self.path = path
        self.options = options
        isReadOnly = readOnly
    }

    /// Refuses a pipe where RocksDB expects a file: records of backups, files that they share, and files of their own.
    private static func checkFiles(in path: String) throws(RocksError) {
        let own = FileSystem.join(path, "private")
        let directories = ["meta", "shared", "shared_checksum"].map { FileSystem.join(path, $0) }
        for directory in directories + ((try? FileSystem.system.list(own)) ?? []).map({ FileSystem.join(own, $0) }) {
            try CairnRocks.checkFiles(in: directory, "opening the backups at '\(path)'")
        }
    }

    /// Gives a directory made for this engine the permissions of `source`.
    func takeMode(of source: String, _ attempt: String) throws(RocksError) {
        // A database in memory has no directory.
        guard isNew.load(ordering: .relaxed), let mode = try? FileSystem.system.stat(source).mode else { return }
        do throws(SystemCallError) {
            try FileSystem.system.setMode(ofDirectory: path, mode)
        } catch {
            throw RocksError(FileError("could not set the permissions of", path, cause: error), attempt)
        }
        isNew.store(false, ordering: .relaxed)
    }

    /// Returns the good backups, oldest first.
    ///
    /// - Parameter withFiles: Whether to fill in ``Backup/files``.
    public func backups(withFiles: Bool = false) throws(RocksError) -> [Backup] {
        let (status, backups) = unsafe Collector<Backup>.collect { collector in
            unsafe crk_backup_list(handle.pointer, withFiles, collector) { collector, info in
                unsafe Collector<Backup>.add(Backup(info.pointee), to: collector)
            }
        }
        try status.check("listing the backups at '\(path)'")
        return backups
    }

    /// Returns the backups whose damage shows without reading their files: a file is missing, or the record of the backup cannot be read. They cannot
    /// be restored, only deleted. To find damage inside files, use ``verify(_:checksums:)``.
    ///
    /// The result reflects the state when the engine was opened.
    public func corruptedBackups() throws(RocksError) -> [Backup.ID] {
        let (status, ids) = unsafe Collector<Backup.ID>.collect { collector in
            unsafe crk_backup_list_corrupted(handle.pointer, collector) { collector, id in
                unsafe Collector<Backup.ID>.add(id, to: collector)
            }
        }
        try status.check("listing the damaged backups at '\(path)'")
        return ids
    }

    /// Checks that all files of a backup exist and, with `checksums`, that their contents are unchanged. Without it, compares only their sizes with
    /// the sizes recorded when this engine made the backup, or was opened.
    ///
    /// - Throws: ``RocksError/Code/notFound`` if there is no such backup or a file is missing, ``RocksError/Code/corruption`` naming the first
    ///   file that differs.
    /// - Complexity: With `checksums`, reads the whole backup.
    public func verify(_ id: Backup.ID, checksums: Bool = true) throws(RocksError) {
        try unsafe crk_backup_verify(handle.pointer, id, checksums).check("verifying backup \(id) at '\(path)'")
    }

    /// Same as ``verify(_:checksums:)``, on a separate thread.
    public func verifyInBackground(_ id: Backup.ID, checksums: Bool = true) async throws(RocksError) {
        try await offPool { () throws(RocksError) in try self.verify(id, checksums: checksums) }.get()
    }

    /// Deletes one backup, damaged or not. Files shared with other backups are kept.
    ///
    /// - Throws: ``RocksError/Code/notFound``, ``RocksError/Code/ioError``, ``RocksError/Code/readOnly``.
    public func delete(_ id: Backup.ID) throws(RocksError) {
        try unsafe crk_backup_delete(handle.pointer, id).check("deleting backup \(id) at '\(path)'")
    }

    /// Deletes all but the latest `count` good backups; zero deletes all.
    public func purge(keeping count: Int) throws(RocksError) {
        guard let count = UInt32(exactly: count) else {
            throw RocksError(.invalidArgument, "purging the backups at '\(path)': \(count) is not a possible number of backups")
        }
        try unsafe crk_backup_purge(handle.pointer, count).check("purging the backups at '\(path)'")
    }

    /// Deletes files that belong to no backup, such as those left by a process that was killed during a backup. Making and deleting backups also does
    /// this.
    public func collectGarbage() throws(RocksError) {
        try unsafe crk_backup_collect_garbage(handle.pointer).check("collecting garbage in the backups at '\(path)'")
    }
}
