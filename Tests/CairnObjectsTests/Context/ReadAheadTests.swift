import CairnObjects
import CairnTestSupport
import Testing

/// What is read before it is asked for, counted by what the engine is asked for.
struct ReadAheadTests {
    private static let count = 640
    /// Objects share a page with 31 others.
    private static let pages = count / 32 + 1

    private let engine = CountingEngine()
    private let store: ObjectStore

    init() throws { store = try Self.makeStore(engine, Self.count) }

    /// A store with one disc that has all tracks.
    private static func makeStore(_ engine: CountingEngine, _ count: Int) throws -> ObjectStore {
        let store = try Scene().tracks(engine)
        try store.write { context in
            let disc = Disc(title: "all")
            context.insert(disc)
            var generator = SeededGenerator(seed: 3)
            for number in 0..<count {
                let track = TrackPool.track(number, Track.self, &generator)
                context.insert(track)
                disc.tracks.append(track)
            }
        }
        return store
    }

    private func reads(_ body: (ObjectContext, Disc) throws -> Void) throws -> Int {
        try store.read { context in
            let disc = try #require(try context.first(Disc.self))
            return try engine.count { try body(context, disc) }.values
        }
    }

    @Test func aRelationshipIsReadInBatches() throws {
        let read = try reads { _, disc in
            var seconds = 0
            for track in disc.tracks { seconds &+= track.seconds }
            #expect(disc.tracks.count == Self.count)
        }
        // The first object alone; then 32, 128 and the rest, whose first and last pages may be read twice.
        #expect(read <= Self.pages + 6, "\(read) values for \(Self.pages) pages")
        #expect(read >= Self.pages - 1)
    }

    @Test func aServerIsAskedThreeTimesForAThousandObjects() throws {
        let engine = CountingEngine(isRemote: true)
        let store = try Self.makeStore(engine, 1000)
        let calls = try store.read { context in
            let disc = try #require(try context.first(Disc.self))
            return engine.callCount { for track in disc.tracks { #expect(!track.title.isEmpty) } }
        }
        #expect(calls <= 3)
        let loading = try store.read { context in
            let disc = try #require(try context.first(Disc.self))
            return try engine.callCount {
                let count = try disc.tracks.load().count
                #expect(count == 1000)
            }
        }
        #expect(loading == 1)
    }

    @Test func oneElementIsReadAlone() throws {
        let one = try reads { _, disc in _ = disc.tracks[300].title }
        #expect(one == 1)
        // Not one after the other: each is read alone.
        let read = try reads { _, disc in for position in [500, 10, 300, 100, 400] { _ = disc.tracks[position].title } }
        #expect(read == 5)
    }

    @Test func theEndOfAListReadsOnlyTheEnd() throws {
        let read = try reads { _, disc in for track in disc.tracks.suffix(50) { _ = track.title } }
        #expect(read <= 7, "\(read) values for 50 objects on 2 or 3 pages")
    }

    @Test func anObjectThatIsGoneIsReportedWhenItIsUsed() throws {
        let context = try store.makeContext()
        let disc = try #require(try context.first(Disc.self))
        let ids = disc.tracks.objectIDs
        try store.write { other in
            let track = try #require(try other.object(ids[5], as: Track.self))
            try other.delete(track)
        }
        // The list in memory still refers to it.
        var titles = 0
        for track in disc.tracks { titles += track.title.isEmpty ? 0 : 1 }
        #expect(context.faultErrors.map(\.object) == [ids[5]])
        #expect(titles == Self.count - 1)
    }

    @Test func changesOfOthersAreReadAfterASave() throws {
        let context = try store.makeContext()
        let disc = try #require(try context.first(Disc.self))
        for track in disc.tracks.prefix(3) { _ = track.title }
        try store.write { other in
            for track in try other.allObjects(Track.self) { track.title = "changed" }
        }
        disc.title = "saved"
        try context.save()
        let titles = Set(disc.tracks.dropFirst(3).map(\.title))
        #expect(titles == ["changed"])
    }

    @Test func relationshipsArePrefetched() throws {
        try store.read { context in
            let discs = try context.fetch(Disc.self, prefetching: \.tracks)
            let read = engine.count { for disc in discs { for track in disc.tracks { _ = track.title } } }
            #expect(read.values == 0)
        }
        try store.read { context in
            let tracks = try context.fetch(Track.self, limit: 40, prefetching: \.disc, \.mixes)
            let read = engine.count {
                for track in tracks {
                    _ = track.disc?.title
                    _ = track.mixes.count
                }
            }
            #expect(read.values == 0 && read.entries == 0)
        }
    }

    @Test func onlyRelationshipsArePrefetched() throws {
        try store.read { context in
            let error = #expect(throws: ObjectStoreError.self) { try context.fetch(Track.self, prefetching: \.title) }
            #expect(error?.code == .invalidPredicate)
        }
    }

    /// What an index answers alone, it also counts and passes over alone.
    @Test func offsetsAndCountsReadNoObjects() throws {
        try store.read { context in
            var found = 0
            let count = try engine.count { found = try context.count(Track.self, where: \.seconds > -1_000_000) }
            #expect(found > 0 && count.values == 0)
            let page = try engine.count { found = try context.fetch(Track.self, sortedBy: \.seconds, limit: 3, offset: 400).count }
            #expect(found == 3 && page.values <= 3)
        }
    }

    @Test func aPageAfterACursorReadsOnlyThePage() throws {
        try store.read { context in
            var cursor: FetchCursor?
            for _ in 0..<20 {
                let read = try engine.count {
                    cursor = try context.fetchPage(sortedBy: [ObjectSort<Track>.ascending(\.seconds)], limit: 10, after: cursor).next
                }
                #expect(read.entries <= 12 && read.values <= 11)
            }
        }
    }

    @Test func aCursorOfAnotherOrderIsRefused() throws {
        try store.read { context in
            let cursor = try #require(try context.fetchPage(sortedBy: [ObjectSort<Track>.ascending(\.seconds)], limit: 10).next)
            for sorts in [[], [ObjectSort<Track>.descending(\.seconds)], [.ascending(\.title)]] as [[ObjectSort<Track>]] {
                let error = #expect(throws: ObjectStoreError.self) { try context.fetchPage(sortedBy: sorts, limit: 10, after: cursor) }
                #expect(error?.code == .invalidPredicate)
            }
            #expect(throws: ObjectStoreError.self) { try context.fetchPage(Disc.self, limit: 10, after: cursor) }
            #expect(throws: ObjectStoreError.self) { try context.fetchPage(Track.self, limit: 0) }
        }
        #expect(FetchCursor("") == nil)
        #expect(FetchCursor("0011") == nil)
        #expect(FetchCursor(String(repeating: "0", count: 24) + "000000ff00") == nil)
        #expect(FetchCursor(String(repeating: "0", count: 24)) != nil)
    }
}
