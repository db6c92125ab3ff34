import CairnEtcdGraph
import CairnEtcdKit
import CairnSharedStoreKit
import CairnTestSupport
import Testing

/// What object stores do, over the engine on etcd.
@Suite(.enabled(if: EtcdServer.isInstalled, EtcdServer.missing), .endsWhenItHangs) struct EtcdObjectStoreTests {
    private let scene: Scene
    private let stores: SharedStores

    init() throws {
        scene = try Scene()
        stores = Self.stores(scene)
    }

    private static func stores(_ scene: Scene, _ proxy: Proxy? = nil) -> SharedStores {
        SharedStores { options in
            var engine = Scene.options
            engine.readOnly = options.readOnly
            let url = proxy?.etcdURL(scene.prefix) ?? scene.server.url(scene.prefix)
            return try ObjectStore(engine: EtcdEngine(url: url, options: engine), classes: SharedStores.classes, options: options)
        }
    }

    @Test(arguments: [false, true]) func `objects are there after opening again`(isEncrypted: Bool) throws {
        try stores.keepObjects(isEncrypted: isEncrypted)
    }

    @Test func `a store is created only if that is wanted, and can be read without its classes`() throws {
        func code(_ body: () throws(ObjectStoreError) -> Void) -> ObjectStoreError.Code? {
            do throws(ObjectStoreError) { try body() } catch { return error.code }
            return nil
        }
        #expect(code { () throws(ObjectStoreError) in _ = try existing { $0.createIfMissing = false } } == .notFound)
        #expect(code { () throws(ObjectStoreError) in _ = try existing { $0.readOnly = true } } == .notFound)
        try ObjectStore(etcd: scene.server.url(scene.prefix), classes: SharedStores.classes).write {
            $0.insert(Singer(name: "Katrina"))
        }
        let reader = try existing { $0.readOnly = true }
        #expect(reader.catalog["Singer"] != nil)
        #expect(code { () throws(ObjectStoreError) in _ = try reader.repair() } == .readOnly)
        #expect(code { () throws(ObjectStoreError) in _ = try ObjectStore(etcd: "etcd://127.0.0.1:1", classes: []) } == .unavailable)
        #expect(code { () throws(ObjectStoreError) in _ = try ObjectStore(etcd: "etcd://127.0.0.1:1/:", classes: []) } == .invalidArgument)
    }

    private func existing(_ change: (inout ObjectStoreOptions) -> Void) throws(ObjectStoreError) -> ObjectStore {
        var options = ObjectStoreOptions()
        change(&options)
        let catalog = ObjectCatalog(classes: [])
        return try ObjectStore(etcd: scene.server.url(scene.prefix), catalog: catalog, options: options)
    }

    @Test(arguments: [false, true]) func `live queries follow the commits of other engines`(isEncrypted: Bool) async throws {
        try await stores.followOthers(isEncrypted: isEncrypted)
    }

    @Test func `saves of different objects do not make each other try again`() throws {
        let sent = Tally()
        let proxy = try scene.proxy(countingCommitsIn: sent)
        try stores.saveSideBySide(behind: Self.stores(scene, proxy)) { save in
            let before = sent.count
            for _ in 0..<4 { try save() }
            #expect(sent.count - before == 4)
        }
    }

    @Test func `unique values are unique in all stores`() throws { try stores.keepValuesUnique() }

    @Test func `what one store shreds no other can read`() throws {
        try SharedStores.shredForAll { try scene.open() }
    }

    @Test func `undo reaches the server`() throws { try stores.undo() }

    @Test func `two stores do what a model does`() async throws {
        try await withSeeds("two stores on etcd", count: Thorough.count(2, of: 100)) { random in
            try Self.stores(Scene()).actAsModel(&random)
        }
    }

    /// Stores whose commits must be small: the message says what to raise.
    @Test func `saves beyond the limits of the server are refused, and leave nothing`() throws {
        let store = try ObjectStore(etcd: scene.server.url(scene.prefix), classes: SharedStores.classes)
        let context = try store.makeContext()
        // Each has an entry of the index of names.
        for number in 0..<2_000 { context.insert(Singer(name: "\(number)")) }
        let error = try #require(#expect(throws: ObjectStoreError.self) { try context.save() })
        #expect(error.code == .tooLarge)
        // The flags of the server, where the same values are given, and what to do without them.
        let flags = ["--max-txn-ops", "--max-request-bytes"]
        for part in flags + ["?max-txn-ops=", ", or save fewer objects at once"] {
            #expect(error.message.contains(part), "\(error)")
        }
        context.rollback()
        context.insert(Singer(name: "Katrina"))
        try context.save()
        #expect(try store.makeContext().fetch(Singer.self).map(\.name) == ["Katrina"])
        #expect(try store.verify().isIntact)
    }

    @Test func `waits in the background end when their task is cancelled`() async throws {
        let proxy = try Proxy(to: scene.server.port)
        let stores = SharedStores { [scene] options in
            var patience = Scene.options
            (patience.connectTimeout, patience.requestTimeout) = (.seconds(3600), .seconds(3600))
            patience.retryTimeout = .seconds(3600)
            let engine = try EtcdEngine(url: proxy.etcdURL(scene.prefix), options: patience)
            return try ObjectStore(engine: engine, classes: SharedStores.classes, options: options)
        }
        try await stores.waitsEnd(behind: proxy)
    }

    @Test func `stores of several engines lose nothing, though answers are lost`() async throws {
        let proxy = try Proxy(to: scene.server.port)
        try await Self.stores(scene, proxy).loseNothing(rounds: Thorough.count(10, of: 300)) { round in
            if round % 3 == 0 { proxy.lose(.reply) }
        }
    }
}
