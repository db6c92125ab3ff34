import CRocks
public import CairnCore

/// Manages the table and blob files of the databases that use it; RocksDB's `SstFileManager`.
///
/// ```swift
/// let files = try SSTFileManager()
/// files.setMaxAllowedSpace(.gibibytes(10))
/// options.fileManager = files
/// ```
///
/// Safe to use from any thread; any number of databases may share it.
public final class SSTFileManager: Sendable {
    let handle: ObjectHandle
    let environment: Environment
    /// The size of files waiting for deletion, as a fraction of the size of all files, above which more files are deleted immediately.
    public let maxTrashRatio: Double

    /// Creates a file manager without limits.
    ///
    /// - Parameters:
    ///   - environment: The environment of the databases.
    ///   - deletionRate: How many bytes of files are deleted per second, to spare the device; zero deletes files immediately.
    ///   - maxTrashRatio: The size of files waiting for deletion, as a fraction of the size of all files, above which more files are
    ///     deleted immediately.
    ///   - maxDeletionChunk: The size of the parts in which larger files are deleted.
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

    /// Sets the maximum space that the files may take. Beyond it, flushes fail, and writes throw ``RocksError/Code/noSpace`` with
    /// ``RocksError/Subcode/spaceLimit`` until the database is reopened with a larger limit; reads continue. Zero means no limit.
    public func setMaxAllowedSpace(_ space: ByteCount) {
        unsafe crk_file_manager_set_max_space(handle.pointer, UInt64(clamping: space.bytes))
    }

    /// Sets the space that a compaction must leave free on the disk.
    public func setCompactionBuffer(_ space: ByteCount) {
        unsafe crk_file_manager_set_compaction_buffer(handle.pointer, UInt64(clamping: space.bytes))
    }

    /// How many bytes of files are deleted per second; zero deletes files immediately.
    public var deletionRate: ByteCount {
        get { ByteCount(bytes: unsafe crk_file_manager_deletion_rate(handle.pointer)) }
        set { unsafe crk_file_manager_set_deletion_rate(handle.pointer, max(0, newValue.bytes)) }
    }

    /// Whether the files take the maximum space or more.
    public var isFull: Bool { unsafe crk_file_manager_is_full(handle.pointer) }
    /// The total size of all files.
    public var totalSize: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_file_manager_total_size(handle.pointer))) }
    /// The total size of files that are waiting for deletion.
    public var trashSize: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_file_manager_trash_size(handle.pointer))) }

    /// All files with their sizes.
    public var files: [String: ByteCount] {
        let (_, files) = unsafe Collector<(name: String, value: String)>.collect { context in
            unsafe crk_file_manager_files(handle.pointer, context) { context, name, size in
                unsafe Collector<(name: String, value: String)>.add((name.text, size.text), to: context)
            }
        }
        return Dictionary(files.map { ($0.name, ByteCount(bytes: Int64($0.value) ?? 0)) }) { _, last in last }
    }
}
