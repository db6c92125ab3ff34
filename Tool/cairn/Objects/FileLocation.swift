import CairnSQLiteGraph

/// A store in a file of SQLite.
struct FileLocation: Sendable {
    let path: String
    /// The longest wait for other processes; `nil` for that of the engine.
    var busyTimeout: Duration?

    func open(adding catalog: ObjectCatalog?, _ options: ObjectStoreOptions) throws(ObjectStoreError) -> ObjectStore {
        try ObjectStore(sqlite: path, busyTimeout: busyTimeout, catalog: catalog ?? ObjectCatalog(classes: []), options: options)
    }

    func engine(createIfMissing: Bool) throws(EngineError) -> SQLiteEngine {
        var options = SQLiteEngineOptions()
        options.createIfMissing = createIfMissing
        if let busyTimeout { options.busyTimeout = busyTimeout }
        return try SQLiteEngine(path: path, options: options)
    }
}
