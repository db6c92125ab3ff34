import CairnObjects
import Testing

private protocol Work: AnyObject {}

@Stored private final class Band: Work {
    var name: String
    @Relationship var friend: Band?
    @Relationship var anything: (any Work)?
    @Relationship(inverse: \Piece.band) var pieces: ObjectSet<Piece>
    @Relationship var array: [Piece]
    @Relationship var list: ObjectList<any Work>
    @Relationship var byYear: ObjectDictionary<Int, Piece>
}

@Stored private final class Piece: Work {
    var title: String
    @Relationship var band: Band?
}

/// Its initializers are written by hand, and assign relationships last: the macro warns otherwise.
@Stored private final class Concert {
    @Relationship var band: Band?
    @Relationship var pieces: ObjectList<Piece>
    @Relationship var array: [Piece]
    @Relationship var byYear: ObjectDictionary<Int, Piece>
    @Relationship var set: ObjectSet<Piece>
    var place: String
    var seats: Int = 0

    init(at place: String, band: Band) {
        self.place = place
        self.band = band
    }

    init(at place: String, pieces: [Piece]) {
        self.place = place
        self.pieces = ObjectList(pieces)
    }

    init(at place: String, array: [Piece]) {
        self.place = place
        seats = 3
        self.array = array
    }

    init(at place: String, byYear: [Int: Piece]) {
        self.place = place
        self.byYear = ObjectDictionary(byYear.map { ($0.key, $0.value) })
    }

    init(at place: String, set: [Piece]) {
        self.place = place
        self.set = ObjectSet(set)
    }
}

/// A new object whose initializer is given objects of a context is inserted, as if they were assigned after it.
@Suite struct InitializerTests {
    private let store: ObjectStore
    private let context: ObjectContext
    private let band = Band(name: "a")
    private let piece = Piece(title: "p")

    init() throws {
        store = try ObjectStore(engine: MemoryEngine(), classes: [Band.self, Piece.self, Concert.self])
        context = try store.makeContext()
        context.insert(band)
        context.insert(piece)
        try context.save()
    }

    @Test func initializersInsertWhatTheyConnect() throws {
        let new = Piece(title: "new", band: band)
        #expect(new.objectContext === context && context.hasChanges && band.pieces.contains(new))
        let bands = [
            Band(name: "friend", friend: band), Band(name: "anything", anything: piece),
            Band(name: "pieces", pieces: [Piece(title: "fresh"), piece]), Band(name: "array", array: [Piece(title: "fresh"), piece]),
            Band(name: "list", list: [band]), Band(name: "byYear", byYear: [1985: piece]),
        ]
        #expect(bands.filter { $0.objectContext !== context }.map(\.name) == [])
        #expect(piece.band === bands[2])
        // As many programs do.
        context.insert(new)
        try context.save()
        #expect(context.refusedChanges.isEmpty)
        #expect(try store.read { [try $0.count(Band.self), try $0.count(Piece.self)] } == [7, 4])
        #expect(try store.verify().isIntact)
    }

    @Test func initializersWrittenByHandDoToo() throws {
        let concerts = [
            Concert(at: "band", band: band), Concert(at: "pieces", pieces: [piece]), Concert(at: "array", array: [piece]),
            Concert(at: "byYear", byYear: [1985: piece]), Concert(at: "set", set: [piece]),
        ]
        #expect(concerts.filter { $0.objectContext !== context }.map(\.place) == [])
        try context.save()
        #expect(try store.read { try $0.count(Concert.self) } == 5)
        #expect(try store.verify().isIntact)
    }

    @Test func withoutObjectsOfAContextTheyInsertNothing() throws {
        let (one, two) = (Piece(title: "one"), Piece(title: "two", band: Band(name: "new")))
        let three = Band(name: "three", pieces: [], array: [], list: [], byYear: [:])
        #expect(one.objectID == nil && two.objectID == nil && three.objectID == nil && !context.hasChanges)
    }
}
