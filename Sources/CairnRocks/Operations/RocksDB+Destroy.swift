import CRocks
import CairnCore

extension RocksDB {
    /// Deletes the database at `path`: its files, and its directory if that is then empty. Other files are kept. A directory without a database is
    /// not an error.
    ///
    /// - Throws: ``RocksError/Code/locked`` if the database is open somewhere, ``RocksError/Code/ioError`` if files cannot be deleted.
    public static func destroy(path: String, environment: Environment = .default) throws(RocksError) {
        try checkForZeroByte(in: path, "path")
        let options = try DatabaseOptionsHandle(DatabaseOptions(environment: environment))
        if options.hasFile(path + "/CURRENT") {
            try unsafe crk_check_encryption(path + "/CURRENT", options.pointer).check("destroying the database at '\(path)'")
        }
        try unsafe crk_destroy(options.place(path), options.pointer, 0, nil).check("destroying the database at '\(path)'")
        if environment === Environment.default { TableTypesFile.remove(in: path) }
    }

    /// Makes a damaged database usable again, from the files that can be read. Use it as a last resort, after backups: damaged data is left
    /// out, and deleted data may reappear. A column family without sorted files is lost, including its entries in the write-ahead log.
    /// Unusable files are moved to a directory `lost`.
    ///
    /// - Parameters:
    ///   - path: The database's directory.
    ///   - columnFamilyOptions: Options of every column family that `columnFamilies` does not list.
    ///   - columnFamilies: Options of specific column families; list at least those with a custom comparator, merge operator or table format.
    ///   - environment: The environment of the files.
    /// - Throws: ``RocksError/Code/locked`` if the database is open somewhere, ``RocksError/Code/corruption`` if nothing could be recovered,
    ///   ``RocksError/Code/invalidArgument`` if a column family had a merge operator when the database was last opened and has none here,
    ///   ``RocksError/Code/notSupported`` if there is a pipe, a device or a socket in the directory, or if the write-ahead log holds two-phase
    ///   transactions, because RocksDB's repair would end the process: open the database for transactions, write to it and flush it, if that is
    ///   still possible.
    /// - Complexity: Reads all files and rewrites the log's data.
    public static func repair(
        path: String,
        columnFamilyOptions: ColumnFamilyOptions = ColumnFamilyOptions(),
        columnFamilies: [String: ColumnFamilyOptions] = [:],
        environment: Environment = .default
    ) throws(RocksError) {
        try checkForZeroByte(in: path, "path")
        let options = try DatabaseOptionsHandle(DatabaseOptions(environment: environment))
        if options.isOnDisk { try checkFiles(in: path, "repairing the database at '\(path)'") }
        if options.hasFile(path + "/CURRENT") {
            try unsafe crk_check_encryption(path + "/CURRENT", options.pointer).check("repairing the database at '\(path)'")
        }
        let unknown = try ColumnFamilyOptionsHandle(columnFamilyOptions, sharedCache: nil)
        // RocksDB drops log entries of column families that it learns of from a sorted file.
        let existing = (try? columnFamilyNames(path: path, environment: environment)) ?? namesInOptionsFile(path, environment)
        var known = columnFamilies
        for name in existing + ["default"] where known[name] == nil { known[name] = columnFamilyOptions }
        let names = known.keys.sorted()
        var handles: [ColumnFamilyOptionsHandle] = []
        for name in names {
            try checkColumnFamilyName(name)
            handles.append(try ColumnFamilyOptionsHandle(known[name]!, sharedCache: nil))
        }
        let pointers: [OpaquePointer?] = unsafe handles.map { unsafe $0.pointer }
        let status = withExtendedLifetime(handles) {
            unsafe withCStrings(names) { names in
                unsafe crk_repair(options.place(path), options.pointer, names.count, names, pointers, unknown.pointer)
            }
        }
        try status.check("repairing the database at '\(path)'")
    }

    /// The column families when the database was last opened for writing, for a database whose manifest cannot be read.
    private static func namesInOptionsFile(_ path: String, _ environment: Environment) -> [String] {
        guard environment === Environment.default else { return [] }
        return ((try? OptionsFile(ofDatabaseAt: path))?.families ?? []).map(\.name)
    }
}
