import CairnObjects
import CairnTestSupport
import Foundation
import Testing

struct RelationshipTests {
    private let scene: Scene
    private let store: ObjectStore
    private let context: ObjectContext

    init() throws {
        scene = try Scene()
        store = try scene.store()
        context = try store.makeContext()
    }

    /// What another context sees.
    private func seen<Value>(_ body: (ObjectContext) throws -> Value) throws -> Value { try store.read(body) }

    @Test func listsKeepTheirOrderAndDuplicates() throws {
        let songs = (0..<5).map { Song("\($0)") }
        let playlist = Playlist(title: "p")
        context.insert(playlist)
        for number in [3, 1, 4, 1, 0, 2, 4] { playlist.songs.append(songs[number]) }
        try context.save()
        let titles = { try self.seen { try $0.allObjects(Playlist.self)[0].songs.map(\.title) } }
        #expect(try titles() == ["3", "1", "4", "1", "0", "2", "4"])
        playlist.songs.insert(songs[2], at: 0)
        playlist.songs.move(from: 2, to: 5)
        playlist.songs.remove(at: 1)
        playlist.songs[0] = songs[4]
        try context.save()
        #expect(try titles() == ["4", "4", "1", "0", "1", "2", "4"])
        #expect(playlist.songs.map(\.title) == ["4", "4", "1", "0", "1", "2", "4"])
        playlist.songs = ObjectList(songs.reversed())
        try context.save()
        #expect(try titles() == ["4", "3", "2", "1", "0"])
        playlist.songs.removeAll { $0.title == "2" }
        playlist.songs.removeAll { $0.title == "3" }
        try context.save()
        #expect(try titles() == ["4", "1", "0"])
        playlist.songs.removeAll()
        try context.save()
        #expect(try titles() == [])
    }

    /// Before the owner is inserted and afterwards, with objects that are there several times, their other sides, and undo.
    @Test(arguments: [false, true]) func whatAConditionSaysGoes(isInserted: Bool) throws {
        let songs = (0..<100).map { Song("\($0)") }
        let playlist = Playlist(title: "p")
        if isInserted { context.insert(playlist) }
        for number in 0..<300 { playlist.songs.append(songs[number * 7 % 100]) }
        try context.save()
        context.undo.isEnabled = true
        var expected = playlist.songs.map(\.title)
        #expect(throws: CancellationError.self) { try playlist.songs.removeAll { _ in throw CancellationError() } }
        playlist.songs.removeAll { _ in false }
        #expect(playlist.songs.map(\.title) == expected && !context.undo.canUndo)
        // All of some, and one of the three places of another.
        let last = try #require(expected.lastIndex(of: "1"))
        var position = -1
        let goes = { (song: Song) in
            position += 1
            return (Int(song.title) ?? 0) % 3 == 0 || position == last
        }
        playlist.songs.removeAll(where: goes)
        expected.remove(at: last)
        expected.removeAll { Int($0)! % 3 == 0 }
        #expect(playlist.songs.map(\.title) == expected)
        if isInserted {
            try context.save()
            #expect(songs.filter { !$0.playlists.isEmpty }.count == 66 && songs[1].playlists.contains(playlist))
            #expect(try seen { try $0.allObjects(Playlist.self)[0].songs.map(\.title) } == expected)
            try context.undo.undo()
            #expect(playlist.songs.count == 300 && songs.allSatisfy { $0.playlists.contains(playlist) })
            try context.save()
            #expect(try store.verify().isIntact)
        }
    }

    @Test func setsOfManyNewObjectsHaveEachOnce() throws {
        let songs = (0..<300).map { Song("\($0)") }
        let playlists = ObjectSet<Playlist>([])
        let all = (0..<300).map { Playlist(title: "\($0)") }
        for playlist in all + all.reversed() { playlists.insert(playlist) }
        #expect(playlists.count == 300 && all.allSatisfy { playlists.contains($0) })
        for playlist in all.prefix(100) {
            let wasThere = playlists.remove(playlist)
            #expect(wasThere && !playlists.contains(playlist))
        }
        #expect(!playlists.remove(all[0]) && playlists.insert(all[0]) && !playlists.insert(all[0]))
        songs[0].playlists = playlists
        context.insert(songs[0])
        #expect(songs[0].playlists.count == 201 && songs[0].playlists.contains(all[0]) && !songs[0].playlists.contains(all[1]))
        try context.save()
        #expect(try seen { try $0.fetch(Song.self, where: \.title == "0")[0].playlists.count } == 201)
    }

    @Test func aListGivenToTwoObjectsIsTwoLists() throws {
        let songs = (0..<3).map { Song("\($0)") }
        let list = ObjectList(songs)
        let (one, two) = (Playlist(title: "one", songs: list), Playlist(title: "two", songs: list))
        one.songs.removeAll()
        #expect(two.songs.count == 3)
        context.insert(two)
        let third = Playlist(title: "three", songs: two.songs)
        context.insert(third)
        two.songs.remove(at: 0)
        try context.save()
        #expect(third.songs.map(\.title) == ["0", "1", "2"] && two.songs.map(\.title) == ["1", "2"])
    }

    @Test func theOtherSideIsKeptInStep() throws {
        let song = Song("a")
        let (one, two) = (Album(code: "1", title: "one"), Album(code: "2", title: "two"))
        for album in [one, two] { context.insert(album) }
        one.songs.append(song)
        #expect(song.album === one && song.objectContext === context)
        song.album = two
        #expect(one.songs.isEmpty && two.songs.map(\.title) == ["a"])
        one.songs.append(song)
        #expect(song.album === one && two.songs.isEmpty)
        try context.save()
        try seen { (other) throws in
            let albums = try other.allObjects(Album.self)
            #expect(albums[0].songs.map(\.title) == ["a"] && albums[1].songs.isEmpty)
            #expect(albums[0].songs[0].album === albums[0])
        }
        song.album = nil
        #expect(one.songs.isEmpty)
        try context.save()
        #expect(try seen { try $0.allObjects(Song.self)[0].album } == nil)
    }

    @Test func whatTheOtherSideTellsIsFoundAndChanged() throws {
        let songs = (0..<3).map { Song("\($0)") }
        let playlists = (0..<3).map { Playlist(title: "p\($0)") }
        playlists.forEach(context.insert)
        for playlist in playlists { for song in songs { playlist.songs.append(song) } }
        #expect(Set(songs[0].playlists.map(\.title)) == ["p0", "p1", "p2"])
        try context.save()
        playlists[1].songs.removeAll { $0 === songs[0] }
        #expect(Set(songs[0].playlists.map(\.title)) == ["p0", "p2"])
        songs[0].playlists.remove(playlists[2])
        #expect(playlists[2].songs.map(\.title) == ["1", "2"])
        songs[0].playlists.insert(playlists[1])
        #expect(playlists[1].songs.map(\.title) == ["1", "2", "0"])
        try context.save()
        try seen { (other) throws in
            let song = try other.allObjects(Song.self).first { $0.title == "0" }
            #expect(Set(try #require(song).playlists.map(\.title)) == ["p0", "p1"])
            #expect(try other.allObjects(Playlist.self).map { $0.songs.map(\.title) } == [["0", "1", "2"], ["1", "2", "0"], ["1", "2"]])
        }
    }

    @Test func dictionariesAndSetsAreKept() throws {
        let shelf = Shelf(name: "s")
        context.insert(shelf)
        for letter in ["b", "a", "c"] {
            let album = Album(code: letter, title: letter.uppercased())
            shelf.byLetter[letter] = album
            shelf.albums.insert(album)
            shelf.albums.insert(album)
        }
        shelf.byLetter["c"] = nil
        try context.save()
        try seen { (other) throws in
            let shelf = try other.allObjects(Shelf.self)[0]
            #expect(shelf.byLetter.keys == ["a", "b"] && shelf.byLetter["a"]?.title == "A" && shelf.byLetter["c"] == nil)
            #expect(Set(shelf.albums.map(\.title)) == ["A", "B", "C"])
        }
    }

    @Test func whatLedToADeletedObjectLeadsThereNoMore() throws {
        let songs = (0..<3).map { Song("\($0)") }
        let playlist = Playlist(title: "p")
        context.insert(playlist)
        for song in songs + songs { playlist.songs.append(song) }
        try context.save()
        try context.delete(songs[1])
        #expect(playlist.songs.map(\.title) == ["0", "2", "0", "2"])
        try context.save()
        #expect(songs[1].objectID == nil && songs[1].isDeleted)
        #expect(try seen { try $0.allObjects(Playlist.self)[0].songs.map(\.title) == ["0", "2", "0", "2"] })
        // Also where neither is in memory but the object itself.
        try store.write { other in try other.delete(try other.allObjects(Song.self)[0]) }
        #expect(try seen { try $0.allObjects(Playlist.self)[0].songs.map(\.title) == ["2", "2"] })
    }

    @Test func deleteRulesAreFollowed() throws {
        let shelf = Shelf(name: "s")
        let album = Album(code: "1", title: "t")
        for number in 0..<3 { album.songs.append(Song("\(number)")) }
        let playlist = Playlist(title: "p")
        context.insert(playlist)
        shelf.albums.insert(album)
        context.insert(shelf)
        playlist.songs.append(contentsOf: Array(album.songs))
        try context.save()
        #expect(code { try context.delete(shelf) } == .deletionDenied)
        #expect(!shelf.isDeleted && !context.hasChanges)
        try context.delete(album)
        #expect(shelf.albums.isEmpty && playlist.songs.isEmpty)
        try context.delete(shelf)
        try context.save()
        try seen { (other) throws in
            #expect(try other.count(Album.self) == 0 && other.count(Song.self) == 0 && other.count(Shelf.self) == 0)
            #expect(try other.allObjects(Playlist.self)[0].songs.isEmpty)
        }
    }
}

struct ConflictTests {
    private func contexts(_ policy: ConflictPolicy) throws -> (Scene, ObjectStore, mine: ObjectContext, theirs: ObjectContext) {
        let scene = try Scene()
        let store = try scene.store()
        try store.write { $0.insert(Song(artist: "x", title: "a", seconds: 1)) }
        var options = ObjectContextOptions()
        options.conflictPolicy = policy
        return (scene, store, try store.makeContext(options), try store.makeContext())
    }

    private func result(_ policy: ConflictPolicy) throws -> (title: String, seconds: Int, mine: String) {
        let (scene, store, mine, theirs) = try contexts(policy)
        defer { withExtendedLifetime(scene) {} }
        let one = try mine.allObjects(Song.self)[0]
        let two = try theirs.allObjects(Song.self)[0]
        one.title = "mine"
        two.title = "theirs"
        two.seconds = 2
        try theirs.save()
        try mine.save()
        let (title, seconds) = try store.read { (context) throws in
            let song = try context.allObjects(Song.self)[0]
            return (song.title, song.seconds)
        }
        return (title, seconds, one.title)
    }

    @Test func aConflictIsFound() throws {
        #expect(code { try result(.fail) } == .conflict)
    }

    @Test func policiesAreFollowed() throws {
        #expect(try result(.keepMine) == ("mine", 1, "mine"))
        #expect(try result(.keepTheirs) == ("theirs", 2, "theirs"))
        #expect(try result(.merge) == ("mine", 2, "mine"))
    }

    @Test func nothingIsSavedInAConflict() throws {
        let (scene, store, mine, theirs) = try contexts(.fail)
        defer { withExtendedLifetime(scene) {} }
        let one = try mine.allObjects(Song.self)[0]
        one.title = "mine"
        mine.insert(Song("new"))
        try theirs.allObjects(Song.self)[0].title = "theirs"
        try theirs.save()
        #expect(code { try mine.save() } == .conflict)
        #expect(try store.read { try $0.allObjects(Song.self).map(\.title) } == ["theirs"])
        #expect(mine.hasChanges && one.title == "mine")
        mine.rollback()
        #expect(one.title == "theirs")
    }

    @Test func deletingWhatOthersChangedIsAConflict() throws {
        let (scene, store, mine, theirs) = try contexts(.fail)
        defer { withExtendedLifetime(scene) {} }
        let one = try mine.allObjects(Song.self)[0]
        let two = try theirs.allObjects(Song.self)[0]
        two.title = "theirs"
        try theirs.save()
        try mine.delete(one)
        #expect(code { try mine.save() } == .conflict)
        mine.rollback()
        try theirs.delete(two)
        try theirs.save()
        one.title = "mine"
        #expect(code { try mine.save() } == .conflict)
        #expect(try store.read { try $0.count(Song.self) } == 0)
    }

    @Test func contextsThatChangeOthersDoNotConflict() async throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.write { context in for number in 0..<64 { context.insert(Song("\(number)")) } }
        try await onThreads(4) { thread in
            let context = try store.makeContext()
            let songs = try context.allObjects(Song.self)
            for round in 0..<25 {
                for index in stride(from: thread, to: 64, by: 4) { songs[index].seconds = round }
                try context.save()
            }
        }
        #expect(try store.read { try $0.allObjects(Song.self).map(\.seconds) } == Array(repeating: 24, count: 64))
    }
}

struct UniqueAndNamesTests {
    @Test func whatIsUniqueIsThereOnce() throws {
        let scene = try Scene()
        let store = try scene.store()
        let context = try store.makeContext()
        let (one, two) = (Album(code: "1", title: "a"), Album(code: "2", title: "b"))
        context.insert(one)
        context.insert(two)
        try context.save()
        let again = Album(code: "1", title: "c")
        context.insert(again)
        #expect(code { try context.save() } == .notUnique)
        again.code = "3"
        try context.save()
        two.code = "3"
        #expect(code { try context.save() } == .notUnique)
        // Places may be changed in one save.
        again.code = "2"
        try context.save()
        one.code = "2"
        again.code = "1"
        try context.save()
        try context.delete(two)
        context.insert(Album(code: "3", title: "d"))
        try context.save()
        #expect(try store.read { try Set($0.allObjects(Album.self).map(\.code)) } == ["1", "2", "3"])
        context.insert(Album(code: "4", title: "e"))
        context.insert(Album(code: "4", title: "f"))
        #expect(code { try context.save() } == .notUnique)
    }

    @Test func namesLeadToValuesAndObjects() throws {
        let scene = try Scene()
        let store = try scene.store()
        let context = try store.makeContext()
        let songs = (0..<3).map { Song("\($0)") }
        try context.setNamed("favourite", to: songs[0])
        try context.setNamed("all", to: songs)
        try context.setNamed("by letter", to: ["a": songs[1], "b": songs[2]])
        try context.setNamed("launches", to: 7)
        #expect(try context.names() == ["all", "by letter", "favourite", "launches"])
        try context.save()
        try store.read { (other) throws in
            #expect(try other.named("favourite", as: Song.self)?.title == "0")
            #expect(try other.named("all", as: [Song].self)?.map(\.title) == ["0", "1", "2"])
            #expect(try other.named("by letter", as: [String: Song].self)?.mapValues(\.title) == ["a": "1", "b": "2"])
            #expect(try other.named("launches", as: Int.self) == 7)
            #expect(try other.named("nothing", as: Int.self) == nil)
            #expect(code { try other.named("launches", as: String.self) } == .typeMismatch)
            #expect(code { try other.named("favourite", as: Album.self) } == .typeMismatch)
        }
        try context.delete(songs[0])
        try context.removeNamed("launches")
        #expect(try context.named("favourite", as: Song.self) == nil)
        #expect(try context.names() == ["all", "by letter", "favourite"])
        try context.save()
        #expect(try store.read { try $0.named("all", as: [Song].self)?.map(\.title) } == ["1", "2"])
    }
}

/// Properties that hold nothing in memory yet: their objects come from records without a field for them, or were never asked.
struct EmptyCollectionTests {
    @Test func anEmptyListIsTheOtherSideToo() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.write { context in
            context.insert(Album(code: "1", title: "a"))
            context.insert(Playlist(title: "p"))
            context.insert(Song("s"))
        }
        try store.write { context in
            let song = try context.allObjects(Song.self)[0]
            song.album = try context.allObjects(Album.self)[0]
            song.playlists.insert(try context.allObjects(Playlist.self)[0])
        }
        try store.read { (context) throws in
            let album = try context.allObjects(Album.self)[0]
            let playlist = try context.allObjects(Playlist.self)[0]
            #expect(album.songs.map(\.title) == ["s"] && playlist.songs.map(\.title) == ["s"])
        }
    }

    @Test func whatLeftTheContextLeadsNowhere() throws {
        let scene = try Scene()
        let context = try scene.store().makeContext()
        let (album, song) = (Album(code: "1", title: "a"), Song("s"))
        album.songs.append(song)
        context.insert(album)
        context.rollback()
        #expect(album.songs.isEmpty && song.album == nil && song.playlists.isEmpty)
        album.songs.append(song)
        context.insert(album)
        try context.save()
        #expect(song.album === album)
        try context.delete(album)
        try context.save()
        #expect(album.songs.isEmpty && song.album == nil)
    }

    @Test func rulesOfWhatTheOtherSideTellsAreFollowed() throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: [Owner.self, Guarded.self, Thing.self])
        try store.write { context in
            let (owner, guarded) = (Owner(), Guarded())
            context.insert(owner)
            context.insert(guarded)
            for _ in 0..<3 { context.insert(Thing(owner: owner, guarded: guarded)) }
        }
        let denied = code { try store.write { try $0.delete(try $0.allObjects(Guarded.self)[0]) } }
        #expect(denied == .deletionDenied)
        try store.write { try $0.delete(try $0.allObjects(Owner.self)[0]) }
        #expect(try store.read { try $0.count(Thing.self) } == 0)
        try store.write { try $0.delete(try $0.allObjects(Guarded.self)[0]) }
        #expect(try store.verify().isIntact)
    }

    @Test func whatIsNotInsertedYetLeadsToWhatIs() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: musicClasses)
        let context = try store.makeContext()
        let album = Album(code: "1", title: "One")
        context.insert(album)
        let song = Song(artist: "a", title: "t", album: album)
        // It follows what it leads to.
        #expect(song.album === album && song.objectContext === context)
        context.insert(song)
        #expect(song.album === album && album.songs.map(\.title) == ["t"])
        try context.save()
        #expect(try store.verify().isIntact)
    }
}

@Stored final class Owner {
    @Relationship(inverse: \Thing.owner, onDelete: .cascade) var things: ObjectSet<Thing>
}

@Stored final class Guarded {
    @Relationship(inverse: \Thing.guarded, onDelete: .deny) var things: ObjectSet<Thing>
}

@Stored final class Thing {
    @Relationship var owner: Owner?
    @Relationship var guarded: Guarded?
}
