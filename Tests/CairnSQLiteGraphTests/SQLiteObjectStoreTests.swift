import CairnObjectsEncryption
import CairnSQLiteGraph
import CairnSharedStoreKit
import CairnStored
import CairnTestSupport
import Crypto
import Foundation
import Testing

@Stored final class Letter {
    var reader: String
    var text: String
}

extension Letter: ShreddableObject {
    var shredGroup: String? { reader }
}

/// What object stores do, over the engine on SQLite.
@Suite(.endsWhenItHangs) struct SQLiteObjectStoreTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path("store") }

    init() throws { directory = try TemporaryDirectory() }

    private var stores: SharedStores {
        SharedStores { [path] options in try ObjectStore(sqlite: path, classes: SharedStores.classes, options: options) }
    }

    private func open(_ change: (inout ObjectStoreOptions) -> Void = { _ in }) throws -> ObjectStore { try stores.open(change) }

    private func insert(_ count: Int, into store: ObjectStore) throws { try SharedStores.insert(count, into: store) }

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

    @Test func `errors name the file, even of an engine that was opened before`() throws {
        let store = try ObjectStore(engine: SQLiteEngine(path: path), classes: SharedStores.classes)
        let context = try store.makeContext()
        let error = #expect(throws: ObjectStoreError.self) { try store.close() }
        #expect(error?.message == "could not close \(path): 1 context is in use; close it first")
        context.close()
        try store.close()
        let named = try ObjectStore(engine: SQLiteEngine(path: path), classes: SharedStores.classes, name: "music")
        try named.close()
        #expect(#expect(throws: ObjectStoreError.self) { try named.makeContext() }?.message == "music was closed")
    }

    @Test(arguments: [false, true]) func `live queries follow the commits of other engines`(isEncrypted: Bool) async throws {
        try await stores.followOthers(isEncrypted: isEncrypted)
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
        let classes = SharedStores.classes
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
        let other = try ObjectStore(sqlite: copy, classes: SharedStores.classes)
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

    @Test func `stores of several engines lose nothing`() async throws { try await stores.loseNothing(rounds: Thorough.count(30, of: 500)) }

    @Test func `unique values are unique in all stores`() throws { try stores.keepValuesUnique() }
}
