import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Foundation's predicates find what Foundation's own evaluation of them finds, with indexes and without.
struct PredicateTests {
    /// A predicate, what it is called, and whether an index answers a part of it.
    struct Case {
        var text: String
        var predicate: Predicate<Track>
        var usesIndex: Bool

        init(_ text: String, _ usesIndex: Bool, _ predicate: Predicate<Track>) {
            self.text = text
            self.predicate = predicate
            self.usesIndex = usesIndex
        }
    }

    private static let ids = [0, 1, 60, 61]
    private static let set: Set<Int> = [180, 255]
    private static let name = "Zappa"
    private static let wanted: Double? = 4
    private static let none: Double? = nil
    private static let genres: [Style] = [.jazz, .rock]
    private static let limit: Int8 = 1

    private static func comparisons() -> [Case] {
        let (name, wanted, none, limit) = (name, wanted, none, limit)
        return [
            Case("less", true, #Predicate { $0.seconds < 180 }),
            Case("less or equal", true, #Predicate { $0.seconds <= 180 }),
            Case("greater, reversed", true, #Predicate { 180 > $0.seconds }),
            Case("negative", true, #Predicate { $0.seconds >= -1 }),
            Case("narrow", true, #Predicate { $0.small > limit }),
            Case("captured", true, #Predicate { $0.artist == name }),
            Case("not equal", true, #Predicate { $0.artist != name }),
            Case("optional", true, #Predicate { $0.rating == 4 }),
            Case("captured optional", true, #Predicate { $0.rating == wanted }),
            Case("captured nil", true, #Predicate { $0.rating == none }),
            Case("nil", true, #Predicate { $0.rating == nil }),
            Case("not nil", true, #Predicate { $0.rating != nil }),
            Case("default", true, #Predicate { ($0.rating ?? 0) > 3 }),
            Case("default that holds", true, #Predicate { ($0.rating ?? 5) > 3 }),
            Case("default equal", true, #Predicate { ($0.rating ?? 4) == 4 }),
            Case("guarded unwrapping", true, #Predicate { $0.rating != nil && $0.rating! > 3 }),
            Case("flat map", true, #Predicate { $0.rating.flatMap { $0 > 3 } ?? false }),
            Case("flat map or else", true, #Predicate { $0.rating.flatMap { $0 > 3 } ?? true }),
            Case("true", true, #Predicate { $0.isLive }),
            Case("unindexed", false, #Predicate { $0.title == "title 3Abba" }),
            Case("not", true, #Predicate { !$0.isLive }),
        ]
    }

    private static func combinations() -> [Case] {
        let (ids, set, genres) = (ids, set, genres)
        return [
            Case("and", true, #Predicate { $0.artist == "Abba" && $0.seconds > 60 }),
            Case("or", true, #Predicate { $0.artist == "Abba" || $0.seconds > 300 }),
            Case("or without an index", false, #Predicate { $0.artist == "Abba" || $0.title == "title 3Abba" }),
            Case("both", true, #Predicate { ($0.artist == "Abba" || $0.artist == "Zappa") && !($0.seconds > 60) }),
            Case("in a list", true, #Predicate { ids.contains($0.seconds) }),
            Case("in a set", true, #Predicate { set.contains($0.seconds) }),
            Case("in a list of cases", true, #Predicate { genres.contains($0.genre) }),
            Case("closed range", true, #Predicate { (1...60).contains($0.seconds) }),
            Case("range", true, #Predicate { (1..<60).contains($0.seconds) }),
            Case("tags", false, #Predicate { $0.tags.contains("Abba") }),
            Case("arithmetic", false, #Predicate { $0.small / 2 == 0 }),
            Case("computed", false, #Predicate { $0.lengthInMinutes == 1 }),
            Case("branches", true, #Predicate { $0.isLive ? $0.seconds > 100 : $0.seconds < 60 }),
            Case("if let", true, #Predicate { if let rating = $0.rating { rating > 1 } else { $0.isLive } }),
            Case("count", false, #Predicate { $0.tags.count > 1 }),
            Case("true", false, #Predicate { _ in true }),
            Case("false", false, #Predicate { _ in false }),
            Case("relationship", false, #Predicate { $0.disc?.title == "B" }),
        ]
    }

    private static func strings() -> [Case] {
        [
            Case("starts with", true, #Predicate { $0.artist.starts(with: "Zap") }),
            Case("contains", false, #Predicate { $0.title.contains("3") }),
        ]
    }

    @Test func textInAListComparesByItsScalars() throws {
        let store = try Scene().tracks()
        let forms = ["Abb\u{e9}", "Abbe\u{301}"]
        try store.write { context in
            var generator = SeededGenerator(seed: 7)
            for form in forms {
                let track = TrackPool.track(1, Track.self, &generator)
                (track.artist, track.tags) = (form, [form])
                context.insert(track)
            }
        }
        let context = try store.makeContext()
        for form in forms {
            let found = try context.fetch(where: #Predicate<Track> { $0.tags.contains(form) })
            #expect(found.map { Array($0.artist.utf8) } == [Array(form.utf8)])
            #expect(try context.fetch(Track.self, where: .contains(\.tags, form)).map { Array($0.artist.utf8) } == [Array(form.utf8)])
            #expect(try context.count(where: #Predicate<Track> { $0.artist == form && $0.tags.contains(form) }) == 1)
        }
    }

    @Test func predicatesFindWhatTheySay() async throws {
        try await withSeeds("predicates", count: Thorough.count(1, of: 2)) { generator in
            let store = try Scene().tracks()
            let tracks = (0..<150).map { TrackPool.track($0, Track.self, &generator) }
            let discs = ["A", "B"].map { Disc(title: $0) }
            try store.write { context in
                tracks.forEach(context.insert)
                for track in tracks where !generator.oneIn(3) { generator.pick(discs).tracks.append(track) }
            }
            let context = try store.makeContext()
            for item in Self.comparisons() + Self.combinations() + Self.strings() {
                let all = try context.allObjects(Track.self)
                let wanted = try all.filter { try item.predicate.evaluate($0) }.map(\.objectID)
                let found = try context.fetch(Track.self, where: item.predicate).map(\.objectID)
                #expect(found == wanted, "\(item.text)")
                let count = try context.count(Track.self, where: item.predicate)
                #expect(count == wanted.count, "\(item.text), count")
                let plan = try context.explain(Track.self, where: item.predicate)
                #expect(plan.access.contains("index (") == item.usesIndex || item.text == "false", "\(item.text): \(plan)")
            }
        }
    }

    @Test func whatCannotBeEvaluatedIsNamed() throws {
        let store = try Scene().tracks()
        var generator = SeededGenerator(seed: 1)
        let tracks = (0..<20).map { TrackPool.track($0, Track.self, &generator) }
        tracks[3].note = nil
        try store.write { context in tracks.forEach(context.insert) }
        try store.read { context in
            do throws(ObjectStoreError) {
                _ = try context.fetch(Track.self, where: #Predicate { $0.note!.count > 2 })
                Issue.record("nothing was thrown")
            } catch {
                #expect(error.code == .invalidPredicate && error.object != nil && error.cause != nil)
                #expect(error.message.contains("note"), "\(error.message)")
            }
        }
    }

    @Test func unwrappingNilIsFalse() throws {
        let store = try Scene().tracks()
        var generator = SeededGenerator(seed: 1)
        let tracks = (0..<50).map { TrackPool.track($0, Track.self, &generator) }
        try store.write { context in tracks.forEach(context.insert) }
        let context = try store.makeContext()
        let found = try context.fetch(Track.self, where: #Predicate { $0.rating! > 3 }).map(\.objectID)
        let wanted = try context.allObjects(Track.self).filter { ($0.rating ?? 0) > 3 }.map(\.objectID)
        #expect(found == wanted && !found.isEmpty)
    }
}
