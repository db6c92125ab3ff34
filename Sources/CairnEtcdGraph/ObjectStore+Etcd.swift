import CairnEtcdEngine
public import CairnGraph

extension ObjectStore {
    /// Opens a store in a cluster of etcd, creating it if it does not exist. Programs on other machines may have it open too.
    ///
    /// ```swift
    /// let store = try ObjectStore(etcd: "etcd://node1:2379,node2:2379,node3:2379/music/songs", classes: [Song.self])
    /// ```
    ///
    /// For certificates, time-outs, limits or a number of connections of your own, open the engine yourself: `ObjectStore(engine: EtcdEngine(url:options:), classes:)`.
    ///
    /// - Parameters:
    ///   - url: `etcd://USER@HOST:PORT,HOST:PORT/PREFIX`, with `etcds` for TLS; see `EtcdEngine`.
    ///   - password: The password of the user. By default, the one in the URL.
    ///   - classes: The classes to work with, in any order. Other classes that the store contains are left alone.
    ///   - options: How to open it.
    /// - Throws: `ObjectStoreError`: `unavailable` if no endpoint can be reached; `permissionDenied`; `notSupported` if a later version of Cairn
    ///   made the store's keys, or the program was built without libcurl; `invalidArgument`, `foreignFile`, `unsupportedVersion`, `schemaMismatch` if a class
    ///   does not match what is stored, or has a property that needs a default, `migrationFailed`, `notUnique` for an index to be built, `keyNeeded`, `wrongKey`,
    ///   `changeUnfinished`, `notFound`, `readOnly`, `tooLarge`, `busy`, `corruption`, `noSpace`, `ioError`.
    public convenience init(
        etcd url: String,
        password: String? = nil,
        classes: [any StoredObject.Type],
        options: ObjectStoreOptions = ObjectStoreOptions()
    ) throws(ObjectStoreError) {
        let engine = { () throws(ObjectStoreError) in try Self.makeEtcdEngine(url, password, options) }
        try self.init(opening: try engine(), classes: classes, options: options, name: "the store in etcd")
    }

    /// Opens a store in a cluster of etcd, creating it if it does not exist, with the classes of a catalog instead of Swift classes: for tools.
    ///
    /// Classes that the store already has are not changed.
    ///
    /// - Throws: Same as ``init(etcd:password:classes:options:)``; `schemaMismatch` for an invalid catalog.
    public convenience init(
        etcd url: String,
        password: String? = nil,
        catalog: ObjectCatalog,
        options: ObjectStoreOptions = ObjectStoreOptions()
    ) throws(ObjectStoreError) {
        let engine = { () throws(ObjectStoreError) in try Self.makeEtcdEngine(url, password, options) }
        try self.init(opening: try engine(), catalog: catalog, options: options, name: "the store in etcd")
    }

    private static func makeEtcdEngine(
        _ url: String,
        _ password: String?,
        _ options: ObjectStoreOptions
    ) throws(ObjectStoreError) -> EtcdEngine {
        var engineOptions = EtcdEngineOptions()
        engineOptions.createIfMissing = options.createIfMissing
        engineOptions.readOnly = options.readOnly
        engineOptions.password = password
        do throws(EngineError) {
            return try EtcdEngine(url: url, options: engineOptions)
        } catch {
            throw ObjectStoreError(error)
        }
    }
}
