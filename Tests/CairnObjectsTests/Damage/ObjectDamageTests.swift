import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Stores whose bytes are damaged: errors name class and row, and everything else is read as before.
@Suite struct ObjectDamageTests {
    private let scene: DamageScene

    init() throws { scene = try DamageScene() }

    /// The error that `body` throws.
    private func failure(_ body: () throws -> some Any) -> ObjectStoreError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? ObjectStoreError
        }
    }

    private func damageSecondSong() throws {
        try scene.commit { commit in
            var page = try scene.entries(DamageScene.songPage)[0].value
            let place = try #require(page.firstRange(of: Array("artist 2".utf8)))
            page[place.lowerBound] = 0xFF
            commit.put(page, for: DamageScene.songPage)
        }
    }

    @Test func `a damaged record is an error of its object alone, which names class, row and property`() throws {
        try damageSecondSong()
        let context = try scene.store().makeContext()
        let damaged = ObjectID("1/2")!
        for failure in [
            failure { try context.object(damaged, as: Song.self) }, failure { try context.allObjects(Song.self) },
            failure { try context.fetch(Song.self, where: \.title == "title 2") },
        ] {
            #expect(failure?.code == .corruption && failure?.object == damaged, "\(failure.map { "\($0)" } ?? "none")")
            #expect(failure?.message.contains("Song 2, property artist") == true)
            #expect(failure?.message.contains("artist 2") == false)
        }
        #expect(try context.object(ObjectID("1/1")!, as: Song.self)?.title == "title 1")
        #expect(try context.object(ObjectID("1/3")!, as: Song.self)?.title == "title 3")
        #expect(try context.fetch(Song.self, where: \.artist == "artist 3").map(\.seconds) == [3])
        #expect(try context.allObjects(Album.self).map(\.title) == ["album"])
    }

    @Test func `an enumeration skips what is damaged, and throws at its end`() throws {
        try scene.store().write { context in for number in 4...70 { context.insert(Song("title \(number)", artist: "artist \(number)")) } }
        try damageSecondSong()
        var titles: [String] = []
        let context = try scene.store().makeContext()
        let failure = failure {
            try context.forEach(Song.self) { song in
                titles.append(song.title)
                return true
            }
        }
        #expect(failure?.object == ObjectID("1/2") && titles == (1...70).filter { $0 != 2 }.map { "title \($0)" })
        // Objects that were not reached cause no error.
        try context.forEach(Song.self) { $0.title != "title 1" }
        // A page that is damaged takes its 32 objects with it, and no others.
        try scene.commit { $0.put([0x7F], for: DamageScene.songPage) }
        titles = []
        let other = try scene.store().makeContext()
        let page = self.failure {
            try other.forEach(Song.self) { song in
                titles.append(song.title)
                return true
            }
        }
        #expect(page?.code == .corruption && page?.message.contains("Song 1 ") == true, "\(page.map { "\($0)" } ?? "none")")
        #expect(titles == (32...70).map { "title \($0)" })
    }

    @Test func `a fault that cannot be read has blank values, is reported, and is not saved`() throws {
        try damageSecondSong()
        let store = try scene.store()
        let context = try store.makeContext()
        let songs = Array(try context.allObjects(Album.self)[0].songs)
        #expect(songs.map(\.title) == ["title 1", "", "title 3"])
        #expect(context.faultErrors.map(\.object) == [ObjectID("1/2")])
        #expect(failure { try context.load(songs[1]) }?.message.contains("Song 2, property artist") == true)
        songs[1].title = "new"
        songs[2].title = "also new"
        let failure = failure { try context.save() }
        #expect(failure?.code == .corruption && failure?.object == ObjectID("1/2") && failure?.message.contains("Song 2") == true)
        context.rollback()
        songs[2].title = "also new"
        try context.save()
        #expect(try store.read { try $0.object(ObjectID("1/3")!, as: Song.self)?.title } == "also new")
        // It can be deleted, and what led to it leads there no more.
        try context.delete(songs[1])
        try context.save()
        #expect(try store.read { try $0.allObjects(Album.self)[0].songs.map(\.title) } == ["title 1", "also new"])
    }

    @Test func `a reference to a row that vanished is an error that names class and row`() throws {
        try scene.commit { $0.delete(DamageScene.songPage) }
        let store = try scene.store()
        let context = try store.makeContext()
        let album = try context.allObjects(Album.self)[0]
        #expect(album.songs.count == 3)
        #expect(album.songs[1].title == "" && album.title == "album")
        let error = try #require(context.faultErrors.first)
        #expect(error.code == .objectNotFound && error.object == ObjectID("1/2") && error.message.contains("Song with row 2"), "\(error)")
        #expect(code { try album.songs.load() } == .objectNotFound)
        #expect(try context.object(ObjectID("1/2")!, as: Song.self) == nil)
        #expect(try context.named("favourite", as: Song.self) == nil)
        #expect(try context.allObjects(Playlist.self).map(\.title) == ["list"])
        let problems = try store.verify().problems.filter { $0.kind == .danglingReference }
        #expect(problems.contains { $0.className == "Album" && $0.object?.row == 1 && $0.target == ObjectID("1/2") })
        // What leads nowhere can be taken away.
        album.songs.removeAll()
        try context.save()
        #expect(try store.read { try $0.allObjects(Album.self)[0].songs.isEmpty })
    }

    @Test func `a large record that is missing or damaged is an error of its object`() throws {
        let key: [UInt8] = [2, 0, 4, 0, 0, 0, 0, 0, 1]
        #expect(try scene.entries(key).count == 1)
        for damage in [nil, [1, 1, 0xFF]] as [[UInt8]?] {
            try scene.commit { commit in if let damage { commit.put(damage, for: key) } else { commit.delete(key) } }
            let context = try scene.store().makeContext()
            let failure = failure { try context.object(ObjectID("4/1")!, as: Image.self) }
            #expect(failure?.code == .corruption && failure?.object == ObjectID("4/1") && failure?.message.contains("Image 1") == true)
            #expect(try context.allObjects(Album.self)[0].songs.map(\.title) == ["title 1", "title 2", "title 3"])
        }
    }

    @Test func `bytes that the engine cannot read are errors that name class and row`() throws {
        let engine = TornEngine()
        var commit = EngineCommit()
        for (key, value) in try scene.entries() { commit.put(value, for: key) }
        _ = try engine.commit(commit, durability: .buffered)
        let store = try ObjectStore(engine: engine, classes: musicClasses)
        engine.tear(DamageScene.songPage)
        let context = try store.makeContext()
        let failure = failure { try context.object(ObjectID("1/2")!, as: Song.self) }
        #expect(failure?.code == .corruption && failure?.object == ObjectID("1/2") && failure?.message.contains("Song 2") == true)
        #expect(failure?.cause is EngineError)
        let album = try context.allObjects(Album.self)[0]
        #expect(album.title == "album" && album.cover?.bytes.count == 5000 && album.songs[0].title == "")
        #expect(context.faultErrors.map(\.object) == [ObjectID("1/1")])
    }

    @Test func `a class that is missing is named, and the others are read`() throws {
        let few = try scene.store([Image.self])
        let context = try few.makeContext()
        let failure = failure { try context.object(ObjectID("1/1")!, as: Song.self) }
        #expect(failure?.code == .unknownClass && failure?.message.contains("Song") == true)
        #expect(try context.allObjects(Image.self).map(\.bytes.count) == [5000])
        // What leads to it could not be changed: it stays.
        let refusal = self.failure { try context.delete(try context.allObjects(Image.self)[0]) }
        #expect(
            refusal?.code == .unknownClass && refusal?.message.contains("Album 1") == true && refusal?.message.contains("Image 1") == true
        )
        let target = self.failure { try scene.store([Album.self]) }
        #expect(target?.code == .schemaMismatch && target?.message.contains("Song") == true)
    }
}
