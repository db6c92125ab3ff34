import CairnEtcdGraph
import CairnEtcdKit
import CairnObjectsEncryption
import CairnStored
import CairnTestSupport
import Crypto
import Testing

@Stored final class Singer {
    @Unique var name: String
    @Relationship(inverse: \Song.singer, onDelete: .cascade) var songs: ObjectList<Song>
}

@Stored final class Song {
    @Searchable var title: String
    @Indexed var seconds: Int
    @Relationship var singer: Singer?
}

/// What object stores do, over the engine on etcd.
@Suite(.enabled(if: EtcdServer.isInstalled, EtcdServer.missing), .timeLimit(.minutes(5))) struct EtcdObjectStoreTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func open(_ change: (inout ObjectStoreOptions) -> Void = { _ in }) throws -> ObjectStore {
        var options = ObjectStoreOptions()
        change(&options)
        var engine = Scene.options
        engine.readOnly = options.readOnly
        return try ObjectStore(
            engine: EtcdEngine(url: scene.server.url(scene.prefix), options: engine),
            classes: [Singer.self, Song.self],
            options: options
        )
    }

    private func insert(_ count: Int, into store: ObjectStore) throws {
        try store.write { context in
            let singer = Singer(name: "Katrina")
            context.insert(singer)
            for number in 0..<count { singer.songs.append(Song(title: "Song \(number) of sunshine, 日本\(number)", seconds: number)) }
        }
    }

    @Test(arguments: [false, true]) func `objects are there after opening again`(isEncrypted: Bool) throws {
        let encryption = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        var store = try open { if isEncrypted { $0.cipher = encryption } }
        try insert(100, into: store)
        try store.close()
        store = try open { if isEncrypted { $0.cipher = encryption } }
        let context = try store.makeContext()
        #expect(try context.fetch(Song.self, where: \.seconds < 10, sortedBy: \.title).count == 10)
        #expect(try context.search(Song.self, \.title, "[[*77 of sun*]]").map(\.seconds) == [77])
        #expect(try context.search(Song.self, \.title, "[[*日本7*]]").count == 11)
        #expect(try context.fetch(Singer.self).first?.songs.map(\.seconds) == Array(0..<100))
        #expect(try store.verify().isIntact)
        let singer = try #require(try context.fetch(Singer.self).first)
        singer.songs.move(from: 99, to: 0)
        try context.save()
        let later = try store.makeContext()
        #expect(try later.fetch(Singer.self).first?.songs.first?.seconds == 99)
        try context.delete(singer)
        try context.save()
        #expect(try store.makeContext().fetch(Song.self).isEmpty)
        #expect(try store.verify().isIntact)
    }

    @Test func `a store is created only if that is wanted, and can be read without its classes`() throws {
        func code(_ body: () throws(ObjectStoreError) -> Void) -> ObjectStoreError.Code? {
            do throws(ObjectStoreError) { try body() } catch { return error.code }
            return nil
        }
        #expect(code { () throws(ObjectStoreError) in _ = try existing { $0.createIfMissing = false } } == .notFound)
        #expect(code { () throws(ObjectStoreError) in _ = try existing { $0.readOnly = true } } == .notFound)
        try ObjectStore(etcd: scene.server.url(scene.prefix), classes: [Singer.self, Song.self]).write {
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

    /// Each store has an engine of its own, as other machines have.
    @Test(arguments: [false, true]) func `live queries follow the commits of other engines`(isEncrypted: Bool) async throws {
        let encryption = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        let stores = try (0..<2).map { _ in try open { if isEncrypted { $0.cipher = encryption } } }
        let context = try stores[0].makeContext()
        var live = try context.live(Song.self, where: \.seconds < 5).makeAsyncIterator()
        #expect(try await live.next()?.objects.isEmpty == true)
        try insert(20, into: stores[1])
        #expect(try await live.next()?.changes.inserted == [0, 1, 2, 3, 4])
        try stores[1].write { context in
            if let song = try context.first(Song.self, where: \.seconds == 3) { try context.delete(song) }
        }
        #expect(try await live.next()?.changes.removed == [3])
        context.close()
        for store in stores { try store.close() }
        #expect(try await live.next() == nil)
    }

    @Test func `unique values are unique in all stores`() throws {
        let (one, other) = (try open(), try open())
        try one.write { context in context.insert(Singer(name: "Katrina")) }
        #expect(throws: ObjectStoreError.self) { try other.write { context in context.insert(Singer(name: "Katrina")) } }
        try other.write { context in context.insert(Singer(name: "Waves")) }
        #expect(try other.makeContext().fetch(Singer.self).count == 2)
    }

    @Test func `undo reaches the server`() throws {
        let store = try open()
        let context = try store.makeContext()
        context.undo.isEnabled = true
        context.insert(Singer(name: "Katrina"))
        try context.save()
        let singer = try #require(try context.fetch(Singer.self).first)
        singer.name = "Waves"
        try context.save()
        try context.undo.undo()
        try context.save()
        #expect(try store.makeContext().fetch(Singer.self).map(\.name) == ["Katrina"])
    }

    /// Two stores save at random beside a model that knows what was saved.
    @Test func `two stores do what a model does`() async throws {
        try await withSeeds("two stores on etcd", count: Thorough.count(2, of: 100)) { random in
            let scene = try Scene()
            let stores = try (0..<2).map { _ in try ObjectStore(engine: scene.open(), classes: [Singer.self, Song.self]) }
            var model: [String: [Int]] = [:]
            for round in 0..<40 {
                let name = "singer \(random.int(in: 0..<4))"
                let choice = random.int(in: 0..<5)
                let place = random.int(in: 0..<100)
                try stores[random.int(in: 0..<2)].write { context in
                    guard let singer = try context.first(Singer.self, where: \.name == name) else {
                        let singer = Singer(name: name)
                        context.insert(singer)
                        singer.songs.append(Song(title: "song \(round)", seconds: round))
                        return
                    }
                    switch choice {
                    case 0: try context.delete(singer)
                    case 1 where !singer.songs.isEmpty: try context.delete(singer.songs[place % singer.songs.count])
                    default: singer.songs.insert(Song(title: "song \(round)", seconds: round), at: place % (singer.songs.count + 1))
                    }
                }
                if var songs = model[name] {
                    switch choice {
                    case 0: model[name] = nil
                    case 1 where !songs.isEmpty:
                        songs.remove(at: place % songs.count)
                        model[name] = songs
                    default:
                        songs.insert(round, at: place % (songs.count + 1))
                        model[name] = songs
                    }
                } else {
                    model[name] = [round]
                }
                // The one that has saved sees it, and so does a context of the other that is made now.
                for store in stores where random.oneIn(5) {
                    let context = try store.makeContext()
                    let found = try context.fetch(Singer.self).map { ($0.name, $0.songs.map(\.seconds)) }
                    #expect(Dictionary(uniqueKeysWithValues: found) == model)
                    context.close()
                }
            }
            for store in stores {
                #expect(try store.verify().isIntact)
                let context = try store.makeContext()
                let all = try context.search(Song.self, \.title, "[[song*]]").map(\.seconds)
                #expect(all.sorted() == model.values.joined().sorted())
                context.close()
                try store.close()
            }
        }
    }

    /// Stores whose commits must be small: the message says what to raise.
    @Test func `saves beyond the limits of the server are refused, and leave nothing`() throws {
        let store = try ObjectStore(etcd: scene.server.url(scene.prefix), classes: [Singer.self, Song.self])
        let context = try store.makeContext()
        // Each has an entry of the index of names.
        for number in 0..<200 { context.insert(Singer(name: "\(number)")) }
        let error = #expect(throws: ObjectStoreError.self) { try context.save() }
        #expect(error?.code == .tooLarge && "\(String(describing: error))".contains("--max-txn-ops"), "\(String(describing: error))")
        context.rollback()
        context.insert(Singer(name: "Katrina"))
        try context.save()
        #expect(try store.makeContext().fetch(Singer.self).map(\.name) == ["Katrina"])
        #expect(try store.verify().isIntact)
    }

    @Test func `stores of several engines lose nothing, though answers are lost`() async throws {
        let proxy = try Proxy(to: scene.server.port)
        let stores = try (0..<3).map { _ in
            try ObjectStore(
                engine: EtcdEngine(url: proxy.etcdURL(scene.prefix), options: Scene.options),
                classes: [Singer.self, Song.self]
            )
        }
        let rounds = Thorough.count(10, of: 300)
        try await onThreads(6) { number in
            for round in 0..<rounds {
                if round % 3 == 0 { proxy.lose(.reply) }
                try stores[number % 3].write { context in context.insert(Song(title: "Song \(number) \(round)", seconds: number)) }
            }
        }
        let context = try stores[0].makeContext()
        #expect(try context.fetch(Song.self).count == 6 * rounds)
        for number in 0..<6 { #expect(try context.fetch(Song.self, where: \.seconds == number).count == rounds) }
        for store in stores { #expect(try store.verify().isIntact) }
    }
}
