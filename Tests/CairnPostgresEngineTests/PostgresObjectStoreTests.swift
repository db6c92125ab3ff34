import CairnPostgresGraph
import CairnPostgresKit
import CairnSharedStoreKit
import CairnTestSupport
import Testing

/// What object stores do, over the engine on PostgreSQL.
@Suite(.enabled(if: Server.shared != nil, Server.missing), .endsWhenItHangs) struct PostgresObjectStoreTests {
    private let scene: Scene
    private let stores: SharedStores

    init() throws {
        let scene = try Scene()
        self.scene = scene
        stores = Self.stores(scene)
    }

    private static func stores(_ scene: Scene) -> SharedStores {
        SharedStores { options in
            try ObjectStore(postgres: scene.server.url, store: scene.store, classes: SharedStores.classes, options: options)
        }
    }

    @Test(arguments: [false, true]) func `objects are there after opening again`(isEncrypted: Bool) throws {
        try stores.keepObjects(isEncrypted: isEncrypted)
    }

    @Test(arguments: [false, true]) func `a save takes few requests, also if others save something else`(isEncrypted: Bool) throws {
        let sent = Tally()
        let proxy = try Proxy(to: .socket(path: scene.server.directory + "/.s.PGSQL.5432")) { _ in
            sent.add()
            return false
        }
        try stores.saveSideBySide(
            isEncrypted: isEncrypted,
            behind: SharedStores { [scene] options in
                try ObjectStore(postgres: proxy.url, store: scene.store, classes: SharedStores.classes, options: options)
            }
        ) { save in
            // Preparing statements, and looking for news now and then, takes more.
            let counts = try (0..<5).map { _ in
                let before = sent.count
                try save()
                return sent.count - before
            }
            // A view, the page of the object, and the commit.
            #expect(try #require(counts.min()) <= 3, "\(counts)")
        }
    }

    @Test func `a store is created only if that is wanted, and can be read without its classes`() throws {
        func code(_ body: () throws(ObjectStoreError) -> Void) -> ObjectStoreError.Code? {
            do throws(ObjectStoreError) { try body() } catch { return error.code }
            return nil
        }
        #expect(code { () throws(ObjectStoreError) in _ = try existing { $0.createIfMissing = false } } == .notFound)
        #expect(code { () throws(ObjectStoreError) in _ = try existing { $0.readOnly = true } } == .notFound)
        try SharedStores.insert(3, into: stores.open())
        let reader = try existing { $0.readOnly = true }
        #expect(reader.catalog["Song"] != nil)
        #expect(code { () throws(ObjectStoreError) in _ = try reader.repair() } == .readOnly)
        let url = "postgresql:///?host=/nowhere"
        #expect(code { () throws(ObjectStoreError) in _ = try ObjectStore(postgres: url, classes: []) } == .unavailable)
        let invalid = code { () throws(ObjectStoreError) in _ = try ObjectStore(postgres: scene.server.url, store: "A", classes: []) }
        #expect(invalid == .invalidArgument)
    }

    private func existing(_ change: (inout ObjectStoreOptions) -> Void) throws(ObjectStoreError) -> ObjectStore {
        var options = ObjectStoreOptions()
        change(&options)
        let catalog = ObjectCatalog(classes: [])
        return try ObjectStore(postgres: scene.server.url, store: scene.store, catalog: catalog, options: options)
    }

    @Test(arguments: [false, true]) func `live queries follow the commits of other engines`(isEncrypted: Bool) async throws {
        try await stores.followOthers(isEncrypted: isEncrypted)
    }

    @Test func `unique values are unique in all stores`() throws { try stores.keepValuesUnique() }

    @Test func `what one store shreds no other can read`() throws {
        try SharedStores.shredForAll { try scene.open() }
    }

    @Test func `undo reaches the server`() throws { try stores.undo() }

    @Test func `two stores do what a model does`() async throws {
        try await withSeeds("two stores on PostgreSQL", count: Thorough.count(2, of: 100)) { random in
            try Self.stores(Scene()).actAsModel(&random)
        }
    }

    @Test func `waits in the background end when their task is cancelled`() async throws {
        let proxy = try Proxy(to: scene.server.directory)
        let stores = SharedStores { [scene] options in
            var patience = PostgresEngineOptions()
            (patience.connectTimeout, patience.statementTimeout) = (.seconds(3600), .seconds(3600))
            patience.retryTimeout = .seconds(3600)
            let engine = try PostgresEngine(url: proxy.url, store: scene.store, options: patience)
            return try ObjectStore(engine: engine, classes: SharedStores.classes, options: options)
        }
        try await stores.waitsEnd(behind: proxy)
    }

    @Test func `stores of several engines lose nothing, though answers are lost`() async throws {
        let proxy = try Proxy(to: scene.server.directory)
        let stores = SharedStores { [scene] options in
            try ObjectStore(engine: PostgresEngine(url: proxy.url, store: scene.store), classes: SharedStores.classes, options: options)
        }
        try await stores.loseNothing(rounds: Thorough.count(10, of: 300)) { round in if round % 3 == 0 { proxy.lose(.reply) } }
    }
}
