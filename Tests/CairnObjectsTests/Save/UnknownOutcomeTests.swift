import CairnObjects
import CairnTestSupport
import Testing

/// Saves through an engine that loses replies, as one behind a network may.
@Suite struct UnknownOutcomeTests {
    private let data = ClientData()

    private struct Client {
        let engine: ClientEngine
        let store: ObjectStore
    }

    private func client(isShared: Bool = true) throws -> Client {
        let engine = ClientEngine(data, isShared: isShared)
        return Client(engine: engine, store: try ObjectStore(engine: engine, classes: musicClasses))
    }

    private static func error(_ body: () throws -> Void) -> ObjectStoreError? {
        do { try body() } catch { return error as? ObjectStoreError }
        return nil
    }

    private static func titles(_ store: ObjectStore) throws -> [String] {
        try store.read { try $0.allObjects(Song.self).map(\.title).sorted() }
    }

    /// The engine finds out: nobody notices.
    @Test func aLostReplyIsNoError() throws {
        let client = try client()
        try client.store.write { $0.insert(Song(artist: "ABBA", title: "SOS")) }
        for number in 0..<10 {
            client.engine.lose(.reply)
            try client.store.write { $0.insert(Song(artist: "ABBA", title: "\(number)")) }
        }
        #expect(try Self.titles(client.store).count == 11)
        #expect(try client.store.verify().problems.isEmpty)
    }

    /// Inserted, changed and deleted objects, with their indexes and back references.
    @Test(arguments: [ClientEngine.Loss.replyAndConnection, .request]) func aSaveIsNotDoneTwice(loss: ClientEngine.Loss) throws {
        let (client, other) = (try client(), try client())
        try client.store.write { context in
            let album = Album(code: "1", title: "ABBA")
            for title in ["changed", "deleted", "kept"] {
                let song = Song(artist: "ABBA", title: title)
                context.insert(song)
                album.songs.append(song)
            }
            context.insert(album)
        }
        let context = try client.store.makeContext()
        let album = try #require(try context.first(Album.self))
        let new = Song(artist: "Queen", title: "new")
        context.insert(new)
        album.songs.append(new)
        album.songs[0].seconds += 10
        try context.delete(album.songs[1])
        client.engine.lose(loss)
        let failure = Self.error { try context.save() }
        #expect(failure?.isOutcomeUnknown == true && failure?.message.contains("unknown") == true)
        #expect(context.hasChanges && new.title == "new")

        // The truth is what others see.
        let wasPerformed = loss == .replyAndConnection
        let expected = wasPerformed ? ["changed", "kept", "new"] : ["changed", "deleted", "kept"]
        #expect(try Self.titles(other.store) == expected && Self.titles(client.store) == expected)

        // Another program continues from there.
        try other.store.write { try $0.first(Song.self, where: \.title == "kept")?.seconds = 99 }
        let again = Self.error { try context.save() }
        if wasPerformed {
            #expect(again?.code == .conflict && again?.message.contains("earlier save") == true)
            context.rollback()
            #expect(!context.hasChanges)
        } else {
            #expect(again == nil && !context.hasChanges)
        }
        for store in [client.store, other.store] {
            let songs = try store.read { context in
                try context.allObjects(Song.self).map { "\($0.title) \($0.seconds) \($0.album?.code ?? "-")" }.sorted()
            }
            #expect(songs == ["changed 10 1", "kept 99 1", "new 0 1"])
            #expect(try store.read { try $0.first(Album.self)?.songs.map(\.title) } == ["changed", "kept", "new"])
            #expect(try store.verify().problems.isEmpty)
        }
        // The context is as good as new.
        context.insert(Song(artist: "Queen", title: "later"))
        try context.save()
        #expect(try Self.titles(other.store) == ["changed", "kept", "later", "new"])
        context.close()
    }

    /// An object of its own: the second save finds it at its row, though another program has changed it since.
    @Test func anInsertedObjectIsNotOverwritten() throws {
        let (client, other) = (try client(), try client())
        try client.store.write { $0.insert(Song(artist: "ABBA", title: "first")) }
        let context = try client.store.makeContext()
        context.insert(Song(artist: "ABBA", title: "SOS"))
        client.engine.lose(.replyAndConnection)
        #expect(code { try context.save() } == .unavailable)
        try other.store.write { try $0.first(Song.self, where: \.title == "SOS")?.seconds = 200 }
        #expect(code { try context.save() } == .conflict)
        context.rollback()
        #expect(try context.first(Song.self, where: \.title == "SOS")?.seconds == 200)
        context.close()
    }

    /// A request that arrives when nobody waits for it any more depends on what it has read, if only that its pages were missing.
    @Test func aLateRequestIsRefused() throws {
        let (client, other) = (try client(), try client())
        let context = try client.store.makeContext()
        context.insert(Song(artist: "ABBA", title: "0"))
        try context.save()
        let songs = (1..<100).map { Song(artist: "ABBA", title: "\($0)") }
        for song in songs { context.insert(song) }
        client.engine.lose(.punctuality)
        #expect(code { try context.save() } == .unavailable)
        try context.save()
        try other.store.write { try $0.first(Song.self, where: \.title == "80")?.seconds = 7 }
        #expect(client.engine.performLateRequest() == .conflict)
        #expect(try other.store.read { try $0.first(Song.self, where: \.title == "80")?.seconds } == 7)
        // In pages that no save had read before: the row is at the beginning of one.
        for song in (100..<200).map({ Song(artist: "ABBA", title: "\($0)") }) { context.insert(song) }
        let next = Song(artist: "ABBA", title: "last")
        try context.save()
        while try context.count(Song.self) % 32 != 31 {
            context.insert(Song(artist: "ABBA", title: "filling"))
            try context.save()
        }
        context.insert(next)
        client.engine.lose(.punctuality)
        #expect(code { try context.save() } == .unavailable)
        try context.save()
        try other.store.write { try $0.first(Song.self, where: \.title == "last")?.seconds = 8 }
        #expect(client.engine.performLateRequest() == .conflict)
        #expect(try other.store.read { try $0.first(Song.self, where: \.title == "last")?.seconds } == 8)
        context.close()
        #expect(try client.store.verify().problems.isEmpty)
    }

    /// Nothing was sent: that is said, and saving again is not a conflict.
    @Test func whatWasNotSentIsNotUnknown() throws {
        let client = try client()
        let context = try client.store.makeContext()
        context.insert(Song(artist: "ABBA", title: "1"))
        client.engine.lose(.connection)
        let failure = Self.error { try context.save() }
        #expect(failure?.code == .unavailable && failure?.isOutcomeUnknown == false)
        #expect(failure?.message.hasPrefix("nothing was saved to ") == true)
        try context.save()
        #expect(try Self.titles(client.store) == ["1"])
    }

    /// The closure could do everything twice.
    @Test func aClosureDoesNotRunAgain() throws {
        let client = try client()
        try client.store.write { $0.insert(Song(artist: "ABBA", title: "0")) }
        var runs = 0
        let failure = Self.error {
            try client.store.write { context in
                runs += 1
                client.engine.lose(.replyAndConnection)
                context.insert(Song(artist: "ABBA", title: "1"))
            }
        }
        #expect(failure?.code == .unavailable && runs == 1)
        #expect(try Self.titles(client.store) == ["0", "1"])
    }

    /// Another context must not refer to an object that may have been deleted.
    @Test func objectsThatMayBeDeletedAreLookedUp() throws {
        // A store that is alone knows what was deleted, unless it does not know the outcome.
        let client = try client(isShared: false)
        try client.store.write { context in
            context.insert(Song(artist: "ABBA", title: "SOS"))
            context.insert(Playlist(title: "All"))
        }
        let (one, other) = (try client.store.makeContext(), try client.store.makeContext())
        let song = try #require(try other.first(Song.self))
        try #require(try other.first(Playlist.self)).songs.append(song)
        try one.delete(try #require(try one.first(Song.self)))
        client.engine.lose(.replyAndConnection)
        #expect(code { try one.save() } == .unavailable)
        #expect(code { try other.save() } == .conflict)
        one.close()
        other.close()
        #expect(try client.store.verify().problems.isEmpty)
    }

    @Test func tooManyReadsAreNamed() throws {
        var limits = EngineLimits()
        limits.maximumCommitReads = 20
        let store = try ObjectStore(engine: MemoryEngine(limits: limits), classes: musicClasses)
        let context = try store.makeContext()
        for number in 0..<24 {
            for _ in 0..<32 { context.insert(Song(artist: "ABBA", title: "\(number)")) }
            try context.save()
        }
        let songs = try context.allObjects(Song.self)
        for song in songs { song.seconds = 1 }
        let failure = Self.error { try context.save() }
        #expect(failure?.code == .tooLarge)
        #expect(failure?.message.contains("reads") == true && failure?.message.contains("save fewer objects at once") == true)
        context.rollback()
        for part in 0..<24 {
            for song in songs[part * 32..<part * 32 + 32] { song.seconds = 2 }
            try context.save()
        }
        #expect(try store.read { try $0.allObjects(Song.self).allSatisfy { $0.seconds == 2 } })
        context.close()
    }
}
