/// Values that were read from the file of another library, and a report of how.
///
/// ```swift
/// let old = try MappedImport.mmkv(path: "settings", types: ["opened": .bool, "since": .date])
/// print(old.report)
/// try store.import(old)
/// ```
///
/// Reading changes nothing of the file, which is read whole into memory. It should not be written to meanwhile.
public struct MappedImport: Sendable {
    /// What the file holds: each key once, in the order in which the values were written. Expired values are among them.
    public var entries: [MappedEntry]
    /// What became of the file's records, and how sure that is.
    public var report: MappedImportReport

    /// Entries from elsewhere, to be put into a store the same way.
    public init(entries: [MappedEntry], report: MappedImportReport = MappedImportReport()) {
        self.entries = entries
        self.report = report
    }
}
