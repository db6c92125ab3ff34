import CairnObjects
import CairnTestSupport
import Foundation
import Testing

struct FollowingTests {
    @Test func commitsAreTold() async throws {
        let scene = try Scene()
        let store = try scene.store()
        var commits = store.commits().makeAsyncIterator()
        let context = try store.makeContext()
        let songs = (0..<3).map { Song("\($0)") }
        songs.forEach(context.insert)
        try context.setNamed("first", to: songs[0])
        try context.save()
        let ids = songs.compactMap(\.objectID)
        var commit = try #require(await commits.next())
        #expect(commit.inserted == ids && commit.updated.isEmpty && commit.deleted.isEmpty && commit.names == ["first"])
        songs[1].title = "changed"
        try context.delete(songs[2])
        try context.save()
        commit = try #require(await commits.next())
        #expect(commit.inserted.isEmpty && commit.updated == [ids[1]] && commit.deleted == [ids[2]] && commit.names.isEmpty)
        try store.write { $0.insert(Song("other")) }
        commit = try #require(await commits.next())
        #expect(commit.inserted.count == 1)
        context.close()
        try store.close()
        #expect(await commits.next() == nil)
        var none = store.commits().makeAsyncIterator()
        #expect(await none.next() == nil)
    }

    private final class Notes: ObjectContextObserver {
        var lines: [String] = []
        private func note(_ what: String, _ object: any StoredObject) { lines.append("\(what) \((object as? Song)?.title ?? "-")") }
        func context(_ context: ObjectContext, willInsert object: any StoredObject) { note("insert", object) }
        func context(_ context: ObjectContext, willUpdate object: any StoredObject) { note("update", object) }
        func context(_ context: ObjectContext, willDelete object: any StoredObject) { note("delete", object) }
        func context(_ context: ObjectContext, didChange object: any StoredObject) { note("changed", object) }
    }

    @Test func observersAreTold() throws {
        let scene = try Scene()
        let context = try scene.store().makeContext()
        let notes = Notes()
        context.observer = notes
        context.undo.isEnabled = true
        let song = Song("a")
        context.insert(song)
        song.title = "b"
        try context.save()
        context.undo.group { song.title = "c" }
        song.title = "d"
        try context.save()
        try context.undo.undo()
        try context.delete(song)
        #expect(notes.lines == ["insert a", "update b", "update d", "changed c", "delete c"])
    }

    @Test func workIsDoneInTheBackground() async throws {
        let scene = try Scene()
        let store = try scene.store()
        let id = try await store.writeInBackground { context in
            let song = Song("a")
            context.insert(song)
            return song.objectID
        }
        let title = try await store.readInBackground { context in try context.object(try #require(id), as: Song.self)?.title }
        #expect(title == "a")
        await #expect(throws: CancellationError.self) { try await store.writeInBackground { _ in throw CancellationError() } }
    }

    @Test func manyFaultsAreLoadedAtOnce() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.write { context in
            let playlist = Playlist(title: "p")
            context.insert(playlist)
            for number in 0..<200 { playlist.songs.append(Song("\(number)")) }
            context.insert(Image(bytes: [UInt8](repeating: 1, count: 5000)))
        }
        let context = try store.makeContext()
        let playlist = try #require(try context.allObjects(Playlist.self).first)
        let songs = try playlist.songs.load()
        #expect(songs.allSatisfy { !$0.isFault } && songs.map(\.title) == (0..<200).map { "\($0)" })
        let image = try #require(try context.allObjects(Image.self).first)
        context.refresh()
        #expect(image.isFault && songs[0].isFault)
        try context.load(songs)
        try context.load([image])
        #expect(!image.isFault && image.bytes.count == 5000 && songs.allSatisfy { !$0.isFault })
        let playlists = try songs[7].playlists.load()
        #expect(playlists.map(\.title) == ["p"])
    }
}
