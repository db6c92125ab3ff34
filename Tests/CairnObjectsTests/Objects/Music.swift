import CairnObjects
import CairnTestSupport
import Foundation

@Stored final class Song {
    @Indexed var artist: String
    var title: String
    var seconds: Int = 0
    var rating: Double?
    @Relationship(inverse: \Album.songs) var album: Album?
    @Relationship var playlists: ObjectSet<Playlist>
    @Transient var plays = 0
}

@Stored final class Album {
    @Unique var code: String
    var title: String
    @Relationship(onDelete: .cascade) var songs: ObjectList<Song>
    @Relationship var cover: Image?
}

@Stored final class Playlist {
    var title: String
    @Relationship(inverse: \Song.playlists) var songs: ObjectList<Song>
}

@Stored final class Image {
    var bytes: [UInt8] = []
}

@Stored final class Shelf {
    var name: String
    @Relationship(onDelete: .deny) var albums: ObjectSet<Album>
    @Relationship var byLetter: ObjectDictionary<String, Album>
}

let musicClasses: [any StoredObject.Type] = [Song.self, Album.self, Playlist.self, Image.self, Shelf.self]

/// A directory with stores.
struct Scene {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func store(
        _ name: String = "music",
        _ classes: [any StoredObject.Type] = musicClasses,
        _ change: (inout ObjectStoreOptions) -> Void = { _ in }
    ) throws -> ObjectStore {
        var options = ObjectStoreOptions()
        change(&options)
        return try ObjectStore(path: directory.path(name), classes: classes, options: options)
    }
}

/// The code of the error that `body` throws.
func code(_ body: () throws -> some Any) -> ObjectStoreError.Code? {
    do {
        _ = try body()
        return nil
    } catch let error as ObjectStoreError {
        return error.code
    } catch {
        return nil
    }
}

extension Song {
    convenience init(_ title: String, artist: String = "Katrina") { self.init(artist: artist, title: title) }
}
