import CRocks
import CairnCore

extension StoredOptions {
    /// An option that differs between two sets of options.
    public struct Difference: Sendable, Hashable {
        /// The column family; `nil`: an option of the whole database.
        public let columnFamily: String?
        /// RocksDB's name of the option.
        public let name: String
        /// The option's text here; `nil` if the column family or the object is missing here.
        public let here: String?
        /// The option's text in the other set; `nil` if the column family or the object is missing there.
        public let there: String?
    }

    /// Returns the options that differ from those of `other`, sorted. An unset option counts as its default, and the same number written
    /// differently counts as equal.
    ///
    /// ```swift
    /// for difference in StoredOptions(columnFamilies: ["default": mine]).differences(from: stored) { print(difference) }
    /// ```
    public func differences(from other: StoredOptions) -> [Difference] {
        var differences = compare(database, other.database, nil)
        for name in Set(columnFamilies.keys).union(other.columnFamilies.keys).sorted() {
            guard let here = columnFamilies[name], let there = other.columnFamilies[name] else {
                let (here, there) = (columnFamilies[name] == nil ? nil : name, other.columnFamilies[name] == nil ? nil : name)
                differences.append(Difference(columnFamily: name, name: "name", here: here, there: there))
                continue
            }
            differences += compare(here, there, name) + compare(here.table, there.table, name)
            let objects = [
                ("comparator", here.comparatorName, there.comparatorName),
                ("merge_operator", here.mergeOperator?.name, there.mergeOperator?.name),
            ]
            for (option, here, there) in objects where here != there {
                differences.append(Difference(columnFamily: name, name: option, here: here, there: there))
            }
        }
        return differences
    }

    private func compare<Options: NamedOptions>(_ here: Options, _ there: Options, _ family: String?) -> [Difference] {
        Set(here.settings.keys).union(there.settings.keys).sorted().filter { !isSameOption(here[$0], there[$0]) }.map {
            Difference(columnFamily: family, name: $0, here: here[$0], there: there[$0])
        }
    }

    /// Asks RocksDB whether the database at `path` can safely be opened with these options; its `CheckOptionsCompatibility`.
    ///
    /// RocksDB checks the options that determine how data is read: comparators, merge operators, formats, prefix extractors. Every column
    /// family of the database must be named.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` with the first incompatibility; ``RocksError/Code/invalidOption``.
    public func checkCompatibility(withDatabaseAt path: String) throws(RocksError) {
        let databaseOptions = try DatabaseOptionsHandle(database)
        // RocksDB expects them in the order of its file.
        let stored = try OptionsFile(ofDatabaseAt: path).families.map(\.name)
        let names = stored + columnFamilies.keys.sorted().filter { !stored.contains($0) }
        var handles: [ColumnFamilyOptionsHandle] = []
        for name in names {
            guard let options = columnFamilies[name] ?? (name == persistentStatisticsName ? ColumnFamilyOptions() : nil) else {
                throw RocksError(.invalidArgument, "the database at '\(path)' has a column family '\(name)', but these options do not")
            }
            handles.append(try ColumnFamilyOptionsHandle(options, sharedCache: nil))
        }
        let pointers: [OpaquePointer?] = unsafe handles.map { unsafe $0.pointer }
        let status = withExtendedLifetime(handles) {
            unsafe withCStrings(names) { names in unsafe crk_check_options(path, databaseOptions.pointer, names.count, names, pointers) }
        }
        try status.check("comparing options with those of the database at '\(path)'")
    }

    /// Writes the options to a file in RocksDB's format, with defaults for everything that is not set. Replaces an existing file as a whole.
    ///
    /// - Throws: ``RocksError/Code/invalidOption``; ``RocksError/Code/invalidArgument`` if there are none for `default`, which RocksDB's format
    ///   requires; ``RocksError/Code/notFound`` if the directory is missing, ``RocksError/Code/noSpace``, ``RocksError/Code/permissionDenied``,
    ///   ``RocksError/Code/ioError``.
    public func save(to path: String) throws(RocksError) {
        try checkForZeroByte(in: path, "path")
        guard columnFamilies["default"] != nil else {
            throw RocksError(.invalidArgument, "RocksDB's options file needs the options of the column family 'default'")
        }
        var file = OptionsFile()
        file.libraryVersion = RocksDB.libraryVersion
        let databaseOptions = try DatabaseOptionsHandle(database)
        file.database = unsafe try list(database) { unsafe crk_db_options_list(databaseOptions.pointer, $0, $1) }
        for name in ["default"] + columnFamilies.keys.sorted().filter({ $0 != "default" }) {
            try checkColumnFamilyName(name)
            let options = columnFamilies[name]!
            let handle = try ColumnFamilyOptionsHandle(options, sharedCache: nil)
            var family = OptionsFile.Family(name: name)
            family.settings = unsafe try list(options) { unsafe crk_cf_options_list(handle.pointer, $0, $1) }
            family.table.format = TableFormat.blockBased.rawValue
            family.table.settings = TableOptions.defaults.merging(options.table.settings) { $1 }
            if let named = options.settings["table_factory"] {
                family.table.settings = parseOptionText(named.withoutBraces)
                family.table.format = family.table.settings.removeValue(forKey: "id") ?? named
            }
            family.settings["table_factory"] = family.table.format
            file.families.append(family)
        }
        do throws(FileError) {
            try FileSystem.system.replaceFile(at: path, with: file.text)
        } catch {
            throw RocksError(error)
        }
    }

    /// All settings, with lists in the braces that a file requires. Values that were set are taken unchanged, since RocksDB's list is separated
    /// by semicolons.
    private func list<Options: NamedOptions>(
        _ options: Options,
        _ body: (UnsafeMutableRawPointer, crk_pair_sink) -> crk_status
    ) throws(RocksError) -> [String: String] {
        let (status, pairs) = unsafe Collector.pairs(body)
        try status.check("listing options")
        let known = pairs.filter { Options.defaults[$0.key] != nil || unlistedOptions.contains($0.key) }
        return known.merging(options.settings) { $1 }.reduce(into: [:]) { settings, pair in
            let isList = OptionRules.nested[pair.key] != nil || OptionRules.objects.contains(pair.key)
            settings[pair.key] = isList && pair.value.contains(";") ? "{\(pair.value.withoutBraces)}" : pair.value
        }
    }
}

extension ColumnFamilyOptions {
    var comparatorName: String { keepsHistory ? KeyComparator.historyName : (comparator ?? .bytewise).name }
}

extension RocksDB {
    /// Opens the database at `path` with the options it was last used with (``StoredOptions``), including those of each column family.
    ///
    /// ```swift
    /// let db = try RocksDB(storedAt: "music.db", comparators: [byLength])
    /// ```
    ///
    /// The database must exist; `error_if_exists` and similar options are ignored. Options that are not stored have their defaults; to
    /// change them, read ``StoredOptions``, modify them and use
    /// ``init(path:options:columnFamilyOptions:columnFamilies:mode:readOptions:writeOptions:)``.
    ///
    /// - Throws: Same as ``StoredOptions/init(path:comparators:mergeOperators:ignoresUnknown:)``, and the errors of opening a database.
    public convenience init(
        storedAt path: String,
        comparators: [KeyComparator] = [],
        mergeOperators: [MergeOperator] = [],
        ignoresUnknown: Bool = false,
        mode: OpenMode = .readWrite
    ) throws(RocksError) {
        var stored = try StoredOptions(
            path: path,
            comparators: comparators,
            mergeOperators: mergeOperators,
            ignoresUnknown: ignoresUnknown
        )
        for name in ["create_if_missing", "create_missing_column_families", "error_if_exists"] { stored.database[name] = nil }
        // The file may be older than the last column family that was created or dropped.
        let existing = Set(try RocksDB.columnFamilyNames(path: path))
        let families = stored.columnFamilies.filter { existing.contains($0.key) }
        try self.init(path: path, options: stored.database, columnFamilies: families, mode: mode)
    }
}
