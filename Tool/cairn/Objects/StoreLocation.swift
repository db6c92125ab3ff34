import CairnCore
import CairnRocksGraph
import CairnSQLiteGraph

/// Where an object store is: the directory of a RocksDB database, or a file of SQLite.
struct StoreLocation: Sendable {
    let path: String
    let isSQLite: Bool

    /// - Parameter text: `sqlite:PATH`, or a path. A file of SQLite that exists is recognized without the prefix.
    init(_ text: String) {
        let prefix = "sqlite:"
        if text.hasPrefix(prefix) {
            (path, isSQLite) = (String(text.dropFirst(prefix.count)), true)
        } else {
            path = text
            isSQLite = if case .sqlite = try? PathKind.of(text) { true } else { false }
        }
    }

    /// Opens the store without Swift classes.
    ///
    /// - Parameter catalog: Classes to add.
    func open(adding catalog: ObjectCatalog? = nil, _ options: ObjectStoreOptions) throws(ObjectStoreError) -> ObjectStore {
        if isSQLite {
            if let catalog { return try ObjectStore(sqlite: path, catalog: catalog, options: options) }
            return try ObjectStore(sqlite: path, classes: [], options: options)
        }
        if let catalog { return try ObjectStore(path: path, catalog: catalog, options: options) }
        return try ObjectStore(path: path, classes: [], options: options)
    }

    /// Opens the engine, without looking at the store in it.
    func engine(createIfMissing: Bool) throws(ObjectStoreError) -> any StorageEngine {
        do throws(EngineError) {
            if isSQLite {
                var options = SQLiteEngineOptions()
                options.createIfMissing = createIfMissing
                return try SQLiteEngine(path: path, options: options)
            }
            var options = RocksEngineOptions()
            options.createIfMissing = createIfMissing
            return try RocksEngine(path: path, options: options)
        } catch {
            throw ObjectStoreError(error)
        }
    }
}
