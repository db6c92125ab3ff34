import CairnCore
import CairnEtcdGraph
import CairnPostgresGraph
import CairnRocksGraph
import CairnSQLiteGraph
import CairnToolKit

/// Where an object store is: the directory of a RocksDB database, a file of SQLite, a database of PostgreSQL, or a cluster of etcd.
enum StoreLocation: Sendable {
    case rocks(path: String)
    case sqlite(path: String)
    case postgres(ServerLocation)
    case etcd(EtcdLocation)

    /// Whether a text is a URL of a server.
    static func isURL(_ text: String) -> Bool { ServerLocation.isURL(text) || EtcdLocation.isURL(text) }

    /// - Parameters:
    ///   - text: `rocksdb:PATH`, `sqlite:PATH`, a URL of PostgreSQL or etcd, or a path. A file of SQLite that exists is recognized without the prefix.
    ///   - password: The password for the server; `nil`: where libpq looks for it; none for etcd.
    init(_ text: String, password: String? = nil) throws {
        let (rocks, sqlite) = ("rocksdb:", "sqlite:")
        if ServerLocation.isURL(text) {
            self = .postgres(try ServerLocation(text, password: password))
        } else if EtcdLocation.isURL(text) {
            self = .etcd(try EtcdLocation(text, password: password))
        } else if text.hasPrefix(rocks) {
            self = .rocks(path: String(text.dropFirst(rocks.count)))
        } else if text.hasPrefix(sqlite) {
            self = .sqlite(path: String(text.dropFirst(sqlite.count)))
        } else if case .sqlite = try? PathKind.of(text) {
            self = .sqlite(path: text)
        } else {
            self = .rocks(path: text)
        }
    }

    /// Opens the store without Swift classes.
    ///
    /// - Parameter catalog: Classes to add.
    func open(adding catalog: ObjectCatalog? = nil, _ options: ObjectStoreOptions) throws(ObjectStoreError) -> ObjectStore {
        switch self {
        case .rocks(let path):
            if let catalog { return try ObjectStore(path: path, catalog: catalog, options: options) }
            return try ObjectStore(path: path, classes: [], options: options)
        case .sqlite(let path):
            if let catalog { return try ObjectStore(sqlite: path, catalog: catalog, options: options) }
            return try ObjectStore(sqlite: path, classes: [], options: options)
        case .postgres(let server): return try server.open(adding: catalog, options)
        case .etcd(let cluster): return try cluster.open(adding: catalog, options)
        }
    }

    /// Opens the engine, without looking at the store in it.
    func engine(createIfMissing: Bool) throws(EngineError) -> any StorageEngine {
        switch self {
        case .rocks(let path):
            var options = RocksEngineOptions()
            options.createIfMissing = createIfMissing
            return try RocksEngine(path: path, options: options)
        case .sqlite(let path):
            var options = SQLiteEngineOptions()
            options.createIfMissing = createIfMissing
            return try SQLiteEngine(path: path, options: options)
        case .postgres(let server): return try server.engine(createIfMissing: createIfMissing)
        case .etcd(let cluster): return try cluster.engine(createIfMissing: createIfMissing)
        }
    }

    /// What an engine there would refuse.
    var limits: EngineLimits {
        switch self {
        case .rocks, .sqlite: EngineLimits()
        case .postgres: PostgresEngine.limits
        case .etcd(let cluster): cluster.limits
        }
    }
}
