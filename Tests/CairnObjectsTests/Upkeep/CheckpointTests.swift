import CairnObjects
import CairnTestSupport
import Foundation
import Synchronization
import Testing

/// Copies of stores that are open.
struct CheckpointTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func titles(_ store: ObjectStore) throws -> [String] {
        try store.read { try $0.fetch(Song.self, sortedBy: \.title).map(\.title) }
    }

    @Test func aCopyIsAStoreOfItsOwn() throws {
        let store = try scene.store()
        try store.write { context in
            let album = Album(code: "A", title: "Walking")
            album.songs = [Song("one"), Song("two")]
            context.insert(album)
            try context.setNamed("album", to: album)
        }
        let context = try store.makeContext()
        context.insert(Song("not saved"))
        try store.makeCheckpoint(at: scene.directory.path("copy"))
        try context.save()
        context.close()

        let copy = try scene.store("copy")
        #expect(try titles(copy) == ["one", "two"])
        #expect(try copy.verify().isIntact)
        try copy.write { context in
            #expect(try context.named("album", as: Album.self)?.songs.map(\.title) == ["one", "two"])
            try context.delete(context.fetch(Song.self, where: \.title == "one")[0])
        }
        #expect(try titles(copy) == ["two"])
        try copy.close()
        #expect(try titles(store) == ["not saved", "one", "two"])
        #expect(try store.verify().isIntact)
        try store.close()
    }

    @Test func aStoreIsItsUsersAlone() throws {
        func mode(_ name: String) throws -> UInt32 { try FileSystem.system.stat(scene.directory.path(name)).mode }
        let store = try ObjectStore(path: scene.directory.path("mine"), classes: musicClasses)
        try store.write { $0.insert(Song("one")) }
        try store.makeCheckpoint(at: scene.directory.path("copy"))
        #expect(try mode("mine") == 0o700 && mode("copy") == 0o700)
        var options = ObjectStoreOptions()
        options.directoryMode = 0o2770
        let shared = try ObjectStore(path: scene.directory.path("shared"), classes: musicClasses, options: options)
        try shared.write { $0.insert(Song("one")) }
        #expect(try mode("shared") == 0o2770)
    }

    /// A store that was opened to be read is opened for writing only once there is something to write.
    @Test func aStoreThatNobodyWroteToCanBeCopied() throws {
        let store = try scene.store()
        try store.write { $0.insert(Song("one")) }
        try store.close()
        let again = try scene.store()
        try again.makeCheckpoint(at: scene.directory.path("copy"))
        try again.close()
        #expect(try titles(scene.store("copy")) == ["one"])
    }

    @Test func savesThatHappenMeanwhileAreInACopyWholeOrNotAtAll() async throws {
        let store = try scene.store()
        let isOver = Atomic(false)
        @Sendable func save(_ number: Int) throws {
            try store.write { context in
                let album = Album(code: "\(number)", title: "")
                album.songs = [Song("\(number) a"), Song("\(number) b")]
                context.insert(album)
            }
        }
        try save(0)
        let failed = Mutex<(any Error)?>(nil)
        let ended = DispatchSemaphore(value: 0)
        let writer = Thread {
            do {
                for number in 1..<3000 where !isOver.load(ordering: .acquiring) { try save(number) }
            } catch { failed.withLock { $0 = error } }
            ended.signal()
        }
        writer.start()
        defer {
            isOver.store(true, ordering: .releasing)
            ended.wait()
            #expect(failed.withLock { $0 == nil })
        }
        var counts: [Int] = []
        for number in 0..<4 {
            try await store.makeCheckpointInBackground(at: scene.directory.path("copy \(number)"))
            let copy = try scene.store("copy \(number)")
            let (songs, albums) = try copy.read { (try $0.count(Song.self), try $0.count(Album.self)) }
            #expect(songs == albums * 2)
            #expect(try copy.verify().isIntact)
            counts.append(albums)
            try copy.close()
        }
        #expect(counts == counts.sorted() && counts[0] > 0)
    }

    @Test func aCopyIsMadeBesideOthersThatAreCalledLikeIt() async throws {
        let store = try scene.store()
        try store.write { $0.insert(Song("one")) }
        // RocksDB makes checkpoints at PATH.tmp, which it empties before.
        let other = scene.directory.path("copy.tmp")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        try Data("a letter".utf8).write(to: URL(filePath: other + "/letter"))
        let path = scene.directory.path("copy")
        let outcomes = try await withThrowingTaskGroup(of: ObjectStoreError.Code?.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    do throws(ObjectStoreError) { try await store.makeCheckpointInBackground(at: path) } catch { return error.code }
                    return nil
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // The first call makes it, and the others fail because it exists.
        #expect(outcomes.filter { $0 == nil }.count == 1 && outcomes.filter { $0 == .invalidArgument }.count == 3)
        #expect(try titles(scene.store("copy")) == ["one"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: other) == ["letter"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.directory.path).sorted() == ["copy", "copy.tmp", "music"])
    }

    @Test func whatCannotBeCopied() throws {
        let store = try scene.store()
        try store.write { $0.insert(Song("one")) }
        let taken = scene.directory.path("taken")
        try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: false)
        try Data("a letter".utf8).write(to: URL(filePath: taken + "/letter"))
        #expect(code { try store.makeCheckpoint(at: taken) } == .invalidArgument)
        #expect(try FileManager.default.contentsOfDirectory(atPath: taken) == ["letter"])
        #expect(code { try store.makeCheckpoint(at: scene.directory.path("music")) } == .invalidArgument)
        #expect(code { try store.makeCheckpoint(at: scene.directory.path("no/where")) } == .notFound)
        let files = try FileManager.default.contentsOfDirectory(atPath: scene.directory.path("music")).sorted()
        let inside = #expect(throws: ObjectStoreError.self) { try store.makeCheckpoint(at: scene.directory.path("music/copy")) }
        #expect(inside?.code == .invalidArgument && inside?.message.contains("inside the directory of the store") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.directory.path("music")).sorted() == files)

        let copy = scene.directory.path("copy")
        let reader = try scene.store { $0.readOnly = true }
        #expect(code { try reader.makeCheckpoint(at: copy) } == .readOnly)
        let memory = try ObjectStore(engine: MemoryEngine(), classes: musicClasses)
        #expect(code { try memory.makeCheckpoint(at: copy) } == .notSupported)
        try store.close()
        #expect(code { try store.makeCheckpoint(at: copy) } == .closed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.directory.path).sorted() == ["music", "taken"])
    }
}
