/// Writes the entries of a store to files in other formats.
///
/// ```swift
/// try MappedExport.json(store.entries(), to: "settings.json")
/// let same = try MappedImport.json(path: "settings.json").entries
/// ```
public enum MappedExport {}
