public import CairnGraph
import CairnSQLiteEngine

extension ObjectStore {
    /// Opens the store in a file of SQLite, creating it if it does not exist. Other processes may have it open too.
    ///
    /// ```swift
    /// let store = try ObjectStore(sqlite: "Music.store", classes: [Song.self])
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the file. A new one gets the read and write permissions of `ObjectStoreOptions.directoryMode`.
    ///   - classes: The classes to work with, in any order. Other classes that the store contains are left alone.
    ///   - options: How to open it.
    /// - Throws: `ObjectStoreError`: `foreignFile`, `unsupportedVersion`, `schemaMismatch` if a class does not match what is stored, or has a property
    ///   that needs a default, `migrationFailed`, `notUnique` for an index to be built, `keyNeeded`, `wrongKey`, `changeUnfinished`, `notFound`, `readOnly`,
    ///   `busy`, `corruption`, `noSpace`, `ioError`.
    public convenience init(
        sqlite path: String,
        classes: [any StoredObject.Type],
        options: ObjectStoreOptions = ObjectStoreOptions()
    ) throws(ObjectStoreError) {
        try self.init(opening: try Self.makeSQLiteEngine(path, options), classes: classes, options: options, name: path)
    }

    /// Opens a store in a file of SQLite, creating it if it does not exist, with the classes of a catalog instead of Swift classes: for tools.
    ///
    /// Classes that the store already has are not changed.
    ///
    /// - Throws: Same as ``init(sqlite:classes:options:)``; `schemaMismatch` for an invalid catalog.
    public convenience init(
        sqlite path: String,
        catalog: ObjectCatalog,
        options: ObjectStoreOptions = ObjectStoreOptions()
    ) throws(ObjectStoreError) {
        try self.init(sqlite: path, busyTimeout: nil, catalog: catalog, options: options)
    }

    /// The same, with the longest wait for other processes; `nil` for that of `SQLiteEngineOptions`.
    package convenience init(
        sqlite path: String,
        busyTimeout: Duration?,
        catalog: ObjectCatalog,
        options: ObjectStoreOptions
    ) throws(ObjectStoreError) {
        try self.init(opening: try Self.makeSQLiteEngine(path, options, busyTimeout), catalog: catalog, options: options, name: path)
    }

    private static func makeSQLiteEngine(
        _ path: String,
        _ options: ObjectStoreOptions,
        _ busyTimeout: Duration? = nil
    ) throws(ObjectStoreError) -> SQLiteEngine {
        var engineOptions = SQLiteEngineOptions()
        if let busyTimeout { engineOptions.busyTimeout = busyTimeout }
        engineOptions.createIfMissing = options.createIfMissing
        engineOptions.readOnly = options.readOnly
        engineOptions.mode = options.directoryMode & 0o666
        do throws(EngineError) { return try SQLiteEngine(path: path, options: engineOptions) } catch { throw ObjectStoreError(error) }
    }
}
