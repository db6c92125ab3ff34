public import CairnCDB
public import CairnCore
public import CairnMapped

extension MappedExport {
    /// How values are represented in a constant database.
    public enum CDBValues: Sendable, CaseIterable {
        /// A byte with the type (`MappedValueType.rawValue`), followed by the stored bytes.
        case typed
        /// The stored bytes: text and bytes unchanged, numbers little-endian.
        case raw
    }

    /// Writes entries as a constant database, created or replaced atomically: each key, in UTF-8, with its value.
    ///
    /// Deadlines are not exported.
    ///
    /// ```swift
    /// try MappedExport.cdb(entries, to: "settings.cdb")
    /// let reader = try CDBReader(path: "settings.cdb")
    /// let stored = try reader.get("launches")!                          // [2, 3]: an integer in one byte
    /// ```
    ///
    /// - Parameters:
    ///   - entries: The entries to write.
    ///   - path: The file to create or replace.
    ///   - values: How values are written. Default: ``CDBValues/typed``.
    ///   - dialect: The layout of the file. Default: the standard one, for less than 4 GiB.
    ///   - durability: What the file survives. Default: `.synced`.
    ///   - mode: The permission bits of the file. Default: `0o600`, as for mapped stores.
    /// - Throws: `MappedStoreError`: `notFound` if the directory is missing, `tooLarge` beyond 4 GiB, `permissionDenied`,
    ///   `isDirectory`, `noSpace`, `ioError`. An existing file is then unchanged.
    public static func cdb(
        _ entries: some Sequence<MappedEntry>,
        to path: String,
        values: CDBValues = .typed,
        dialect: CDBDialect = .standard,
        durability: Durability = .synced,
        mode: UInt32 = 0o600
    ) throws(MappedStoreError) {
        try cdb(entries, to: path, values: values, dialect: dialect, durability: durability, mode: mode, fileSystem: .system)
    }

    package static func cdb(
        _ entries: some Sequence<MappedEntry>,
        to path: String,
        values: CDBValues,
        dialect: CDBDialect,
        durability: Durability,
        mode: UInt32 = 0o600,
        fileSystem: FileSystem
    ) throws(MappedStoreError) {
        do throws(CDBError) {
            let writer = try CDBWriter(
                path: path,
                dialect: dialect,
                durability: durability,
                mode: mode,
                limit: nil,
                fileSystem: fileSystem
            )
            for entry in entries {
                let bytes = entry.value.storedBytes
                try writer.put(values == .typed ? [entry.value.type.rawValue] + bytes : bytes, for: entry.key)
            }
            try writer.finish()
        } catch {
            throw MappedStoreError(error)
        }
    }
}

extension MappedStoreError {
    /// Converts an error from writing a constant database.
    init(_ error: CDBError) {
        let code: Code = error.code == .tooLarge ? .tooLarge : (error.cause as? FileError).map { Code($0) } ?? .ioError
        self.init(code, error.message, cause: error)
    }
}
