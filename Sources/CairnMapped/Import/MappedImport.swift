#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
    /// A key, its value, and when the value ends to be valid; `nil`: never.
    public typealias Entry = (key: String, value: MappedVariant, expires: Date?)

    /// What the file holds: each key once, in the order in which the values were written. Values whose time is over are among them.
    public var entries: [Entry]
    /// What became of the file's records, and how sure that is.
    public var report: MappedImportReport

    /// Entries from elsewhere, to be put into a store the same way.
    public init(entries: [Entry], report: MappedImportReport = MappedImportReport()) {
        self.entries = entries
        self.report = report
    }
}
