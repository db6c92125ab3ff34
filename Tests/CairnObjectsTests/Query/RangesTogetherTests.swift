import CairnObjects
import CairnTestSupport
import Foundation
import Testing

@Stored final class Parcel {
    @Indexed var number: Int
    @Relationship var depot: Depot?
}

@Stored final class Depot {
    @Indexed var name: String
    @Relationship(inverse: \Parcel.depot) var parcels: ObjectSet<Parcel>
}

/// Ranges that one call of the engine reads, which is one request if it is behind a network.
struct RangesTogetherTests {
    private let engine = CountingEngine(isRemote: true)
    private let store: ObjectStore

    /// 60 depots with five parcels each, of which each two have the same name; ten more parcels have none.
    init() throws {
        store = try ObjectStore(engine: engine, classes: [Parcel.self, Depot.self])
        try store.write { (context) throws in
            let depots = (0..<60).map { Depot(name: "depot \(10 + $0 / 2)") }
            depots.forEach(context.insert)
            for number in 0..<310 {
                let parcel = Parcel(number: number)
                context.insert(parcel)
                if number < 300 { parcel.depot = depots[number * 7 % 60] }
            }
        }
    }

    /// How many calls `body` scans with.
    private func scans(_ body: (ObjectContext) throws -> Void) throws -> Int {
        try store.read { context in try engine.scanCallCount { try body(context) } }
    }

    @Test func theRangesOfAConditionAreReadAtOnce() throws {
        let wanted = (0..<100).map { $0 * 3 }
        let scans = try scans { (context) throws in
            #expect(try context.fetch(Parcel.self, where: .isIn(\.number, wanted)).map(\.number) == wanted)
            #expect(try context.count(where: .isIn(\Parcel.number, wanted + [1000])) == 100)
            let last = try context.fetch(where: .isIn(\Parcel.number, wanted), sortedBy: [.descending(\.number)], limit: 3)
            #expect(last.map(\.number) == [297, 294, 291])
        }
        #expect(scans == 3)
    }

    @Test func whatLeadsToSeveralObjectsIsReadAtOnce() throws {
        let scans = try scans { (context) throws in
            let found = try context.fetch(Parcel.self, where: .has(\.depot, where: .isIn(\.name, ["depot 12", "depot 20", "depot 39"])))
            #expect(found.count == 30 && found.allSatisfy { ["depot 12", "depot 20", "depot 39"].contains($0.depot?.name) })
        }
        // The depots, then the parcels.
        #expect(scans == 2)
    }

    @Test(arguments: [false, true])
    func aWalkReadsMoreAndMoreAtOnce(isReversed: Bool) throws {
        try store.read { (context) throws in
            let sort: ObjectSort<Parcel> = isReversed ? .descending(\.depot, \.name) : .ascending(\.depot, \.name)
            let all = try context.allObjects(Parcel.self).filter { $0.depot != nil }
            let wanted = all.sorted { one, other in
                let (mine, theirs) = (one.depot!.name, other.depot!.name)
                return (mine == theirs ? one.number < other.number : mine < theirs) != isReversed
            }
            var first: [Parcel] = []
            let calls = try engine.scanCallCount { first = try context.fetch(where: !.isNil(\.depot), sortedBy: [sort], limit: 100) }
            #expect(first.map(\.number) == wanted.prefix(100).map(\.number))
            // The index, and then the parcels of one name, of two and of eight.
            #expect(calls <= 4)
            #expect(try context.fetch(where: !.isNil(\.depot), sortedBy: [sort]).map(\.number) == wanted.map(\.number))
            #expect(try context.fetch(sortedBy: [sort], limit: 250, offset: 60).count == 250)
        }
    }

    @Test func aDerivedPropertyOfSeveralObjectsIsPrefetchedAtOnce() throws {
        let scans = try scans { (context) throws in
            let depots = try context.fetch(Depot.self, sortedBy: \.name, limit: 50, prefetching: \.parcels)
            let reads = engine.count {
                for depot in depots { #expect(depot.parcels.count == 5 && depot.parcels.allSatisfy { $0.number >= 0 }) }
            }
            #expect(reads.values == 0 && reads.entries == 0)
        }
        #expect(scans == 2)
    }

    /// Unsaved changes count, in what was prefetched too.
    @Test func whatIsPrefetchedHasUnsavedChanges() throws {
        let context = try store.makeContext()
        let parcels = try context.fetch(Parcel.self, where: .isIn(\.number, [0, 1]))
        let depot = try #require(parcels[0].depot)
        parcels[1].depot = depot
        let another = Parcel(number: 1000)
        another.depot = depot
        let depots = try context.fetch(Depot.self, prefetching: \.parcels)
        #expect(depots.reduce(0) { $0 + $1.parcels.count } == 301)
        #expect(depot.parcels.count == 7 && depot.parcels.contains(parcels[1]) && depot.parcels.contains(another))
    }

    /// What a serializable save depends on: the ranges that were read, up to where the reading ended.
    @Test(arguments: [(15, 2), (20, 2), (29, 1), (30, 1), (45, 1)])
    func aSaveDependsOnWhatWasReadOfTheRanges(inserted: Int, runs: Int) throws {
        var count = 0
        try store.write { (context) throws in
            count += 1
            let found = try context.fetchIDs(where: .isIn(\Parcel.number, [10, 15, 20, 29, 29, 30, 45]), sortedBy: \.number, limit: 4)
            #expect(found.count == 4)
            if count == 1 { try store.write { $0.insert(Parcel(number: inserted)) } }
            let parcel = try #require(try context.first(Parcel.self, where: \.number == 200))
            parcel.number = 2000
        }
        #expect(count == runs)
    }
}
