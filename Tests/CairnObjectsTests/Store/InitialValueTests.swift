import CairnEngine
import CairnObjects
import Foundation
import Testing

private enum TuneOne {
    @Stored(name: "Tune") final class Tune {
        var title: String
        var rating: Int?
    }
}

private enum TuneTwo {
    @Stored(name: "Tune") final class Tune {
        var title: String
        var rating: Int?
        @Indexed var genre: String = "pop"
        @Searchable var note: String = "old note"
        @Indexed var added: Date = Date()
    }
}

private enum TuneThree {
    @Stored(name: "Tune") final class Tune {
        var title: String
        @Indexed var rating: Int = 3
        @Indexed var genre: String = "rock"
        @Searchable var note: String = "new note"
        @Indexed var added: Date = Date(timeIntervalSinceReferenceDate: 0)
    }
}

private enum TuneFour {
    @Stored(name: "Tune") final class Tune {
        var title: String
        @Unique var token: UUID = UUID()
    }
}

/// What objects that were saved before a property was added have as its value: the default at that time, whatever the program declares later.
struct InitialValueTests {
    private let engine = MemoryEngine()

    private func open(_ classes: any StoredObject.Type...) throws -> ObjectStore {
        try ObjectStore(engine: engine, classes: classes, options: ObjectStoreOptions(buildsIndexes: true))
    }

    private func addTunes(_ count: Int) throws {
        try open(TuneOne.Tune.self).write { context in
            for number in 0..<count { context.insert(TuneOne.Tune(title: "s\(number)", rating: number == 0 ? 5 : nil)) }
        }
    }

    @Test func aDefaultThatChangesLaterChangesNothing() throws {
        try addTunes(3)
        let added = try open(TuneTwo.Tune.self).read { context in
            let tunes = try context.fetch(TuneTwo.Tune.self, where: \.genre == "pop")
            #expect(tunes.count == 3 && tunes.allSatisfy { $0.note == "old note" })
            #expect(Set(tunes.map(\.added)).count == 1)
            return try #require(tunes.first).added
        }
        let store = try open(TuneThree.Tune.self)
        try store.write { context in
            let tunes = try context.allObjects(TuneThree.Tune.self)
            #expect(tunes.allSatisfy { $0.genre == "pop" && $0.note == "old note" && $0.added == added })
            #expect(try context.count(TuneThree.Tune.self, where: \.genre == "pop") == 3)
            #expect(try context.count(TuneThree.Tune.self, where: \.genre == "rock") == 0)
            #expect(try context.count(TuneThree.Tune.self, where: \.added == added) == 3)
            #expect(try context.search(TuneThree.Tune.self, \.note, "old").count == 3)
            tunes[0].genre = "jazz"
            tunes[1].title = "renamed"
        }
        try store.read { (context) throws in
            #expect(try context.fetch(TuneThree.Tune.self, where: \.genre == "jazz").map(\.title) == ["s0"])
            #expect(try context.fetch(TuneThree.Tune.self, where: \.genre == "pop").map(\.title) == ["renamed", "s2"])
            #expect(try context.search(TuneThree.Tune.self, \.note, "old").count == 3)
        }
        #expect(try store.verify().isIntact)
    }

    /// Without the classes: the tool finds and exports what a program reads.
    @Test func toolsReadItToo() throws {
        try addTunes(2)
        let store = try open(TuneTwo.Tune.self)
        try store.write { $0.insert(TuneTwo.Tune(title: "new", rating: nil, genre: "rock", note: "new note")) }
        let stored = try #require(store.catalog["Tune"])
        try store.inspect { (inspector) throws in
            let genres = try (1...3).map { try inspector.object(ObjectID("1/\($0)")!)?["genre"] }
            #expect(genres == ["pop", "pop", "rock"].map { .value(.text($0)) })
            #expect(try inspector.count(StoreInspector.Query(where: "note = \"old note\""), in: stored) == 2)
            #expect(try inspector.count(StoreInspector.Query(where: "genre != \"pop\""), in: stored) == 1)
        }
    }

    /// Null counts as missing once the property cannot be `nil`.
    @Test func soDoesOneThatReplacesNil() throws {
        try addTunes(3)
        _ = try open(TuneTwo.Tune.self)
        let store = try open(TuneThree.Tune.self)
        #expect(try store.read { try $0.fetch(TuneThree.Tune.self, where: \.rating == 3).map(\.title) } == ["s1", "s2"])
        #expect(try store.read { try $0.allObjects(TuneThree.Tune.self).map(\.rating) } == [5, 3, 3])
        #expect(try store.verify().isIntact)
    }

    /// A unique property needs a step of a migration: a default is made once.
    @Test func aDefaultThatIsMadeAnewIsMadeOnce() throws {
        try addTunes(1)
        let token = try open(TuneFour.Tune.self).read { try #require(try $0.allObjects(TuneFour.Tune.self).first).token }
        let store = try open(TuneFour.Tune.self)
        try store.write { context in
            let tune = try #require(try context.first(TuneFour.Tune.self, where: \.token == token))
            #expect(tune.token == token)
            tune.title = "changed"
        }
        #expect(try store.read { try $0.fetch(TuneFour.Tune.self, where: \.token == token).map(\.title) } == ["changed"])
        #expect(try store.verify().isIntact)
        try store.write { $0.insert(TuneFour.Tune(title: "other")) }
        let refusal = #expect(throws: ObjectStoreError.self) { try store.write { $0.insert(TuneFour.Tune(title: "same", token: token)) } }
        #expect(refusal?.code == .notUnique)
    }

    @Test func severalObjectsCannotShareAUniqueDefault() throws {
        try addTunes(2)
        let refusal = #expect(throws: ObjectStoreError.self) { try open(TuneFour.Tune.self) }
        #expect(refusal?.code == .notUnique)
    }
}

private enum SideOne {
    @Stored(name: "Track") final class Track {
        var title: String
        @Relationship var disc: Disc?
    }
    @Stored(name: "Disc") final class Disc {
        var title: String
        @Relationship var tracks: ObjectList<Track>
        @Relationship var extras: ObjectSet<Track>
    }
}

private enum SideTwo {
    @Stored(name: "Track") final class Track { var title: String }
    @Stored(name: "Disc") final class Disc { var title: String }
}

private enum SideThree {
    @Stored(name: "Track") final class Track {
        var title: String
        @Relationship(inverse: \Disc.tracks) var disc: Disc?
    }
    @Stored(name: "Disc") final class Disc {
        var title: String
        @Relationship var tracks: ObjectList<Track>
    }
}

private enum SideFour {
    @Stored(name: "Track") final class Track {
        var title: String
        @Relationship(inverse: \Disc.extras) var disc: Disc?
    }
    @Stored(name: "Disc") final class Disc {
        var title: String
        @Relationship var extras: ObjectSet<Track>
    }
}

private enum SideFive {
    @Stored(name: "Track") final class Track {
        var title: String
        @Relationship(inverse: \Disc.all) var disc: Disc?
    }
    @Stored(name: "Disc") final class Disc {
        var title: String
        @Relationship var all: ObjectSet<Track>
    }
}

/// Relationships that objects have already, and that a newer program declares in another way.
struct ChangedRelationshipTests {
    private let engine = MemoryEngine()

    private func addDisc() throws {
        try ObjectStore(engine: engine, classes: [SideOne.Track.self, SideOne.Disc.self]).write { context in
            let (track, disc) = (SideOne.Track(title: "t"), SideOne.Disc(title: "d"))
            context.insert(track)
            context.insert(disc)
            track.disc = disc
            disc.tracks.append(track)
            disc.extras.insert(track)
        }
    }

    @Test func anInverseWhoseOtherSideHasNothingIsRefused() throws {
        try addDisc()
        for classes: [any StoredObject.Type] in [[SideThree.Track.self, SideThree.Disc.self], [SideFour.Track.self, SideFour.Disc.self]] {
            let refusal = #expect(throws: ObjectStoreError.self) { try ObjectStore(engine: engine, classes: classes) }
            #expect(refusal?.code == .schemaMismatch && refusal?.message.contains("fill them in a migration") == true)
        }
    }

    @Test func oneThatIsDerivedFromWhatIsStoredIsNot() throws {
        try addDisc()
        let store = try ObjectStore(engine: engine, classes: [SideFive.Track.self, SideFive.Disc.self])
        #expect(try store.read { try $0.allObjects(SideFive.Disc.self).map { $0.all.map(\.title) } } == [["t"]])
        #expect(try store.verify().isIntact)
    }

    @Test func aRelationshipThatComesBackDoesNotDangle() throws {
        try addDisc()
        try ObjectStore(engine: engine, classes: [SideTwo.Track.self, SideTwo.Disc.self]).write { context in
            try context.delete(#require(try context.first(SideTwo.Disc.self)))
        }
        let store = try ObjectStore(engine: engine, classes: [SideOne.Track.self, SideOne.Disc.self])
        try store.read { (context) throws in
            #expect(try context.allObjects(SideOne.Track.self).map(\.disc?.title) == [nil])
            #expect(context.faultErrors.isEmpty)
        }
        #expect(try store.verify().isIntact)
    }
}
