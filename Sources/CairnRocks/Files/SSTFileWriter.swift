import CRocks
public import CairnCore

/// Writes a sorted file that a database can ingest as a whole, the fastest way to load a lot of data; RocksDB's `SstFileWriter`.
///
/// ```swift
/// let writer = try SSTFileWriter(path: "songs.sst")
/// try writer.put("1", for: "a")
/// try writer.put("2", for: "b")
/// try writer.finish()
/// try db.ingest(["songs.sst"])
/// ```
///
/// Keys must be added in ascending order, each once. The file is complete once ``finish()`` has returned; a writer released earlier leaves an invalid
/// file. A writer belongs to one thread at a time.
@safe public final class SSTFileWriter {
    private let pointer: OpaquePointer
    /// The path of the file.
    public let path: String

    /// Information about a finished file; RocksDB's `ExternalSstFileInfo`.
    public struct Info: Sendable, Hashable {
        /// The path it was written to.
        public let path: String
        /// The first and last keys that were put, merged or deleted; `nil` if there are none.
        public let keys: ClosedKeys?
        /// The start of the first and the end of the last deleted range; `nil` if there are none.
        public let deletedRanges: ClosedKeys?
        /// The number of entries, not counting deleted ranges.
        public let entryCount: Int
        /// The number of deleted ranges.
        public let deletedRangeCount: Int
        /// The file's size.
        public let size: ByteCount
    }

    /// A first and a last key.
    public struct ClosedKeys: Sendable, Hashable {
        public let first, last: [UInt8]
    }

    /// Starts a file at `path`, replacing any existing one.
    ///
    /// - Parameters:
    ///   - path: The file; its directory must exist.
    ///   - options: The options of the column family that will ingest it: order, merge operator, table format, compression.
    /// - Throws: ``RocksError/Code/notFound`` if the directory is missing, ``RocksError/Code/noSpace``, ``RocksError/Code/permissionDenied``,
    ///   ``RocksError/Code/ioError``, ``RocksError/Code/invalidOption``.
    public init(path: String, options: ColumnFamilyOptions = ColumnFamilyOptions()) throws(RocksError) {
        try checkForZeroByte(in: path, "path")
        let optionsHandle = try ColumnFamilyOptionsHandle(options, sharedCache: nil)
        var pointer: OpaquePointer?
        try unsafe crk_sst_writer_open(path, optionsHandle.pointer, &pointer).checkPath("beginning the sorted file '\(path)'")
        unsafe self.pointer = pointer!
        self.path = path
    }

    deinit { unsafe crk_sst_writer_free(pointer) }

    /// The size of the file so far.
    public var size: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_sst_writer_size(pointer))) }

    /// Completes and syncs the file. Nothing can be added afterwards.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` if the file would be empty or is already finished; ``RocksError/Code/noSpace``,
    ///   ``RocksError/Code/ioError``.
    @discardableResult
    public func finish() throws(RocksError) -> Info {
        let (status, found) = unsafe Collector<(crk_sst_info, ClosedKeys, ClosedKeys)>.collect { collector in
            unsafe crk_sst_writer_finish(pointer, collector) { collector, info in
                let info = unsafe info.pointee
                let keys = unsafe ClosedKeys(first: [UInt8](copying: info.smallest.span), last: [UInt8](copying: info.largest.span))
                let ranges = unsafe ClosedKeys(
                    first: [UInt8](copying: info.smallest_range.span),
                    last: [UInt8](copying: info.largest_range.span)
                )
                unsafe Collector<(crk_sst_info, ClosedKeys, ClosedKeys)>.add((info, keys, ranges), to: collector)
            }
        }
        try status.check("finishing the sorted file '\(path)'")
        let (info, keys, ranges) = unsafe found[0]
        return unsafe Info(
            path: path,
            keys: info.entries == 0 ? nil : keys,
            deletedRanges: info.range_deletions == 0 ? nil : ranges,
            entryCount: Int(clamping: info.entries),
            deletedRangeCount: Int(clamping: info.range_deletions),
            size: ByteCount(bytes: Int64(clamping: info.file_size))
        )
    }
}

extension SSTFileWriter: RocksWriter {
    /// Adds one operation, like ``RocksWriter/write(_:key:value:)``. Range deletions may be added in any order.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` if the key does not come after the previous one (it is skipped, and writing can continue), or if
    ///   the file is finished; ``RocksError/Code/notSupported`` for ``WriteOperation/singleDelete``; ``RocksError/Code/ioError``, after which the
    ///   file cannot be finished.
    public func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan) throws(RocksError) {
        try unsafe key.withShimBytes { key in
            unsafe value.withShimBytes { value in unsafe crk_sst_writer_add(pointer, operation.shimOperation, key, value) }
        }.check("adding to the sorted file '\(path)'")
    }
}
