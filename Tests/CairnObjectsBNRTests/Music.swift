import CairnObjects
import CairnObjectsBNR
import Foundation

@Stored(name: "Song") final class OldSong {
    @Indexed var title: String
    var seconds: Int = 0
    var rating: Double?
    var added: Date?
    var cover: [UInt8]?
}

@Stored(name: "Playlist") final class OldPlaylist {
    var title: String
    @Relationship var songs: ObjectList<OldSong>
    @Relationship var favourite: OldSong?
    @Relationship var latest: OldSong?
    @Relationship var all: ObjectList<OldSong>
}

/// Old names, inverses.
@Stored(name: "Disc") final class OldDisc {
    var title: String
    @Relationship var tracks: ObjectList<OldTrack>
}

@Stored(name: "Track") final class OldTrack {
    @Unique var code: String
    @Relationship(inverse: \OldDisc.tracks) var disc: OldDisc?
    @Relationship var boxes: ObjectSet<OldBox>
}

@Stored(name: "Box") final class OldBox {
    @Relationship(inverse: \OldTrack.boxes) var tracks: ObjectList<OldTrack>
}

/// The layouts of the golden directories.
enum Layouts {
    static let song = BNRClassLayout(
        "Song",
        fields: [
            BNRField(.string, "title"), BNRField(.uint32, "seconds", as: .integer(bits: 64, isSigned: true)),
            BNRField(.float64, "rating", as: .optional(.double), versions: 1...255), BNRField(.date, "added", versions: 1...255),
            BNRField(.data, "cover", as: .optional(.bytes), versions: 1...255),
        ]
    )

    static let playlist = BNRClassLayout(
        "Playlist",
        fields: [
            BNRField(.string, "title"), BNRField(.array(of: "Song"), "songs"), BNRField(.reference(of: "Song"), "favourite"),
            BNRField(.anyReference, "latest"), BNRField(.anyArray, "all"),
        ]
    )

    static let music = BNRLayout(
        classes: [song, playlist],
        names: [
            BNRNameLayout(.name("favourite"), .reference(of: "Song")),
            BNRNameLayout(.prefix("count:"), .uint32, as: .integer(bits: 64, isSigned: true)),
        ]
    )
}

/// A store in memory.
func makeStore(_ classes: [any StoredObject.Type]) throws -> ObjectStore { try ObjectStore(engine: MemoryEngine(), classes: classes) }
