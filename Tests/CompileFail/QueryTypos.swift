// With the class in front, the compiler names a property that does not exist.
import CairnObjects
import Foundation

@Stored final class Song {
    var title: String
}

func find(_ context: ObjectContext) throws {
    _ = try context.fetch(Song.self, where: \Song.title == "x")
    _ = try context.fetch(where: #Predicate<Song> { $0.title == "x" })
    _ = try context.fetch(Song.self, where: \Song.titel == "x")  // error: value of type 'Song' has no member 'titel'
    _ = try context.fetch(Song.self, where: #Predicate<Song> { $0.titel == "x" })  // error: value of type 'Song' has no member 'titel'
}
