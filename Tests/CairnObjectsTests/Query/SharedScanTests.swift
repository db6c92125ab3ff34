import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Scans that several threads share find, sort, count and fail like those of one thread.
struct SharedScanTests {
    private typealias Found = (ObjectContext) throws -> String

    private static var conditions: [ObjectCondition<PlainTrack>] {
        var conditions: [ObjectCondition<PlainTrack>] = [.everything]
        conditions.append(.contains(\.title, "A"))
        conditions.append(.hasPrefix(\.title, "title 1"))
        conditions.append(\.seconds > 100 && \.isLive == true)
        conditions.append(.isNil(\.rating) || \.genre == .jazz)
        conditions.append(\.price >= 1)
        conditions.append(.satisfies("seconds are odd") { $0.seconds % 2 != 0 })
        conditions.append(\.small == 60 && .satisfies("seconds are odd") { $0.seconds % 2 != 0 })
        return conditions
    }

    private static var orders: [[ObjectSort<PlainTrack>]] {
        var orders: [[ObjectSort<PlainTrack>]] = [[]]
        orders.append([.ascending(\.title)])
        orders.append([.descending(\.artist)])
        orders.append([.ascending(\.rating)])
        orders.append([.descending(\.seconds)])
        orders.append([.ascending(\.genre), .descending(\.note)])
        orders.append([.descending(\.lengthInMinutes)])
        return orders
    }

    /// Queries that scan, each with what it finds, as text.
    private static func queries() -> [Found] {
        func text(_ objects: [PlainTrack]) -> String { objects.map { "\($0.objectID!.row) \($0.title)" }.joined(separator: ",") }
        var queries: [Found] = []
        for condition in conditions {
            queries.append { "\(try $0.count(PlainTrack.self, where: condition))" }
            for order in orders {
                for limit in [nil, 1, 7, 100] {
                    let offset = limit == 7 ? 5 : 0
                    queries.append { text(try $0.fetch(PlainTrack.self, where: condition, sortedBy: order, limit: limit, offset: offset)) }
                }
                for limit in [nil, 20] {
                    queries.append { "\(try $0.fetchIDs(PlainTrack.self, where: condition, sortedBy: order, limit: limit))" }
                }
                queries.append { context in
                    let first = try context.fetchPage(PlainTrack.self, where: condition, sortedBy: order, limit: 30)
                    guard let next = first.next else { return "all" }
                    return text(try context.fetchPage(PlainTrack.self, where: condition, sortedBy: order, limit: 40, after: next).objects)
                }
            }
        }
        return queries
    }

    private static func outcomes(_ store: ObjectStore, _ places: [Int], _ change: (ObjectContext) throws -> Void) throws -> [String] {
        let queries = queries()
        return try places.map { place in
            let query = queries[place % queries.count]
            let context = try store.makeContext()
            defer { context.close() }
            try change(context)
            do { return try query(context) } catch { return "\(error)" }
        }
    }

    private static func fill(_ store: ObjectStore, _ count: Int, _ generator: inout SeededGenerator) throws {
        try store.write { context in
            for number in 0..<count {
                let track = TrackPool.track(number, PlainTrack.self, &generator)
                // Some have a record of their own.
                if generator.oneIn(15) { track.note = String(repeating: "long", count: 500) }
                context.insert(track)
            }
        }
        try store.write { context in
            for track in try context.allObjects(PlainTrack.self) where generator.oneIn(10) { try context.delete(track) }
        }
    }

    private static func compare(
        _ engine: any StorageEngine,
        _ generator: inout SeededGenerator,
        _ change: (ObjectContext) throws -> Void = { _ in }
    ) throws {
        let places = (0..<60).map { _ in generator.int(in: 0..<10_000) }
        let alone = try outcomes(try Scene().tracks(engine), places, change)
        let shared = try outcomes(try Scene().tracks(engine, .sharingScans), places, change)
        for number in alone.indices { #expect(alone[number] == shared[number], "query \(places[number])") }
    }

    @Test func whatSeveralThreadsFindIsWhatOneFinds() async throws {
        try await withSeeds("shared scans", count: Thorough.count(1, of: 2)) { generator in
            let engine = MemoryEngine()
            try Self.fill(try Scene().tracks(engine), 300, &generator)
            try Self.compare(engine, &generator)
            try Self.compare(engine, &generator) { context in
                let tracks = try context.allObjects(PlainTrack.self)
                for track in tracks where track.objectID!.row % 9 == 0 { track.title = "A title" }
                for track in tracks where track.objectID!.row % 31 == 0 { try context.delete(track) }
                context.insert(tracks[7].copied)
            }
        }
    }

    /// Also the first error is the same.
    @Test func damageIsFoundInTheSameOrder() async throws {
        try await withSeeds("damage in shared scans", count: Thorough.count(2, of: 6)) { generator in
            let engine = MemoryEngine()
            try Self.fill(try Scene().tracks(engine), 200, &generator)
            let view = try engine.makeView()
            // Pages and large records.
            let entries = try view.entries(KeyRange(prefix: [0x01])) + view.entries(KeyRange(prefix: [0x02]))
            var commit = EngineCommit()
            for _ in 0..<generator.int(in: 1..<4) {
                var (key, value) = generator.pick(entries)
                switch generator.int(in: 0..<4) {
                case 0 where key[0] == 2: commit.delete(key)
                case 0, 1: value.removeLast(generator.int(in: 1..<value.count))
                default: value[generator.int(in: 0..<value.count)] ^= UInt8(generator.int(in: 1..<256))
                }
                commit.put(value, for: key)
            }
            try engine.commit(commit)
            try Self.compare(engine, &generator)
        }
    }

    @Test func recordsOfFormerVersionsAreLookedAtAgain() throws {
        let engine = MemoryEngine()
        let former = try ObjectStore(engine: engine, classes: [First.Part.self])
        try former.write { context in for number in 0..<9000 { context.insert(First.Part(weight: number % 10, name: "\(number)")) } }
        let store = try ObjectStore(engine: engine, classes: [Second.Part.self], options: .sharingScans)
        try store.read { context in
            #expect(try context.count(where: .hasSuffix(\Second.Part.name, "77") && \.weight == 7000) == 90)
            let last = try context.fetch(Second.Part.self, sortedBy: [.descending(\.name)], limit: 2)
            #expect(last.map(\.name) == ["999", "998"] && last.map(\.weight) == [9000, 8000])
        }
    }

    /// All pages are read, each once, in more than one part; by one thread if the engine does not want several, or if a limit may end the scan.
    @Test func scansAreDivided() throws {
        func scans(
            _ readsInParallel: Bool,
            _ options: ObjectStoreOptions,
            _ query: (ObjectContext) throws -> Void
        ) throws -> [KeyRange] {
            let engine = CountingEngine(readsInParallel: readsInParallel)
            let store = try Scene().tracks(engine, options)
            try store.write { context in
                var generator = SeededGenerator(seed: 1)
                for number in 0..<300 { context.insert(TrackPool.track(number, PlainTrack.self, &generator)) }
            }
            let context = try store.makeContext()
            return try engine.scans { try query(context) }.filter { $0.lowerBound.first == 1 }
        }
        let counting: (ObjectContext) throws -> Void = { _ = try $0.count(where: .contains(\PlainTrack.title, "A")) }
        let parts = try scans(true, .sharingScans, counting)
            .sorted { $0.lowerBound.lexicographicallyPrecedes($1.lowerBound) }
        #expect(parts.count == 10)
        for (part, next) in zip(parts, parts.dropFirst()) { #expect(part.upperBound == next.lowerBound) }
        #expect(try scans(false, .sharingScans, counting).count == 1)
        #expect(try scans(true, ObjectStoreOptions(), counting).count == 1)
        let limited: (ObjectContext) throws -> Void = { _ = try $0.fetch(where: .contains(\PlainTrack.title, "A"), limit: 3) }
        #expect(try scans(true, .sharingScans, limited).count == 1)
        let sorting: (ObjectContext) throws -> Void = { _ = try $0.fetch(PlainTrack.self, sortedBy: \.title, limit: 3) }
        #expect(try scans(true, .sharingScans, sorting).count == 10)
    }

    /// Only the results of a sort are made into objects: others may be damaged where the query does not look.
    @Test(arguments: [ObjectStoreOptions(), .sharingScans]) func sortsMakeOnlyWhatTheyReturn(_ options: ObjectStoreOptions) throws {
        let engine = MemoryEngine()
        try Scene().tracks(engine).write { context in
            var generator = SeededGenerator(seed: 1)
            for number in 0..<200 {
                let track = TrackPool.track(number, PlainTrack.self, &generator)
                // Each is kept for a while.
                track.seconds = 1000 - number
                if number == 100 { (track.note, track.tags) = ("damaged", []) }
                context.insert(track)
            }
        }
        let note = Array("damaged".utf8)
        for (key, value) in try engine.makeView().entries(KeyRange(prefix: [0x01])) {
            guard let place = value.indices.dropLast(note.count).first(where: { value[$0...].starts(with: note) }) else { continue }
            var (page, commit) = (value, EngineCommit())
            // The text is longer than its record.
            page[place - 1] = 127
            commit.put(page, for: key)
            try engine.commit(commit)
        }
        let context = try Scene().tracks(engine, options).makeContext()
        let found = try context.fetch(PlainTrack.self, sortedBy: \.seconds, limit: 5, offset: 3)
        #expect(found.map(\.seconds) == [804, 805, 806, 807, 808])
        #expect(found.allSatisfy { !$0.isFault && $0.objectContext === context })
        do throws(ObjectStoreError) {
            _ = try context.fetch(PlainTrack.self, sortedBy: \.seconds, limit: 150)
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.code == .corruption && error.object?.row == 101, "\(error)")
        }
    }
}

extension PlainTrack {
    fileprivate var copied: PlainTrack {
        PlainTrack(
            artist: artist,
            title: title,
            seconds: seconds,
            rating: rating,
            note: note,
            code: code,
            small: small,
            genre: genre,
            released: released,
            isLive: isLive,
            identity: identity,
            price: price,
            tags: tags
        )
    }
}
