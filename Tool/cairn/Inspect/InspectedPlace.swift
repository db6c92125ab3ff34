#if Inspector
import CairnForms
import CairnCDB
import CairnCore
import CairnInspector
import CairnMapped
import CairnMappedEncryption
import CairnObjectsEncryption
import CairnRocks
import CairnRocksGraph
import CairnToolKit

/// A store for `cairn inspect`, which is opened for reading, again whenever that is needed to see what its program has written.
struct InspectedPlace: Sendable {
    let text: String
    let location: StoreLocation?
    let key: GivenKey?
    let order: KeyOrder?
    let dialect: CDBDialect?
    /// Whether an object store is shown as the database that it is in.
    let isDatabase: Bool
    /// Whether it is opened for writing, which no other program may do with RocksDB meanwhile.
    let isEditable: Bool

    private var path: String { StoreLocation.path(in: text) ?? text }

    func open() throws -> Inspector.Source {
        let kind = try PathKind.existing(path)
        try checkOptions(for: kind)
        switch kind {
        case .database:
            let database = try DatabaseOpener(path: path, order: order).open(isEditable ? .readWrite : .readOnly)
            if isDatabase || !database.isObjectStore {
                try refuse(key != nil, "A key is for encrypted object stores and mapped stores; '\(text)' is shown as a RocksDB database.")
                return .database(database)
            }
            try database.close()
            return try objects()
        case .sqlite, .postgres, .etcd: return try objects()
        case .mapped:
            let cipher = try key.map { try MappedEncryption($0) }
            return .mapped(
                try MappedStore(path: path, options: MappedStoreOptions(readOnly: !isEditable, createIfMissing: false, cipher: cipher))
            )
        case .cdb(let found): return .cdb(try CDBReader(path: path, dialect: dialect ?? found))
        default:
            throw Failure(
                .database,
                "'\(text)' is not a RocksDB database, an object store, a mapped store or a constant database.",
                hint: "'cairn doctor' identifies it."
            )
        }
    }

    /// Throws if an option means nothing for stores of a kind.
    private func checkOptions(for kind: PathKind) throws {
        switch kind {
        case .sqlite: break
        default: try refuse(text.hasPrefix("sqlite:"), "'\(path)' is not an SQLite file.")
        }
        if case .database = kind {
            try refuse(order != nil && isEditable, "--order is for reading: an entry that is written in another order may be lost.")
        } else {
            try refuse(text.hasPrefix("rocksdb:"), "'\(path)' is not a RocksDB database.")
            try refuse(isDatabase, "--database is for object stores in RocksDB, and '\(text)' is not one.")
            try refuse(order != nil, "--order is for RocksDB databases, and '\(text)' is not one.")
        }
        if case .cdb = kind {
            try refuse(key != nil, "A key is for encrypted object stores and mapped stores, and '\(text)' is a constant database.")
            try refuse(isEditable, "A constant database cannot be changed.")
        } else {
            try refuse(dialect != nil, "--dialect is for constant databases, and '\(text)' is not one.")
        }
    }

    private func refuse(_ isGiven: Bool, _ message: String) throws { if isGiven { throw Failure(.usage, message) } }

    private func objects() throws -> Inspector.Source {
        var options = ObjectStoreOptions(createIfMissing: false, readOnly: !isEditable)
        options.cipher = try key.map { try ObjectEncryption($0) }
        let location = try location ?? StoreLocation(text)
        return .store(
            try ObjectsArguments.opening(text, hint: "Check the path.") { () throws(ObjectStoreError) in try location.open(options) }
        )
    }

    /// How to see what others write: readers of databases and of constant databases see the files as they were when they opened them, and all others that
    /// a file was replaced.
    var reopening: Inspector.Reopening? {
        if isEditable { return nil }
        return switch try? PathKind.existing(path) {
        case .database, .cdb, .mapped, .sqlite: Inspector.Reopening(path: path) { try open() }
        default: nil
        }
    }
}
#endif
