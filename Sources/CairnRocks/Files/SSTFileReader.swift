import CRocks
public import CairnCore

/// Reads a sorted file by itself, without a database; RocksDB's `SstFileReader`.
///
/// ```swift
/// let file = try SSTFileReader(path: "songs.sst")
/// for key in try file.keys(as: String.self) { print(key) }
/// ```
///
/// It has all the methods of ``RocksReader``. If a key has several versions, as in files of databases, the latest is visible; deleted ranges are not
/// applied. Safe to use from any thread; cursors keep the file open.
public final class SSTFileReader: Sendable {
    private let handle: SSTFileHandle
    private let readHandle: ReadOptionsHandle

    /// Opens the file at `path`.
    ///
    /// - Parameters:
    ///   - path: A finished file of an ``SSTFileWriter``, or a file of a database.
    ///   - options: The options of the column family that the file was written for: order, merge operator, table format.
    ///   - readOptions: Default options for reads.
    /// - Throws: ``RocksError/Code/notFound``, ``RocksError/Code/ioError``, ``RocksError/Code/corruption`` if it is not a sorted file or is damaged,
    ///   ``RocksError/Code/invalidArgument`` if it has a different order. A file with merge operands opens without a merge operator, but reading its
    ///   entries throws ``RocksError/Code/invalidArgument``.
    public init(
        path: String,
        options: ColumnFamilyOptions = ColumnFamilyOptions(),
        readOptions: ReadOptions = ReadOptions()
    ) throws(RocksError) {
        handle = try SSTFileHandle(path: path, options: options)
        readHandle = ReadOptionsHandle(readOptions)
    }

    /// The path of the file.
    public var path: String { handle.path }

    /// Reads the whole file and verifies its checksums.
    ///
    /// - Throws: ``RocksError/Code/corruption`` naming the first mismatch.
    public func verifyChecksums() throws(RocksError) {
        try unsafe crk_sst_reader_verify(handle.pointer, readHandle.pointer).check(handle.attempt("verifying"))
    }

    /// Returns the file's properties by RocksDB's names: `num_entries`, `raw_key_size`, `comparator_name`, ..., and those collected while it was
    /// written. RocksDB's `TableProperties`.
    public func properties() throws(RocksError) -> [String: String] {
        let (status, pairs) = unsafe Collector.pairs { unsafe crk_sst_reader_properties(handle.pointer, $0, $1) }
        try status.check(handle.attempt("reading the properties of"))
        return pairs
    }
}

extension SSTFileReader: RocksReader {
    public func lendValue(for key: RawSpan, options: ReadOptions?, to body: (RawSpan) -> Void) throws(RocksError) -> Bool {
        let options = options.map { ReadOptionsHandle($0) } ?? readHandle
        let (status, found) = unsafe key.withShimBytes { key in
            unsafe Collector<[UInt8]>.collect { collector in
                unsafe crk_sst_reader_get(handle.pointer, options.pointer, key, collector) { collector, value in
                    unsafe Collector<[UInt8]>.add([UInt8](copying: value.span), to: collector)
                }
            }
        }
        if status.code == UInt8(CRK_NOT_FOUND.rawValue) {
            crk_status_free(status)
            return false
        }
        try status.check(handle.attempt("reading from"))
        let value = found[0]
        body(value.span.bytesOfUInt8)
        return true
    }

    public func lendValues(for keys: KeyList, options: ReadOptions?, to body: (Int, RawSpan?) -> Void) throws(RocksError) {
        var start = 0
        for (index, end) in keys.ends.enumerated() {
            let key = Array(keys.bytes[start..<end])
            start = end
            if try !lendValue(for: key.span.bytesOfUInt8, options: options, to: { body(index, $0) }) { body(index, nil) }
        }
    }

    public func makeCursor(_ range: ScanRange, options: ReadOptions?) throws(RocksError) -> Cursor {
        try Cursor(file: handle, options: options.map { ReadOptionsHandle($0) } ?? readHandle, range: range)
    }

    public func keyMayExist(_ key: some ByteSource & ~Escapable, options: ReadOptions?) throws(RocksError) -> Bool {
        try key.withBytes { (key) throws(RocksError) in try lendValue(for: key, options: options) { _ in } }
    }
}
