/// Writes entries of a store as files for others.
///
/// ```swift
/// try MappedExport.json(entries, to: "settings.json")
/// let same = try MappedImport.json(path: "settings.json").entries
/// ```
public enum MappedExport {}
