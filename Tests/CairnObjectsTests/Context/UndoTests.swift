import CairnObjects
import CairnTestSupport
import Foundation
import Testing

struct UndoTests {
    private let scene: Scene
    private let store: ObjectStore
    private let context: ObjectContext

    init() throws {
        scene = try Scene()
        store = try scene.store()
        context = try store.makeContext()
        context.undo.isEnabled = true
    }

    private func titles() throws -> [String] { try store.read { try $0.allObjects(Song.self).map(\.title) } }

    @Test func undoThatIsOffSaysSo() throws {
        for isEnabled in [false, true] {
            context.undo.isEnabled = isEnabled
            for undo in [context.undo.undo, context.undo.redo] {
                let error = #expect(throws: ObjectStoreError.self) { try undo() }
                #expect(error?.code == .notSupported && error?.message.contains("isEnabled") == !isEnabled)
            }
        }
    }

    @Test func changesAreUndoneAndRedoneAcrossSaves() throws {
        let song = Song("a")
        context.insert(song)
        try context.save()
        context.undo.group("rename") { song.title = "b" }
        context.undo.group("rename again") { song.title = "c" }
        try context.save()
        #expect(context.undo.undoName == "rename again" && context.undo.canUndo && !context.undo.canRedo)
        try context.undo.undo()
        #expect(song.title == "b" && context.hasChanges && context.undo.redoName == "rename again")
        try context.undo.undo()
        #expect(song.title == "a")
        try context.save()
        #expect(try titles() == ["a"])
        try context.undo.redo()
        try context.undo.redo()
        #expect(song.title == "c" && !context.undo.canRedo)
        try context.save()
        #expect(try titles() == ["c"])
        try context.undo.undo()
        song.title = "d"
        #expect(!context.undo.canRedo)
        #expect(code { try context.undo.redo() } == .notSupported)
        try context.save()
        #expect(try titles() == ["d"])
    }

    @Test func insertionsAndDeletionsAreUndone() throws {
        let song = Song("a")
        context.undo.group { context.insert(song) }
        try context.save()
        let id = try #require(song.objectID)
        try context.undo.undo()
        #expect(song.isDeleted)
        try context.save()
        #expect(try titles() == [])
        try context.undo.redo()
        try context.save()
        #expect(try titles() == ["a"])
        let again = try #require(try context.object(id, as: Song.self))
        #expect(again.title == "a")
        try context.undo.group { try context.delete(again) }
        try context.save()
        #expect(try titles() == [])
        try context.undo.undo()
        try context.undo.redo()
        try context.save()
        // The redone deletion is not lost.
        #expect(try titles() == [])
        try context.undo.undo()
        try context.save()
        #expect(try titles() == ["a"])
        #expect(try store.read { try $0.object(id, as: Song.self)?.title } == "a")
    }

    /// A reference that the program holds leads to the object that is back.
    @Test func objectsThatComeBackAreThoseThatTheProgramHas() throws {
        let album = Album(code: "1", title: "album")
        let songs = (0..<3).map { Song("\($0)") }
        for song in songs { album.songs.append(song) }
        context.insert(album)
        try context.save()
        let ids = ([album] as [any StoredObject] + songs).map(\.objectID)
        for _ in 0..<2 {
            try context.undo.group { try context.delete(album) }
            try context.save()
            #expect(album.isDeleted && album.objectID == nil && songs[0].objectID == nil)
            try context.undo.undo()
            #expect(!album.isDeleted && ([album] as [any StoredObject] + songs).map(\.objectID) == ids)
            #expect(album.songs.count == 3 && album.songs[1] === songs[1] && songs[2].album === album)
            try context.save()
        }
        album.title = "changed"
        songs[1].title = "x"
        #expect(album.hasUnsavedChanges && context.hasChanges)
        try context.save()
        let saved = try store.read { context in try context.allObjects(Album.self).map { ($0.title, $0.songs.map(\.title)) } }
        #expect(saved.count == 1 && saved[0] == ("changed", ["0", "x", "2"]))
        #expect(try store.verify().isIntact)
    }

    /// What was inserted again has another row.
    @Test func anObjectInsertedAgainStaysWhatItIs() throws {
        let song = Song("a")
        context.insert(song)
        try context.save()
        try context.undo.group { try context.delete(song) }
        try context.save()
        try context.undo.undo()
        try context.save()
        try context.undo.redo()
        try context.save()
        context.undo.group { context.insert(song) }
        try context.save()
        #expect(try titles() == ["a"] && song.objectID != nil)
    }

    @Test func deletionsWithRelationshipsAreUndone() throws {
        let album = Album(code: "1", title: "album")
        let playlist = Playlist(title: "p")
        let songs = (0..<3).map { Song("\($0)") }
        for song in songs { album.songs.append(song) }
        context.insert(album)
        context.insert(playlist)
        playlist.songs.append(contentsOf: songs + songs)
        try context.setNamed("album", to: album)
        try context.save()
        let ids = songs.map(\.objectID)
        try context.undo.group("delete") { try context.delete(album) }
        #expect(playlist.songs.isEmpty)
        try context.save()
        #expect(try store.read { try ($0.count(Album.self), $0.count(Song.self)) } == (0, 0))
        try context.undo.undo()
        #expect(playlist.songs.map(\.title) == ["0", "1", "2", "0", "1", "2"])
        try context.save()
        let other = try store.makeContext()
        let found = try #require(try other.allObjects(Album.self).first)
        let list = try #require(try other.allObjects(Playlist.self).first)
        #expect(found.songs.map(\.objectID) == ids && list.songs.map(\.title) == ["0", "1", "2", "0", "1", "2"])
        #expect(found.songs[0].album === found && found.songs[1].playlists.contains(list))
        #expect(try other.named("album", as: Album.self) === found)
        try context.undo.redo()
        try context.save()
        #expect(try store.read { try ($0.count(Album.self), $0.count(Song.self)) } == (0, 0))
        #expect(playlist.songs.isEmpty)
    }

    @Test func groupsNestAndAreLimited() throws {
        let song = Song("0")
        context.insert(song)
        try context.save()
        context.undo.removeAll()
        context.undo.limit = 3
        try context.undo.group("outer") { () throws in
            song.title = "1"
            context.undo.group("inner") { song.seconds = 1 }
            #expect(code { try context.undo.undo() } == .busy)
            try context.save()
            song.title = "2"
        }
        try context.undo.undo()
        #expect(song.title == "0" || song.title == "1")
        try context.undo.undo()
        #expect(song.title == "0" && song.seconds == 0 && !context.undo.canUndo)
        for number in 1...5 { context.undo.group { song.seconds = number } }
        for _ in 0..<3 { try context.undo.undo() }
        #expect(song.seconds == 2 && !context.undo.canUndo)
    }

    @Test func changesOfOthersAreNotOverwrittenUnseen() throws {
        let song = Song("a")
        context.insert(song)
        try context.save()
        context.undo.group { song.title = "b" }
        try context.save()
        try store.write { try $0.allObjects(Song.self)[0].title = "theirs" }
        try context.undo.undo()
        #expect(code { try context.save() } == .conflict)
        context.rollback()
        #expect(song.title == "theirs" && !context.undo.canUndo)
    }
}
