import CairnObjects

enum Genre: String, StoredValue, KeyCodable {
    case pop, rock, soul, jazz, folk
}

@Stored(indexes: [["artist", "year"]])
final class Song {
    /// Where the file is; by it a song that is imported again is found.
    @Unique var path: String
    @Indexed var artist: String = ""
    var title: String = ""
    var seconds: Int = 0
    var year: Int?
    var genre: Genre?
    /// Nothing is stored for it: the playlists tell.
    @Relationship var playlists: ObjectSet<Playlist>
}

@Stored
final class Playlist {
    @Unique var title: String
    /// In order; a song may be there several times.
    @Relationship(inverse: \Song.playlists) var songs: ObjectList<Song>

    var seconds: Int { songs.reduce(0) { $0 + $1.seconds } }
}
