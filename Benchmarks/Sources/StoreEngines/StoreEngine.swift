public import BenchKit
public import CairnObjects
import CairnSQLiteGraph

/// What holds object stores.
public enum StoreEngine: Sendable {
    case rocks
    case sqlite

    /// A side on it, in the tables: what its programs import.
    public var sideName: String { self == .rocks ? "CairnObjects" : "CairnSQLiteGraph" }

    /// Opens a store, made if it is not there.
    public func open(
        _ path: String,
        _ classes: [any StoredObject.Type],
        _ options: ObjectStoreOptions = ObjectStoreOptions()
    ) throws -> ObjectStore {
        switch self {
        case .rocks: try ObjectStore(path: path, classes: classes, options: options)
        case .sqlite: try ObjectStore(sqlite: path, classes: classes, options: options)
        }
    }

    /// The engine alone, made if it is not there.
    public func makeEngine(_ path: String) throws -> any StorageEngine {
        switch self {
        case .rocks: try RocksEngine(path: path)
        case .sqlite: try SQLiteEngine(path: path)
        }
    }

    /// A workload as it is called on this engine: `objects/update` on SQLite is `objects-sqlite/update`, which has goals of its own.
    public func workload(_ usual: Workload, goals: [Goal] = []) -> Workload {
        guard self == .sqlite, let slash = usual.name.firstIndex(of: "/") else { return usual }
        return Workload("\(usual.name[..<slash])-sqlite\(usual.name[slash...])", usual.summary, goals: goals)
    }
}
