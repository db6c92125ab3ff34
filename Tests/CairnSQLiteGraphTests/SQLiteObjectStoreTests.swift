import CairnObjectsEncryption
import CairnSQLiteGraph
import CairnStored
import CairnTestSupport
import Crypto
import Foundation
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

@Stored final class Letter {
    var reader: String
    var text: String
}

extension Letter: ShreddableObject {
    var shredGroup: String? { reader }
}

/// What object stores do, over the engine on SQLite.
@Suite(.timeLimit(.minutes(2))) struct SQLiteObjectStoreTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path("store") }

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ change: (inout ObjectStoreOptions) -> Void = { _ in }) throws -> ObjectStore {
        var options = ObjectStoreOptions()
        change(&options)
        return try ObjectStore(sqlite: path, classes: [Singer.self, Song.self], options: options)
    }

    private func insert(_ count: Int, into store: ObjectStore) throws {
        try store.write { context in
            let singer = Singer(name: "Katrina")
            context.insert(singer)
            for number in 0..<count { singer.songs.append(Song(title: "Song \(number) of sunshine", seconds: number)) }
        }
    }

    @Test func `objects are there after opening again`() throws {
        var store = try open()
        try insert(100, into: store)
        try store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["store"])
        store = try open { $0.createIfMissing = false }
        let context = try store.makeContext()
        #expect(try context.fetch(Song.self, where: \.seconds < 10, sortedBy: \.title).count == 10)
        #expect(try context.search(Song.self, \.title, "[[*77 of sun*]]").map(\.seconds) == [77])
        #expect(try context.fetch(Singer.self).first?.songs.count == 100)
        #expect(try store.verify().isIntact)
    }

    /// Each store has an engine of its own, as other processes have.
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

    /// The other process had the key in memory.
    @Test func `what one process shreds is gone for the others`() throws {
        let encryption = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        var options = ObjectStoreOptions()
        options.cipher = encryption
        let stores = try (0..<2).map { _ in try ObjectStore(sqlite: path, classes: [Letter.self], options: options) }
        try stores[0].write { context in for reader in ["ada", "ben"] { context.insert(Letter(reader: reader, text: "to \(reader)")) } }
        func texts() throws -> [String] { try stores[1].read { try $0.fetch(Letter.self).map(\.text) } }
        #expect(try texts() == ["to ada", "to ben"])
        try stores[0].shred("ada")
        #expect(try texts() == ["to ben"])
        try stores[0].write { $0.insert(Letter(reader: "ada", text: "again")) }
        #expect(try texts() == ["to ben", "again"])
        for store in stores { try store.close() }
    }

    @Test func `an encrypted store is moved as it is`() async throws {
        let encryption = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        let store = try open { $0.cipher = encryption }
        try insert(20, into: store)
        let (source, destination) = (try SQLiteEngine(path: path), MemoryEngine())
        try await ObjectStoreMove(from: source, to: destination, destinationName: "memory").run()
        let failure = #expect(throws: ObjectStoreError.self) { try insert(1, into: store) }
        #expect(failure?.code == .moved)
        var options = ObjectStoreOptions()
        let classes: [any StoredObject.Type] = [Singer.self, Song.self]
        #expect(throws: ObjectStoreError.self) { try ObjectStore(engine: destination, classes: classes, options: options) }
        options.cipher = encryption
        let new = try ObjectStore(engine: destination, classes: classes, options: options)
        #expect(try new.read { try $0.count(Song.self) } == 20 && new.verify().isIntact && store.verify().isIntact)
        for store in [store, new] { try store.close() }
        try source.close()
    }

    @Test func `an encrypted store is one, and refuses wrong keys`() throws {
        let encryption = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        let store = try open { $0.cipher = encryption }
        try insert(20, into: store)
        try store.close()
        let bytes = try Data(contentsOf: URL(filePath: path))
        #expect(bytes.range(of: Data("sunshine".utf8)) == nil && bytes.range(of: Data("Katrina".utf8)) == nil)
        #expect(throws: ObjectStoreError.self) { try open() }
        let again = try open { $0.cipher = encryption }
        #expect(try again.makeContext().search(Song.self, \.title, "[[*7 of sun*]]").count == 2)
    }

    @Test func `a save is whole or not at all`() throws {
        let store = try open()
        try insert(10, into: store)
        let context = try store.makeContext()
        let singer = try #require(try context.fetch(Singer.self).first)
        singer.songs.first?.seconds = 1000
        context.insert(Singer(name: "Katrina"))
        #expect(throws: ObjectStoreError.self) { try context.save() }
        #expect(try store.makeContext().fetch(Song.self, where: \.seconds == 1000).isEmpty)
        context.rollback()
        try context.delete(singer)
        try context.save()
        #expect(try store.makeContext().fetch(Song.self).isEmpty)
        #expect(try store.verify().isIntact)
    }

    @Test func `a copy is a store of its own`() throws {
        let store = try open()
        try insert(10, into: store)
        let copy = directory.path("copy")
        try store.makeCheckpoint(at: copy)
        try store.write { context in try context.fetch(Singer.self).forEach { try context.delete($0) } }
        let other = try ObjectStore(sqlite: copy, classes: [Singer.self, Song.self])
        #expect(try other.makeContext().fetch(Song.self).count == 10)
        #expect(try store.makeContext().fetch(Song.self).isEmpty)
    }

    @Test func `stores are opened by their catalog, and for reading only`() throws {
        let store = try open()
        try insert(10, into: store)
        try store.close()
        var options = ObjectStoreOptions()
        options.readOnly = true
        let reader = try open { $0 = options }
        #expect(try reader.makeContext().fetch(Song.self).count == 10)
        let catalog = try ObjectStore(sqlite: path, catalog: ObjectCatalog(classes: []), options: options)
        #expect(try catalog.verify().isIntact)
    }

    @Test func `what is missing or foreign is refused`() throws {
        #expect(throws: ObjectStoreError.self) { try open { $0.createIfMissing = false } }
        try Data("text".utf8).write(to: URL(filePath: path))
        do {
            _ = try open()
            Issue.record("a text was opened")
        } catch let error as ObjectStoreError {
            #expect(error.code == .foreignFile && error.message.contains(path))
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("text".utf8))
    }

    @Test func `stores on one file see what others save`() throws {
        let (one, other) = (try open(), try open())
        try insert(10, into: one)
        let (mine, theirs) = (try one.makeContext(), try other.makeContext())
        let song = try #require(try theirs.fetch(Song.self, where: \.seconds == 3).first)
        try one.write { context in try context.fetch(Song.self, where: \.seconds == 3).first?.seconds = 33 }
        #expect(try mine.fetch(Song.self, where: \.seconds == 33).count == 1)
        #expect(try theirs.fetch(Song.self, where: \.seconds == 33).first === song)
        #expect(song.seconds == 33)
    }

    @Test func `stores of several engines lose nothing`() async throws {
        let stores = try (0..<3).map { _ in try open() }
        let rounds = Thorough.count(30, of: 500)
        try await onThreads(6) { number in
            let store = stores[number % 3]
            for round in 0..<rounds {
                try store.write { context in
                    context.insert(Song(title: "Song \(number) \(round)", seconds: number))
                }
            }
        }
        let context = try stores[0].makeContext()
        #expect(try context.fetch(Song.self).count == 6 * rounds)
        for number in 0..<6 { #expect(try context.fetch(Song.self, where: \.seconds == number).count == rounds) }
        for store in stores { #expect(try store.verify().isIntact) }
    }

    @Test func `unique values are unique in all stores`() throws {
        let (one, other) = (try open(), try open())
        try one.write { context in context.insert(Singer(name: "Katrina")) }
        #expect(throws: ObjectStoreError.self) { try other.write { context in context.insert(Singer(name: "Katrina")) } }
        try other.write { context in context.insert(Singer(name: "Waves")) }
        #expect(try one.makeContext().fetch(Singer.self).count == 2)
    }
}
