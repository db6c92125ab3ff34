import CairnCore
public import CairnMapped

extension MappedImport {
    /// Reads a Goose file: `data length (8)`, then records of `key length (8), value length (8), key, value`.
    ///
    /// Goose does not store types, nor anything from which they could be determined for certain. Pass the types that you know; the others are
    /// guessed, and ``MappedImportReport/types`` lists what else they could be. The guessed types are integers, `Float`, `Double`, `Bool`, text, JSON
    /// and bytes.
    ///
    /// A truncated or damaged file yields the records before the damage: see ``MappedImportReport/damage``. There is no checksum that would detect
    /// changed bytes.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - types: The types that values were written as, by key.
    /// - Throws: `MappedStoreError`: `notFound`, `ioError`, `malformedInput` if no record can be read.
    public static func goose(path: String, types: [String: MappedForeignType] = [:]) throws(MappedStoreError) -> MappedImport {
        try goose(path: path, types: types, fileSystem: .system)
    }

    package static func goose(
        path: String,
        types: [String: MappedForeignType] = [:],
        fileSystem: FileSystem
    ) throws(MappedStoreError) -> MappedImport {
        let bytes = try ImportFile.read(path, fileSystem)
        return try MappedStoreError.importing(path) { () throws(MappedStoreError) in try goose(bytes: bytes, types: types) }
    }

    /// Reads the contents of a Goose file, as ``goose(path:types:)`` does.
    ///
    /// - Throws: `MappedStoreError`: `malformedInput`.
    public static func goose(bytes: [UInt8], types: [String: MappedForeignType] = [:]) throws(MappedStoreError) -> MappedImport {
        var header = ByteReader(bytes)
        guard let claimed = header.little(UInt64.self) else {
            throw MappedStoreError(.malformedInput, "\(bytes.count) bytes are too few for a Goose file, which has at least 8")
        }
        let end = 8 + Int(min(claimed, UInt64(bytes.count - 8)))
        var reader = ByteReader(bytes, from: 8, to: end)
        var records: [ForeignRecord] = []
        var position = 8
        while let keyCount = reader.little(UInt64.self), let valueCount = reader.little(UInt64.self),
            let key = reader.take(keyCount), let value = reader.take(valueCount)
        {
            position = reader.position
            records.append(ForeignRecord(key: key, value: value, end: position))
        }
        guard claimed == 0 || !records.isEmpty else {
            throw MappedStoreError(.malformedInput, "no record can be read: the file is damaged at its beginning, or not a Goose file")
        }
        var result = MappedImport(records, .goose, types: types, expiry: { ($0, nil) })
        if claimed > UInt64(bytes.count - 8) {
            let whole = records.count == 1 ? "1 record is complete" : "\(records.count) records are complete"
            result.report.damage = "the file is truncated: \(claimed) bytes in use, \(bytes.count - 8) present; \(whole)"
        } else if position < end {
            result.report.damage = "\(end - position) bytes starting at \(position) are not a complete record"
        }
        return result
    }
}
