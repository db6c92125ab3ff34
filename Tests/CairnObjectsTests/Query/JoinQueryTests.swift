import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Conditions and orders that go through relationships.
struct JoinQueryTests {
    private let engine = CountingEngine()
    private let store: ObjectStore
    private let context: ObjectContext

    init() throws {
        store = try Scene().tracks(engine)
        context = try store.makeContext()
        var generator = SeededGenerator(seed: 11)
        let tracks = (0..<120).map { TrackPool.track($0, Track.self, &generator) }
        tracks.forEach(context.insert)
        let discs = ["A", "B", "C", "A"].map { Disc(title: $0) }
        discs.forEach(context.insert)
        for (number, track) in tracks.enumerated() where number % 5 != 0 { discs[number % 5 - 1].tracks.append(track) }
        let mixes = ["M", "N"].map { Mix(title: $0) }
        mixes.forEach(context.insert)
        for (number, track) in tracks.enumerated() {
            if number.isMultiple(of: 4) { mixes[0].tracks.append(track) }
            if number.isMultiple(of: 6) { mixes[1].tracks.append(contentsOf: [track, track]) }
        }
        try context.save()
    }

    private func check(_ condition: ObjectCondition<Track>, _ predicate: Predicate<Track>, _ holds: (Track) -> Bool) throws {
        let all = try context.allObjects(Track.self)
        let wanted = all.filter(holds).compactMap(\.objectID)
        for other in [try store.makeContext(), context] {
            defer { if other !== context { other.close() } }
            // Only this context sees its unsaved changes.
            guard other === context || !all.contains(where: \.hasUnsavedChanges) else { continue }
            #expect(try other.fetch(where: condition).compactMap(\.objectID) == wanted)
            #expect(try other.fetch(where: predicate).compactMap(\.objectID) == wanted)
            #expect(try other.fetchIDs(where: condition) == wanted)
            #expect(try other.count(where: predicate) == wanted.count)
            #expect(try other.count(where: !condition) == all.count - wanted.count)
        }
    }

    @Test(arguments: [false, true])
    func `all parts of a query see the same state`(_ isMixFirst: Bool) throws {
        @Sendable func rename(_ store: ObjectStore, _ disc: (String, String), _ mix: (String, String)) throws {
            try store.write { (other) throws in
                try other.first(Disc.self, where: \.title == disc.0)?.title = disc.1
                try other.first(Mix.self, where: \.title == mix.0)?.title = mix.1
            }
        }
        // Only before the change some tracks are on a disc B, and only after it some are on a mix X.
        let onB: ObjectCondition<Track> = .has(\.disc, where: \.title == "B")
        let onX: ObjectCondition<Track> = .has(\.mixes, where: \.title == "X")
        let condition = isMixFirst ? onX && onB : onB && onX
        // The other way round, the disc comes back and the mix goes.
        if isMixFirst { try rename(store, ("B", "Y"), ("M", "X")) }
        // The commit comes while the query looks for the targets of its first part.
        engine.beforeNextScan { [store] in
            try? isMixFirst ? rename(store, ("Y", "B"), ("X", "M")) : rename(store, ("B", "Y"), ("M", "X"))
        }
        #expect(try context.fetch(where: condition).isEmpty)
        #expect(try context.count(Disc.self, where: \.title == "B") == (isMixFirst ? 1 : 0))
    }

    private func checkAll() throws {
        try check(.has(\.disc, where: \.title == "A"), #Predicate { $0.disc?.title == "A" }) { $0.disc?.title == "A" }
        try check(.has(\.disc, where: \.title > "A"), #Predicate { $0.disc.flatMap { $0.title > "A" } ?? false }) {
            $0.disc.map { $0.title > "A" } ?? false
        }
        try check(!.has(\.disc, where: \.title == "B"), #Predicate { $0.disc?.title != "B" }) { $0.disc?.title != "B" }
        try check(!.has(\.disc, where: .everything), #Predicate { $0.disc?.title == nil }) { $0.disc == nil }
        try check(.has(\.disc, where: \.title == "C") && \.seconds > 100, #Predicate { $0.disc!.title == "C" && $0.seconds > 100 }) {
            $0.disc?.title == "C" && $0.seconds > 100
        }
        try check(.has(\.disc, where: \.title == "C") || \.isLive == true, #Predicate { $0.disc?.title == "C" || $0.isLive }) {
            $0.disc?.title == "C" || $0.isLive
        }
        try check(
            .has(\.disc, where: .has(\.tracks, where: \.seconds == 60)),
            #Predicate { track in
                track.disc.flatMap { disc in disc.tracks.contains { $0.seconds == 60 } } ?? false
            }
        ) { track in track.disc?.tracks.contains { $0.seconds == 60 } ?? false }
        try check(.has(\.mixes, where: \.title == "N"), #Predicate { $0.mixes.contains { $0.title == "N" } }) {
            $0.mixes.contains { $0.title == "N" }
        }
        try check(!.has(\.mixes, where: \.title != "M"), #Predicate { $0.mixes.allSatisfy { $0.title == "M" } }) {
            $0.mixes.allSatisfy { $0.title == "M" }
        }
        // Of an object behind `!`, nil is a value like others.
        try check(
            .has(\.disc, where: .has(\.tracks, where: .isNil(\.note))),
            #Predicate { track in
                track.disc.flatMap { disc in disc.tracks.contains { $0.note == nil } } ?? false
            }
        ) { track in track.disc?.tracks.contains { $0.note == nil } ?? false }
        let wanted = try context.allObjects(Mix.self).filter { mix in mix.tracks.contains { $0.seconds < 0 } }.map(\.objectID)
        #expect(try context.fetch(Mix.self, where: .has(\.tracks, where: \.seconds < 0)).map(\.objectID) == wanted)
    }

    @Test func objectsAreFoundByWhatTheyReferTo() throws {
        try checkAll()
        let discs = try context.allObjects(Disc.self)
        let tracks = try context.allObjects(Track.self)
        let mixes = try context.allObjects(Mix.self)
        discs[0].title = "B"
        tracks[0].disc = discs[2]
        tracks[1].disc = nil
        tracks[7].seconds = 60
        mixes[1].title = "M"
        try context.delete(discs[1])
        let added = Disc(title: "A")
        context.insert(added)
        added.tracks.append(tracks[9])
        try checkAll()
        try context.save()
        try checkAll()
    }

    @Test func objectsAreSortedByWhatTheyReferTo() throws {
        func check() throws {
            let all = try context.allObjects(Track.self)
            func key(_ track: Track) -> [UInt8] { (track.disc?.title).keyBytes + track.title.keyBytes }
            let wanted = all.sorted { one, other in
                let (mine, theirs) = (key(one), key(other))
                return mine == theirs ? one.objectID! < other.objectID! : mine.lexicographicallyPrecedes(theirs)
            }.compactMap(\.objectID)
            let sorts: [ObjectSort<Track>] = [.ascending(\.disc, \.title), .ascending(\.title)]
            #expect(try context.fetch(sortedBy: sorts).compactMap(\.objectID) == wanted)
            #expect(try context.fetchIDs(sortedBy: sorts, limit: 17, offset: 20) == Array(wanted.dropFirst(20).prefix(17)))
            #expect(try context.fetchIDs(Track.self, sortedBy: [.ascending(\.disc?.title), .ascending(\.title)]) == wanted)
            let descending = try context.fetch(Track.self, sortedBy: [.descending(\.disc, \.title)])
            let titles = descending.map { $0.disc?.title ?? "" }
            #expect(titles == titles.sorted(by: >) && titles.count == all.count)
        }
        try check()
        let discs = try context.allObjects(Disc.self)
        discs[0].title = "Z"
        try context.allObjects(Track.self)[3].disc = nil
        try check()
    }

    /// What other contexts saved counts, though the targets are in memory here.
    @Test func targetsInMemoryAreBroughtUpToDate() throws {
        let discs = try context.allObjects(Disc.self)
        let before = try context.fetchIDs(Track.self, sortedBy: [.ascending(\.disc, \.title)])
        try store.write { other in
            for disc in try other.fetch(Disc.self, where: \.title == "C") { disc.title = "0" }
        }
        #expect(try context.count(where: #Predicate<Track> { $0.disc?.title == "0" }) == 24)
        let after = try context.fetchIDs(Track.self, sortedBy: [.ascending(\.disc, \.title)])
        #expect(after != before)
        // Those without a disc come first, then those of the renamed one.
        let renamed = try context.fetchIDs(Track.self, where: .has(\.disc, where: \.title == "0"))
        #expect(Array(after.dropFirst(24).prefix(24)) == renamed)
        #expect(discs.contains { $0.title == "0" })
    }

    /// Each target is tested once, if the class is not small beside the other one.
    @Test func targetsInAClassOfTheSameSizeAreTestedOnce() throws {
        try store.write { context in
            for number in 0..<2000 { context.insert(Disc(title: "\(number)")) }
        }
        let isTested = ObjectCondition<Track>.has(\.disc, where: .satisfies("its title is A") { $0.title == "A" }) && \.seconds > -1
        let wanted = try context.allObjects(Track.self).filter { $0.disc?.title == "A" && $0.seconds > -1 }.compactMap(\.objectID)
        #expect(try context.fetchIDs(where: isTested) == wanted && !wanted.isEmpty)
    }

    /// The class of the targets is small: it is read once, and then only what refers to those that match.
    @Test func onlyWhatRefersToTheTargetsIsRead() throws {
        let condition: ObjectCondition<Track> = .has(\.disc, where: \.title == "B")
        let all = try engine.count { _ = try store.read { try $0.allObjects(Track.self).count } }
        var found = 0
        let (values, entries) = try engine.count {
            found = try store.read { try $0.fetch(where: condition).count }
        }
        #expect(found == 24)
        // A page of discs, 24 entries that lead to the disc found, twice since they are counted, and the pages of the tracks.
        #expect(entries <= 1 + 2 * 25, "\(entries) entries")
        #expect(values <= all.entries, "\(values) values")
        let plan = try context.explain(Track.self, where: condition)
        #expect(plan.access == "references through disc to title = \"B\"")
        #expect(plan.filter == nil)
    }
}
