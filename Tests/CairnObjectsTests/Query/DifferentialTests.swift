import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Random conditions, orders and limits over random objects with unsaved changes find what going through all objects finds.
struct DifferentialTests {
    private struct Order {
        var sorts: [ObjectSort<Track>]
        /// By keys; at last by identity, in the direction of the last sort.
        var precedes: (Track, Track) -> Bool
    }

    private static func order(_ generator: inout SeededGenerator) -> Order {
        var sorts: [ObjectSort<Track>] = []
        var keys: [((Track) -> [UInt8], Bool)] = []
        func add<Value: KeyCodable>(_ keyPath: KeyPath<Track, Value>, _ isDescending: Bool) {
            sorts.append(isDescending ? .descending(keyPath) : .ascending(keyPath))
            keys.append(({ $0[keyPath: keyPath].keyBytes }, isDescending))
        }
        let isDescending = generator.oneIn(2)
        switch generator.int(in: 0..<10) {
        case 0: break
        case 1: add(\.artist, isDescending)
        case 2: add(\.seconds, isDescending)
        case 3: add(\.rating, isDescending)
        case 4: add(\.note, isDescending)
        case 5:
            add(\.artist, isDescending)
            add(\.seconds, isDescending)
        case 6:
            add(\.artist, isDescending)
            add(\.seconds, !isDescending)
        case 7:
            add(\.genre, isDescending)
            add(\.rating, isDescending)
        case 8: add(\.lengthInMinutes, isDescending)
        default: for _ in 0..<3 { generator.oneIn(2) ? add(\.title, generator.oneIn(2)) : add(\.note, generator.oneIn(2)) }
        }
        let isReversed = keys.last?.1 ?? false
        return Order(sorts: sorts) { one, other in
            for (key, isDescending) in keys {
                let (mine, theirs) = (key(one), key(other))
                if mine != theirs { return mine.lexicographicallyPrecedes(theirs) != isDescending }
            }
            let (mine, theirs) = (one.objectID!, other.objectID!)
            return isReversed ? theirs < mine : mine < theirs
        }
    }

    static func question<Kind: TrackValues>(
        _ questions: [Question<Kind>],
        _ generator: inout SeededGenerator,
        _ depth: Int = 0
    ) -> Question<Kind> {
        if depth > 2 || generator.oneIn(3) {
            let question = generator.pick(questions)
            return generator.oneIn(4) ? Question("not \(question.text)", !question.condition) { !question.holds($0) } : question
        }
        let one = Self.question(questions, &generator, depth + 1)
        let other = Self.question(questions, &generator, depth + 1)
        if generator.oneIn(2) {
            return Question("(\(one.text) and \(other.text))", one.condition && other.condition) { one.holds($0) && other.holds($0) }
        }
        let either = Question<Kind>("(\(one.text) or \(other.text))", one.condition || other.condition) {
            one.holds($0) || other.holds($0)
        }
        return generator.oneIn(4) ? Question("not \(either.text)", !either.condition) { !either.holds($0) } : either
    }

    /// Changes that are not saved.
    static func change<Kind: TrackValues>(
        _ context: ObjectContext,
        _ kept: inout [Kind],
        _ number: inout Int,
        _ generator: inout SeededGenerator
    ) throws {
        for _ in 0..<generator.int(in: 0..<25) {
            switch generator.int(in: 0..<4) {
            case 0:
                let track = TrackPool.track(number, Kind.self, &generator)
                number += 1
                context.insert(track)
                kept.append(track)
            case 1:
                guard let track = kept.randomElement(using: &generator), !track.isDeleted else { continue }
                try context.delete(track)
            default:
                guard let track = kept.randomElement(using: &generator), !track.isDeleted else { continue }
                track.artist = generator.pick(TrackPool.artists)
                track.rating = generator.pick(TrackPool.numbers)
                track.note = generator.oneIn(2) ? nil : generator.pick(TrackPool.artists)
                track.seconds = generator.pick(TrackPool.integers)
                track.genre = generator.pick(Style.allCases)
                track.isLive.toggle()
            }
        }
    }

    private static func run(
        _ engine: any StorageEngine,
        _ rounds: Int,
        _ options: ObjectStoreOptions,
        _ generator: inout SeededGenerator
    ) throws {
        let store = try Scene().tracks(engine, options)
        let questions = Questions.all(TrackPaths.indexed)
        var number = 0
        try store.write { context in
            for _ in 0..<generator.int(in: 0..<300) {
                context.insert(TrackPool.track(number, Track.self, &generator))
                number += 1
            }
        }
        var options = ObjectContextOptions()
        options.conflictPolicy = .keepMine
        let context = try store.makeContext(options)
        var kept: [Track] = []
        for round in 0..<rounds {
            if round % 10 == 0 {
                if generator.oneIn(2) { context.rollback() } else { try context.save() }
                let all = try context.allObjects(Track.self)
                kept = (0..<min(40, all.count)).map { _ in generator.pick(all) }
                // Another context changes what is in memory here, and what is not.
                try store.write { other in
                    for track in try other.allObjects(Track.self) where generator.oneIn(20) {
                        track.seconds = generator.pick(TrackPool.integers)
                    }
                }
                try Self.change(context, &kept, &number, &generator)
            }
            let question = question(questions, &generator)
            let order = order(&generator)
            let limit = generator.oneIn(3) ? nil : generator.int(in: 0..<30)
            let offset = generator.oneIn(2) ? 0 : generator.int(in: 0..<10)
            let wanted = try context.allObjects(Track.self).filter(question.holds).sorted(by: order.precedes).dropFirst(offset).prefix(
                limit ?? .max
            )
            .compactMap(\.objectID)
            let text = "\(question.text), sorted by \(order.sorts.count), from \(offset), \(limit ?? -1)"
            let found = try context.fetch(Track.self, where: question.condition, sortedBy: order.sorts, limit: limit, offset: offset)
            let plan = try context.explain(Track.self, where: question.condition, sortedBy: order.sorts, limit: limit)
            #expect(found.compactMap(\.objectID) == wanted, "\(text): \(plan)")
            #expect(found.allSatisfy(question.holds), "\(text)")
            let ids = try context.fetchIDs(Track.self, where: question.condition, sortedBy: order.sorts, limit: limit, offset: offset)
            #expect(ids == wanted, "identities of \(text)")
            if round.isMultiple(of: 4) { try checkPages(context, question, order, &generator) }
            let count = try context.count(Track.self, where: question.condition)
            let all = try context.allObjects(Track.self).count(where: question.holds)
            #expect(count == all, "count of \(text)")
        }
    }

    /// Pages contain all results in order, each once.
    private static func checkPages(
        _ context: ObjectContext,
        _ question: Question<Track>,
        _ order: Order,
        _ generator: inout SeededGenerator
    ) throws {
        let wanted = try context.fetchIDs(Track.self, where: question.condition, sortedBy: order.sorts)
        var found: [ObjectID] = []
        var cursor: FetchCursor?
        repeat {
            let limit = generator.int(in: 1..<40)
            let page = try context.fetchPage(Track.self, where: question.condition, sortedBy: order.sorts, limit: limit, after: cursor)
            found += page.objects.compactMap(\.objectID)
            #expect(page.objects.count == limit || page.next == nil)
            cursor = page.next.flatMap { FetchCursor($0.description) }
            #expect(cursor == page.next)
        } while cursor != nil && found.count <= wanted.count
        #expect(found == wanted, "pages of \(question.text), sorted by \(order.sorts.count)")
    }

    @Test func queriesFindWhatIsThere() async throws {
        try await withSeeds("queries", count: Thorough.count(1, of: 4)) {
            try Self.run(MemoryEngine(), Thorough.count(80, of: 120), ObjectStoreOptions(), &$0)
        }
    }

    /// Most texts are apart from the records.
    @Test func queriesOfLargeValuesFindWhatIsThere() async throws {
        try await withSeeds("queries of large values", count: Thorough.count(1, of: 4)) { generator in
            var options = ObjectStoreOptions()
            options.longestValue = (4, 3)
            try Self.run(MemoryEngine(), Thorough.count(80, of: 120), options, &generator)
        }
    }

    @Test func queriesOfSeveralThreadsFindWhatIsThere() async throws {
        try await withSeeds("queries of several threads", count: Thorough.count(1, of: 4)) {
            try Self.run(MemoryEngine(), Thorough.count(80, of: 120), .sharingScans, &$0)
        }
        try await withSeeds("queries of several threads in RocksDB", count: 1) { generator in
            let directory = try TemporaryDirectory()
            try Self.run(try RocksEngine(path: directory.path("store")), Thorough.count(20, of: 120), .sharingScans, &generator)
        }
    }

    @Test func queriesFindWhatIsThereInRocksDB() async throws {
        try await withSeeds("queries in RocksDB", count: 1) { generator in
            let directory = try TemporaryDirectory()
            try Self.run(try RocksEngine(path: directory.path("store")), Thorough.count(40, of: 120), ObjectStoreOptions(), &generator)
        }
    }
}
