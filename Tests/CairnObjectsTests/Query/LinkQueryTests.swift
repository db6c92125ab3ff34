import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Queries by what objects lead to.
struct LinkQueryTests {
    private let store: ObjectStore
    private let context: ObjectContext

    init() throws {
        store = try Scene().tracks()
        context = try store.makeContext()
        var generator = SeededGenerator(seed: 7)
        let tracks = (0..<80).map { TrackPool.track($0, Track.self, &generator) }
        tracks.forEach(context.insert)
        let discs = ["A", "B"].map { Disc(title: $0) }
        discs.forEach(context.insert)
        for (number, track) in tracks.enumerated() where number % 3 != 0 { discs[number % 3 - 1].tracks.append(track) }
        let mixes = ["M", "N"].map { Mix(title: $0) }
        mixes.forEach(context.insert)
        for (number, track) in tracks.enumerated() {
            if number.isMultiple(of: 4) { mixes[0].tracks.append(track) }
            if number.isMultiple(of: 5) { mixes[1].tracks.append(contentsOf: [track, track]) }
        }
        try context.save()
    }

    private func check(_ condition: ObjectCondition<Track>, _ holds: (Track) -> Bool, _ comment: Comment) throws {
        let wanted = try context.allObjects(Track.self).filter(holds).map(\.objectID)
        #expect(try context.fetch(where: condition).map(\.objectID) == wanted, comment)
        #expect(try context.fetchIDs(where: condition) == wanted.compactMap { $0 }, comment)
        #expect(try context.count(where: !condition) == context.allObjects(Track.self).count - wanted.count, comment)
    }

    private func checkAll(_ comment: Comment) throws {
        let discs = try context.allObjects(Disc.self)
        let mixes = try context.allObjects(Mix.self)
        for disc in discs {
            try check(\.disc == disc, { $0.disc === disc }, comment)
            try check(\.disc != disc && \.seconds > 100, { $0.disc !== disc && $0.seconds > 100 }, comment)
        }
        for mix in mixes { try check(.contains(\.mixes, mix), { $0.mixes.contains(mix) }, comment) }
        try check(\.disc == nil, { $0.disc == nil }, comment)
        try check(\.disc != nil, { $0.disc != nil }, comment)
        if let disc = discs.first, let mix = mixes.last {
            try check(\.disc == disc || .contains(\.mixes, mix), { $0.disc === disc || $0.mixes.contains(mix) }, comment)
            try check(\.disc == disc && .contains(\.mixes, mix), { $0.disc === disc && $0.mixes.contains(mix) }, comment)
        }
        try check(\.disc?.title == "B", { $0.disc?.title == "B" }, comment)
        let first = try context.allObjects(Track.self)[0]
        let wanted = try context.allObjects(Disc.self).filter { $0.tracks.contains { $0 === first } }.map(\.objectID)
        #expect(try context.fetch(Disc.self, where: .contains(\.tracks, first)).map(\.objectID) == wanted, comment)
    }

    @Test func whoLeadsToAnObjectIsFound() throws {
        try checkAll("saved")
        let discs = try context.allObjects(Disc.self)
        let mixes = try context.allObjects(Mix.self)
        let tracks = try context.allObjects(Track.self)
        tracks[0].disc = discs[0]
        tracks[1].disc = nil
        discs[1].tracks.append(tracks[3])
        mixes[0].tracks.remove(at: 2)
        mixes[1].tracks.insert(tracks[7], at: 0)
        try context.delete(tracks[10])
        let added = Track(
            artist: "x",
            title: "y",
            seconds: 200,
            rating: nil,
            note: nil,
            code: nil,
            small: 0,
            genre: .jazz,
            released: nil,
            isLive: true,
            identity: UUID()
        )
        added.disc = discs[0]
        context.insert(added)
        mixes[0].tracks.append(added)
        try checkAll("pending")
        try context.save()
        try checkAll("saved again")
        try context.delete(discs[0])
        try checkAll("a disc is deleted")
        context.rollback()
        try checkAll("rolled back")
    }

    @Test func anotherContextsChangesAreSeen() throws {
        let mix = try #require(try context.first(Mix.self, where: \.title == "M"))
        let count = try context.count(where: .contains(\Track.mixes, mix))
        try store.write { other in
            let same = try #require(try other.first(Mix.self, where: \.title == "M"))
            same.tracks.remove(at: 0)
        }
        #expect(try context.count(where: .contains(\Track.mixes, mix)) == count - 1)
        try checkAll("after another context's save")
    }

    @Test func plansAreShown() throws {
        let disc = try context.allObjects(Disc.self)[0]
        let mix = try context.allObjects(Mix.self)[0]
        #expect(try context.explain(where: \Track.disc == disc).access == "references to 3/1 through disc")
        #expect(try context.explain(where: .contains(\Track.mixes, mix)).access == "the objects in tracks of 4/1")
        #expect(try context.explain(where: \Track.disc?.title == "B").filter?.contains("= \"B\"") == true)
    }

    @Test func objectsOfElsewhereAreRefused() throws {
        let other = try store.makeContext()
        let disc = try other.allObjects(Disc.self)[0]
        #expect(code { try context.fetch(where: \Track.disc == disc) } == .invalidPredicate)
        #expect(try context.fetch(where: \Track.disc == Disc(title: "of no context")).isEmpty)
    }

    @Test func deletingWhatIsFoundFollowsTheRules() throws {
        let tracks = try context.allObjects(Track.self)
        tracks[1].covers.append(tracks[2])
        try context.save()
        let removed = try context.delete(where: \Track.code == tracks[1].code)
        #expect(removed == 1 && tracks[2].isDeleted)
        try context.save()
        #expect(try context.count(Track.self) == tracks.count - 2)
        let predicate = #Predicate<Track> { $0.seconds > 100 }
        let wanted = try context.count(Track.self, where: predicate)
        #expect(try context.delete(Track.self, where: predicate) == wanted)
        #expect(try context.count(where: \Track.seconds > 100) == 0)
    }
}
