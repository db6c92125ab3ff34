public import CairnCore

extension MappedExport {
    /// Entries as a JSON object with a member on each line.
    ///
    /// What JSON has stands as itself: booleans, numbers (integers of any size; `Double`s with a point or exponent), text, arrays, and
    /// `Codable` values that are objects. Everything else says its type, and ``MappedImport/json(path:)`` reads the very same values back:
    ///
    /// ```json
    /// {
    /// "launches":3,
    /// "since":{"type":"date","value":"2026-03-01T12:30:00Z"},
    /// "token":{"type":"string","value":"abc","expires":"2027-01-01T00:00:00Z"}
    /// }
    /// ```
    ///
    /// `float`, `date` (ISO 8601, or seconds since 2001 where that is more exact), `uuid`, `url`, `bytes` (base64), `json` that is no object,
    /// `double` that is no number (`"nan"`, `"inf"`, `"-inf"`), and values with a deadline are written so. Values of unknown types have their
    /// bytes: `{"type":200,"bytes":"…"}`. (Arrays nested more than 512 deep are read as JSON.)
    public static func json(_ entries: some Sequence<MappedEntry>) -> String {
        var text = ""
        write(entries) { text += $0 }
        return text
    }

    /// Writes entries as JSON to a file, which is made or replaced in one step.
    ///
    /// - Parameters:
    ///   - entries: What to write.
    ///   - path: The file to make or replace.
    ///   - durability: What the file survives. Default: `.synced`.
    /// - Throws: ``MappedStoreError``: `notFound` where the directory is missing, `noSpace`, `ioError`. An old file is then as it was.
    public static func json(
        _ entries: some Sequence<MappedEntry>,
        to path: String,
        durability: Durability = .synced
    ) throws(MappedStoreError) {
        try json(entries, to: path, durability: durability, fileSystem: .system)
    }

    package static func json(
        _ entries: some Sequence<MappedEntry>,
        to path: String,
        durability: Durability,
        fileSystem: FileSystem
    ) throws(MappedStoreError) {
        try MappedStoreError.translating { () throws(FileError) in
            let writer = try AtomicFileWriter(replacing: path, durability: durability, fileSystem: fileSystem)
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
            try put(separator + JSONWriter.string(entry.key) + ":" + MappedJSONForm.text(entry.value, expires: entry.expires))
            separator = ",\n"
        }
        try put(separator == "{\n" ? "{}\n" : "\n}\n")
    }
}
