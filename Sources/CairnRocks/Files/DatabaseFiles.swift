import CRocks
public import CairnCore

/// A file that a whole copy of a database needs; RocksDB's `LiveFileStorageInfo`.
public struct StorageFile: Sendable, Hashable {
    /// What a file is for.
    public enum Kind: UInt8, Sendable {
        /// The write-ahead log.
        case log
        case lock
        /// A sorted file.
        case table
        /// The list of the files.
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

    /// The name in its directory.
    public let name: String
    /// The directory.
    public let directory: String
    /// What it is for.
    public let kind: Kind
    /// How much of it belongs to the copy.
    public let size: ByteCount
    /// Whether the file may grow beyond ``size``, which a copy must leave out.
    public let isTrimmed: Bool
    /// If not empty, what the copy holds in place of what is on the disk.
    public let replacement: [UInt8]
    /// Its checksum, if they were asked for and the database keeps them; else empty.
    public let checksum: [UInt8]
    /// How the checksum is computed.
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
    /// The path, relative to the directory of the logs, with a leading slash.
    public let path: String
    /// The number in its name.
    public let number: UInt64
    /// The number of the first write in it; zero if it has none.
    public let firstSequenceNumber: UInt64
    /// How large it is.
    public let size: ByteCount
    /// Whether it is kept only for those who follow changes.
    public let isArchived: Bool

    @unsafe init(_ file: crk_log_file) {
        path = unsafe file.path.text
        number = unsafe file.number
        firstSequenceNumber = unsafe file.start_sequence_number
        size = unsafe ByteCount(bytes: Int64(clamping: file.size))
        isArchived = unsafe file.archived
    }
}
