public import CairnCore

/// Writes a constant database record by record, and puts it in place atomically: everyone sees the old file or the new one, never a part.
///
/// ```swift
/// let writer = try CDBWriter(path: "music.cdb")
/// try writer.put("Walking on Sunshine", for: "song/1")
/// try writer.put("Waterloo", for: "song/2")
/// try writer.finish()
/// ```
///
/// With `.synced`, the default, the new file is on disk when ``finish()`` returns. With `.buffered`, power loss soon after leaves the old file or the
/// new one; with `.none` it can leave a damaged one. The death of the process never does.
///
/// The same records in the same order give the same bytes, those that tinycdb writes. Records are written at once to a file next to the
/// target. The writer takes 8 bytes of memory per record (16 in the wide dialects), about 24 more once a mode that checks for keys is used,
/// and 8 more while ``finish()`` builds the tables. Until `finish()` returns, an error leaves the old file unchanged, as do ``cancel()``
/// and the deinitialization of the writer. Writers with the same target do not disturb each other: the file of the last to finish stays. A
/// symbolic link is replaced, not followed.
///
/// Use a writer from one thread at a time.
public final class CDBWriter {
    /// The path of the file to create or replace.
    public let path: String
    /// The layout of the file.
    public let dialect: CDBDialect

    /// The number of records so far; replaced ones do not count.
    public var count: Int { index.liveCount }
    /// The size that the file would have if it were finished now.
    public var byteCount: ByteCount { ByteCount(bytes: Int64(clamping: finalSize)) }

    /// The largest position in the file; smaller in tests.
    let limit: UInt64
    /// `nil` once finished or cancelled.
    var file: AtomicFileWriter?
    /// The number of bytes in `file`.
    var flushedCount: UInt64
    /// The bytes that follow those in `file`.
    var buffer: CDBBuffer
    var index: CDBIndex
    /// Records that were replaced and not yet removed, unordered.
    var holes: [CDBHole] = []
    var holeBytes: UInt64 = 0

    /// Starts a file next to `path`, which may or may not exist.
    ///
    /// - Parameters:
    ///   - path: The file to create or replace.
    ///   - dialect: The layout. Default: ``CDBDialect/standard``, for less than 4 GiB.
    ///   - durability: What the finished file survives. Default: `.synced`.
    ///   - mode: The permission bits of the new file. By default those of the file replaced, otherwise `0o666` less the process's umask.
    /// - Throws: ``CDBError``: `notFound` if the directory is missing, `noSpace`, `ioError`.
    public convenience init(
        path: String,
        dialect: CDBDialect = .standard,
        durability: Durability = .synced,
        mode: UInt32? = nil
    ) throws(CDBError) {
        try self.init(path: path, dialect: dialect, durability: durability, mode: mode, limit: nil, fileSystem: .system)
    }

    package init(
        path: String,
        dialect: CDBDialect,
        durability: Durability,
        mode: UInt32?,
        limit: UInt64?,
        fileSystem: FileSystem
    ) throws(CDBError) {
        self.path = path
        self.dialect = dialect
        self.limit = limit ?? dialect.largestPosition
        index = CDBIndex(isWide: dialect.isWide)
        buffer = CDBBuffer()
        flushedCount = dialect.headerSize
        do throws(FileError) {
            // The buffer here is larger; each flush is one call.
            file = try AtomicFileWriter(
                replacing: path,
                durability: durability,
                mode: mode,
                bufferSize: .bytes(1),
                fileSystem: fileSystem
            )
            try file?.write([UInt8](repeating: 0, count: Int(dialect.headerSize)))
        } catch {
            throw CDBError(error)
        }
    }

    /// Removes what was written and leaves the old file unchanged; does nothing after ``finish()`` or an error.
    public func cancel() {
        file?.cancel()
        file = nil
        buffer.clear()
    }

    /// Returns the file while it may be written.
    func openFile() throws(CDBError) -> AtomicFileWriter {
        guard let file else {
            throw CDBError(.closed, "could not write to \(path): the writer has already been finished or cancelled, or has failed")
        }
        return file
    }

    /// Runs `body`, and ends the writer if it fails.
    func endingOnFailure<Value>(_ body: () throws(FileError) -> Value) throws(CDBError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            cancel()
            throw CDBError(error)
        }
    }

    /// The position of the next record in the file as it is, with its holes.
    @inline(__always)
    var position: UInt64 { flushedCount &+ UInt64(truncatingIfNeeded: buffer.count) }

    /// The size with tables and without holes.
    private var finalSize: UInt64 { position - holeBytes + UInt64(index.liveCount) * 2 * dialect.pairSize }
}

extension CDBWriter {
    /// Writes the hash tables, puts the file in place, and ends this writer.
    ///
    /// - Throws: ``CDBError``. The old file is then unchanged, with one exception: if the directory cannot be synced, the new file is in place, and
    ///   only power loss can bring the old one back. The message says so. `closed` on a second call.
    /// - Complexity: O(records); one more pass over the file if records were replaced.
    public func finish() throws(CDBError) {
        let file = try finishTables()
        try endingOnFailure { () throws(FileError) in try file.finish() }
        self.file = nil
    }

    /// Completes the file, which is not in place yet.
    func finishTables() throws(CDBError) -> AtomicFileWriter {
        let file = try openFile()
        try removeHoles()
        try flush()
        try endingOnFailure { () throws(FileError) in
            let header = try index.writeTables(from: position, dialect, to: file)
            try file.write(header, at: 0)
        }
        return file
    }

    /// Writes the buffer to the file.
    func flush() throws(CDBError) {
        guard buffer.count > 0 else { return }
        let file = try openFile()
        try endingOnFailure { () throws(FileError) in try buffer.withBytes { (bytes) throws(FileError) in try file.write(bytes) } }
        flushedCount += UInt64(buffer.count)
        buffer.clear()
    }
}
