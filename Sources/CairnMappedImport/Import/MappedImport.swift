public import CairnMapped

/// Values read from the file of another library, and a report on the import.
///
/// ```swift
/// let old = try MappedImport.mmkv(path: "settings", types: ["opened": .bool, "since": .date])
/// print(old.report)
/// try store.import(old)
/// ```
///
/// Reading does not change the file. The whole file is read into memory; it should not be written to at the same time.
public struct MappedImport: Sendable {
    /// The contents of the file: each key once, in the order in which the values were written. Includes expired values.
    public var entries: [MappedEntry]
    /// How the records of the file were imported, and how certain that is.
    public var report: MappedImportReport

    /// Creates an import from other entries, to be put into a store the same way.
    public init(entries: [MappedEntry], report: MappedImportReport = MappedImportReport()) {
        self.entries = entries
        self.report = report
    }
}
