import CairnCore
import CairnRocks
import CairnToolKit

/// Opens databases of other programs with the options from their options files.
struct DatabaseOpener {
    let path: String
    /// Used instead of comparators that the tool does not have.
    var order: KeyOrder?

    /// - Parameter keepsLog: Whether opening for writing keeps the write-ahead log instead of flushing it to files.
    func open(_ mode: RocksDB.OpenMode, create: Bool = false, keepsLog: Bool = false, events: DatabaseEvents? = nil) throws -> RocksDB {
        let exists = try checkPath(create: create)
        let stored = exists ? try storedOptions() : nil
        var families = try columnFamilies(stored, for: mode)
        // Column families that the options file names and the database lacks were dropped since.
        let existing = exists ? try RocksDB.columnFamilyNames(path: path) : []
        families = families.filter { existing.contains($0.key) }

        var options = DatabaseOptions(createIfMissing: !exists)
        if let stored { _ = options.take(try databaseSettings(stored, for: mode)) }
        if keepsLog { options.avoidFlushDuringRecovery = true }
        options.events = events
        return try RocksDB(path: path, options: options, columnFamilies: families, mode: mode)
    }

    /// The options that were in effect when the database was last open for writing; `nil` if it has no options file.
    func storedOptions() throws -> OptionsFile? {
        do {
            return try OptionsFile(ofDatabaseAt: path)
        } catch  where error.code == .notFound {
            return nil
        } catch  where error.code == .corruption {
            throw Failure(.database, error.sentence, hint: "If you remove that file, the database is opened with the library's defaults.")
        }
    }

    private func databaseSettings(_ stored: OptionsFile, for mode: RocksDB.OpenMode) throws -> [String: String] {
        var settings = stored.database
        if mode != .readWrite { settings = settings.filter { $0.key == "wal_dir" } }
        // These apply only to a single opening.
        for name in ["create_if_missing", "create_missing_column_families", "error_if_exists", "avoid_flush_during_recovery"] {
            settings[name] = nil
        }
        settings["wal_dir"] = try logDirectory(stored)
        return settings
    }

    /// The directory of the write-ahead log, if it is not the database's directory.
    func logDirectory() throws -> String? { try storedOptions().flatMap(logDirectory) }

    private func logDirectory(_ stored: OptionsFile) throws -> String? {
        // Older libraries wrote the path of the database, which may have moved since.
        guard let directory = stored.database["wal_dir"], try status(of: directory)?.kind == .directory else { return nil }
        return directory
    }

    /// The options of each column family from when the database was last open for writing.
    func storedColumnFamilies(for mode: RocksDB.OpenMode) throws -> [String: ColumnFamilyOptions] {
        try columnFamilies(storedOptions(), for: mode)
    }

    private func columnFamilies(_ stored: OptionsFile?, for mode: RocksDB.OpenMode) throws -> [String: ColumnFamilyOptions] {
        var families: [String: ColumnFamilyOptions] = [:]
        for family in stored?.families ?? [] { families[family.name] = try options(of: family, mode: mode) }
        return families
    }

    /// Whether there is a database. Throws if there is none and it cannot be created.
    func checkPath(create: Bool = false) throws -> Bool {
        let hint = "Check the path; 'put' and 'import' create a database with --create."
        guard let status = try status(of: path) else {
            if RestorePlace(path).wasMovedAway {
                throw Failure(
                    .database,
                    "There is no database at '\(path)': an interrupted restore moved it to '\(path).restoring'.",
                    hint: "Run 'cairn rocks restore' again; it puts the database back."
                )
            }
            if create { return false }
            throw Failure(.database, "There is no database at '\(path)'.", hint: hint)
        }
        guard status.kind == .directory else { throw Failure(.database, "'\(path)' is a file, not a database directory.") }
        if try self.status(of: path + "/CURRENT") != nil {
            // Opening does so too, but some commands read the text log or the options before.
            try FileSystem.system.refuseSpecialFiles(in: path)
            return true
        }
        // RocksDB would delete the files if it created a database here.
        if let failure = missingCurrent() { throw failure }
        if create { return false }
        throw Failure(.database, "The directory '\(path)' does not contain a RocksDB database.", hint: hint)
    }

    /// Why a database without the file CURRENT cannot be opened; `nil` if there is that file, or no database.
    func missingCurrent() -> Failure? {
        // The first manifest alone is what an interrupted creation leaves.
        guard let manifest = unnamedManifest(), manifest != "MANIFEST-000001" else { return nil }
        return Failure(
            .database,
            "The directory '\(path)' holds the files of a RocksDB database, but CURRENT is missing.",
            hint: "'cairn doctor' shows more; 'cairn rocks repair' can rebuild it."
        )
    }

    /// The newest manifest, if the file CURRENT, which should name it, is missing; otherwise `nil`.
    func unnamedManifest() -> String? {
        let names = (try? FileSystem.system.list(path)) ?? []
        guard !names.contains("CURRENT") else { return nil }
        return names.filter { $0.hasPrefix("MANIFEST-") }.max { ($0.count, $0) < ($1.count, $1) }
    }

    /// Recreates the file CURRENT. Refuses if a program holds the lock, since it may be creating the database.
    func nameManifest(_ manifest: String) throws {
        if let process = try? LockHolder.process(holding: FileSystem.join(path, "LOCK")) {
            throw Failure(.database, "Process \(process) has '\(path)' open.")
        }
        try FileSystem.system.replaceFile(at: FileSystem.join(path, "CURRENT"), with: manifest + "\n")
    }

    /// `nil` if nothing exists at the path.
    private func status(of path: String) throws -> FileStatus? {
        do {
            return try FileSystem.system.stat(path)
        } catch  where isMissing(error.errno) {
            return nil
        } catch {
            throw Failure(.database, "'\(path)' cannot be accessed: \(error.text).")
        }
    }

    private func options(of family: OptionsFile.Family, mode: RocksDB.OpenMode) throws -> ColumnFamilyOptions {
        var options = ColumnFamilyOptions()
        if let name = family.settings["comparator"], name != KeyComparator.bytewise.name {
            options.keepsHistory = name == KeyComparator.historyName
            if !options.keepsHistory { options.comparator = try comparator(name, of: family.name) }
        }
        if let name = family.settings["merge_operator"], name != "nullptr" {
            options.mergeOperator = try mergeOperator(name, of: family.name, mode: mode)
        }
        var stored = family
        if mode != .readWrite {
            // Readers need only table formats other than the usual one, and the options of those.
            guard family.table.format != TableFormat.blockBased.rawValue else { return options }
            stored.settings = stored.settings.filter { ["prefix_extractor", "table_factory"].contains($0.key) }
        }
        _ = options.take(stored)
        // Only the program has its compaction filters.
        for name in ["compaction_filter", "compaction_filter_factory"] { options.settings[name] = nil }
        return options
    }

    private func comparator(_ name: String, of family: String) throws -> KeyComparator {
        if let known = KeyOrder.allCases.map(\.comparator).first(where: { $0.name == name }) { return known }
        guard let order = order?.comparator else {
            throw Failure(
                .database,
                "Column family '\(family)' of '\(path)' orders keys with the comparator '\(name)', which only its program has.",
                hint:
                    "If it is equivalent to one of RocksDB's or Cairn's comparators, name that with --order; this works for commands that only read."
            )
        }
        return KeyComparator(name: name, equalKeys: order.equalKeys) { order.compare($0, $1) }
    }

    private func mergeOperator(_ name: String, of family: String, mode: RocksDB.OpenMode) throws -> MergeOperator {
        if let mergeOperator = try? MergeOperator(named: name) { return mergeOperator }
        guard mode == .readOnly else {
            throw Failure(
                .database,
                "Column family '\(family)' of '\(path)' uses the merge operator '\(name)', which only its program has, so it cannot be written here.",
                hint: "Commands that only read still work."
            )
        }
        // A substitute that always fails, so that all keys except merged ones can be read.
        return MergeOperator(name: name, full: { _, _, _ in nil })
    }
}

extension ColumnFamily {
    /// The name of the merge operator, if only the program of the database has it.
    var foreignMergeOperator: String? {
        guard let name = options.mergeOperator?.name, (try? MergeOperator(named: name)) == nil else { return nil }
        return name
    }

    /// Calls `body`, which reads from this column family. If merged keys cannot be read, the error says that this is not damage.
    func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as RocksError where error.code == .corruption {
            guard let name = foreignMergeOperator, let failure = Failure(error) else { throw error }
            let hint = "The column family uses the merge operator '\(name)', which only its program has; merged keys cannot be read here."
            throw Failure(failure.status, failure.message, hint: hint)
        }
    }
}
