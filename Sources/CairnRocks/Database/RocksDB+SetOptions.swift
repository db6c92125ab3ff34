import CRocks
import CairnCore

extension RocksDB {
    /// Changes database-wide options while the database is open; RocksDB's `SetDBOptions`.
    ///
    /// ```swift
    /// try db.setOptions { $0.maxBackgroundJobs = 8 }
    /// ```
    ///
    /// `change` receives the options in force, as ``currentOptions()`` returns them. It must not change options of this database, or of its
    /// column families, through other calls: on the same thread they throw ``RocksError/Code/invalidArgument``, on other threads they wait until it
    /// returns. All of its changes are in force when the call returns, or none; they are stored with the database for ``StoredOptions``. The
    /// documentation of each option says whether it can change.
    ///
    /// - Throws: ``RocksError/Code/invalidOption`` naming an option that is fixed while open, does not accept the value, or conflicts with other
    ///   options in force; ``RocksError/Code/invalidArgument`` within the closure of another change; ``RocksError/Code/readOnly``;
    ///   ``RocksError/Code/closed``.
    /// - Complexity: Writes a small file, while writers wait.
    public func setOptions(_ change: (inout DatabaseOptions) -> Void) throws(RocksError) {
        let attempt = "changing the options of '\(path)'"
        try handle.changingOptions.withLock(attempt) { () throws(RocksError) in
            var before = DatabaseOptions()
            before.settings = try currentOptions()
            var after = before
            change(&after)
            try LiveOptionRules.checkObjects(before, after)
            let changes = try LiveOptionRules.changes(from: before, to: after)
            guard !changes.isEmpty else { return }
            try after.checkRules()
            let status = unsafe try ChangedOptions<DatabaseOptions>(settings: changes).withShimSettings {
                unsafe crk_set_db_options(handle.pointer, $0, $1)
            }
            try status.checkChange(of: changes, attempt)
        }
    }
}

extension RocksStore {
    /// Changes options of the column family while the database is open; RocksDB's `SetOptions`. On a database, changes those of `default`.
    ///
    /// ```swift
    /// try songs.setColumnFamilyOptions {
    ///     $0.writeBufferSize = .mebibytes(128)
    ///     $0.compression = .zstd
    /// }
    /// ```
    ///
    /// `change` receives the options in force, as ``currentColumnFamilyOptions()`` and ``currentTableOptions()`` return them. It must not change options of
    /// this database through other calls, as with ``RocksDB/setOptions(_:)``. All of its changes are in force when the call returns, or none; they are stored
    /// with the database for ``StoredOptions``. Existing files do not change until they are compacted. The documentation of each option says whether it can
    /// change.
    ///
    /// - Throws: ``RocksError/Code/invalidOption`` naming an option that is fixed while open, does not accept the value, or conflicts with other
    ///   options in force; ``RocksError/Code/invalidArgument`` within the closure of another change; ``RocksError/Code/readOnly``;
    ///   ``RocksError/Code/closed``, ``RocksError/Code/columnFamilyDropped``.
    /// - Complexity: Writes a small file, while writers wait.
    public func setColumnFamilyOptions(_ change: (inout ColumnFamilyOptions) -> Void) throws(RocksError) {
        let family = columnFamily
        let attempt = family.handle.attempt("changing the options of")
        try family.handle.database.changingOptions.withLock(attempt) { () throws(RocksError) in
            var before = family.options
            before.settings = try family.currentColumnFamilyOptions()
            // The comparator's name alone would be refused.
            if before.keepsHistory { before.settings["comparator"] = nil }
            before.table.settings = try family.currentTableOptions()
            var after = before
            change(&after)
            try LiveOptionRules.checkObjects(before, after)
            var changes = try LiveOptionRules.changes(from: before, to: after)
            let tableChanges = try LiveOptionRules.changes(from: before.table, to: after.table)
            guard !changes.isEmpty || !tableChanges.isEmpty else { return }
            // Opening derives the arena block size from the memtable size.
            if changes["write_buffer_size"] != nil, changes["arena_block_size"] == nil, family.options.settings["arena_block_size"] == nil {
                let derived = min(1 << 20, max(4 << 10, after.writeBufferSize.bytes / 8))
                after.arenaBlockSize = .bytes((derived + 4095) / 4096 * 4096)
                changes["arena_block_size"] = after["arena_block_size"]
            }
            try after.checkRules()
            try after.table.checkRules()
            try after.checkLive(changes.merging(tableChanges) { $1 })
            if !tableChanges.isEmpty {
                let text = tableChanges.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value);" }.joined()
                changes["block_based_table_factory"] = "{\(text)}"
            }
            let status = unsafe try ChangedOptions<ColumnFamilyOptions>(settings: changes).withShimSettings {
                unsafe crk_set_cf_options(family.handle.pointer, $0, $1)
            }
            try status.checkChange(of: changes.merging(tableChanges) { $1 }, attempt)
        }
    }
}

/// Some of a set's options; the whole set was already checked.
private struct ChangedOptions<Whole: NamedOptions>: NamedOptions {
    var settings: [String: String]
    static var defaults: [String: String] { Whole.defaults }
}

extension crk_status {
    /// Throws unless the change succeeded. RocksDB names the option that it refuses to change.
    fileprivate func checkChange(of changes: [String: String], _ attempt: @autoclosure () -> String) throws(RocksError) {
        guard !isOK else { return }
        let isOption = [CRK_INVALID_ARGUMENT, CRK_NOT_FOUND, CRK_NOT_SUPPORTED].contains { UInt8($0.rawValue) == code }
        let error = error(attempt(), code: nil)
        let fixed = ["Option not changeable: ", "Unrecognized option: ", "Could not find option: : "].compactMap { marker -> String? in
            error.message.firstRange(of: marker).map { String(error.message[$0.upperBound...]) }
        }.first
        if let fixed {
            let name = String(fixed.prefix { $0 != " " && $0 != ":" })
            throw RocksError(.invalidOption, "\(attempt()): option '\(name)' cannot be changed while the database is open")
        }
        guard isOption, !error.message.contains("reading only") else { throw error }
        throw RocksError(.invalidOption, error.message + " (\(changes.keys.sorted().joined(separator: ", ")))")
    }
}
