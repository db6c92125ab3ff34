import CRocks
public import CairnCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a ``BackupEngine`` knows of one backup; RocksDB's `BackupInfo`.
public struct Backup: Sendable, Hashable, Identifiable {
    /// The number of a backup: 1 for the first, and never used again for another while a later one exists.
    public typealias ID = UInt32

    /// A file of a backup.
    public struct File: Sendable, Hashable {
        /// The name the file has in the database.
        public let name: String
        /// How large it is.
        public let size: ByteCount
    }

    /// The number that restoring and deleting take.
    public let id: ID
    /// When it was made, to the second, by the clock of the machine that made it.
    public let date: Date
    /// The size of all its files, shared ones counted whole.
    public let size: ByteCount
    /// How many files it has, shared ones included.
    public let fileCount: Int
    /// What ``BackupEngine/createBackup(of:metadata:flushesFirst:lowersPriority:progress:)`` was given to keep with it.
    public let metadata: [UInt8]
    /// Its files, if they were asked for; otherwise empty.
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
