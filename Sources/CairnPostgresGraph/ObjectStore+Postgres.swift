public import CairnGraph
import CairnPostgresEngine

extension ObjectStore {
    /// Opens a store in a database of PostgreSQL, creating it if it does not exist. Programs on other machines may have it open too.
    ///
    /// ```swift
    /// let url = "postgresql://music@db1,db2/music?target_session_attrs=read-write&sslmode=verify-full"
    /// let store = try ObjectStore(postgres: url, store: "songs", classes: [Song.self])
    /// ```
    ///
    /// For a retention, time-outs or a number of connections of your own, open the engine yourself: `ObjectStore(engine: PostgresEngine(url:store:options:), classes:)`.
    ///
    /// - Parameters:
    ///   - url: A URL, or a list of keywords and values, as libpq takes them.
    ///   - store: The name of the store, which is a schema of the database: 1 to 48 characters from a-z, 0-9 and _.
    ///   - password: The password of the user. By default, the one in the URL, or where libpq looks for it: in `PGPASSWORD` and `.pgpass`.
    ///   - classes: The classes to work with, in any order. Other classes that the store contains are left alone.
    ///   - options: How to open it.
    /// - Throws: `ObjectStoreError`: `unavailable` if the server cannot be reached; `permissionDenied`, also if it refuses the user; `notSupported` if a later
    ///   version of Cairn made the tables, or the program was built without libpq; `invalidArgument`, `foreignFile`, `unsupportedVersion`, `schemaMismatch` if a class
    ///   does not match what is stored, or has a property that needs a default, `migrationFailed`, `notUnique` for an index to be built, `keyNeeded`, `wrongKey`,
    ///   `changeUnfinished`, `notFound`, `readOnly`, `busy`, `corruption`, `noSpace`, `ioError`.
    public convenience init(
        postgres url: String,
        store: String = "cairn",
        password: String? = nil,
        classes: [any StoredObject.Type],
        options: ObjectStoreOptions = ObjectStoreOptions()
    ) throws(ObjectStoreError) {
        let engine = { () throws(ObjectStoreError) in try Self.makePostgresEngine(url, store, password, options) }
        try self.init(opening: try engine(), classes: classes, options: options, name: "the store '\(store)'")
    }

    /// Opens a store in a database of PostgreSQL, creating it if it does not exist, with the classes of a catalog instead of Swift classes: for tools.
    ///
    /// Classes that the store already has are not changed.
    ///
    /// - Throws: Same as ``init(postgres:store:password:classes:options:)``; `schemaMismatch` for an invalid catalog.
    public convenience init(
        postgres url: String,
        store: String = "cairn",
        password: String? = nil,
        catalog: ObjectCatalog,
        options: ObjectStoreOptions = ObjectStoreOptions()
    ) throws(ObjectStoreError) {
        let engine = { () throws(ObjectStoreError) in try Self.makePostgresEngine(url, store, password, options) }
        try self.init(opening: try engine(), catalog: catalog, options: options, name: "the store '\(store)'")
    }

    private static func makePostgresEngine(
        _ url: String,
        _ store: String,
        _ password: String?,
        _ options: ObjectStoreOptions
    ) throws(ObjectStoreError) -> PostgresEngine {
        var engineOptions = PostgresEngineOptions()
        engineOptions.createIfMissing = options.createIfMissing
        engineOptions.readOnly = options.readOnly
        engineOptions.password = password
        do throws(EngineError) {
            return try PostgresEngine(url: url, store: store, options: engineOptions)
        } catch {
            throw ObjectStoreError(error)
        }
    }
}
