/// What became of the records of an imported file.
///
/// `description` names no keys; the properties do.
public struct MappedImportReport: Hashable, Sendable {
    /// Where the type of a value comes from, in formats that do not keep it.
    public enum TypeSource: Hashable, Sendable {
        /// From the caller.
        case told(MappedForeignType)
        /// From the bytes, which could also have been the alternatives, the likeliest first.
        case guessed(MappedForeignType, alternatives: [MappedForeignType])
    }

    /// A key whose value could not be taken over, and why.
    public struct LeftOut: Hashable, Sendable {
        /// The key.
        public var key: String
        /// Why, as a sentence without its end.
        public var reason: String

        /// Makes a note about `key`.
        public init(key: String, reason: String) {
            self.key = key
            self.reason = reason
        }
    }

    /// How many records there are: values, values that were set again later, and removals.
    public var recordCount = 0
    /// How many records a later one of the same key replaced.
    public var supersededCount = 0
    /// How many keys were removed in the end.
    public var removedCount = 0
    /// How many keys are among ``MappedImport/entries``.
    public var importedCount = 0
    /// For each imported key of a format without types, where its type comes from; else empty.
    public var types: [String: TypeSource] = [:]
    /// Keys for which a type was told that their bytes cannot have; it was guessed then.
    public var mistoldKeys: [String] = []
    /// Keys whose values were not taken over.
    public var leftOut: [LeftOut] = []
    /// What is damaged; `nil` if nothing seems to be. Everything before the damage was read.
    public var damage: String?
    /// Keys whose values no checksum vouches for, in a damaged file of a format that has one.
    public var unverifiedKeys: [String] = []
    /// What else to know.
    public var warnings: [String] = []

    /// An empty report.
    public init() {}

    /// How many types were guessed.
    public var guessedCount: Int {
        types.values.count { if case .guessed = $0 { true } else { false } }
    }
}

extension MappedImportReport: CustomStringConvertible {
    /// A few lines, without keys.
    public var description: String {
        var lines = ["\(importedCount) imported of \(recordCount) records (\(supersededCount) set again, \(removedCount) removed)"]
        if !types.isEmpty {
            lines.append("types: \(types.count - guessedCount) told, \(guessedCount) guessed, \(mistoldKeys.count) told wrongly")
        }
        if !leftOut.isEmpty { lines.append("left out: \(leftOut.count)") }
        if let damage { lines.append("damaged: \(damage)") }
        if !unverifiedKeys.isEmpty { lines.append("without a valid checksum: \(unverifiedKeys.count)") }
        return (lines + warnings).joined(separator: "\n")
    }
}
