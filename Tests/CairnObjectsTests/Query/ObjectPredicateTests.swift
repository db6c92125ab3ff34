import CairnObjects
import CairnTestSupport
import Foundation
import Testing

@Stored private final class Badge {
    var id: Int
}

/// Objects are values in Swift's own terms: in sets, in `==`, in `#Predicate`.
@Suite struct ObjectPredicateTests {
    private let store: ObjectStore
    private let context: ObjectContext

    init() throws {
        store = try ObjectStore(engine: MemoryEngine(), classes: musicClasses)
        context = try store.makeContext()
        for code in ["a", "b"] {
            let album = Album(code: code, title: code)
            context.insert(album)
            for number in 0..<3 { album.songs.append(Song("\(code)\(number)")) }
        }
        context.insert(Song("single"))
        let playlist = Playlist(title: "p")
        context.insert(playlist)
        playlist.songs.append(contentsOf: try context.fetch(Song.self, where: \.title == "a1" || \.title == "single"))
        try context.save()
    }

    @Test func objectsAreHashableAndIdentifiableByIdentity() throws {
        let songs = try context.allObjects(Song.self)
        let again = try context.allObjects(Song.self)
        #expect(Set(songs).count == 7 && Set(songs) == Set(again) && songs == again)
        #expect(songs.firstIndex(of: again[3]) == 3 && songs.contains(again[6]) && songs[0] != songs[1])
        #expect(songs[0].album == songs[1].album && songs[6].album == nil)
        let new = Song("new")
        let (id, hash) = (new.id, new.hashValue)
        context.insert(new)
        new.title = "newer"
        try context.save()
        #expect(new.id == id && new.hashValue == hash && Set(songs + [new]).count == 8)
        #expect(Dictionary(uniqueKeysWithValues: songs.map { ($0.id, $0) })[songs[2].id] == songs[2])
        // A property of that name stays what it is.
        #expect(Badge(id: 7).id == 7)
    }

    private func titles(_ predicate: Predicate<Song>) throws -> [String] {
        let found = try context.fetch(Song.self, where: predicate).map(\.title)
        // What Foundation makes of it.
        #expect(try context.allObjects(Song.self).filter { try predicate.evaluate($0) }.map(\.title) == found)
        #expect(try context.count(where: predicate) == found.count)
        return found
    }

    @Test func predicatesCompareObjects() throws {
        let album = try #require(try context.first(Album.self, where: \.code == "b"))
        let none: Album? = nil
        let playlist = try #require(try context.first(Playlist.self))
        #expect(try titles(#Predicate { $0.album == nil }) == ["single"])
        #expect(try titles(#Predicate { nil != $0.album }).count == 6)
        #expect(try titles(#Predicate { $0.album == album }) == ["b0", "b1", "b2"])
        #expect(try titles(#Predicate { album == $0.album && $0.title > "b0" }) == ["b1", "b2"])
        #expect(try titles(#Predicate { $0.album != album }) == ["a0", "a1", "a2", "single"])
        #expect(try titles(#Predicate { $0.album == none }) == ["single"])
        #expect(try titles(#Predicate { $0.playlists.contains(playlist) }) == ["a1", "single"])
        let song = try #require(try context.first(Song.self, where: \.title == "b2"))
        let albums = try context.fetch(Album.self, where: #Predicate { $0.songs.contains(song) })
        #expect(albums == [album])
        let withSong = #Predicate<Playlist> { $0.songs.contains { $0.album == nil } && !$0.songs.contains { $0.album == album } }
        #expect(try context.fetch(Playlist.self, where: withSong) == [playlist])
        // Objects that nothing stored leads to.
        let unknown = Album(code: "x", title: "x")
        #expect(try titles(#Predicate { $0.album == unknown }).isEmpty)
        let gone = try #require(try context.first(Album.self, where: \.code == "a"))
        let ofGone = #Predicate<Song> { $0.album == gone }
        try context.delete(gone)
        #expect(try context.fetch(Song.self, where: ofGone).isEmpty)
        // Of another context, by its identity; and with unsaved changes.
        let other = try store.makeContext()
        #expect(try other.fetch(Song.self, where: #Predicate { $0.album == album }).count == 3)
        song.album = nil
        #expect(try context.fetch(Song.self, where: #Predicate { $0.album == album }).map(\.title) == ["b0", "b1"])
    }

    /// An object of another store may have the class number and row of one of this store.
    @Test func objectsOfOtherStoresAreRefused() throws {
        let others = try ObjectStore(engine: MemoryEngine(), classes: musicClasses).makeContext()
        let stranger = Album(code: "a", title: "a")
        others.insert(stranger)
        try others.save()
        let album = try #require(try context.first(Album.self))
        #expect(stranger.objectID == album.objectID)
        let song = try #require(try context.first(Song.self))
        let ofStranger = #Predicate<Song> { $0.album == stranger }
        let ofAlbum = #Predicate<Song> { $0.album == album }
        #expect(code { try context.fetch(Song.self, where: ofStranger) } == .invalidPredicate)
        #expect(code { try context.count(where: #Predicate<Song> { $0.seconds == 0 && $0.album != stranger }) } == .invalidPredicate)
        let nested = #Predicate<Playlist> { $0.songs.contains { $0.album == stranger } }
        #expect(code { try context.fetch(Playlist.self, where: nested) } == .invalidPredicate)
        #expect(try !ofStranger.evaluate(song) && ofAlbum.evaluate(song))
    }

    @Test func plansUseTheRelationship() throws {
        let album = try #require(try context.first(Album.self, where: \.code == "b"))
        let playlist = try #require(try context.first(Playlist.self))
        let ofAlbum = try context.explain(Song.self, where: #Predicate { $0.album == album })
        #expect(ofAlbum.access.contains("references to") && ofAlbum.examined == 3, "\(ofAlbum)")
        let inPlaylist = try context.explain(Song.self, where: #Predicate { $0.playlists.contains(playlist) })
        #expect(inPlaylist.access.contains("songs of") && inPlaylist.examined == 2, "\(inPlaylist)")
        let ofNone = try context.explain(Song.self, where: #Predicate { $0.album == nil })
        #expect(ofNone.filter == "album refers to nothing" && ofNone.examined == 7, "\(ofNone)")
    }

    /// What only Foundation evaluates reads as a condition.
    private func explains(_ predicate: Predicate<Song>, _ expected: String) throws {
        let filter = try #require(try context.explain(Song.self, where: predicate).filter)
        #expect(filter.contains(expected), "\(filter)")
        for strange in ["PredicateExpressions", "VariableID", "0x", "key:"] { #expect(!filter.contains(strange), "\(filter)") }
    }

    @Test func explanationsAreConditions() throws {
        try explains(#Predicate { $0.playlists.count > 1 && $0.title.count == 2 }, "playlists.count > 1 and title.count = 2")
        try explains(#Predicate { $0.album.flatMap { $0.songs.count > 2 } ?? false }, "album: songs.count > 2 ?? false")
        try explains(#Predicate { $0.seconds + 1 > $0.title.count }, "seconds + 1 > title.count")
        try explains(#Predicate { !($0.seconds == $0.plays) }, "not (seconds = a computed Int)")
        let album = try #require(try context.first(Album.self, where: \.code == "b"))
        let playlist = try #require(try context.first(Playlist.self))
        let isWanted = true
        try explains(#Predicate { ($0.album == album) == isWanted }, "album refers to \(album.objectID!) = true")
        try explains(#Predicate { $0.playlists.contains(playlist) == isWanted }, "playlists contains \(playlist.objectID!) = true")
    }
}
