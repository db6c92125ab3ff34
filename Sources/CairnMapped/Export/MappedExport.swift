/// Writes entries of a store as files for others.
///
/// ```swift
/// try MappedExport.json(store.entries(), to: "settings.json")
/// let same = try MappedImport.json(path: "settings.json").entries
/// ```
public enum MappedExport {}
