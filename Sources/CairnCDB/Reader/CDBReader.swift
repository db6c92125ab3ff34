import CCairn
public import CairnCore

/// A constant database opened for reading: any number of values per key, found with two accesses to the file.
///
/// ```swift
/// let reader = try CDBReader(path: "music.cdb")
/// let title: String? = try reader.get("song/1")
/// try reader.forEach { key, value in print(key.byteCount, value.byteCount) }
/// ```
///
/// The file may contain arbitrary bytes: damage throws ``CDBError/Code/corruption`` when it is encountered, and is never mistaken for a missing key
/// or for the end. A cdb has no checksums, so damage inside a value cannot be detected; ``verify(progress:)`` checks everything that can be.
///
/// The reader sees the file that it opened, even after another one replaces it: ``CDBWriter`` and `cdb -c` replace files, and readers need
/// no lock. The file must not be overwritten or truncated in place while it is mapped. If it is truncated, or the disk cannot read it,
/// reads throw ``CDBError/Code/corruption`` from then on, and values lent without a copy may read as zeros. (This works for up to 4,096
/// mapped readers and stores per process; beyond that, accessing the missing part kills the process with `SIGBUS`.) Use
/// ``Access/positioned`` for files to which this may happen.
///
/// Any thread may use the reader. Releasing the last reference closes the file.
@safe public final class CDBReader {
    /// How the bytes of a file are accessed.
    public enum Access: Sendable {
        /// Maps the file into memory that the system fills on access: opening takes the same time for any size, and nothing is copied.
        case mapped
        /// Uses a system call for each read: for files on failing devices, and for files that others overwrite in place.
        case positioned
    }

    /// The layout of the file.
    public let dialect: CDBDialect
    /// The size of the file.
    public var byteCount: ByteCount { ByteCount(bytes: Int64(size)) }

    /// For messages: the path, or a phrase for bytes in memory.
    let name: String
    let size: UInt64
    /// The bytes; `nil` if they must be read from `file`. Valid as long as `owner`.
    @usableFromInline let base: UnsafeRawPointer?
    /// The position where the records end and the tables begin.
    @usableFromInline let dataEnd: UInt64
    /// A checked copy of the header, so that no change of the file can mislead a lookup.
    let tables: CDBTables
    /// What keeps the bytes alive.
    private let owner: AnyObject?
    /// The word of the mapping that is not 0 once a page was lost; `nil` if none can be lost. A reference to the mapping would be counted with each look-up, and
    /// the locked instructions for that would keep the processor from beginning the next one.
    private let lost: UnsafePointer<UInt32>?
    let file: File?

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - access: Whether to map the file. Default: ``Access/mapped``.
    ///   - dialect: The layout the file was written with. Default: ``CDBDialect/standard``.
    /// - Throws: ``CDBError``: `notFound`, `permissionDenied`, `isDirectory`, `ioError`; `corruption` if the file is too short for a header;
    ///   `foreignFile` if it is known to be of another format, such as a mapped store or an SQLite database.
    /// - Complexity: O(1): reads the header of 2 KiB (4 KiB in the wide dialects).
    public convenience init(path: String, access: Access = .mapped, dialect: CDBDialect = .standard) throws(CDBError) {
        try self.init(path: path, access: access, dialect: dialect, fileSystem: .system)
    }

    package convenience init(path: String, access: Access, dialect: CDBDialect, fileSystem: FileSystem) throws(CDBError) {
        let file: File
        do throws(FileError) { file = try File(path, [.read], fileSystem: fileSystem) } catch { throw CDBError(error) }
        try self.init(file: file, name: path, access: access, dialect: dialect)
    }

    /// - Parameter name: The path, for messages.
    init(file: File, name: String, access: Access, dialect: CDBDialect) throws(CDBError) {
        self.name = name
        self.dialect = dialect
        let foreign: String?
        do throws(FileError) {
            switch access {
            case .mapped:
                let region = try MappedRegion(guarding: file)
                owner = region
                unsafe lost = region.lost
                self.file = nil
                size = UInt64(region.count)
                unsafe base = UnsafeRawPointer(region.start)
                guard size >= dialect.headerSize else { throw Self.tooShort(name, size, dialect) }
                tables = CDBTables(header: region.bytes, size: size, dialect: dialect)
                foreign = ForeignFormat.phrase(region.bytes)
            case .positioned:
                let status = try file.statusOfFile()
                owner = nil
                unsafe lost = nil
                self.file = file
                size = UInt64(max(status.size, 0))
                unsafe base = nil
                guard size >= dialect.headerSize else { throw Self.tooShort(name, size, dialect) }
                let header = try file.read(Int(dialect.headerSize), at: 0)
                tables = CDBTables(header: unsafe header.span.bytes, size: size, dialect: dialect)
                foreign = ForeignFormat.phrase(unsafe header.span.bytes)
            }
        } catch {
            throw CDBError(error)
        }
        dataEnd = tables.dataEnd
        try checkIsWhole()
        try refuse(foreign)
    }

    /// Opens a database in memory; the bytes are copied.
    ///
    /// - Throws: ``CDBError``: `corruption` if there are fewer bytes than a header has, `foreignFile` if they are of another format.
    public init(bytes: some ByteSource & ~Escapable, dialect: CDBDialect = .standard) throws(CDBError) {
        name = "the given bytes"
        self.dialect = dialect
        file = nil
        let copy = bytes.withBytes { OwnedBytes(copying: $0) }
        owner = copy
        unsafe lost = nil
        unsafe base = UnsafeRawPointer(copy.start)
        size = UInt64(copy.count)
        guard size >= dialect.headerSize else { throw CDBError(Self.tooShort(name, size, dialect)) }
        tables = copy.withBytes { CDBTables(header: $0, size: UInt64($0.byteCount), dialect: dialect) }
        dataEnd = tables.dataEnd
        try refuse(copy.withBytes { ForeignFormat.phrase($0) })
    }

    /// A cdb may begin with any bytes, unless they place its first table outside the file.
    private func refuse(_ foreign: String?) throws(CDBError) {
        guard let foreign, tables.firstDamaged == 0 else { return }
        throw CDBError(.foreignFile, "could not open \(name): it is \(foreign), not a constant database")
    }

    private static func tooShort(_ name: String, _ size: UInt64, _ dialect: CDBDialect) -> FileError {
        let bytes = size == 1 ? "1 byte" : "\(size) bytes"
        let message = "could not open \(name): it has \(bytes), but a cdb header takes \(dialect.headerSize)"
        return FileError(.truncated, message)
    }
}

// Everything is set when the reader is created. The pointer leads into memory that `owner` keeps alive, that is only read, and that is checked again
// at each read, as others may write to the file.
extension CDBReader: @unchecked Sendable {}

extension CDBReader {
    /// Returns an error that says what is wrong and where, without any key or value.
    @inline(never) @usableFromInline
    func damage(_ what: String, at position: UInt64) -> CDBError {
        guard isWhole else { return missing() }
        return CDBError(.corruption, "\(name) is damaged: \(what) at byte \(position)")
    }

    @inline(never)
    func damagedTable(_ number: Int) -> CDBError {
        CDBError(
            .corruption,
            "\(name) is damaged, or is not a cdb in the layout '\(dialect.rawValue)': hash table \(number) is outside its \(size) bytes"
        )
    }

    /// Throws if a part of the mapped file was missing, so that zeros were read in its place.
    @inline(__always) @usableFromInline
    func checkIsWhole() throws(CDBError) {
        guard isWhole else { throw missing() }
    }

    @inline(__always)
    private var isWhole: Bool { unsafe cairn_is_whole(lost) }

    @inline(never)
    private func missing() -> CDBError {
        CDBError(.corruption, "\(name) was truncated, or could not be read, while it was open; open it again")
    }

    /// Throws if the header points outside the file.
    @usableFromInline
    func checkHeader() throws(CDBError) {
        try checkIsWhole()
        if let number = tables.firstDamaged { throw damagedTable(number) }
    }
}
