import CRocks
import CairnCore

/// The options of a database and its column families as RocksDB writes them to a file beside the data.
///
/// ```swift
/// let stored = try StoredOptions(path: "music.db")
/// print(stored.database.maxBackgroundJobs, stored.columnFamilies["songs"]?.compression ?? .none)
/// ```
///
/// RocksDB writes them whenever a database is opened, a column family made or dropped, or an option changed. Values are those that were in
/// force. Objects have only their name there: a comparator or merge operator of your own must be given, or reading throws. Not stored are
/// ``DatabaseOptions/memoryBudget``, ``DatabaseOptions/statistics``, caches, and paths for particular files.
public struct StoredOptions: Sendable {
    /// Options of the whole database.
    public var database: DatabaseOptions
    /// Options of every column family, by name; `default` is always among them when they were read.
    public var columnFamilies: [String: ColumnFamilyOptions]
    /// The release of RocksDB that wrote them, such as `7.8.3`.
    public let libraryVersion: String
    /// The names of options that the installed library does not have, left out.
    public private(set) var unknown: Set<String> = []

    /// Options to be compared or saved.
    public init(database: DatabaseOptions = DatabaseOptions(), columnFamilies: [String: ColumnFamilyOptions]) {
        self.database = database
        self.columnFamilies = columnFamilies
        libraryVersion = RocksDB.libraryVersion
    }

    /// The options that the database at `path` was last used with; RocksDB's `LoadLatestOptions`. It may be open.
    ///
    /// - Parameters:
    ///   - path: The database's directory.
    ///   - comparators: Orders of your own that its column families have.
    ///   - mergeOperators: Merge operators of your own.
    ///   - ignoresUnknown: Whether options that the installed library does not have are left out, as a newer one writes them.
    /// - Throws: ``RocksError/Code/databaseNotFound``; ``RocksError/Code/notFound`` if there is no file of options;
    ///   ``RocksError/Code/corruption`` if it is damaged; ``RocksError/Code/invalidArgument`` naming a comparator or merge operator that was
    ///   not given; ``RocksError/Code/invalidOption`` naming an unknown option; ``RocksError/Code/ioError``.
    public init(
        path: String,
        comparators: [Comparator] = [],
        mergeOperators: [MergeOperator] = [],
        ignoresUnknown: Bool = false
    ) throws(RocksError) {
        try self.init(OptionsFile(ofDatabaseAt: path), comparators, mergeOperators, ignoresUnknown)
    }

    /// The options in a file of RocksDB's, such as `OPTIONS-000123`, or one written by ``save(to:)``; RocksDB's `LoadOptionsFromFile`.
    /// Otherwise as ``init(path:comparators:mergeOperators:ignoresUnknown:)``.
    public init(
        file path: String,
        comparators: [Comparator] = [],
        mergeOperators: [MergeOperator] = [],
        ignoresUnknown: Bool = false
    ) throws(RocksError) {
        try self.init(OptionsFile(path: path), comparators, mergeOperators, ignoresUnknown)
    }

    private init(
        _ file: OptionsFile,
        _ comparators: [Comparator],
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
        guard ignoresUnknown || unknown.isEmpty else {
            throw RocksError(
                .invalidOption,
                "RocksDB \(file.libraryVersion) wrote options to '\(file.path)' that RocksDB \(RocksDB.libraryVersion) does not have: "
                    + unknown.sorted().joined(separator: ", ") + "; ignoresUnknown leaves them out"
            )
        }
        self.unknown = unknown
    }
}

extension NamedOptions {
    /// Takes settings over that differ from the defaults, and returns the names of those that there are not.
    package mutating func take(_ stored: [String: String]) -> Set<String> {
        let changes = Self.changes(stored)
        settings = settings.merging(stored.filter { settings[$0.key] != nil }) { $1 }.merging(changes.settings) { $1 }
        return changes.unknown
    }

    /// Those of the stored settings that differ from the library's defaults, and the names of those that it does not have.
    package static func changes(_ stored: [String: String]) -> (settings: [String: String], unknown: Set<String>) {
        let unknown = Set(stored.keys).subtracting(defaults.keys).subtracting(unlistedOptions)
        return (stored.filter { !unknown.contains($0.key) && !isSameOption($0.value, defaults[$0.key] ?? "") }, unknown)
    }
}

extension ColumnFamilyOptions {
    /// Takes settings over that differ from the defaults, all but the comparator and the merge operator, which have only their names in the
    /// file; returns the names of options that there are not.
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

    /// Takes over comparator and merge operator.
    fileprivate mutating func takeObjects(
        of family: OptionsFile.Family,
        comparators: [Comparator],
        mergeOperators: [MergeOperator],
        file: String
    ) throws(RocksError) {
        func isMissing(_ what: String, _ name: String, _ label: String) -> RocksError {
            RocksError(
                .invalidArgument,
                "column family '\(family.name)' in '\(file)' has the \(what) '\(name)', which has to be given in '\(label)'"
            )
        }
        if let name = family.settings["comparator"], name != Comparator.bytewise.name {
            let known = (comparators + Comparator.builtIn).first { $0.name == name }
            keepsHistory = name == Comparator.historyName
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

/// RocksDB leaves options out of its lists while they are empty.
let unlistedOptions: Set<String> = ["wal_dir", "db_log_dir", "compression_per_level"]

/// Whether RocksDB reads two texts as the same value: however a number is written, and lists in whatever order.
func isSameOption(_ first: String?, _ second: String?) -> Bool {
    guard let first, let second else { return first == second }
    if first == second { return true }
    if let one = wholeNumber(first), let other = wholeNumber(second) { return one == other }
    if let one = Double(first), let other = Double(second) { return one == other }
    guard first.contains("="), second.contains("=") else { return false }
    let (one, other) = (parseOptionText(first.withoutBraces), parseOptionText(second.withoutBraces))
    return Set(one.keys) == Set(other.keys) && one.allSatisfy { isSameOption($0.value, other[$0.key]) }
}
