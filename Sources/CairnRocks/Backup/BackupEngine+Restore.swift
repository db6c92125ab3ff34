import CRocks
public import CairnCore
import Synchronization

extension BackupEngine {
    /// Restores a backup to the directory `path`, replacing any existing database.
    ///
    /// - Parameters:
    ///   - id: The backup; `nil`: the latest good one.
    ///   - path: The directory; if it does not exist, it is created with the permissions of the backup directory. All files in it are
    ///     deleted first. No process may have the database open.
    ///   - walPath: The directory of the write-ahead log; `nil`: the same.
    ///   - keepsLogs: Whether to keep the logs in `walPath`, including those in its archive, to be replayed on top of the backup. Useful if
    ///     ``BackupOptions/includesLogs`` is false. Default: false.
    ///   - progress: Called for each piece written, at most 5 MiB, with the total so far; at the end it is at least ``Backup/size``. Called on any
    ///     thread; it must not use the engine.
    /// - Throws: ``RocksError/Code/notFound`` if there is no such backup, ``RocksError/Code/corruption`` if it is damaged, ``RocksError/Code/locked``
    ///   if the database is open, ``RocksError/Code/noSpace`` or ``RocksError/Code/ioError`` if files cannot be written. After an error there may be
    ///   no database, and directories that this call created are removed; restoring can be retried.
    /// - Complexity: Copies the whole backup. Blocks the calling thread.
    public func restore(
        _ id: Backup.ID? = nil,
        to path: String,
        walPath: String? = nil,
        keepsLogs: Bool = false,
        progress: (@Sendable (ByteCount) -> Void)? = nil
    ) throws(RocksError) {
        try checkForZeroByte(in: path, "path")
        try checkForZeroByte(in: walPath ?? "", "path")
        let attempt = "restoring \(describe(id)) at '\(self.path)' to '\(path)'"
        let number = try number(of: id, attempt)
        let new = [path, walPath].compactMap(\.self).filter(makeDirectory)
        let report = progress.map(RestoreProgress.init)
        let context = unsafe report.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
        let status = unsafe crk_backup_restore(
            handle.pointer,
            number,
            // RocksDB compares paths to see whether a database is open in this process.
            FileSystem.resolved(path),
            FileSystem.resolved(walPath ?? path),
            keepsLogs,
            context,
            report == nil
                ? nil
                : { context, bytes in unsafe Unmanaged<RestoreProgress>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.add(bytes) } }
        )
        extendLifetime(report)
        // The log's directory may be inside the other one, so it is removed first.
        if !status.isOK { for directory in new.reversed() { remove(directory) } }
        try status.check(attempt)
    }

    /// Creates a directory with the permissions of the backup directory; returns false if it exists or cannot be created (RocksDB reports why).
    private func makeDirectory(_ path: String) -> Bool {
        guard let mode = try? FileSystem.system.stat(self.path).mode else { return false }
        return (try? FileSystem.system.makeDirectory(path, mode: mode)) != nil
    }

    /// Removes a directory and the files in it; ignores errors, because restoring has already failed.
    private func remove(_ directory: String) {
        // RocksDB's threads may still be writing other files. Once the directory is gone, they cannot.
        while true {
            do throws(SystemCallError) { return try FileSystem.system.rmdir(directory) } catch {
                guard FileError("could not remove", directory, cause: error).code == .notEmpty else { return }
            }
            guard let names = try? FileSystem.system.list(directory) else { return }
            let isStuck = names.allSatisfy { (try? FileSystem.system.unlink(FileSystem.join(directory, $0))) == nil }
            if isStuck, !names.isEmpty { return }
        }
    }

    /// Same as ``restore(_:to:walPath:keepsLogs:progress:)``, on a separate thread.
    public func restoreInBackground(
        _ id: Backup.ID? = nil,
        to path: String,
        walPath: String? = nil,
        keepsLogs: Bool = false,
        progress: (@Sendable (ByteCount) -> Void)? = nil
    ) async throws(RocksError) {
        try await offPool { () throws(RocksError) in
            try self.restore(id, to: path, walPath: walPath, keepsLogs: keepsLogs, progress: progress)
        }.get()
    }

    /// Opens a backup in place for reading, without restoring it. The backup must not be deleted while it is open.
    ///
    /// - Parameters:
    ///   - id: The backup; `nil`: the latest good one.
    ///   - options: Database-wide options.
    ///   - columnFamilyOptions: Same as for opening the database itself.
    ///   - columnFamilies: Same as for opening the database itself.
    /// - Returns: A database in mode ``RocksDB/OpenMode/readOnly``.
    /// - Throws: ``RocksError/Code/notFound`` if there is no such backup; otherwise the errors of opening a database.
    public func openBackup(
        _ id: Backup.ID? = nil,
        options: DatabaseOptions = DatabaseOptions(),
        columnFamilyOptions: ColumnFamilyOptions = ColumnFamilyOptions(),
        columnFamilies: [String: ColumnFamilyOptions] = [:]
    ) throws(RocksError) -> RocksDB {
        let attempt = "opening \(describe(id)) at '\(path)'"
        let number = try number(of: id, attempt)
        let (status, found) = unsafe Collector<String>.collect { collector in
            unsafe crk_backup_directory(handle.pointer, number, collector) { unsafe Collector<String>.add($1.text, to: $0) }
        }
        try status.check(attempt)
        return try RocksDB(
            path: found[0],
            options: options,
            columnFamilyOptions: columnFamilyOptions,
            columnFamilies: columnFamilies,
            mode: .readOnly,
            backup: (handle, number)
        )
    }

    /// The number of a backup for the shim, which takes 0 for the latest. No backup has that number.
    private func number(of id: Backup.ID?, _ attempt: String) throws(RocksError) -> Backup.ID {
        guard id != 0 else { throw RocksError(.notFound, "\(attempt): there is no such backup; `nil` stands for the latest") }
        return id ?? 0
    }

    private func describe(_ id: Backup.ID?) -> String { id.map { "backup \($0)" } ?? "the latest backup" }
}

/// Adds up the bytes that one restore writes.
private final class RestoreProgress: Sendable {
    private let sum = Atomic<Int64>(0)
    private let body: @Sendable (ByteCount) -> Void

    init(_ body: @escaping @Sendable (ByteCount) -> Void) { self.body = body }

    func add(_ bytes: UInt64) {
        body(ByteCount(bytes: sum.add(Int64(clamping: bytes), ordering: .relaxed).newValue))
    }
}
