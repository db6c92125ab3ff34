import CairnObjects
import CairnTestSupport
import Testing

/// Undoing what others have changed since: it takes back what the group has done, or nothing.
@Suite struct UndoAfterOthersTests {
    private let store: ObjectStore
    private let context: ObjectContext
    private let album: Album
    private let song: Song

    init() throws {
        store = try ObjectStore(engine: MemoryEngine(), classes: musicClasses)
        context = try store.makeContext()
        album = Album(code: "x", title: "X")
        song = Song("a")
        context.insert(album)
        context.insert(song)
        for code in ["y", "z"] { context.insert(Album(code: code, title: code)) }
        try context.save()
        context.undo.isEnabled = true
    }

    /// Changes something as another program would, after a group of this context was saved.
    private func others(_ change: (_ context: ObjectContext, _ album: Album, _ song: Song) throws -> Void) throws {
        try context.save()
        try store.write { other in
            try change(
                other,
                #require(try other.object(album.objectID!, as: Album.self)),
                #require(try other.object(song.objectID!, as: Song.self))
            )
        }
        context.refresh()
    }

    /// Inserts a song that nobody keeps in memory.
    private func insertSong() throws -> ObjectID {
        let song = Song("another")
        context.insert(song)
        try context.save()
        return try #require(song.objectID)
    }

    private func expectConflict(_ about: String) throws {
        let title = song.title
        let failure = #expect(throws: ObjectStoreError.self) { try context.undo.undo() }
        #expect(failure?.code == .conflict && failure?.message.contains(about) == true)
        #expect(context.undo.canUndo && !context.undo.canRedo && !context.hasChanges && song.title == title)
        #expect(try store.verify().isIntact)
    }

    @Test func whatTheyAppendStays() throws {
        context.undo.group { album.songs.append(song) }
        try others { context, album, _ in album.songs.append(Song("b")) }
        try context.undo.undo()
        #expect(album.songs.map(\.title) == ["b"] && song.album == nil)
        try context.save()
        #expect(try store.read { try $0.first(Album.self, where: \.code == "x")?.songs.map(\.title) } == ["b"])
        #expect(try store.verify().isIntact)
        try context.undo.redo()
        #expect(album.songs.map(\.title) == ["a", "b"] || album.songs.map(\.title) == ["b", "a"])
        #expect(song.album === album)
        try context.save()
        #expect(try store.verify().isIntact)
    }

    @Test func whatTheyRemoveStaysRemoved() throws {
        let playlist = Playlist(title: "p")
        playlist.songs = [song, Song("b")]
        context.insert(playlist)
        try context.save()
        let more = Song("c")
        context.undo.group { playlist.songs.append(more) }
        try others { context, _, song in try #require(try context.fetch(Playlist.self).first).songs.removeAll { $0 === song } }
        try context.undo.undo()
        #expect(playlist.songs.map(\.title) == ["b"] && song.playlists.isEmpty)
        try context.save()
        #expect(try store.verify().isIntact)
    }

    @Test func aToOnePropertyThatTheyChangedIsAConflict() throws {
        let albums = try context.fetch(Album.self, sortedBy: \.code)
        context.undo.group { song.album = albums[1] }
        try others { context, _, song in song.album = try context.first(Album.self, where: \.code == "z") }
        try expectConflict("album")
        #expect(song.album === albums[2] && albums[1].songs.isEmpty)
    }

    @Test func anObjectThatTheyDeletedStaysDeleted() throws {
        let id = try insertSong()
        try context.undo.group {
            try #require(try context.object(id, as: Song.self)).title = "changed"
            album.title = "changed"
        }
        try others { context, _, _ in try context.delete(#require(try context.object(id, as: Song.self))) }
        try expectConflict("deleted")
        #expect(album.title == "changed")
        #expect(try store.read { try $0.count(Song.self) } == 1)
    }

    @Test func aLongListIsUndoneAsLongAsOnlyThisContextChangesIt() throws {
        let songs = (0..<2500).map { Song("\($0)") }
        album.songs.append(contentsOf: songs)
        try context.save()
        for isSaved in [false, true] {
            context.undo.group { album.songs.insert(song, at: 1200) }
            if isSaved { try context.save() }
            try context.undo.undo()
            #expect(album.songs.count == 2500 && !album.songs.contains(song) && song.album == nil)
            try context.undo.redo()
            #expect(album.songs[1200] === song && song.album === album)
            try context.save()
            try context.undo.undo()
            try context.save()
        }
        #expect(try store.verify().isIntact)
        context.undo.group { album.songs.insert(song, at: 1200) }
        try others { context, album, _ in album.songs.append(Song("b")) }
        try expectConflict("songs")
    }
}
