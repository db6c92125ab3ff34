import CRocks
public import CairnCore

/// Writes a sorted file that a database can take in whole; RocksDB's `SstFileWriter`. The fast way to load much data.
///
/// ```swift
/// let writer = try SSTFileWriter(path: "songs.sst")
/// try writer.put("1", for: "a")
/// try writer.put("2", for: "b")
/// try writer.finish()
/// try db.ingest(["songs.sst"])
/// ```
///
/// Keys must come in ascending order, each once. The file is complete once ``finish()`` has returned; a writer let go before leaves a file that is
/// none. Belongs to one thread at a time.
@safe public final class SSTFileWriter {
    private let pointer: OpaquePointer
    /// The file.
    public let path: String

    /// What a finished file holds; RocksDB's `ExternalSstFileInfo`.
    public struct Info: Sendable, Hashable {
        /// The path it was written to.
        public let path: String
        /// The first and last key that was put, merged or deleted; `nil` if there are none.
        public let keys: ClosedKeys?
        /// The start of the first and the end of the last range that was deleted; `nil` if there are none.
        public let deletedRanges: ClosedKeys?
        /// How many entries it has, deleted ranges not counted.
        public let entryCount: Int
        /// How many ranges it deletes.
        public let deletedRangeCount: Int
        /// How large it is.
        public let size: ByteCount
    }

    /// A first and a last key.
    public struct ClosedKeys: Sendable, Hashable {
        public let first, last: [UInt8]
    }

    /// Begins a file at `path`, in place of one that is there.
    ///
    /// - Parameters:
    ///   - path: The file; its directory must exist.
    ///   - options: Those of the column family that will take it: order, merge operator, table format, compression.
    /// - Throws: ``RocksError/Code/ioError``, ``RocksError/Code/invalidOption``.
    public init(path: String, options: ColumnFamilyOptions = ColumnFamilyOptions()) throws(RocksError) {
        try checkForZeroByte(in: path, "path")
        let optionsHandle = try ColumnFamilyOptionsHandle(options, sharedCache: nil)
        var pointer: OpaquePointer?
        try unsafe crk_sst_writer_open(path, optionsHandle.pointer, &pointer).check("beginning the sorted file '\(path)'")
        unsafe self.pointer = pointer!
        self.path = path
    }

    deinit { unsafe crk_sst_writer_free(pointer) }

    /// How large the file is by now.
    public var size: ByteCount { ByteCount(bytes: Int64(clamping: unsafe crk_sst_writer_size(pointer))) }

    /// Completes the file and syncs it. Nothing can be added afterwards.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` if the file would be empty, or is finished already; ``RocksError/Code/ioError``.
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
    /// Adds one operation, as ``RocksWriter/write(_:key:value:)``. Deleted ranges may come in any order.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` if the key is not behind the one before (it is left out, and writing can go on), or the
    ///   file is finished; ``RocksError/Code/notSupported`` for ``WriteOperation/singleDelete``; ``RocksError/Code/ioError``, after which the
    ///   file cannot be finished.
    public func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan) throws(RocksError) {
        try unsafe key.withShimBytes { key in
            unsafe value.withShimBytes { value in unsafe crk_sst_writer_add(pointer, operation.shimOperation, key, value) }
        }.check("adding to the sorted file '\(path)'")
    }
}
