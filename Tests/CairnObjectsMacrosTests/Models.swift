public import CairnObjects
import Foundation

enum Genre: String, StoredValue, KeyCodable, CaseIterable { case none, rock, jazz }

struct Place: Codable, Equatable {
    var room = 0
    var shelf = "a"
}

@Stored(name: "Track", formerNames: ["Tune"], version: 3, indexes: [["artist", "title"]])
final class Song {
    @Indexed var artist: String
    @Searchable var title: String
    var seconds: Int = 0
    @Stored(originalName: "year") var released: Int?
    @Unique var code: String?
    var genre: Genre = .none
    var tags: [String] = []
    var place: Place?
    var volume: Int? = 11
    @Transient var plays = 0
    @Relationship(inverse: "songs") var album: Album?
}

@Stored public final class Album {
    public var title: String
    public private(set) var edition: Int = 1
    var shelf: String = "unknown"
    @Relationship(inverse: \Song.album, onDelete: .cascade) var songs: [Song]
    @Relationship(inverse: "friends") public var friends: ObjectSet<Album>
    @Relationship public var byLanguage: ObjectDictionary<String, Album>

    public func reprint() { edition += 1 }
}

/// Every kind of value.
@Stored final class Everything {
    var bool: Bool
    var small: UInt8
    var int: Int
    var double: Double
    var string: String
    var bytes: [UInt8]
    var data: Data
    var date: Date
    var uuid: UUID
    var url: URL
    var decimal: Decimal
    var genre: Genre
    var genres: Set<Genre>
    var names: [String: [Int]]
    var perhaps: [Int?]?
    var place: Place
    var places: [Place]
}

/// Initialisers of its own, which leave out what they may.
@Stored final class Chosen {
    var a: Int
    var b: String = "b"
    var c: Int?
    @Relationship var songs: [Song]
    @Transient var d = 4

    init(a: Int) { self.a = a }

    init(all a: Int, _ song: Song) {
        b = "all"
        self.a = a
        c = a
        songs = [song]
        d = 5
    }

    convenience init() { self.init(a: 7) }
}

@Stored final class OnlyConvenience {
    var a: Int
    convenience init(text: String) { self.init(a: text.utf8.count) }
}

@Stored final class ByHand: HandCodedObject {
    @Indexed var name: String
    var number: Int
    @Relationship var next: ByHand?

    func read(from record: inout RecordReader) throws(RecordError) {
        number = try record.read()
        name = try record.read()
    }

    func write(to record: inout RecordWriter) {
        record.write(number)
        record.write(name)
    }
}

/// Names that need care.
enum Nest {
    @Stored final class `Class` {
        var `class`: String
        var `in`: Int?
        var `two words`: Int = 2
        var value: Int = 0
        var newValue: Int = 0
        var index: Int = 0
        var reader: Int = 0
        var writer: Int = 0
        var fields: Int = 0
        var object: Int = 0
        @Indexed var encoder: Int = 0
    }
}

/// The record of an object, as the store numbers fields: in the order of declaration.
func record(of object: some StoredObject) throws -> [UInt8] {
    var writer = RecordWriter()
    object._$write(&writer, FieldMap(count: type(of: object).objectSchema.properties.count))
    return try writer.bytes
}

/// A new object with the values of a record.
func object<Object: StoredObject>(_ type: Object.Type, from record: [UInt8]) throws -> Object {
    let object = Object(_$fault: ())
    let fields = FieldMap(count: type.objectSchema.properties.count)
    var reader = unsafe RecordReader(bytes: record.span.bytes, fields: fields)
    try object._$read(&reader)
    return object
}

/// A place with types of its own that are called like the library's.
enum Namesakes {
    struct RecordReader {}
    struct RecordWriter {}
    struct RecordError: Error {}
    struct FieldMap {}
    struct ObjectState {}
    struct ObjectSchema {}
    struct ObjectIndex {}
    struct ObjectReference {}
    struct ObjectCollection {}
    protocol StoredObject {}

    @Stored final class Note {
        @Indexed var title: String
        @Relationship var next: Note?
        @Relationship var others: ObjectList<Note>
    }
}
