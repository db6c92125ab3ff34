import CRocks
import CairnCore

extension RocksDB {
    /// Opens the database at `path` with all its column families.
    ///
    /// Column families on disk that `columnFamilies` does not list are opened with `columnFamilyOptions`, so you need not know them all. The ones it
    /// lists must exist unless ``DatabaseOptions/createMissingColumnFamilies`` is set.
    ///
    /// - Parameters:
    ///   - path: The database's directory.
    ///   - options: Database-wide options. By default the database must exist.
    ///   - columnFamilyOptions: Options of `default` and of every column family that `columnFamilies` does not list.
    ///   - columnFamilies: Options of specific column families, by name.
    ///   - mode: How to open it: for writing, or as a view.
    ///   - readOptions: Default options for reads.
    ///   - writeOptions: Default options for writes.
    /// - Throws: ``RocksError/Code/notFound`` if there is no database and it must not be created, or there is no directory to create it in;
    ///   ``RocksError/Code/permissionDenied``; ``RocksError/Code/notADirectory`` if there is a file at the path; ``RocksError/Code/invalidArgument``
    ///   if the database exists and ``DatabaseOptions/errorIfExists`` is set, or if it has another comparator; ``RocksError/Code/locked`` if it is
    ///   already open for writing; ``RocksError/Code/corruption`` if the database is damaged, or the directory has files of a database but no
    ///   `CURRENT`; ``RocksError/Code/notSupported`` if there is a pipe, a device or a socket in the directory, or in that of the log;
    ///   ``RocksError/Code/columnFamilyNotFound``, ``RocksError/Code/invalidOption``.
    /// - Complexity: Reads the manifest and replays the write-ahead log: at most as much as the memtables held. Checks the properties of the files of
    ///   column families without a merge operator, with a row cache or with a history; if ``DatabaseOptions/maxOpenFiles`` is limited, it opens these
    ///   files to do so.
    public convenience init(
        path: String,
        options: DatabaseOptions = DatabaseOptions(),
        columnFamilyOptions: ColumnFamilyOptions = ColumnFamilyOptions(),
        columnFamilies: [String: ColumnFamilyOptions] = [:],
        mode: OpenMode = .readWrite,
        readOptions: ReadOptions = ReadOptions(),
        writeOptions: WriteOptions = WriteOptions()
    ) throws(RocksError) {
        try self.init(
            path: path,
            options: options,
            columnFamilyOptions: columnFamilyOptions,
            columnFamilies: columnFamilies,
            mode: mode,
            readOptions: readOptions,
            writeOptions: writeOptions,
            backup: nil
        )
    }

    /// Creates the column families of `columnFamilies` that `creating` names. With `backup`, `path` is the directory that represents the backup.
    convenience init(
        path: String,
        options: DatabaseOptions,
        columnFamilyOptions: ColumnFamilyOptions,
        columnFamilies: [String: ColumnFamilyOptions],
        creating: Set<String> = [],
        mode: OpenMode,
        readOptions: ReadOptions = ReadOptions(),
        writeOptions: WriteOptions = WriteOptions(),
        backup: (engine: ObjectHandle, id: Backup.ID)?
    ) throws(RocksError) {
        try checkForZeroByte(in: path, "path")
        guard !path.isEmpty else { throw RocksError(.invalidArgument, "the path of the database is empty; give the path of a directory") }
        try checkForZeroByte(in: mode.secondaryPath, "path")
        var opening = options
        if !creating.isEmpty { opening.createMissingColumnFamilies = true }
        let databaseOptions = try DatabaseOptionsHandle(opening)
        let existing = try Self.existingColumnFamilies(
            path: path,
            options: databaseOptions,
            mayBeMissing: options.createIfMissing && mode != .readOnly
        )
        if databaseOptions.isOnDisk, !options.walDirectory.isEmpty {
            try checkFiles(in: options.walDirectory, "opening the database at '\(path)'")
        }
        var wanted = ["default": columnFamilies["default"] ?? columnFamilyOptions]
        for name in existing { wanted[name] = columnFamilies[name] ?? columnFamilyOptions }
        for (name, familyOptions) in columnFamilies where wanted[name] == nil {
            guard mode.canWrite, options.createMissingColumnFamilies || creating.contains(name) else {
                let remedy =
                    mode.canWrite
                    ? "declare it in `tables:` or set createMissingColumnFamilies to create it"
                    : "open the database for writing to create it"
                throw RocksError(.columnFamilyNotFound, "'\(path)' has no column family '\(name)'; \(remedy)")
            }
            wanted[name] = familyOptions
        }

        if mode.canWrite { options.makeDirectories(path) }
        let names = wanted.keys.sorted()
        for name in names { try checkColumnFamilyName(name) }
        var handles: [ColumnFamilyOptionsHandle] = []
        for name in names { handles.append(try ColumnFamilyOptionsHandle(wanted[name]!, sharedCache: databaseOptions.sharedCache)) }
        var settings = unsafe mode.shimSettings
        if let backup {
            unsafe settings.backup_engine = backup.engine.pointer
            unsafe settings.backup_id = backup.id
        }
        let place = backup == nil ? databaseOptions.place(path) : path
        let opened = unsafe Self.open(
            path: place,
            options: databaseOptions,
            settings: settings,
            mode: mode,
            names: names,
            families: handles
        )
        extendLifetime(backup?.engine)
        guard unsafe opened.status.isOK else {
            throw unsafe OpeningFailure(path: path, exists: !existing.isEmpty, options: options, families: wanted).error(opened.status)
        }

        let isPlain = options.environment === Environment.default && backup == nil
        let database = unsafe DatabaseHandle(
            pointer: opened.database!,
            path: path,
            events: options.events,
            statistics: options.statistics,
            tableTypes: mode.canWrite && isPlain ? TableTypesRecord(directory: path) : nil
        )
        let families = unsafe Self.columnFamilies(names, wanted, opened.families, of: database, readOptions, writeOptions)
        self.init(
            handle: database,
            families: families,
            defaultColumnFamily: families["default"]!,
            mode: mode,
            sharedCache: databaseOptions.sharedCache
        )
    }

    /// The column families of a database that was opened, by name.
    private static func columnFamilies(
        _ names: [String],
        _ options: [String: ColumnFamilyOptions],
        _ pointers: [OpaquePointer?],
        of database: DatabaseHandle,
        _ readOptions: ReadOptions,
        _ writeOptions: WriteOptions
    ) -> [String: ColumnFamily] {
        let readHandle = ReadOptionsHandle(readOptions)
        var families: [String: ColumnFamily] = [:]
        for (index, name) in names.enumerated() {
            let family = unsafe ColumnFamilyHandle(pointer: pointers[index]!, name: name, database: database, options: options[name]!)
            families[name] = ColumnFamily(
                handle: family,
                readOptions: readOptions,
                readHandle: readHandle,
                writeOptions: writeOptions
            )
        }
        return families
    }

    private static func open(
        path: String,
        options: DatabaseOptionsHandle,
        settings: crk_open_settings,
        mode: OpenMode,
        names: [String],
        families: [ColumnFamilyOptionsHandle]
    ) -> (status: crk_status, database: OpaquePointer?, families: [OpaquePointer?]) {
        var database: OpaquePointer?
        var opened: [OpaquePointer?] = unsafe Array(repeating: nil, count: names.count)
        let familyPointers: [OpaquePointer?] = unsafe families.map { unsafe $0.pointer }
        var settings = unsafe settings
        let status = withExtendedLifetime(families) {
            unsafe withCStrings(names + [mode.secondaryPath]) { names in
                unsafe settings.secondary_path = names.last!
                return unsafe crk_db_open(
                    path,
                    options.pointer,
                    &settings,
                    familyPointers.count,
                    names,
                    familyPointers,
                    &database,
                    &opened
                )
            }
        }
        return unsafe (status, database, opened)
    }

    /// Returns the names of the column families of the database at `path`, sorted, without opening it. The database may be open elsewhere.
    ///
    /// - Throws: ``RocksError/Code/notFound``, ``RocksError/Code/permissionDenied``, ``RocksError/Code/notADirectory``;
    ///   ``RocksError/Code/corruption`` if the manifest is damaged; ``RocksError/Code/notSupported`` if there is a pipe, a device or a socket in the
    ///   directory.
    public static func columnFamilyNames(path: String, environment: Environment = .default) throws(RocksError) -> [String] {
        try checkForZeroByte(in: path, "path")
        let options = try DatabaseOptionsHandle(DatabaseOptions(environment: environment))
        return try existingColumnFamilies(path: path, options: options, mayBeMissing: false).sorted()
    }

    /// With `mayBeMissing`, returns no names for a directory without a database; any other problem is left for opening to report.
    private static func existingColumnFamilies(
        path: String,
        options: DatabaseOptionsHandle,
        mayBeMissing: Bool
    ) throws(RocksError) -> [String] {
        // A directory with a file CURRENT is a database.
        guard options.hasFile(path + "/CURRENT") else {
            try checkAccess(to: path, options: options)
            // RocksDB would create an empty database over the remains of one, and delete them.
            if let remains = options.files(in: path).first(where: isDataFile) {
                let found = "'\(path)' holds files of a database, such as '\(remains)', but not the file CURRENT that names its manifest"
                throw RocksError(.corruption, "\(found); put CURRENT back or restore a backup")
            }
            if mayBeMissing { return [] }
            throw RocksError(.notFound, "there is no database at '\(path)'")
        }
        if options.isOnDisk { try checkFiles(in: path, "opening the database at '\(path)'") }
        try unsafe crk_check_encryption(path + "/CURRENT", options.pointer).check("opening the database at '\(path)'")
        let (status, names) = unsafe Collector<String>.collect { collector in
            unsafe crk_list_column_families(path, options.pointer, collector) { collector, name in
                unsafe Collector<String>.add(name.text, to: collector)
            }
        }
        try status.check("listing the column families of '\(path)'")
        return names.filter { $0 != persistentStatisticsName }
    }
}

/// Throws if nothing was found at `path` because of a file or the file system, which RocksDB reports as a missing database.
private func checkAccess(to path: String, options: DatabaseOptionsHandle) throws(RocksError) {
    guard options.isOnDisk else { return }
    do throws(SystemCallError) {
        _ = try FileSystem.system.stat(FileSystem.join(path, "CURRENT"))
    } catch {
        if (try? FileSystem.system.stat(path))?.kind == .file {
            throw RocksError(.notADirectory, "opening the database at '\(path)': it is a file; give the path of a directory")
        }
        let error = FileError("opening the database at", "'\(path)'", cause: error)
        if error.code == .permissionDenied || error.code == .notADirectory { throw RocksError(error) }
    }
}

extension DatabaseOptions {
    /// Creates the missing directories that must not have RocksDB's permissions. RocksDB reports any failure.
    fileprivate func makeDirectories(_ path: String) {
        guard createIfMissing, environment.isOnDisk, let mode = directoryMode ?? environment.directoryMode else { return }
        for directory in [path, walDirectory, logDirectory] where !directory.isEmpty {
            try? FileSystem.system.makeDirectory(directory, mode: mode)
        }
    }
}

extension RocksDB.OpenMode {
    /// The directory of a secondary instance's text log; empty in other modes.
    fileprivate var secondaryPath: String {
        if case .secondary(let path) = self { path } else { "" }
    }

    fileprivate var shimSettings: crk_open_settings {
        var settings = unsafe crk_open_settings()
        switch self {
        case .readWrite: unsafe settings.mode = CRK_READ_WRITE
        case .readOnly: unsafe settings.mode = CRK_READ_ONLY
        case .secondary: unsafe settings.mode = CRK_SECONDARY
        case .transactions(let options):
            unsafe settings.mode = CRK_TRANSACTIONS
            unsafe settings.transactions = options.shimSettings
        case .optimisticTransactions(let options):
            unsafe settings.mode = CRK_OPTIMISTIC_TRANSACTIONS
            unsafe settings.optimistic = options.shimSettings
        case .trimmingHistory(let time):
            unsafe settings.mode = CRK_TRIM_HISTORY
            unsafe settings.trim_to = time
        }
        return unsafe settings
    }
}

/// Passes `strings` to `body` as an array of C strings.
func withCStrings<Value>(_ strings: [String], _ body: ([UnsafePointer<CChar>?]) -> Value) -> Value {
    var buffer: [CChar] = []
    var offsets: [Int] = []
    for string in strings {
        offsets.append(buffer.count)
        buffer += string.utf8.map { CChar(bitPattern: $0) } + [0]
    }
    return unsafe buffer.withUnsafeBufferPointer { buffer in
        unsafe body(offsets.map { unsafe buffer.baseAddress! + $0 })
    }
}

/// Whether a file with this name in a database's directory holds data. The first manifest does not count: an interrupted creation leaves it behind.
private func isDataFile(_ name: String) -> Bool {
    if name.hasPrefix("MANIFEST-") { return name != "MANIFEST-000001" }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && ["sst", "blob", "log"].contains(parts[1]) && !parts[0].isEmpty && parts[0].utf8.allSatisfy { 48...57 ~= $0 }
}
