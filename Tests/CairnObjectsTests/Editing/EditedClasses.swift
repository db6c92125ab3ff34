import CairnObjects
import Foundation

enum Mood: String, CaseIterable, Codable, StoredValue {
    case calm, loud
}

struct Place: Codable, Equatable {
    var x: Int
    var y: Int
}

/// Has every kind of value, index and relationship.
@Stored final class Novel {
    @Unique var code: Int
    @Indexed var title: String
    @Searchable var text: String = ""
    var pages: Int?
    var price: Double = 0
    var mood: Mood = Mood.calm
    var place: Place = Place(x: 0, y: 0)
    var site: URL?
    var cost: Decimal = 0
    var bytes: Data = Data()
    var words: [String] = []
    @Relationship(inverse: \Writer.books) var writer: Writer?
    @Relationship(inverse: \Ledge.books) var racks: ObjectSet<Ledge>
    @Relationship(onDelete: .cascade) var notes: ObjectList<Remark>
}

@Stored final class Writer {
    @Indexed var name: String
    @Relationship(onDelete: .deny) var books: ObjectSet<Novel>
}

@Stored final class Ledge {
    var name: String
    @Relationship var books: ObjectList<Novel>
    @Relationship var byKey: ObjectDictionary<Int, Novel>
}

@Stored final class Remark {
    var text: String
}

let editedClasses: [any StoredObject.Type] = [Novel.self, Writer.self, Ledge.self, Remark.self]
