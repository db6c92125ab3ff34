public import CairnCore
public import CairnMapped

extension MappedExport {
    /// Returns entries as a JSON object with one member per line.
    ///
    /// Types that JSON has are written directly: booleans, numbers (integers of any size; `Double`s with a point or exponent), text, arrays, and
    /// `Codable` values that are objects. All others are written with their type, and ``MappedImport/json(path:)`` reads back exactly the same
    /// values:
    ///
    /// ```json
    /// {
    /// "launches":3,
    /// "since":{"type":"date","value":"2026-03-01T12:30:00Z"},
    /// "token":{"type":"string","value":"abc","expires":"2027-01-01T00:00:00Z"}
    /// }
    /// ```
    ///
    /// The following are written this way: `float`, `date` (ISO 8601, or seconds since 2001 if that is more exact), `uuid`, `url`, `bytes` (base64),
    /// `json` that is not an object, `double` that is not a finite number (`"nan"`, `"inf"`, `"-inf"`), and values with a deadline. Values of unknown
    /// types are written with their bytes: `{"type":200,"bytes":"…"}`. (Arrays nested more than 512 deep are read as JSON.)
    public static func json(_ entries: some Sequence<MappedEntry>) -> String {
        var text = ""
        write(entries) { text += $0 }
        return text
    }

    /// Writes entries as JSON to a file, created or replaced atomically.
    ///
    /// - Parameters:
    ///   - entries: The entries to write.
    ///   - path: The file to create or replace.
    ///   - durability: What the file survives. Default: `.synced`.
    ///   - mode: The permission bits of the file. Default: `0o600`, as for mapped stores.
    /// - Throws: `MappedStoreError`: `notFound` if the directory is missing, `noSpace`, `ioError`. An existing file is then unchanged.
    public static func json(
        _ entries: some Sequence<MappedEntry>,
        to path: String,
        durability: Durability = .synced,
        mode: UInt32 = 0o600
    ) throws(MappedStoreError) {
        try json(entries, to: path, durability: durability, mode: mode, fileSystem: .system)
    }

    package static func json(
        _ entries: some Sequence<MappedEntry>,
        to path: String,
        durability: Durability,
        mode: UInt32 = 0o600,
        fileSystem: FileSystem
    ) throws(MappedStoreError) {
        try MappedStoreError.translating { () throws(FileError) in
            let writer = try AtomicFileWriter(replacing: path, durability: durability, mode: mode, fileSystem: fileSystem)
            try write(entries) { piece throws(FileError) in try writer.write(piece) }
            try writer.finish()
        }
    }

    private static func write<Failure: Error>(
        _ entries: some Sequence<MappedEntry>,
        _ put: (String) throws(Failure) -> Void
    ) throws(Failure) {
        var separator = "{\n"
        for entry in entries {
            try put(separator + JSONText.string(entry.key) + ":" + MappedJSONForm.text(entry.value, expires: entry.expires))
            separator = ",\n"
        }
        try put(separator == "{\n" ? "{}\n" : "\n}\n")
    }
}
