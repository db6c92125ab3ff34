import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// What `explain` says is what is done.
struct ExplainTests {
    private func context(_ count: Int = 60) throws -> ObjectContext {
        let store = try Scene().tracks()
        try store.write { context in
            for number in 0..<count {
                context.insert(
                    Track(
                        artist: number.isMultiple(of: 10) ? "Abba" : "Zappa",
                        title: "\(number)",
                        seconds: number,
                        rating: nil,
                        note: nil,
                        code: "\(number)",
                        small: 0,
                        genre: .jazz,
                        released: nil,
                        isLive: number.isMultiple(of: 2),
                        identity: UUID()
                    )
                )
            }
        }
        return try store.makeContext()
    }

    @Test func plansAreShown() throws {
        let context = try context()
        func plan(_ condition: ObjectCondition<Track>, _ sorts: [ObjectSort<Track>] = [], limit: Int? = nil) throws -> String {
            "\(try context.explain(where: condition, sortedBy: sorts, limit: limit))"
        }
        #expect(
            try plan(\.artist == "Abba" && .contains(\.title, "3")) == """
                scan:   index (artist): artist = "Abba"
                finds:  6
                asks:   title contains "3"
                order:  as inserted
                """
        )
        #expect(
            try plan(.everything) == """
                scan:   all Track
                finds:  60
                order:  as inserted
                """
        )
        #expect(
            try plan(\.title == "3", [.descending(\.title)], limit: 5) == """
                scan:   all Track
                finds:  60
                asks:   title = "3"
                order:  sorted in memory by title descending, the first 5 kept
                """
        )
        #expect(
            try plan(\.artist == "Abba" && \.seconds > 10 && \.seconds <= 30) == """
                scan:   index (artist, seconds): artist = "Abba" and seconds > 10 and seconds <= 30
                finds:  2
                order:  as inserted
                """
        )
        #expect(
            try plan(\.code == "7" || .hasPrefix(\.artist, "Ab")) == """
                scan:   index (code): code = "7"; and index (artist): artist begins with "Ab"
                finds:  7
                order:  as inserted
                """
        )
        #expect(
            try plan(\.seconds < 0 && \.seconds > 0) == """
                scan:   nothing: no object can match
                finds:  0
                order:  as inserted
                """
        )
        #expect(
            try plan(.isIn(\.seconds, [1, 2, 3, 4, 5, 6, 7])) == """
                scan:   index (seconds): seconds in (1, 2, 3, 4, 5, … 7 values)
                finds:  7
                order:  as inserted
                """
        )
        // The one that finds the fewest.
        #expect(try plan(\.artist == "Zappa" && .isBetween(\.seconds, 0...3)).contains("index (artist, seconds)"))
        #expect(try plan(\.artist == "Abba" && .isBetween(\.rating, 0...3)).contains("index (rating)"))
    }

    @Test func anIndexThatSortsIsUsed() throws {
        let context = try context(1200)
        func order(_ condition: ObjectCondition<Track>, _ sorts: [ObjectSort<Track>], limit: Int?) throws -> String {
            let plan = try context.explain(where: condition, sortedBy: sorts, limit: limit)
            return "\(plan.access): \(plan.order)"
        }
        #expect(try order(.everything, [.ascending(\.seconds)], limit: 10) == "index (seconds), all of it: as in the index")
        #expect(try order(.everything, [.descending(\.seconds)], limit: 10) == "index (seconds), all of it: as in the index, backwards")
        #expect(try order(.everything, [.ascending(\.seconds)], limit: nil) == "all Track: sorted in memory by seconds")
        #expect(
            try order(\.artist == "Zappa", [.descending(\.seconds)], limit: 1).hasPrefix(
                "index (artist, seconds): artist = \"Zappa\": as in the index, backwards"
            )
        )
        #expect(
            try order(\.artist == "Abba", [.ascending(\.title)], limit: 1)
                == "index (artist): artist = \"Abba\": sorted in memory by title, the first 1 kept"
        )
        #expect(
            try order(.everything, [.ascending(\.artist), .descending(\.seconds)], limit: 1)
                == "all Track: sorted in memory by artist, seconds descending, the first 1 kept"
        )
        #expect(try order(.everything, [.ascending(\.lengthInMinutes)], limit: 1).contains("sorted in memory"))
        let last = try context.fetch(Track.self, sortedBy: [.descending(\.seconds)], limit: 3)
        #expect(last.map(\.seconds) == [1199, 1198, 1197])
    }

    @Test func pendingChangesAreCounted() throws {
        let context = try context()
        let track = try #require(try context.first(Track.self, where: \.code == "3"))
        track.title = "new"
        #expect(try context.explain(Track.self).pendingCount == 1)
        #expect("\(try context.explain(Track.self))".hasSuffix("beside: 1 with unsaved changes"))
    }

    @Test func negativeLimitsAreRefused() throws {
        let context = try context(1)
        #expect(code { try context.fetch(Track.self, limit: -1) } == .invalidPredicate)
        #expect(code { try context.fetch(Track.self, offset: -1) } == .invalidPredicate)
        #expect(code { try context.fetch(Track.self, limit: .max, offset: .max) } == nil)
        #expect(try context.fetch(Track.self, limit: 0).isEmpty)
    }

    /// What is not needed is not read: pages and entries are counted.
    @Test func littleIsRead() throws {
        let engine = CountingEngine()
        let store = try ObjectStore(engine: engine, classes: [First.Part.self])
        try store.write { context in for number in 0..<3200 { context.insert(First.Part(weight: number / 32, name: "\(number)")) } }
        let context = try store.makeContext()
        _ = try context.count(First.Part.self)
        func reads(_ body: () throws -> Void) throws -> [Int] {
            let (values, entries) = try engine.count(body)
            return [values, entries]
        }
        // Only entries of the index, where nothing else is asked.
        #expect(try reads { _ = try context.count(where: \First.Part.weight == 3) } == [0, 32])
        #expect(try reads { _ = try context.fetchIDs(where: \First.Part.weight == 3, limit: 4).count } == [0, 4])
        // Each page once: the rows of one weight lie on two.
        #expect(try reads { _ = try context.fetch(where: \First.Part.weight == 3).count } == [2, 32])
        // The end of the index, as far as the limit; before, entries are counted to find whether that is worth it.
        let sorted = try reads { _ = try context.fetch(First.Part.self, sortedBy: [.descending(\.weight)], limit: 5).count }
        #expect(sorted[0] <= 2 && sorted[1] <= 32)
        // One page after the other, until there is one.
        #expect(try reads { _ = try context.first(First.Part.self, where: \.name == "40") } == [0, 2])
        #expect(try reads { _ = try context.first(First.Part.self, where: \.weight > 3 && \.weight < 2) } == [0, 0])
    }
}
