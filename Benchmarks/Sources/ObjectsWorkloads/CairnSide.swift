import CairnObjects
import StoreEngines

@Stored final class StoredSong {
    var title: String
    var seconds: Int
    @Relationship var playlists: ObjectSet<StoredPlaylist>
}

@Stored final class StoredPlaylist {
    var title: String
    @Relationship(inverse: \StoredSong.playlists) var songs: ObjectList<StoredSong>
}

/// The subject: CairnObjects through its public API.
struct CairnSide: Side {
    var name: String
    var engine: StoreEngine
    var options: ObjectStoreOptions

    init(name: String? = nil, engine: StoreEngine = .rocks, options: ObjectStoreOptions = ObjectStoreOptions()) {
        self.name = name ?? engine.sideName
        self.engine = engine
        self.options = options
    }

    private func withContext(at path: String, _ body: (ObjectContext) throws -> Void) throws {
        let store = try engine.open(path, [StoredSong.self, StoredPlaylist.self], options)
        // Nobody observes: reading would make an observer's place for each object.
        var options = ObjectContextOptions()
        options.isObserved = false
        let context = try store.makeContext(options)
        try body(context)
        context.close()
        try store.close()
    }

    private func withReading(at path: String, _ body: (ObjectContext) throws -> Void) throws {
        let store = try engine.open(path, [StoredSong.self, StoredPlaylist.self], options)
        try store.read(body)
        try store.close()
    }

    func simpleInsert(at path: String, songs: Int) throws -> Sum {
        var sum = Sum()
        try withContext(at: path) { context in
            for seconds in 0..<songs {
                let song = StoredSong(title: Programs.title, seconds: seconds)
                context.insert(song)
                sum.add(title: song.title, seconds: seconds)
            }
            try context.save()
        }
        return sum
    }

    func simpleFetch(at path: String) throws -> Sum {
        var sum = Sum()
        try withReading(at: path) { context in
            for song in try context.allObjects(StoredSong.self) { sum.add(title: song.title, seconds: song.seconds) }
        }
        return sum
    }

    func complexInsert(at path: String, playlists: Int, songsEach: Int) throws -> Sum {
        var sum = Sum()
        try withContext(at: path) { context in
            for number in 0..<playlists {
                let playlist = StoredPlaylist(title: Programs.playlistTitle)
                context.insert(playlist)
                sum.letters += UInt64(playlist.title.utf8.count)
                for position in 0..<songsEach {
                    let seconds = number * songsEach + position
                    let song = StoredSong(title: Programs.title(of: seconds), seconds: seconds)
                    context.insert(song)
                    playlist.songs.append(song)
                    sum.add(title: song.title, seconds: seconds)
                    sum.add(song: Int64(seconds), at: position)
                }
            }
            try context.save()
        }
        return sum
    }

    func complexFetch(at path: String) throws -> Sum {
        var sum = Sum()
        try withReading(at: path) { context in
            let playlists = try context.allObjects(StoredPlaylist.self)
            let first = playlists.first?.songs.objectIDs.first?.row ?? 0
            for playlist in playlists {
                sum.letters += UInt64(playlist.title.utf8.count)
                let ids = playlist.songs.objectIDs
                sum.count += UInt64(ids.count)
                for (position, id) in ids.enumerated() { sum.add(song: Int64(id.row) - Int64(first), at: position) }
            }
            for playlist in playlists { sum.letters += UInt64(playlist.songs.first?.title.utf8.count ?? 0) }
        }
        return sum
    }

    func update(at path: String, loaded: () -> Void) throws -> Sum {
        var sum = Sum()
        try withContext(at: path) { context in
            let songs = try context.allObjects(StoredSong.self)
            loaded()
            for number in stride(from: 0, to: songs.count, by: 3) {
                songs[number].title = Programs.newTitle
                sum.add(title: Programs.newTitle, seconds: songs[number].seconds)
            }
            try context.save()
        }
        return sum
    }
}
