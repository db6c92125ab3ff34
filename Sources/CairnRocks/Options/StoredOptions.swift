import CRocks
import CairnCore

/// The options of a database and its column families, as RocksDB writes them to a file next to the data.
///
/// ```swift
/// let stored = try StoredOptions(path: "music.db")
/// print(stored.database.maxBackgroundJobs, stored.columnFamilies["songs"]?.compression ?? .none)
/// ```
///
/// RocksDB writes them whenever a database is opened, a column family is created or dropped, or an option is changed. It writes the values in effect.
/// Objects are stored only by name: you must give your own comparators and merge operators, or reading throws. ``DatabaseOptions/memoryBudget``,
/// ``DatabaseOptions/statistics``, caches, and paths for particular files are not stored.
public struct StoredOptions: Sendable {
    /// The options of the whole database.
    public var database: DatabaseOptions
    /// The options of every column family, by name; `default` is always included when they were read.
    public var columnFamilies: [String: ColumnFamilyOptions]
    /// The release of RocksDB that wrote the options, such as `7.8.3`.
    public let libraryVersion: String
    /// The names of options that were left out because the installed library does not have them, or no longer has them.
    public private(set) var unknown: Set<String> = []

    /// Creates options to compare or save.
    public init(database: DatabaseOptions = DatabaseOptions(), columnFamilies: [String: ColumnFamilyOptions]) {
        self.database = database
        self.columnFamilies = columnFamilies
        libraryVersion = RocksDB.libraryVersion
    }

    /// Reads the options that the database at `path` was last used with; RocksDB's `LoadLatestOptions`. The database may be open.
    ///
    /// - Parameters:
    ///   - path: The database's directory.
    ///   - comparators: Custom comparators of its column families.
    ///   - mergeOperators: Custom merge operators of its column families.
    ///   - ignoresUnknown: Whether to leave out options that the installed library does not have, such as those that a newer one wrote.
    /// - Throws: ``RocksError/Code/notFound`` if there is no database or no options file; ``RocksError/Code/corruption``
    ///   if it is damaged; ``RocksError/Code/invalidArgument`` naming a comparator or merge operator that was not given;
    ///   ``RocksError/Code/invalidOption`` naming an unknown option; ``RocksError/Code/ioError``.
    public init(
        path: String,
        comparators: [KeyComparator] = [],
        mergeOperators: [MergeOperator] = [],
        ignoresUnknown: Bool = false
    ) throws(RocksError) {
        try self.init(OptionsFile(ofDatabaseAt: path), comparators, mergeOperators, ignoresUnknown)
    }

    /// Reads the options from one of RocksDB's files, such as `OPTIONS-000123`, or from one written by ``save(to:)``; RocksDB's
    /// `LoadOptionsFromFile`. Otherwise same as ``init(path:comparators:mergeOperators:ignoresUnknown:)``.
    public init(
        file path: String,
        comparators: [KeyComparator] = [],
        mergeOperators: [MergeOperator] = [],
        ignoresUnknown: Bool = false
    ) throws(RocksError) {
        try self.init(OptionsFile(path: path), comparators, mergeOperators, ignoresUnknown)
    }

    private init(
        _ file: OptionsFile,
        _ comparators: [KeyComparator],
        _ mergeOperators: [MergeOperator],
        _ ignoresUnknown: Bool
    ) throws(RocksError) {
        libraryVersion = file.libraryVersion
        var unknown: Set<String> = []
        database = DatabaseOptions()
        unknown.formUnion(database.take(file.database))
        columnFamilies = [:]
        for family in file.families where family.name != persistentStatisticsName {
            var options = ColumnFamilyOptions()
            unknown.formUnion(options.take(family))
            try options.takeObjects(of: family, comparators: comparators, mergeOperators: mergeOperators, file: file.path)
            columnFamilies[family.name] = options
        }
        let refused = Self.refused(unknown)
        guard ignoresUnknown || refused.isEmpty else {
            throw RocksError(
                .invalidOption,
                "RocksDB \(file.libraryVersion) wrote options to '\(file.path)' that RocksDB \(RocksDB.libraryVersion) does not have: "
                    + refused.sorted().joined(separator: ", ") + "; set ignoresUnknown to skip them"
            )
        }
        self.unknown = unknown
    }

    /// The unknown options for which reading a file fails. Like RocksDB, this ignores options that RocksDB has retired since.
    package static func refused(_ unknown: Set<String>) -> Set<String> { unknown.subtracting(OptionRules.retired) }
}

extension NamedOptions {
    /// Adopts the settings that differ from the defaults, and returns the names of unknown options.
    package mutating func take(_ stored: [String: String], listed: [String: String] = Self.defaults) -> Set<String> {
        let changes = Self.changes(stored, listed: listed)
        settings = settings.merging(stored.filter { settings[$0.key] != nil }) { $1 }.merging(changes.settings) { $1 }
        return changes.unknown
    }

    /// The stored settings that differ from the library's defaults, and the names of options that the library does not have.
    package static func changes(
        _ stored: [String: String],
        listed: [String: String] = Self.defaults
    ) -> (settings: [String: String], unknown: Set<String>) {
        let unknown = Set(stored.keys).subtracting(listed.keys).subtracting(unlistedOptions)
        return (stored.filter { !unknown.contains($0.key) && !isSameOption($0.value, listed[$0.key] ?? "") }, unknown)
    }
}

extension ColumnFamilyOptions {
    /// Adopts the settings that differ from the defaults, except for the comparator and the merge operator, of which the file has only the names.
    /// Returns the names of unknown options.
    package mutating func take(_ family: OptionsFile.Family) -> Set<String> {
        var stored = family.settings
        for name in ["comparator", "merge_operator", "table_factory"] { stored[name] = nil }
        let unknown = take(stored)
        if family.table.format == TableFormat.blockBased.rawValue { return table.take(family.table.settings).union(unknown) }
        if let format = family.settings["table_factory"] {
            let text = family.table.settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
            tableFormat = TableFormat(rawValue: text.isEmpty ? format : "{id=\(format);\(text)}")
        }
        return unknown
    }

    /// Adopts the comparator and the merge operator.
    fileprivate mutating func takeObjects(
        of family: OptionsFile.Family,
        comparators: [KeyComparator],
        mergeOperators: [MergeOperator],
        file: String
    ) throws(RocksError) {
        func isMissing(_ what: String, _ name: String, _ label: String) -> RocksError {
            RocksError(
                .invalidArgument,
                "column family '\(family.name)' in '\(file)' has the \(what) '\(name)', which must be given in '\(label)'"
            )
        }
        if let name = family.settings["comparator"], name != KeyComparator.bytewise.name {
            let known = (comparators + KeyComparator.builtIn).first { $0.name == name }
            keepsHistory = name == KeyComparator.historyName
            guard known != nil || keepsHistory else { throw isMissing("comparator", name, "comparators") }
            comparator = known
        }
        if let name = family.settings["merge_operator"], name != "nullptr" {
            if let given = mergeOperators.first(where: { $0.name == name }) {
                mergeOperator = given
            } else {
                do { mergeOperator = try MergeOperator(named: name) } catch { throw isMissing("merge operator", name, "mergeOperators") }
            }
        }
    }
}

/// Options that RocksDB leaves out of its lists while they are empty.
let unlistedOptions: Set<String> = ["wal_dir", "db_log_dir", "compression_per_level"]

/// Whether RocksDB reads two texts as the same value: numbers may be written differently, and lists may be in any order.
func isSameOption(_ first: String?, _ second: String?) -> Bool {
    guard let first, let second else { return first == second }
    if first == second { return true }
    if let one = wholeNumber(first), let other = wholeNumber(second) { return one == other }
    if let one = Double(first), let other = Double(second) { return one == other }
    guard first.contains("="), second.contains("=") else { return false }
    let (one, other) = (parseOptionText(first.withoutBraces), parseOptionText(second.withoutBraces))
    return Set(one.keys) == Set(other.keys) && one.allSatisfy { isSameOption($0.value, other[$0.key]) }
}
