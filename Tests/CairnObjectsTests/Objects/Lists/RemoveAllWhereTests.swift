import CairnObjects
import Testing

/// `removeAll(where:)` with a condition that changes the list.
struct RemoveAllWhereTests {
    private let context: ObjectContext
    private let album = Album(code: "x", title: "X")

    init() throws {
        context = try ObjectStore(engine: MemoryEngine(), classes: musicClasses).makeContext()
        context.insert(album)
        album.songs.append(contentsOf: (0..<6).map { Song("\($0)") })
    }

    @Test func elementsMayMoveToAnotherList() throws {
        let other = Album(code: "y", title: "Y")
        context.insert(other)
        album.songs.removeAll { song in
            guard song.title > "2" else { return false }
            other.songs.append(song)
            return true
        }
        #expect(album.songs.map(\.title) == ["0", "1", "2"] && other.songs.map(\.title) == ["3", "4", "5"])
        #expect(other.songs.allSatisfy { $0.album === other })
        try context.save()
        #expect(try context.store.verify().isIntact)
    }

    @Test func elementsMayBeDeleted() throws {
        try context.save()
        var seen: [String] = []
        try album.songs.removeAll { song in
            seen.append(song.title)
            guard Int(song.title)! % 2 == 0 else { return false }
            try context.delete(song)
            return true
        }
        #expect(seen == (0..<6).map(String.init) && album.songs.map(\.title) == ["1", "3", "5"])
        try context.save()
        #expect(try context.count(Song.self) == 3 && context.store.verify().isIntact)
    }

    @Test func elementsMayBeInsertedAndAreInTheListSeveralTimes() throws {
        let playlist = Playlist(title: "p")
        context.insert(playlist)
        let (first, second) = (album.songs[0], album.songs[1])
        playlist.songs.append(contentsOf: [first, second, first, second])
        var count = 0
        playlist.songs.removeAll { song in
            count += 1
            if count == 1 { playlist.songs.insert(album.songs[5], at: 0) }
            return song === first
        }
        #expect(count == 4 && playlist.songs.map(\.title) == ["5", "1", "1"])
        try context.save()
        #expect(try context.store.verify().isIntact)
    }
}
