import CRocks
public import CairnCore

/// How backups are stored; RocksDB's `BackupEngineOptions`.
///
/// Use the same ``sharesFiles`` and ``namesFilesByChecksum`` each time a directory of backups is opened; otherwise existing files are stored again.
public struct BackupOptions: Sendable, Hashable {
    /// Whether backups share files that have not changed in between, so that each stores only what is new (`share_table_files`). Default: true.
    public var sharesFiles = true
    /// Whether shared files are named after their checksum (`share_files_with_checksum_naming`), as in RocksDB before 6.12: each backup then reads
    /// all files to compute their names. Otherwise they are named after the session of the database that wrote them. Default: false.
    public var namesFilesByChecksum = false
    /// Whether files are synced, so that a completed backup or restore survives a power cut. Default: true.
    public var syncs = true
    /// Whether backups include the write-ahead log. Without it, only flushed data is included. Default: true.
    public var includesLogs = true
    /// Whether opening deletes all existing backups. Default: false.
    public var destroysOldBackups = false
    /// How many bytes a second a backup may write; zero: no limit, otherwise at least 1 KiB. Default: zero.
    public var backupRateLimit = ByteCount.zero
    /// How many bytes a second a restore may write; zero: no limit, otherwise at least 1 KiB. Default: zero.
    public var restoreRateLimit = ByteCount.zero
    /// How many threads copy files. Default: 1.
    public var threads = 1
    /// How many bytes are copied between progress reports, at least 4 KiB. Default: 4 MiB.
    public var progressInterval = ByteCount.mebibytes(4)
    /// How many of the latest backups a read-only engine reads; `nil`: all. Other engines ignore it. Default: nil.
    public var maxBackupsToOpen: Int?

    /// RocksDB's defaults.
    public init() {}

    func shimSettings(readOnly: Bool) throws(RocksError) -> crk_backup_settings {
        for (limit, name) in [(backupRateLimit, "backupRateLimit"), (restoreRateLimit, "restoreRateLimit")]
        where limit != .zero && limit < .kibibytes(1) {
            throw RocksError(.invalidOption, "\(name) is \(limit); it must be zero, for none, or at least 1 KiB a second")
        }
        guard progressInterval >= .kibibytes(4) else {
            throw RocksError(.invalidOption, "progressInterval is \(progressInterval); it must be at least 4 KiB")
        }
        guard (1...1_024).contains(threads) else {
            throw RocksError(.invalidOption, "threads is \(threads); it must be from 1 to 1024")
        }
        return crk_backup_settings(
            read_only: readOnly,
            share_files: sharesFiles,
            sync: syncs,
            destroy_old_data: destroysOldBackups,
            include_logs: includesLogs,
            legacy_names: namesFilesByChecksum,
            backup_rate_limit: UInt64(backupRateLimit.bytes),
            restore_rate_limit: UInt64(restoreRateLimit.bytes),
            progress_interval: UInt64(progressInterval.bytes),
            threads: Int32(threads),
            max_backups_to_open: Int32(clamping: max(0, maxBackupsToOpen ?? .max))
        )
    }
}
