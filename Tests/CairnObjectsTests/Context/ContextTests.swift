import CairnObjects
import CairnTestSupport
import Foundation
import Testing

struct WriteTests {
    private let scene: Scene
    private let store: ObjectStore

    init() throws {
        scene = try Scene()
        store = try scene.store()
        try store.write { $0.insert(Song("one")) }
    }

    private func seconds() throws -> Int { try store.read { try $0.allObjects(Song.self)[0].seconds } }

    @Test func whatIsTriedAgainLosesNoChange() async throws {
        try await onThreads(4) { [store] _ in
            for _ in 0..<50 { try store.write(attempts: 10_000) { try $0.allObjects(Song.self)[0].seconds += 1 } }
        }
        #expect(try seconds() == 200)
    }

    @Test func attemptsAndPoliciesAreThoseGiven() async throws {
        func change(_ policy: ConflictPolicy = .fail, attempts: Int = 1) throws -> Int {
            var calls = 0
            try store.write(conflictPolicy: policy, attempts: attempts) { context in
                calls += 1
                let song = try context.allObjects(Song.self)[0]
                song.seconds = 100 + calls
                try store.write { try $0.allObjects(Song.self)[0].seconds = calls }
                if calls == 3 { throw CancellationError() }
            }
            return calls
        }
        #expect(code { _ = try change() } == .conflict)
        #expect(code { _ = try change(attempts: 2) } == .conflict)
        #expect(code { _ = try change(attempts: .min) } == .conflict)
        #expect(try store.write(attempts: .min) { _ in 1 } == 1)
        // What is thrown within is not tried again.
        #expect(throws: CancellationError.self) { _ = try change(attempts: 10) }
        #expect(try change(.keepMine) == 1 && seconds() == 101)
        #expect(try change(.keepTheirs) == 1 && seconds() == 1)
        let found = try await store.writeInBackground(conflictPolicy: .merge, attempts: 3) { try $0.allObjects(Song.self)[0].seconds }
        #expect(found == 1)
    }
}

struct ContextTests {
    @Test func whatIsSavedIsFoundAgain() throws {
        let scene = try Scene()
        try scene.store().write { context in
            context.insert(Song(artist: "Katrina", title: "Walking on Sunshine", seconds: 298, rating: 4.5))
            context.insert(Song("Song 2"))
        }
        let store = try scene.store()
        try store.read { (context) throws in
            let songs = try context.allObjects(Song.self)
            #expect(songs.map(\.title) == ["Walking on Sunshine", "Song 2"])
            #expect(songs[0].artist == "Katrina" && songs[0].seconds == 298 && songs[0].rating == 4.5)
            #expect(songs[1].rating == nil && songs[1].seconds == 0 && songs[1].plays == 0)
            #expect(try context.count(Song.self) == 2)
            #expect(try context.count(Album.self) == 0)
        }
    }

    @Test func anObjectIsThereOnce() throws {
        let scene = try Scene()
        let store = try scene.store()
        let context = try store.makeContext()
        let song = Song("a")
        context.insert(song)
        try context.save()
        let id = try #require(song.objectID)
        #expect(try context.object(id, as: Song.self) === song)
        #expect(try context.allObjects(Song.self).first === song)
        let other = try store.makeContext()
        let same = try #require(try other.object(id, as: Song.self))
        #expect(same !== song && same.title == "a" && same.objectID == id)
        #expect(try other.object(id, as: Song.self) === same)
        #expect(ObjectID("\(id)") == id)
    }

    @Test func objectsThatNobodyUsesGo() throws {
        let scene = try Scene()
        let store = try scene.store()
        let context = try store.makeContext()
        weak var seen: Song?
        do {
            let song = Song("a")
            context.insert(song)
            let playlist = Playlist(title: "p")
            context.insert(playlist)
            playlist.songs.append(song)
            try context.save()
            seen = song
            #expect(seen != nil)
        }
        #expect(seen == nil)
        let playlist = try #require(try context.allObjects(Playlist.self).first)
        #expect(playlist.songs[0].title == "a" && playlist.songs[0].playlists.contains(playlist))
    }

    @Test func unsavedChangesAreKept() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.write { $0.insert(Song("a")) }
        let context = try store.makeContext()
        func change() throws { try context.allObjects(Song.self)[0].title = "b" }
        try change()
        #expect(context.hasChanges)
        #expect(try context.allObjects(Song.self)[0].title == "b")
        try context.save()
        #expect(!context.hasChanges)
        #expect(try store.read { try $0.allObjects(Song.self)[0].title } == "b")
    }

    @Test func queriesSeeWhatIsPending() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.write { context in for title in ["a", "b", "c"] { context.insert(Song(title)) } }
        let context = try store.makeContext()
        let songs = try context.allObjects(Song.self)
        try context.delete(songs[1])
        context.insert(Song("d"))
        songs[0].title = "A"
        #expect(try context.allObjects(Song.self).map(\.title) == ["A", "c", "d"])
        #expect(try context.count(Song.self) == 3)
        var titles: [String] = []
        try context.forEach(Song.self) { (song) throws in
            titles.append(song.title)
            return titles.count < 2
        }
        #expect(titles == ["A", "c"])
        #expect(try store.read { try $0.allObjects(Song.self).map(\.title) } == ["a", "b", "c"])
        context.rollback()
        #expect(try context.allObjects(Song.self).map(\.title) == ["a", "b", "c"])
        #expect(!context.hasChanges && songs[0].title == "a" && !songs[1].isDeleted)
    }

    @Test func anInsertedObjectIsDroppedByRollback() throws {
        let scene = try Scene()
        let context = try scene.store().makeContext()
        let song = Song("a")
        context.insert(song)
        context.rollback()
        #expect(song.objectID == nil && song.title == "a" && !song.hasUnsavedChanges)
        context.insert(song)
        try context.save()
        #expect(try context.count(Song.self) == 1)
    }

    @Test func rowsAreNeverUsedAgain() throws {
        let scene = try Scene()
        var ids: Set<ObjectID> = []
        for _ in 0..<4 {
            let store = try scene.store()
            try store.write { (context) throws in
                let songs = (0..<40).map { Song("\($0)") }
                songs.forEach(context.insert)
                for id in songs.compactMap(\.objectID) { #expect(ids.insert(id).inserted) }
            }
            try store.write { context in for song in try context.allObjects(Song.self).dropFirst(3) { try context.delete(song) } }
            try store.close()
        }
        #expect(try scene.store().read { try $0.count(Song.self) } == 3)
    }

    @Test func nestedEnumerationsAreIndependent() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.write { context in for number in 0..<100 { context.insert(Song("\(number)")) } }
        let context = try store.makeContext()
        var pairs = 0
        try context.forEach(Song.self) { (outer) throws in
            try context.forEach(Song.self) { (inner) throws in
                pairs += 1
                return inner !== outer
            }
            return true
        }
        #expect(pairs == (1...100).reduce(0, +))
    }

    @Test func valuesOfAllSizesAreKept() throws {
        let scene = try Scene()
        let store = try scene.store()
        let sizes = [0, 1, 100, 1000, 1100, 5000, 2_000_000]
        let context = try store.makeContext()
        let images = sizes.map { Image(bytes: [UInt8](repeating: UInt8($0 % 251), count: $0)) }
        images.forEach(context.insert)
        try context.save()
        #expect(try store.read { try $0.allObjects(Image.self).map(\.bytes.count) } == sizes)
        for image in images { image.bytes = Array(image.bytes.prefix(10)) }
        try context.save()
        #expect(try store.read { try $0.allObjects(Image.self).map(\.bytes.count) } == sizes.map { min($0, 10) })
        for (image, size) in zip(images, sizes.reversed()) { image.bytes = [UInt8](repeating: 7, count: size) }
        try context.save()
        #expect(try store.read { try $0.allObjects(Image.self).map(\.bytes.count) } == sizes.reversed())
        for image in images { try context.delete(image) }
        try context.save()
        #expect(try store.read { try $0.count(Image.self) } == 0)
    }
}

struct ClosingTests {
    @Test func whatIsClosedSaysSo() throws {
        let scene = try Scene()
        let store = try scene.store()
        let context = try store.makeContext()
        let song = Song("a")
        context.insert(song)
        try context.save()
        let other = try store.makeContext()
        let path = scene.directory.path("music")
        var busy = #expect(throws: ObjectStoreError.self) { try store.close() }
        #expect(busy?.code == .busy && busy?.message == "could not close \(path): 2 contexts are in use; close them first")
        other.close()
        busy = #expect(throws: ObjectStoreError.self) { try store.close() }
        #expect(busy?.code == .busy && busy?.message == "could not close \(path): 1 context is in use; close it first")
        context.close()
        context.close()
        #expect(code { try context.allObjects(Song.self) } == .closed)
        #expect(song.title == "a")
        try store.close()
        try store.close()
        #expect(code { try store.makeContext() } == .closed)
        #expect(code { try store.read { _ in } } == .closed)
        #expect(code { try store.write { _ in } } == .closed)
    }

    @Test func aStoreIsOpenOnce() throws {
        let scene = try Scene()
        let store = try scene.store()
        #expect(code { try scene.store() } == .locked)
        try store.close()
        _ = try scene.store()
    }

    @Test func aStoreThatIsReadIsNotWritten() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.write { $0.insert(Song("a")) }
        try store.read { (context) throws in
            context.insert(Song("b"))
            #expect(code { try context.save() } == .readOnly)
        }
        try store.close()
        let reader = try scene.store { $0.readOnly = true }
        #expect(try reader.read { try $0.allObjects(Song.self).map(\.title) } == ["a"])
        #expect(code { try reader.write { $0.insert(Song("c")) } } == .readOnly)
        #expect(code { try scene.store("nothing") { $0.createIfMissing = false } } == .notFound)
    }

    @Test func aCycleKeepsNothing() throws {
        let scene = try Scene()
        weak var seen: Song?
        weak var gone: ObjectStore?
        do {
            let store = try scene.store()
            gone = store
            let context = try store.makeContext()
            let song = Song("a")
            let album = Album(code: "1", title: "b")
            album.songs.append(song)
            context.insert(album)
            #expect(song.album === album)
            // Not saved.
            seen = song
        }
        #expect(seen == nil && gone == nil)
    }
}
