package import CairnGraph
import CairnStored

@Stored package final class Singer {
    @Unique package var name: String
    @Relationship(inverse: \Song.singer, onDelete: .cascade) package var songs: ObjectList<Song>
}

@Stored package final class Song {
    @Searchable package var title: String
    @Indexed package var seconds: Int
    @Relationship package var singer: Singer?
}
