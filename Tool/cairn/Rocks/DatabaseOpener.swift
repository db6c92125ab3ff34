import CairnCore
import CairnRocks
import CairnToolKit

/// Opens databases that other programs made, with the options those left in the options file.
struct DatabaseOpener {
    let path: String
    /// The order that stands for those that only other programs have.
    var order: KeyOrder?

    /// - Parameter keepsLog: Whether opening for writing leaves the write-ahead log as it is, instead of making files of it.
    func open(_ mode: RocksDB.OpenMode, create: Bool = false, keepsLog: Bool = false, events: DatabaseEvents? = nil) throws -> RocksDB {
        let exists = try checkPath(create: create)
        let stored = exists ? try storedOptions() : nil
        var families = try columnFamilies(stored, for: mode)
        // What the file names and the database lacks was dropped since.
        let existing = exists ? try RocksDB.columnFamilyNames(path: path) : []
        families = families.filter { existing.contains($0.key) }

        var options = DatabaseOptions(createIfMissing: !exists)
        if let stored { _ = options.take(try databaseSettings(stored, for: mode)) }
        if keepsLog { options.avoidFlushDuringRecovery = true }
        options.events = events
        return try RocksDB(path: path, options: options, columnFamilies: families, mode: mode)
    }

    /// The options that were in force when the database was last open for writing; `nil` if it keeps no options file.
    func storedOptions() throws -> OptionsFile? {
        do {
            return try OptionsFile(ofDatabaseAt: path)
        } catch  where error.code == .notFound {
            return nil
        } catch  where error.code == .corruption {
            throw Failure(.database, error.sentence, hint: "Without that file, the database is opened with the library's defaults.")
        }
    }

    private func databaseSettings(_ stored: OptionsFile, for mode: RocksDB.OpenMode) throws -> [String: String] {
        var settings = stored.database
        if mode != .readWrite { settings = settings.filter { $0.key == "wal_dir" } }
        // These were about that one opening.
        for name in ["create_if_missing", "create_missing_column_families", "error_if_exists", "avoid_flush_during_recovery"] {
            settings[name] = nil
        }
        settings["wal_dir"] = try logDirectory(stored)
        return settings
    }

    /// The directory of the write-ahead log, if it is not the database's own.
    func logDirectory() throws -> String? { try storedOptions().flatMap(logDirectory) }

    private func logDirectory(_ stored: OptionsFile) throws -> String? {
        // Older libraries wrote the database's own path, which may have been another one then.
        guard let directory = stored.database["wal_dir"], try status(of: directory)?.kind == .directory else { return nil }
        return directory
    }

    /// The options of each column family when the database was last open for writing.
    func storedColumnFamilies(for mode: RocksDB.OpenMode) throws -> [String: ColumnFamilyOptions] {
        try columnFamilies(storedOptions(), for: mode)
    }

    private func columnFamilies(_ stored: OptionsFile?, for mode: RocksDB.OpenMode) throws -> [String: ColumnFamilyOptions] {
        var families: [String: ColumnFamilyOptions] = [:]
        for family in stored?.families ?? [] { families[family.name] = try options(of: family, mode: mode) }
        return families
    }

    /// Whether there is a database; if there is none, it must be one that can be made.
    func checkPath(create: Bool = false) throws -> Bool {
        let hint = "Check the path; 'put' and 'import' make a database with --create."
        guard let status = try status(of: path) else {
            if create { return false }
            throw Failure(.database, "There is no database at '\(path)'.", hint: hint)
        }
        guard status.kind == .directory else { throw Failure(.database, "'\(path)' is a file, not the directory of a database.") }
        if try self.status(of: path + "/CURRENT") != nil { return true }
        if create { return false }
        throw Failure(.database, "The directory '\(path)' holds no RocksDB database.", hint: hint)
    }

    /// The newest manifest, where the file CURRENT, which would name it, is missing; else `nil`.
    func unnamedManifest() -> String? {
        let names = (try? FileSystem.system.list(path)) ?? []
        guard !names.contains("CURRENT") else { return nil }
        return names.filter { $0.hasPrefix("MANIFEST-") }.max { ($0.count, $0) < ($1.count, $1) }
    }

    /// Makes the file CURRENT anew. A program that is just making the database has the lock.
    func nameManifest(_ manifest: String) throws {
        if let process = try? LockHolder.process(holding: FileSystem.join(path, "LOCK")) {
            throw Failure(.database, "Process \(process) has '\(path)' open.")
        }
        try FileSystem.system.replaceFile(at: FileSystem.join(path, "CURRENT"), with: manifest + "\n")
    }

    /// `nil` if there is nothing of that name.
    private func status(of path: String) throws -> FileStatus? {
        do {
            return try FileSystem.system.stat(path)
        } catch  where isMissing(error.errno) {
            return nil
        } catch {
            throw Failure(.database, "'\(path)' cannot be looked at: \(error.text).")
        }
    }

    private func options(of family: OptionsFile.Family, mode: RocksDB.OpenMode) throws -> ColumnFamilyOptions {
        var options = ColumnFamilyOptions()
        if let name = family.settings["comparator"], name != Comparator.bytewise.name {
            options.keepsHistory = name == Comparator.historyName
            if !options.keepsHistory { options.comparator = try comparator(name, of: family.name) }
        }
        if let name = family.settings["merge_operator"], name != "nullptr" {
            options.mergeOperator = try mergeOperator(name, of: family.name, mode: mode)
        }
        var stored = family
        if mode != .readWrite {
            // Readers need to know of formats other than the usual one, and what those need.
            guard family.table.format != TableFormat.blockBased.rawValue else { return options }
            stored.settings = stored.settings.filter { ["prefix_extractor", "table_factory"].contains($0.key) }
        }
        _ = options.take(stored)
        // Filters are the program's own.
        for name in ["compaction_filter", "compaction_filter_factory"] { options.settings[name] = nil }
        return options
    }

    private func comparator(_ name: String, of family: String) throws -> CairnRocks.Comparator {
        if let known = KeyOrder.allCases.map(\.comparator).first(where: { $0.name == name }) { return known }
        guard let order = order?.comparator else {
            throw Failure(
                .database,
                "The keys of column family '\(family)' of '\(path)' are ordered by '\(name)', which only its own program has.",
                hint: "If it orders keys as one of RocksDB's or Cairn's, --order names that for commands that only read."
            )
        }
        return Comparator(name: name, equalKeys: order.equalKeys) { order.compare($0, $1) }
    }

    private func mergeOperator(_ name: String, of family: String, mode: RocksDB.OpenMode) throws -> MergeOperator {
        if let mergeOperator = try? MergeOperator(named: name) { return mergeOperator }
        guard mode == .readOnly else {
            throw Failure(
                .database,
                "Column family '\(family)' of '\(path)' merges by '\(name)', which only its own program has, so it cannot be written here.",
                hint: "Commands that only read work."
            )
        }
        // A stand-in that always fails, so that all keys but the merged ones can be read.
        return MergeOperator(name: name, full: { _, _, _ in nil })
    }
}

extension ColumnFamily {
    /// The name of the merge operator, if only the program that made the database has it.
    var foreignMergeOperator: String? {
        guard let name = options.mergeOperator?.name, (try? MergeOperator(named: name)) == nil else { return nil }
        return name
    }

    /// Calls `body`, which reads from this column family. Merged keys that cannot be read are no damage, and the error says so.
    func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as RocksError where error.code == .corruption {
            guard let name = foreignMergeOperator, let failure = Failure(error) else { throw error }
            let hint = "It merges by '\(name)', which only its own program has; keys that were merged cannot be read here."
            throw Failure(failure.status, failure.message, hint: hint)
        }
    }
}
