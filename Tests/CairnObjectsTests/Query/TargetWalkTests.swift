import CairnObjects
import CairnTestSupport
import Foundation
import Testing

@Stored final class Rack {
    @Indexed var label: String?
    @Unique var code: String?
    var place: String
    @Relationship(inverse: \Volume.rack) var volumes: ObjectSet<Volume>
}

@Stored final class Volume {
    var title: String
    @Relationship var rack: Rack?
}

/// Sorting by an indexed property of what objects refer to, with a limit, finds what sorting all of them finds.
struct TargetWalkTests {
    private struct Order {
        var sort: ObjectSort<Volume>
        var key: (Volume) -> [UInt8]
        var isDescending: Bool

        func sorted(_ volumes: [Volume]) -> [ObjectID] {
            volumes.sorted { one, other in
                let (mine, theirs) = (key(one), key(other))
                if mine != theirs { return mine.lexicographicallyPrecedes(theirs) != isDescending }
                return (one.objectID! < other.objectID!) != isDescending
            }.map { $0.objectID! }
        }
    }

    private static let orders: [@Sendable () -> Order] = [
        { Order(sort: .ascending(\.rack, \.label), key: { ($0.rack?.label).keyBytes }, isDescending: false) },
        { Order(sort: .descending(\.rack, \.label), key: { ($0.rack?.label).keyBytes }, isDescending: true) },
        { Order(sort: .ascending(\.rack, \.code), key: { ($0.rack?.code).keyBytes }, isDescending: false) },
        { Order(sort: .descending(\.rack, \.code), key: { ($0.rack?.code).keyBytes }, isDescending: true) },
    ]

    private static func change(_ context: ObjectContext, _ generator: inout SeededGenerator) throws {
        for rack in try context.allObjects(Rack.self) where generator.oneIn(4) {
            rack.label = generator.oneIn(5) ? nil : generator.pick(["", "a", "a\0", "b", "é", "zoo"])
        }
        let racks = try context.allObjects(Rack.self)
        for volume in try context.allObjects(Volume.self) where generator.oneIn(5) {
            volume.rack = generator.oneIn(4) ? nil : generator.pick(racks)
        }
        if let volume = try context.allObjects(Volume.self).randomElement(using: &generator) { try context.delete(volume) }
        context.insert(Volume(title: "new", rack: generator.pick(racks)))
    }

    private static func fill(_ store: ObjectStore, _ generator: inout SeededGenerator) throws {
        try store.write { context in
            // Some have no volumes.
            let racks = (0..<12).map { Rack(label: generator.oneIn(4) ? nil : "\($0 % 5)", code: $0 == 3 ? nil : "\($0)", place: "") }
            racks.forEach(context.insert)
            let hasNone = generator.oneIn(2)
            for number in 0..<generator.int(in: 100..<200) {
                let rack = hasNone && generator.oneIn(6) ? nil : racks[min(generator.int(in: 0..<12), generator.int(in: 0..<12))]
                context.insert(Volume(title: "\(number)", rack: rack))
            }
        }
    }

    private static func check(_ context: ObjectContext, _ generator: inout SeededGenerator) throws {
        for makeOrder in orders {
            let order = makeOrder()
            let wanted = order.sorted(try context.allObjects(Volume.self))
            for limit in [1, 7, 40, 1000] {
                let offset = generator.oneIn(2) ? 0 : generator.int(in: 0..<50)
                let part = Array(wanted.dropFirst(offset).prefix(limit))
                let found = try context.fetch(Volume.self, sortedBy: [order.sort], limit: limit, offset: offset)
                #expect(found.map { $0.objectID! } == part, "\(offset), \(limit)")
                #expect(try context.fetchIDs(Volume.self, sortedBy: [order.sort], limit: limit, offset: offset) == part)
            }
            #expect(try context.fetchIDs(Volume.self, sortedBy: [order.sort]) == wanted)
            let owned = order.sorted(try context.allObjects(Volume.self).filter { $0.rack != nil })
            for limit in [1, 30, 1000] {
                let first = try context.fetchIDs(Volume.self, where: !.isNil(\.rack), sortedBy: [order.sort], limit: limit)
                #expect(first == Array(owned.prefix(limit)))
                let (owns, offset) = (#Predicate<Volume> { $0.rack != nil }, generator.int(in: 0..<50))
                let later = try context.fetch(Volume.self, where: owns, sortedBy: [order.sort], limit: limit, offset: offset)
                #expect(later.map { $0.objectID! } == Array(owned.dropFirst(offset).prefix(limit)))
            }
            var pages: [ObjectID] = []
            var cursor: FetchCursor?
            repeat {
                let limit = generator.int(in: 1..<40)
                let page = try context.fetchPage(Volume.self, sortedBy: [order.sort], limit: limit, after: cursor)
                pages += page.objects.map { $0.objectID! }
                cursor = page.next
            } while cursor != nil && pages.count <= wanted.count
            #expect(pages == wanted)
        }
    }

    @Test func sortsByTargetsFindWhatIsThere() async throws {
        try await withSeeds("target walks", count: Thorough.count(1, of: 6)) { generator in
            let options = generator.oneIn(2) ? ObjectStoreOptions() : .sharingScans
            let store = try ObjectStore(engine: MemoryEngine(), classes: [Rack.self, Volume.self], options: options)
            try Self.fill(store, &generator)
            let context = try store.makeContext()
            for _ in 0..<4 {
                try Self.check(context, &generator)
                try Self.change(context, &generator)
                // Unsaved, then saved.
                try Self.check(context, &generator)
                try context.save()
            }
        }
    }

    @Test func theIndexOfTheTargetsIsUsed() throws {
        let engine = CountingEngine()
        let store = try ObjectStore(engine: engine, classes: [Rack.self, Volume.self])
        var generator = SeededGenerator(seed: 1)
        try store.write { context in
            let racks = (0..<10).map { Rack(label: "\($0)", code: nil, place: "") }
            racks.forEach(context.insert)
            for number in 0..<320 { context.insert(Volume(title: "", rack: racks[number % 10])) }
        }
        let context = try store.makeContext()
        let plan = try context.explain(Volume.self, sortedBy: [.descending(\.rack, \.label)], limit: 5)
        #expect(plan.access == "references through rack to each Rack of its index (label), and objects without one")
        #expect(plan.order == "as in the index, backwards" && plan.examined == 320 && !plan.isMore)
        // An entry of the index or two, and five that lead to the rack; no pages are scanned.
        let (values, entries) = try engine.count {
            _ = try context.fetch(Volume.self, sortedBy: [.descending(\.rack, \.label)], limit: 5)
        }
        #expect(values <= 5 && entries <= 8, "\(values) values, \(entries) entries")
        // Those without a rack come first, and must be looked for.
        let (_, all) = try engine.count { _ = try context.fetch(Volume.self, sortedBy: [.ascending(\.rack, \.label)], limit: 5) }
        #expect(all >= 10 && all <= 11 + 8, "\(all) entries")
        // Unless they are not wanted.
        let (read, few) = try engine.count {
            _ = try context.fetch(Volume.self, where: !.isNil(\.rack), sortedBy: [.ascending(\.rack, \.label)], limit: 5)
        }
        #expect(read <= 5 && few <= 8, "\(read) values, \(few) entries")
        func access(_ sorts: [ObjectSort<Volume>], _ limit: Int? = 5, where condition: ObjectCondition<Volume>? = nil) throws -> String {
            try context.explain(Volume.self, where: condition, sortedBy: sorts, limit: limit).access
        }
        #expect(try access([.ascending(\.rack, \.place)]) == "all Volume")
        #expect(try access([.ascending(\.rack, \.label), .ascending(\.title)]) == "all Volume")
        #expect(try access([.ascending(\.rack, \.label)], nil) == "all Volume")
        #expect(try access([.ascending(\.rack, \.label)], where: .contains(\.title, "1")) == "all Volume")
        #expect(try access([.ascending(\.rack, \.label)], where: .isNil(\.rack)) == "all Volume")
        #expect(
            try access([.ascending(\.rack, \.label)], where: !.isNil(\.rack)) == "references through rack to each Rack of its index (label)"
        )
        // Targets with unsaved changes, and too many of them.
        try context.allObjects(Rack.self)[0].label = "changed"
        #expect(try access([.ascending(\.rack, \.label)]) == "all Volume")
        context.rollback()
        try store.write { context in for _ in 0..<100 { context.insert(Rack(label: "", code: nil, place: "")) } }
        #expect(try access([.ascending(\.rack, \.label)]) == "all Volume")
        try Self.check(context, &generator)
    }
}
