import CairnObjects
import CairnTestSupport
import Testing

/// Contexts on an engine that does not keep old states.
@Suite struct ExpiredViewTests {
    private let engine: ClientEngine
    private let store: ObjectStore

    init() throws {
        var limits = EngineLimits()
        limits.maximumViewAge = .seconds(3600)
        engine = ClientEngine(ClientData(limits: limits))
        store = try ObjectStore(engine: engine, classes: musicClasses)
        try store.write { context in
            for number in 0..<100 { context.insert(Song(artist: "ABBA", title: "\(number)")) }
        }
    }

    @Test func anObjectIsReadInANewState() throws {
        let context = try store.makeContext()
        let songs = try context.allObjects(Song.self)
        context.refresh()
        #expect(songs[0].title == "0")
        engine.expireViews()
        #expect(songs[99].title == "99" && context.faultErrors.isEmpty)
        context.close()
    }

    @Test func aQuerySaysSoAndWorksAfterRefresh() throws {
        let context = try store.makeContext()
        let song = try #require(try context.first(Song.self, where: \.title == "7"))
        song.seconds = 7
        engine.expireViews()
        do {
            _ = try context.allObjects(Song.self)
            Issue.record("it was read in an expired view")
        } catch {
            #expect(error.code == .expired && error.message.contains("no longer"))
        }
        context.refresh()
        #expect(try context.allObjects(Song.self).count == 100)
        // Unsaved changes are kept, and can be saved.
        #expect(song.seconds == 7)
        try context.save()
        #expect(try store.read { try $0.first(Song.self, where: \.title == "7")?.seconds } == 7)
        context.close()
    }

    @Test func readingSaysSo() throws {
        let failure = #expect(throws: ObjectStoreError.self) {
            try store.read { context in
                _ = try context.count(Song.self)
                engine.expireViews()
                _ = try context.allObjects(Song.self)
            }
        }
        #expect(failure?.code == .expired)
        #expect(try store.read { try $0.count(Song.self) } == 100)
    }

    /// Lists that could not be read look empty, also to a closure that changes nothing.
    @Test func whatCouldNotBeReadIsNoResult() throws {
        try store.write { context in
            let album = Album(code: "a", title: "A")
            context.insert(album)
            album.songs.append(contentsOf: try context.allObjects(Song.self))
        }
        let failure = #expect(throws: ObjectStoreError.self) {
            try store.read { context in
                let album = try #require(try context.first(Album.self))
                engine.expireViews()
                return album.songs.map(\.title)
            }
        }
        #expect(failure?.code == .expired)
        var runs = 0
        let titles = try store.write { context in
            runs += 1
            let album = try #require(try context.first(Album.self))
            if runs == 1 { engine.expireViews() }
            return album.songs.map(\.title)
        }
        #expect(runs == 2 && titles == (0..<100).map(String.init))
    }

    /// What was read as a substitute must not be saved.
    @Test func aClosureRunsAgain() throws {
        var runs = 0
        try store.write { context in
            runs += 1
            let songs = try context.allObjects(Song.self)
            context.refresh()
            if runs == 1 { engine.expireViews() }
            // An expired state has no value for it.
            let title = songs[98].title
            songs[99].artist = "by \(title)"
        }
        #expect(runs == 2)
        #expect(try store.read { try $0.first(Song.self, where: \.title == "99")?.artist } == "by 98")
        runs = 0
        try store.write { context in
            runs += 1
            if runs < 3 { engine.expireViews() }
            try #require(try context.first(Song.self, where: \.title == "1")).seconds = runs
        }
        #expect(runs == 3)
        #expect(try store.read { try $0.first(Song.self, where: \.title == "1")?.seconds } == 3)
    }

    /// A state that was read completely may expire before the save, which then compares or starts over.
    @Test func aStateThatExpiresBeforeTheSaveIsCompared() throws {
        let other = try ObjectStore(engine: ClientEngine(engine.data), classes: musicClasses)
        var runs = 0
        try store.write { context in
            runs += 1
            let song = try #require(try context.first(Song.self, where: \.title == "1"))
            song.seconds += 1
            guard runs == 1 else { return }
            try other.write { try $0.first(Song.self, where: \.title == "1")?.seconds = 10 }
            engine.expireViews()
        }
        #expect(runs == 2)
        #expect(try other.read { try $0.first(Song.self, where: \.title == "1")?.seconds } == 11)
    }

    /// The parts of a long list are read in the state of their owner. What cannot be read any more is not lost when the owner is saved.
    @Test func aLongListSaysSo() throws {
        try store.write { context in
            let playlist = Playlist(title: "All")
            context.insert(playlist)
            for number in 0..<3000 {
                let song = Song(artist: "Queen", title: "\(number)")
                context.insert(song)
                playlist.songs.append(song)
            }
        }
        let context = try store.makeContext()
        let playlist = try #require(try context.first(Playlist.self))
        #expect(playlist.songs[2999].title == "2999")
        playlist.title = "changed"
        engine.expireViews()
        _ = playlist.songs[0].title
        #expect(context.faultErrors.first?.code == .expired)
        try context.save()
        context.refresh()
        #expect(playlist.songs.count == 3000 && playlist.songs[0].title == "0" && playlist.title == "changed")
        context.close()
        #expect(try store.read { try $0.first(Playlist.self)?.songs.map(\.title) } == (0..<3000).map(String.init))
        #expect(try store.verify().problems.isEmpty)
    }

    /// A view is replaced before it is too old, though nobody has committed.
    @Test func anOldViewIsReplaced() throws {
        var limits = EngineLimits()
        limits.maximumViewAge = .zero
        let engine = ClientEngine(ClientData(limits: limits))
        let store = try ObjectStore(engine: engine, classes: musicClasses)
        let context = try store.makeContext()
        #expect(try context.count(Song.self) == 0)
        engine.expireViews()
        #expect(try context.count(Song.self) == 0)
        context.close()
    }
}
