import CRocks
public import CairnCore

/// A file that a complete copy of a database needs; RocksDB's `LiveFileStorageInfo`.
public struct StorageFile: Sendable, Hashable {
    /// The purpose of a file.
    public enum Kind: UInt8, Sendable {
        /// The write-ahead log.
        case log
        case lock
        /// A sorted file.
        case table
        /// The list of files.
        case manifest
        /// The name of the manifest.
        case current
        case temporary
        /// RocksDB's text log.
        case infoLog
        case metaDatabase
        case identity
        case options
        case blob
    }

    /// The name within its directory.
    public let name: String
    /// The directory.
    public let directory: String
    /// The purpose of the file.
    public let kind: Kind
    /// How much of the file belongs to the copy.
    public let size: ByteCount
    /// Whether the file may grow beyond ``size``; a copy must leave out the rest.
    public let isTrimmed: Bool
    /// If not empty, the contents to write to the copy instead of the contents on disk.
    public let replacement: [UInt8]
    /// The file's checksum, if requested and if the database keeps checksums; otherwise empty.
    public let checksum: [UInt8]
    /// The function that computes the checksum.
    public let checksumFunction: String

    @unsafe init(_ file: crk_storage_file) {
        name = unsafe file.name.text
        directory = unsafe file.directory.text
        kind = unsafe Kind(rawValue: file.kind) ?? .temporary
        size = unsafe ByteCount(bytes: Int64(clamping: file.size))
        isTrimmed = unsafe file.trim
        replacement = unsafe [UInt8](copying: file.replacement.span)
        checksum = unsafe [UInt8](copying: file.checksum.span)
        checksumFunction = unsafe file.checksum_function.text
    }
}

/// A file of the write-ahead log; RocksDB's `LogFile`.
public struct LogFile: Sendable, Hashable {
    /// The path relative to the log directory, with a leading slash.
    public let path: String
    /// The number in its name.
    public let number: UInt64
    /// The sequence number of the first write in it; zero if it has none.
    public let firstSequenceNumber: UInt64
    /// The file's size.
    public let size: ByteCount
    /// Whether the file is kept only for readers of changes.
    public let isArchived: Bool

    @unsafe init(_ file: crk_log_file) {
        path = unsafe file.path.text
        number = unsafe file.number
        firstSequenceNumber = unsafe file.start_sequence_number
        size = unsafe ByteCount(bytes: Int64(clamping: file.size))
        isArchived = unsafe file.archived
    }
}
