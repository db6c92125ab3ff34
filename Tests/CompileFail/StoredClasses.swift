// The compiler refuses what @Stored refuses, at the right place; beside it is what works.
import CairnObjects

@Stored final class Song {
    @Indexed var artist: String
    var seconds: Int = 0
    @Relationship(inverse: \Playlist.songs) var playlists: ObjectSet<Playlist>
}

@Stored final class Playlist {
    var title: String
    @Relationship var songs: [Song]
}

func play(_ song: Song) -> Playlist {
    song.seconds += 1
    return Playlist(title: song.artist, songs: [song])
}

@Stored class NotFinal {  // error: a stored class must be final
    var a: Int = 0
}

@Stored struct Value {  // error: @Stored applies only to final classes
    var a: Int = 0
}

@Stored enum Choice {  // error: @Stored applies only to final classes
    case a
}

@MainActor  // error: a stored class cannot be isolated to an actor
@Stored final class OnMain {
    var a: Int = 0
}

@Stored final class Wrong {
    let created: Int = 0  // error: stored properties must be 'var'
    var count = 0  // error: stored properties need an explicit type
    var pair: (Int, Int) = (0, 0)  // error: tuples cannot be stored
    var watched: Int = 0 { didSet {} }  // error: stored properties cannot have 'willSet' or 'didSet'
    @Transient @Unique var code: Int = 0  // error: @Unique has no effect with @Transient
    @Indexed @Relationship var song: Song?  // error: a relationship cannot be in an index
    var songs: ObjectSet<Song> = []  // error: a property that holds stored objects needs @Relationship
}

@Stored(indexes: [["title"]])  // error: 'Listed' has no stored property 'title'
final class Listed {
    var a: Int = 0
}

@Stored final class Cascading {
    @Relationship(deleteRule: .cascade, inverse: \Owned.owner) var owned: [Owned]  // error: the rule comes last and is named 'onDelete'
}

@Stored final class Owned {
    @Relationship var owner: Cascading?
}

final class Unstored {
    @Indexed var a: Int = 0  // error: @Indexed applies only to properties of a class with @Stored
}

func share(_ song: Song) -> any Sendable {
    song  // error: does not conform to the 'Sendable' protocol
}
