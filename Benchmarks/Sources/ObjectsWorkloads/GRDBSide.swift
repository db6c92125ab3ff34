#if SQLite
import BenchKit
import GRDB

/// SQLite through the records of GRDB: WAL, `synchronous` NORMAL, one transaction, foreign keys; the same library as the C program uses.
struct GRDBSide: Side {
    var name: String { "GRDB" }

    /// Opens a file, made if it is not there, with the tables.
    static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal  // with which GRDB sets synchronous NORMAL
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA secure_delete = OFF") }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write(makeTables)
        return queue
    }

    private func withQueue<Result>(_ path: String, _ body: (DatabaseQueue) throws -> Result) throws -> Result {
        let queue = try Self.open(path)
        let result = try body(queue)
        try queue.close()
        return result
    }

    func simpleInsert(at path: String, songs: Int) throws -> Sum {
        try withQueue(path) { queue in
            try queue.write { db in
                var sum = Sum()
                for number in 0..<songs {
                    var song = SongRecord(title: Programs.title, seconds: number)
                    try song.insert(db)
                    sum.add(title: song.title, seconds: song.seconds)
                }
                return sum
            }
        }
    }

    func simpleFetch(at path: String) throws -> Sum {
        try withQueue(path) { queue in
            var sum = Sum()
            for song in try queue.read(SongRecord.fetchAll) { sum.add(title: song.title, seconds: song.seconds) }
            return sum
        }
    }

    func complexInsert(at path: String, playlists: Int, songsEach: Int) throws -> Sum {
        try withQueue(path) { queue in
            try queue.write { db in
                var sum = Sum()
                var ids: [Int64] = []
                for number in 0..<playlists * songsEach {
                    var song = SongRecord(title: Programs.title(of: number), seconds: number)
                    try song.insert(db)
                    ids.append(song.id!)
                    sum.add(title: song.title, seconds: song.seconds)
                }
                for number in 0..<playlists {
                    var playlist = PlaylistRecord(title: Programs.playlistTitle)
                    try playlist.insert(db)
                    sum.letters += UInt64(playlist.title.utf8.count)
                    for position in 0..<songsEach {
                        let song = number * songsEach + position
                        try EntryRecord(playlist: playlist.id!, position: position, song: ids[song]).insert(db)
                        sum.add(song: Int64(song), at: position)
                    }
                }
                return sum
            }
        }
    }

    func complexFetch(at path: String) throws -> Sum {
        try withQueue(path) { queue in
            try queue.read { db in
                let playlists = try PlaylistRecord.fetchAll(db).map { (title: $0.title, songs: try $0.songs.fetchAll(db)) }
                let first = playlists.first?.songs.first ?? 0
                var sum = Sum()
                for playlist in playlists {
                    sum.letters += UInt64(playlist.title.utf8.count)
                    sum.count += UInt64(playlist.songs.count)
                    for (position, song) in playlist.songs.enumerated() { sum.add(song: song - first, at: position) }
                    guard let id = playlist.songs.first else { continue }
                    sum.letters += UInt64(try SongRecord.find(db, key: id).title.utf8.count)
                }
                return sum
            }
        }
    }

    func update(at path: String, loaded: () -> Void) throws -> Sum {
        try withQueue(path) { queue in
            var songs = try queue.read(SongRecord.fetchAll)
            loaded()
            return try queue.write { db in
                var sum = Sum()
                for index in stride(from: 0, to: songs.count, by: 3) {
                    songs[index].title = Programs.newTitle
                    try songs[index].update(db)
                    sum.add(title: songs[index].title, seconds: songs[index].seconds)
                }
                return sum
            }
        }
    }
}
#endif
