import CairnCore
import CairnEtcdGraph
import CairnPostgresGraph
import CairnRocksGraph
import CairnSQLiteGraph
import CairnToolKit

/// Where an object store is: the directory of a RocksDB database, a file of SQLite, a database of PostgreSQL, or a cluster of etcd.
enum StoreLocation: Sendable {
    case rocks(path: String)
    case sqlite(FileLocation)
    case postgres(ServerLocation)
    case etcd(EtcdLocation)

    /// Whether a text is a URL of a server with a user, who may have a password.
    static func takesPassword(_ text: String) -> Bool {
        ServerLocation.isURL(text) || EtcdLocation.isURL(text) && EtcdLocation.hasUser(text)
    }

    /// The path in `rocksdb:PATH` and `sqlite:PATH`; `nil` for any other text.
    static func path(in text: String) -> String? {
        let text = normalized(text)
        return [rocksPrefix, sqlitePrefix].first(where: text.hasPrefix).map { String(text.dropFirst($0.count)) }
    }

    /// What comes before `://`, in lower case; `nil` for a text that is not like a URL.
    static func scheme(of text: String) -> String? {
        text.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*):\/\//).map { $0.1.lowercased() }
    }

    /// The text with its scheme, if it has one, in lower case.
    static func normalized(_ text: String) -> String { scheme(of: text).map { $0 + text.dropFirst($0.count) } ?? text }

    /// Throws for a URL whose scheme is not one of those of stores; shows nothing of it, since it may have a password.
    static func refuseUnknownScheme(_ text: String) throws {
        guard scheme(of: text) != nil, path(in: text) == nil, !ServerLocation.isURL(text), !EtcdLocation.isURL(text) else { return }
        throw Failure(
            .usage,
            "The URL's scheme is unknown: use postgresql://, postgres://, etcd:// or etcds://, or sqlite:PATH or rocksdb:PATH.",
            hint: "If it is a path, write './' before it."
        )
    }

    private static let (rocksPrefix, sqlitePrefix) = ("rocksdb:", "sqlite:")

    /// - Parameters:
    ///   - text: `rocksdb:PATH`, `sqlite:PATH`, a URL of PostgreSQL or etcd, or a path. A file of SQLite that exists is recognized without the prefix.
    ///   - password: The password for the server, if it takes one; `nil`: where libpq looks for it; none for etcd.
    init(_ text: String, password: String? = nil) throws {
        try Self.refuseUnknownScheme(text)
        let text = Self.normalized(text)
        let password = Self.takesPassword(text) ? password : nil
        if ServerLocation.isURL(text) {
            self = .postgres(try ServerLocation(text, password: password))
        } else if EtcdLocation.isURL(text) {
            let cluster = try EtcdLocation(text, password: password)
            guard password != nil || !Self.takesPassword(text) else {
                throw Failure(
                    .usage,
                    "The URL has a user, but no password was given.",
                    hint: "Use --password-file, or the environment variable CAIRN_PASSWORD."
                )
            }
            self = .etcd(cluster)
        } else if let path = Self.path(in: text) {
            self = text.hasPrefix(Self.sqlitePrefix) ? .sqlite(FileLocation(path: path)) : .rocks(path: path)
        } else if case .sqlite = try? PathKind.of(text) {
            self = .sqlite(FileLocation(path: text))
        } else {
            self = .rocks(path: text)
        }
    }

    /// What a move records: right from any directory.
    ///
    /// - Parameter text: The argument.
    func name(_ text: String) -> String {
        switch self {
        case .rocks(let path): Self.absolute(path)
        case .sqlite(let file): Self.sqlitePrefix + Self.absolute(file.path)
        case .postgres, .etcd: Self.normalized(text)
        }
    }

    private static func absolute(_ path: String) -> String {
        var path = path[...]
        while path.hasPrefix("./") { path = path.dropFirst(2) }
        while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        return FileSystem.absolute(String(path))
    }

    /// The place with a longest wait for other processes; `nil` unless it is a file of SQLite.
    func waiting(_ timeout: Duration) -> StoreLocation? {
        guard case .sqlite(var file) = self else { return nil }
        file.busyTimeout = timeout
        return .sqlite(file)
    }

    /// The same for all spellings of a place, as far as that can be known without asking a server.
    var place: [String] {
        switch self {
        case .rocks(let path): ["rocksdb"] + Self.place(path)
        case .sqlite(let file): ["sqlite"] + Self.place(file.path)
        case .postgres(let server): ["postgresql"] + server.place
        case .etcd(let cluster): ["etcd"] + cluster.place
        }
    }

    /// The file or directory, or a name in a directory if there is none.
    private static func place(_ path: String) -> [String] {
        let path = absolute(path)
        if let found = try? FileSystem.system.stat(path) { return ["\(found.identity)"] }
        let (directory, name) = FileSystem.split(path)
        guard let found = try? FileSystem.system.stat(directory) else { return [path] }
        return ["\(found.identity)", name]
    }

    /// The size of its files; `nil` on servers.
    var size: ByteCount? {
        func size(_ path: String) -> Int64 { (try? FileSystem.system.stat(path))?.size ?? 0 }
        switch self {
        case .rocks(let path):
            let names = (try? FileSystem.system.list(path)) ?? []
            return ByteCount(bytes: names.reduce(0) { $0 + size(FileSystem.join(path, $1)) })
        case .sqlite(let file): return ByteCount(bytes: size(file.path) + size(file.path + "-wal"))
        case .postgres, .etcd: return nil
        }
    }

    /// How to delete what is there.
    var removal: String {
        switch self {
        case .rocks(let path): "rm -r \(path.quotedForShell)"
        // A log that is left would be taken for that of the next file of this name.
        case .sqlite(let file): "rm -f " + ["", "-wal", "-shm"].map { (file.path + $0).quotedForShell }.joined(separator: " ")
        case .postgres(let server): "DROP SCHEMA \"\(server.store)\" CASCADE, as its owner"
        case .etcd(let cluster): "etcdctl del --prefix \(cluster.prefix.quotedForShell)"
        }
    }

    /// Throws if a store, of which there is none, cannot be created there. Changes nothing that stays.
    func checkCreation() throws(ObjectStoreError) {
        switch self {
        case .rocks(let path):
            let names = (try? FileSystem.system.list(path)) ?? []
            // RocksDB leaves some if it is killed while it creates a database.
            let isOther = { (name: String) in
                !["LOCK", "IDENTITY", "MANIFEST-000001"].contains(name) && !name.hasPrefix("LOG") && !name.hasSuffix(".dbtmp")
            }
            guard !names.contains(where: isOther) else {
                throw ObjectStoreError(.foreignFile, "'\(path)' is a directory with other files; move to an empty place")
            }
            try Self.checkCreation(path)
        case .sqlite(let file): try Self.checkCreation(file.path)
        case .postgres(let server):
            do { try server.checkCreation() } catch { throw ObjectStoreError(error) }
        case .etcd(let cluster):
            do { try cluster.checkCreation() } catch { throw ObjectStoreError(error) }
        }
    }

    /// Throws if the user may not write to a store that was opened. Changes nothing that stays.
    static func checkWriting(_ engine: any StorageEngine) throws(ObjectStoreError) {
        do throws(EngineError) {
            switch engine {
            case let engine as PostgresEngine: try engine.checkWriting()
            case let engine as EtcdEngine: try engine.checkWriting()
            // The directory or file was opened for writing.
            default: break
            }
        } catch {
            throw ObjectStoreError(error)
        }
    }

    /// Only an attempt shows what a file system permits.
    private static func checkCreation(_ path: String) throws(ObjectStoreError) {
        let path = absolute(path)
        let isDirectory = (try? FileSystem.system.stat(path))?.kind == .directory
        let directory = isDirectory ? path : FileSystem.split(path).directory
        let trial = FileSystem.join(directory, ".cairn-\(UInt64.random(in: .min ... .max))")
        do throws(SystemCallError) {
            try FileSystem.system.mkdir(trial)
            try FileSystem.system.rmdir(trial)
        } catch {
            guard (try? FileSystem.system.stat(directory)) != nil else {
                let advice = FileSystem.parent(of: trial) == .unexpanded ? "; '~' is not expanded here" : ""
                throw ObjectStoreError(.notFound, "'\(path)' cannot be created: create the directory '\(directory)' first\(advice)")
            }
            throw ObjectStoreError(.permissionDenied, "nothing can be created in '\(directory)': \(error.text)")
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
        case .sqlite(let file): return try file.open(adding: catalog, options)
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
        case .sqlite(let file): return try file.engine(createIfMissing: createIfMissing)
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
