// Both sides of an inverse can name it, but only one by its key path: the compiler does not resolve two that refer to each other.
import CairnObjects

@Stored final class Album {
    var title: String
    @Relationship(inverse: \Song.album) var songs: [Song]  // error: circular reference resolving attached macro 'Relationship'
}

@Stored final class Song {
    var title: String
    @Relationship(inverse: \Album.songs) var album: Album?
}

@Stored final class Shelf {
    @Relationship(inverse: "shelf") var books: [Book]
}

@Stored final class Book {
    @Relationship(inverse: \Shelf.books) var shelf: Shelf?
}

@Stored final class Person {
    @Relationship(inverse: "friends") var friends: ObjectSet<Person>
}
