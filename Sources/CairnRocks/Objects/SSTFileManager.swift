import CRocks
public import CairnCore

/// Watches the table and blob files of the databases it is given to; RocksDB's `SstFileManager`.
///
/// ```swift
/// let files = try SSTFileManager()
/// files.setMaxAllowedSpace(.gibibytes(10))
/// options.fileManager = files
/// ```
///
/// Safe from any thread; may be shared by any number of databases.
public final class SSTFileManager: Sendable {
    let handle: ObjectHandle
    let environment: Environment
    /// The largest share of deleted files among all, beyond which they are deleted at once.
    public let maxTrashRatio: Double

    /// A file manager without limits.
    ///
    /// - Parameters:
    ///   - environment: That of the databases.
    ///   - deletionRate: How many bytes of files are deleted a second, to spare the device; zero: at once.
    ///   - maxTrashRatio: The share of deleted files that still wait, beyond which more are deleted at once.
    ///   - maxDeletionChunk: Larger files are deleted in parts of this size.
    /// - Throws: ``RocksError/Code/invalidArgument`` for negative numbers.
    public init(
        environment: Environment = .default,
        deletionRate: ByteCount = .zero,
        maxTrashRatio: Double = 0.25,
        maxDeletionChunk: ByteCount = .mebibytes(64)
    ) throws(RocksError) {
        var pointer: OpaquePointer?
        let chunk = UInt64(clamping: maxDeletionChunk.bytes)
        try unsafe crk_file_manager_create(environment.handle?.pointer, deletionRate.bytes, maxTrashRatio, chunk, &pointer)
            .check("making a file manager")
        handle = unsafe ObjectHandle(owning: pointer!) { unsafe crk_file_manager_release($0) }
        self.environment = environment
        self.maxTrashRatio = maxTrashRatio
    }

    /// How much space the files may take. Beyond, flushes fail, and writes throw ``RocksError/Code/ioError`` with
    /// ``RocksError/Subcode/spaceLimit`` until the database is opened again with more; reads go on. Zero: no limit.
    public func setMaxAllowedSpace(_ space: ByteCount) {
        unsafe crk_file_manager_set_max_space(handle.pointer, UInt64(clamping: space.bytes))
    }

    /// How much space a compaction must leave free on the disk.
    public func setCompactionBuffer(_ space: ByteCount) {
        unsafe crk_file_manager_set_compaction_buffer(handle.pointer, UInt64(clamping: space.bytes))
    }

    /// How many bytes of files are deleted a second; zero: at once.
    public var deletionRate: ByteCount {
        get { ByteCount(bytes: unsafe crk_file_manager_deletion_rate(handle.pointer)) }
        set { unsafe crk_file_manager_set_deletion_rate(handle.pointer, max(0, newValue.bytes)) }
    }

    /// Whether the files take as much as they may, or more.
    public var isFull: Bool { unsafe crk_file_manager_is_full(handle.pointer) }
    /// How much all files take.
    public var totalSize: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_file_manager_total_size(handle.pointer))) }
    /// How much deleted files take that still wait.
    public var trashSize: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_file_manager_trash_size(handle.pointer))) }

    /// Each file with its size.
    public var files: [String: ByteCount] {
        let (_, files) = unsafe Collector<(name: String, value: String)>.collect { context in
            unsafe crk_file_manager_files(handle.pointer, context) { context, name, size in
                unsafe Collector<(name: String, value: String)>.add((name.text, size.text), to: context)
            }
        }
        return Dictionary(files.map { ($0.name, ByteCount(bytes: Int64($0.value) ?? 0)) }) { _, last in last }
    }
}
