/// A report on the records of an imported file.
///
/// `description` contains no keys; the properties do.
public struct MappedImportReport: Hashable, Sendable {
    /// How the type of a value was determined, for formats that do not store it.
    public enum TypeSource: Hashable, Sendable {
        /// Specified by the caller.
        case specified(MappedForeignType)
        /// Guessed from the bytes, with the alternatives, the likeliest first.
        case guessed(MappedForeignType, alternatives: [MappedForeignType])
    }

    /// A key whose value could not be imported, and why.
    public struct LeftOut: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The reason, as a sentence without its final period.
        public var reason: String

        /// Creates a note about `key`.
        public init(key: String, reason: String) {
            self.key = key
            self.reason = reason
        }
    }

    /// The number of records: values, values that were set again later, and removals.
    public var recordCount = 0
    /// The number of records superseded by a later one of the same key.
    public var supersededCount = 0
    /// The number of keys whose last record is a removal.
    public var removedCount = 0
    /// The number of keys in ``MappedImport/entries``.
    public var importedCount = 0
    /// For each imported key of a format without types, how its type was determined; otherwise empty.
    public var types: [String: TypeSource] = [:]
    /// Keys whose bytes do not match the specified type; their type was guessed.
    public var mismatchedKeys: [String] = []
    /// Keys whose values were not imported.
    public var leftOut: [LeftOut] = []
    /// A description of the damage; `nil` if none was found. Everything before the damage was read.
    public var damage: String?
    /// Keys whose values no checksum covers, in a damaged file of a format that has one.
    public var unverifiedKeys: [String] = []
    /// Other things to know about the import.
    public var warnings: [String] = []

    /// Creates an empty report.
    public init() {}

    /// The number of types that were guessed.
    public var guessedCount: Int {
        types.values.count { if case .guessed = $0 { true } else { false } }
    }
}

extension MappedImportReport: CustomStringConvertible {
    /// A summary of a few lines, without keys.
    public var description: String {
        var lines = ["\(importedCount) imported of \(recordCount) records (\(supersededCount) set again, \(removedCount) removed)"]
        if !types.isEmpty {
            lines.append("types: \(types.count - guessedCount) specified, \(guessedCount) guessed, \(mismatchedKeys.count) mismatched")
        }
        if !leftOut.isEmpty { lines.append("left out: \(leftOut.count)") }
        if let damage { lines.append("damaged: \(damage)") }
        if !unverifiedKeys.isEmpty { lines.append("without a valid checksum: \(unverifiedKeys.count)") }
        return (lines + warnings).joined(separator: "\n")
    }
}
