import CRocks
public import CairnCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Information about one backup in a ``BackupEngine``; RocksDB's `BackupInfo`.
public struct Backup: Sendable, Hashable, Identifiable {
    /// The number of a backup: 1 for the first. A number is never reused while a later backup exists.
    public typealias ID = UInt32

    /// A file of a backup.
    public struct File: Sendable, Hashable {
        /// The file's name in the database.
        public let name: String
        /// The file's size.
        public let size: ByteCount
    }

    /// The number to pass when restoring or deleting.
    public let id: ID
    /// When the backup was made, to the second, by the clock of the machine that made it.
    public let date: Date
    /// The total size of its files, with shared files counted in full.
    public let size: ByteCount
    /// The number of its files, including shared ones.
    public let fileCount: Int
    /// The metadata given to ``BackupEngine/createBackup(of:metadata:flushesFirst:lowersPriority:progress:)``.
    public let metadata: [UInt8]
    /// Its files, if requested; otherwise empty.
    public let files: [File]

    @unsafe init(_ info: crk_backup_info) {
        id = unsafe info.id
        date = unsafe Date(timeIntervalSince1970: Double(info.seconds))
        size = unsafe ByteCount(bytes: Int64(clamping: info.size))
        fileCount = unsafe Int(info.file_count)
        metadata = unsafe [UInt8](copying: info.metadata.span)
        let lent = unsafe UnsafeBufferPointer(start: info.files, count: info.files == nil ? 0 : Int(info.file_count))
        files = unsafe lent.map { file in
            unsafe File(name: file.name.text, size: ByteCount(bytes: Int64(clamping: file.size)))
        }
    }
}
