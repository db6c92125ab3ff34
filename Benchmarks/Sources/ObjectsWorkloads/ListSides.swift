import BenchKit
import CairnObjects
import StoreEngines

#if SQLite
import RivalSQLite
#endif

/// A store with one ordered list.
protocol ListSide: AnyObject {
    var name: String { get }
    /// Makes the store, with a list of as many songs, each in the place of its number.
    func make(_ path: String, _ size: Int) throws
    /// Inserts a song at a position, in a commit of its own. The songs from there on shift by one.
    func insert(_ song: Int, at position: Int) throws
    /// Appends a song, in a commit of its own.
    func append(_ song: Int) throws
    /// What the list contains now, as read from the store.
    func sum() throws -> Sum
    func close() throws
}

/// The subject.
final class CairnList: ListSide {
    private struct Opened {
        let store: ObjectStore
        let context: ObjectContext
        let list: StoredPlaylist
        let songs: [StoredSong]
        let ids: [ObjectID]
    }

    let engine: StoreEngine
    var name: String { engine.sideName }
    private var opened: Opened?

    init(_ engine: StoreEngine) { self.engine = engine }

    private func open() throws -> Opened {
        guard let opened else { throw Disagreement("the store is not open") }
        return opened
    }

    func make(_ path: String, _ size: Int) throws {
        let store = try engine.open(path, [StoredSong.self, StoredPlaylist.self])
        var options = ObjectContextOptions()
        options.isObserved = false
        let context = try store.makeContext(options)
        let songs = (0..<size).map { StoredSong(title: Programs.title, seconds: $0) }
        let list = StoredPlaylist(title: Programs.playlistTitle)
        for song in songs { context.insert(song) }
        context.insert(list)
        list.songs.append(contentsOf: songs)
        try context.save()
        opened = Opened(store: store, context: context, list: list, songs: songs, ids: songs.compactMap(\.objectID))
    }

    func insert(_ song: Int, at position: Int) throws {
        let opened = try open()
        opened.list.songs.insert(opened.songs[song], at: position)
        try opened.context.save()
    }

    /// Changes the list in a context of its own.
    private func change(_ body: (ObjectContext, StoredPlaylist, [ObjectID]) throws -> Void) throws {
        let opened = try open()
        try opened.store.write { context in
            guard let id = opened.list.objectID, let list = try context.object(id, as: StoredPlaylist.self) else {
                throw Disagreement("there is no list")
            }
            try body(context, list, opened.ids)
        }
    }

    func append(_ song: Int) throws {
        try change { context, list, ids in
            guard let song = try context.object(ids[song], as: StoredSong.self) else { throw Disagreement("there is no song \(song)") }
            list.songs.append(song)
        }
    }

    func move(from start: Int, to end: Int) throws { try change { _, list, _ in list.songs.move(from: start, to: end) } }

    func remove(at position: Int) throws { try change { _, list, _ in list.songs.remove(at: position) } }

    func read(_ range: Range<Int>) throws {
        let opened = try open()
        try opened.store.read { context in
            guard let id = opened.list.objectID, let list = try context.object(id, as: StoredPlaylist.self) else {
                throw Disagreement("there is no list")
            }
            var seconds = 0
            for song in list.songs[range] { seconds += song.seconds }
            guard seconds > 0 else { throw Disagreement("the songs have other values") }
        }
    }

    func sum() throws -> Sum {
        try open().store.read { context in
            var sum = Sum()
            guard let list = try context.allObjects(StoredPlaylist.self).first else { return sum }
            for (position, song) in try list.songs.load().enumerated() {
                sum.count += 1
                sum.add(song: Int64(song.seconds), at: position)
            }
            return sum
        }
    }

    func close() throws {
        opened?.context.close()
        try opened?.store.close()
        opened = nil
    }
}

#if SQLite
/// SQLite in C: positions are numbers, as in the other programs.
@safe final class SQLiteList: ListSide {
    let name: String
    private var list: OpaquePointer?
    private var size = 0

    init(name: String = "SQLite") { self.name = name }

    func make(_ path: String, _ size: Int) throws {
        self.size = size
        try unsafe check(rival_sqlite_list_make(path, size, &list))
    }

    func append(_ song: Int) throws {
        try insert(song, at: size)
        size += 1
    }

    func insert(_ song: Int, at position: Int) throws { try unsafe check(rival_sqlite_list_insert(list, position, song)) }

    func sum() throws -> Sum {
        var sum = rival_sum()
        try unsafe check(rival_sqlite_list_sum(list, &sum))
        return Sum(count: sum.count, seconds: 0, letters: 0, order: sum.order)
    }

    func close() throws {
        guard let open = unsafe list else { return }
        unsafe list = nil
        try unsafe check(rival_sqlite_list_close(open))
    }

    private func check(_ code: Int32) throws {
        guard code == 0 else { throw Disagreement("\(name) failed: \(unsafe String(cString: rival_sqlite_message(code)))") }
    }
}
#endif
