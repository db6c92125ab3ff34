import CRocks
public import CairnCore

/// The files of a column family at one moment; RocksDB's `ColumnFamilyMetaData`.
public struct ColumnFamilyMetadata: Sendable, Hashable {
    /// The total size of table files.
    public let size: ByteCount
    /// The number of table files.
    public let fileCount: Int
    /// All levels from 0 on, including empty ones.
    public let levels: [Level]
    /// The total size of blob files.
    public let blobFileSize: ByteCount
    /// The blob files.
    public let blobFiles: [BlobFile]

    /// A level and its files; RocksDB's `LevelMetaData`.
    public struct Level: Sendable, Hashable {
        /// The number of the level.
        public let level: Int
        /// The total size of its files.
        public let size: ByteCount
        /// The level's files: newest first in level 0, in key order in other levels.
        public internal(set) var files: [TableFile]
    }

    /// All table files, level by level.
    public var files: [TableFile] { levels.flatMap(\.files) }
}

/// A table file of a live database; RocksDB's `SstFileMetaData`.
public struct TableFile: Sendable, Hashable {
    /// The file's name within ``directory``, such as `000123.sst`.
    public let name: String
    /// The directory of the file.
    public let directory: String
    /// The file's number, never used twice in a database.
    public let number: UInt64
    /// The level of the file.
    public let level: Int
    /// The size of the file.
    public let size: ByteCount
    /// The first key, as stored.
    public let smallestKey: [UInt8]
    /// The last key, as stored.
    public let largestKey: [UInt8]
    /// The sequence number of the oldest entry; 0 once no snapshot needs it.
    public let smallestSequenceNumber: UInt64
    /// The sequence number of the newest entry.
    public let largestSequenceNumber: UInt64
    /// The number of entries, including deletions.
    public let entryCount: UInt64
    /// The number of deletions.
    public let deletionCount: UInt64
    /// The number of reads, estimated from samples.
    public let sampledReadCount: UInt64
    /// Whether a compaction is reading it.
    public let isBeingCompacted: Bool
    /// The intended temperature of the file.
    public let temperature: Temperature
    /// The number of the oldest blob file that holds values of this file; `nil` if there is none.
    public let oldestBlobFileNumber: UInt64?
    /// The creation time of the oldest file whose data is in this one, in seconds since 1970; `nil` if unknown.
    public let oldestAncestorTime: UInt64?
    /// The creation time, in seconds since 1970; `nil` if unknown.
    public let creationTime: UInt64?
    /// The checksum of the whole file; `nil` without a checksum function.
    public let checksum: [UInt8]?
    /// The name of the checksum function.
    public let checksumFunction: String?

    init(_ file: crk_table_file) {
        name = unsafe file.name.text
        directory = unsafe file.directory.text
        number = unsafe file.number
        level = unsafe Int(file.level)
        size = unsafe ByteCount(bytes: Int64(clamping: file.size))
        smallestKey = unsafe [UInt8](copying: file.smallest_key.span)
        largestKey = unsafe [UInt8](copying: file.largest_key.span)
        smallestSequenceNumber = unsafe file.smallest_sequence
        largestSequenceNumber = unsafe file.largest_sequence
        entryCount = unsafe file.entries
        deletionCount = unsafe file.deletions
        sampledReadCount = unsafe file.reads_sampled
        isBeingCompacted = unsafe file.is_being_compacted
        temperature = unsafe Temperature(number: file.temperature)
        oldestBlobFileNumber = unsafe file.oldest_blob_file == 0 ? nil : file.oldest_blob_file
        oldestAncestorTime = unsafe file.oldest_ancestor_time == 0 ? nil : file.oldest_ancestor_time
        creationTime = unsafe file.creation_time == 0 ? nil : file.creation_time
        (checksum, checksumFunction) = unsafe readChecksum(file.checksum, by: file.checksum_function)
    }
}

/// A file of large values; RocksDB's `BlobMetaData`.
public struct BlobFile: Sendable, Hashable {
    /// The file's name, such as `000124.blob`.
    public let name: String
    /// The directory of the file.
    public let directory: String
    /// The file's number, never used twice in a database.
    public let number: UInt64
    /// The size of the file.
    public let size: ByteCount
    /// The number of values that were written to the file.
    public let blobCount: UInt64
    /// The total size of these values.
    public let blobSize: ByteCount
    /// The number of values that nothing refers to any more.
    public let garbageCount: UInt64
    /// The total size of those values.
    public let garbageSize: ByteCount
    /// The checksum of the whole file; `nil` without a checksum function.
    public let checksum: [UInt8]?
    /// The name of the checksum function.
    public let checksumFunction: String?

    init(_ file: crk_blob_file) {
        // RocksDB's name begins with a slash.
        name = unsafe String(file.name.text.drop { $0 == "/" })
        directory = unsafe file.directory.text
        number = unsafe file.number
        size = unsafe ByteCount(bytes: Int64(clamping: file.size))
        blobCount = unsafe file.blobs
        blobSize = unsafe ByteCount(bytes: Int64(clamping: file.blob_bytes))
        garbageCount = unsafe file.garbage_blobs
        garbageSize = unsafe ByteCount(bytes: Int64(clamping: file.garbage_bytes))
        (checksum, checksumFunction) = unsafe readChecksum(file.checksum, by: file.checksum_function)
    }
}

/// RocksDB says "Unknown" if no function computed a checksum.
@unsafe private func readChecksum(_ checksum: crk_bytes, by function: crk_bytes) -> ([UInt8]?, String?) {
    let name = unsafe function.text
    guard !name.isEmpty, name != "Unknown" else { return (nil, nil) }
    return unsafe ([UInt8](copying: checksum.span), name)
}

extension RocksStore {
    /// Returns the current files of the column family, level by level; RocksDB's `GetColumnFamilyMetaData`.
    ///
    /// - Throws: ``RocksError/Code/closed``, ``RocksError/Code/columnFamilyDropped``.
    /// - Complexity: Copies a description of every file, from memory.
    public func metadata() throws(RocksError) -> ColumnFamilyMetadata {
        let family = columnFamily.handle
        var total = crk_family_size()
        let (status, items) = unsafe Collector<FileItem>.collect { context in
            unsafe crk_family_metadata(
                family.pointer,
                &total,
                context,
                { context, level, size in
                    let level = ColumnFamilyMetadata.Level(level: Int(level), size: ByteCount(bytes: Int64(clamping: size)), files: [])
                    unsafe Collector<FileItem>.add(.level(level), to: context)
                },
                { context, file in unsafe Collector<FileItem>.add(.table(TableFile(file.pointee)), to: context) },
                { context, file in unsafe Collector<FileItem>.add(.blob(BlobFile(file.pointee)), to: context) }
            )
        }
        try status.check(family.attempt("listing the files of"))
        var levels: [ColumnFamilyMetadata.Level] = []
        var blobFiles: [BlobFile] = []
        for item in items {
            switch item {
            case .level(let level): levels.append(level)
            case .table(let file): levels[levels.count - 1].files.append(file)
            case .blob(let file): blobFiles.append(file)
            }
        }
        return ColumnFamilyMetadata(
            size: ByteCount(bytes: Int64(clamping: total.size)),
            fileCount: Int(clamping: total.file_count),
            levels: levels,
            blobFileSize: ByteCount(bytes: Int64(clamping: total.blob_size)),
            blobFiles: blobFiles
        )
    }
}

private enum FileItem {
    case level(ColumnFamilyMetadata.Level)
    case table(TableFile)
    case blob(BlobFile)
}

extension Temperature {
    /// Creates a temperature from RocksDB's number.
    init(number: UInt8) {
        switch number {
        case 0: self = .unknown
        case 4: self = .hot
        case 8: self = .warm
        case 12: self = .cold
        default: self.init(rawValue: "\(number)")
        }
    }
}
