import CRocks
public import CairnCore
import Synchronization

extension BackupEngine {
    /// Backs up `database` as it is now; the database may be in use, and even read-only.
    ///
    /// - Parameters:
    ///   - database: The database to back up, with any column families, comparators and merge operators. All its files except logs must be in one
    ///     directory.
    ///   - metadata: Bytes to store with the backup, up to 1 MiB. Default: none.
    ///   - flushesFirst: Whether to flush the memtables first. If false, the write-ahead log is copied instead, and writes that bypassed the log are
    ///     not in the backup.
    ///   - lowersPriority: Whether to lower the priority of the copying threads from now on (Linux only).
    ///   - progress: Called each time another ``BackupOptions/progressInterval`` has been copied, with the total so far. Called on any thread; it
    ///     must neither use the engine nor close the database.
    /// - Returns: The backup's number.
    /// - Throws: ``RocksError/Code/noSpace``, ``RocksError/Code/ioError``, ``RocksError/Code/invalidArgument``, ``RocksError/Code/readOnly`` if the
    ///   engine is read-only, ``RocksError/Code/notSupported`` if the database's files are in several directories or in an environment other than the
    ///   default. The next backup deletes the files written so far.
    /// - Complexity: Copies the files that are not in another backup. Blocks the calling thread.
    @discardableResult
    public func createBackup(
        of database: RocksDB,
        metadata: some ByteSource & ~Escapable = [UInt8](),
        flushesFirst: Bool = true,
        lowersPriority: Bool = false,
        progress: (@Sendable (ByteCount) -> Void)? = nil
    ) throws(RocksError) -> Backup.ID {
        try create(
            of: database,
            metadata: metadata.withBytes { [UInt8](copying: $0) },
            flushesFirst: flushesFirst,
            lowersPriority: lowersPriority,
            progress: progress,
            cancellation: nil
        )
    }

    /// Same as ``createBackup(of:metadata:flushesFirst:lowersPriority:progress:)``, on a separate thread. Cancelling the task ends it with
    /// ``RocksError/Code/incomplete`` and without a backup.
    @discardableResult
    public func createBackupInBackground(
        of database: RocksDB,
        metadata: [UInt8] = [],
        flushesFirst: Bool = true,
        lowersPriority: Bool = false,
        progress: (@Sendable (ByteCount) -> Void)? = nil
    ) async throws(RocksError) -> Backup.ID {
        let cancellation = try Cancellation()
        let outcome = await withTaskCancellationHandler {
            await offPool { () throws(RocksError) in
                try self.create(
                    of: database,
                    metadata: metadata,
                    flushesFirst: flushesFirst,
                    lowersPriority: lowersPriority,
                    progress: progress,
                    cancellation: cancellation
                )
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try outcome.get()
    }

    private func create(
        of database: RocksDB,
        metadata: [UInt8],
        flushesFirst: Bool,
        lowersPriority: Bool,
        progress: (@Sendable (ByteCount) -> Void)?,
        cancellation: Cancellation?
    ) throws(RocksError) -> Backup.ID {
        let attempt = "backing up '\(database.path)' to '\(path)'"
        guard metadata.count <= 1 << 20 else {
            throw RocksError(.invalidArgument, attempt + ": metadata of \(metadata.count) bytes exceeds 1 MiB")
        }
        try takeMode(of: database.path, attempt)
        let report = Progress(step: options.progressInterval, body: progress)
        let context = unsafe Unmanaged.passUnretained(report).toOpaque()
        var id: Backup.ID = 0
        let status = unsafe metadata.span.bytesOfUInt8.withShimBytes { metadata in
            unsafe crk_backup_create(
                handle.pointer,
                database.handle.pointer,
                flushesFirst,
                lowersPriority,
                metadata,
                context,
                { context in unsafe Unmanaged<Progress>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.advance() } },
                cancellation?.pointer,
                &id
            )
        }
        extendLifetime(report)
        extendLifetime(cancellation)
        try status.check(attempt)
        return id
    }
}

/// Counts the progress steps of one backup.
private final class Progress: Sendable {
    private let step: ByteCount
    private let count = Atomic<Int64>(0)
    private let body: (@Sendable (ByteCount) -> Void)?

    init(step: ByteCount, body: (@Sendable (ByteCount) -> Void)?) {
        self.step = step
        self.body = body
    }

    func advance() {
        guard let body else { return }
        body(ByteCount(bytes: count.add(1, ordering: .relaxed).newValue * step.bytes))
    }
}
