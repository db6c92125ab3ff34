public import CairnGraph
import CairnRocksEngine

extension ObjectStore {
    /// Opens the store in a directory, creating it if it does not exist.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - classes: The classes to work with, in any order. Other classes that the store contains are left alone.
    ///   - options: How to open it.
    /// - Throws: `ObjectStoreError`: `locked` if it is already open, `foreignFile`, `unsupportedVersion`, `schemaMismatch` if a class does not match
    ///   what is stored, or has a property that needs a default, `migrationFailed`, `notUnique` for an index to be built, `keyNeeded`, `wrongKey`,
    ///   `changeUnfinished`, `notFound`, `readOnly`, `corruption`, `noSpace`, `ioError`.
    public convenience init(
        path: String,
        classes: [any StoredObject.Type],
        options: ObjectStoreOptions = ObjectStoreOptions()
    ) throws(ObjectStoreError) {
        try self.init(opening: try Self.makeEngine(path, options), classes: classes, options: options, name: path)
    }

    /// Opens a store in a directory, creating it if it does not exist, with the classes of a catalog instead of Swift classes: for tools.
    ///
    /// Classes that the store already has are not changed.
    ///
    /// - Throws: Same as ``init(path:classes:options:)``; `schemaMismatch` for an invalid catalog.
    public convenience init(
        path: String,
        catalog: ObjectCatalog,
        options: ObjectStoreOptions = ObjectStoreOptions()
    ) throws(ObjectStoreError) {
        try self.init(opening: try Self.makeEngine(path, options), catalog: catalog, options: options, name: path)
    }

    /// The engine of a store in a directory.
    static func makeEngine(_ path: String, _ options: ObjectStoreOptions) throws(ObjectStoreError) -> RocksEngine {
        var engineOptions = RocksEngineOptions()
        engineOptions.createIfMissing = options.createIfMissing
        engineOptions.readOnly = options.readOnly
        engineOptions.directoryMode = options.directoryMode
        do throws(EngineError) { return try RocksEngine(path: path, options: engineOptions) } catch { throw ObjectStoreError(error) }
    }
}
