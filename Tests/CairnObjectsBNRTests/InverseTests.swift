import CairnObjects
import CairnObjectsBNR
import CairnTestSupport
import Testing

/// Relationships with inverses, of which old objects wrote one side, the other, or both.
@Suite struct InverseTests {
    private static func tracks(_ discs: [UInt32: UInt32] = [:]) -> OldClass {
        OldClass(2, Dictionary(uniqueKeysWithValues: (2...6).map { row in (row, OldBuffer().string("T\(row)").uint32(discs[row] ?? 0)) }))
    }

    private static func discs(_ tracks: [UInt32: [UInt32]]) -> OldClass {
        OldClass(1, Dictionary(uniqueKeysWithValues: (2...4).map { row in (row, OldBuffer().string("D\(row)").array(tracks[row] ?? [])) }))
    }

    private static func layout(discTells: Bool, trackTells: Bool) -> BNRLayout {
        BNRLayout(classes: [
            BNRClassLayout(
                "OldTrack",
                as: "Track",
                fields: [BNRField(.string, "code"), BNRField(.reference(of: "OldDisc"), trackTells ? "disc" : nil)]
            ),
            BNRClassLayout(
                "OldDisc",
                as: "Disc",
                fields: [BNRField(.string, "title"), BNRField(.array(of: "OldTrack"), discTells ? "tracks" : nil)]
            ),
        ])
    }

    /// What is in the store then: of each disc the tracks, and of each track the disc.
    private static func imported(_ old: OldStore, _ layout: BNRLayout) throws -> (
        report: BNRImportReport, discs: [[String]], tracks: [String?]
    ) {
        let store = try makeStore([OldDisc.self, OldTrack.self, OldBox.self])
        let report = try BNRImporter(path: old.path, layout: layout).importObjects(into: store)
        #expect(try store.verify().isIntact)
        return try store.read { context in
            let discs = try context.allObjects(OldDisc.self).map { $0.tracks.map(\.code) }
            return (report, discs, try context.allObjects(OldTrack.self).map { $0.disc?.title })
        }
    }

    @Test func theListTells() throws {
        let old = try OldStore(["OldTrack": Self.tracks(), "OldDisc": Self.discs([2: [4, 2], 3: [6, 5]])])
        let (report, discs, tracks) = try Self.imported(old, Self.layout(discTells: true, trackTells: false))
        #expect(discs == [["T4", "T2"], ["T6", "T5"], []])
        #expect(tracks == ["D2", nil, "D2", "D3", "D3"])
        #expect(report.lostReferenceCount == 0)
    }

    @Test func theOtherSideTells() throws {
        let old = try OldStore(["OldTrack": Self.tracks([2: 3, 3: 2, 4: 3, 6: 9]), "OldDisc": Self.discs([:])])
        let (report, discs, tracks) = try Self.imported(old, Self.layout(discTells: false, trackTells: true))
        #expect(discs == [["T3"], ["T2", "T4"], []])
        #expect(tracks == ["D3", "D2", "D3", nil, nil])
        #expect(report.lostReferences == ["OldTrack 6.disc refers to OldDisc 9, which does not exist"])
    }

    /// Both were written, and differ: the list decides, and one object can be in one list.
    @Test func bothTell() throws {
        let old = try OldStore(["OldTrack": Self.tracks([2: 2, 3: 4, 5: 3]), "OldDisc": Self.discs([2: [2, 5], 3: [5, 4]])])
        let (report, discs, tracks) = try Self.imported(old, Self.layout(discTells: true, trackTells: true))
        #expect(discs == [["T2", "T5"], ["T4"], []])
        #expect(tracks == ["D2", nil, "D3", "D2", nil])
        #expect(
            report.lostReferences == [
                "OldTrack 3.disc refers to row 4, whose tracks does not refer back",
                "OldTrack 5.disc refers to row 3, whose tracks does not refer back",
                "OldDisc 3.tracks refers to OldTrack 5, but so does another object, and the inverse can have only one",
            ]
        )
    }

    /// A set that is determined by its inverse is filled from that alone.
    @Test func aSetIsFilledFromItsInverse() throws {
        let boxes = OldClass(3, [2: OldBuffer().array([2, 3, 2]), 3: OldBuffer().array([3])])
        let old = try OldStore(["OldTrack": Self.tracks(), "OldBox": boxes])
        let track = BNRClassLayout("OldTrack", as: "Track", ignoresRest: true, fields: [BNRField(.string, "code")])
        let box = BNRClassLayout("OldBox", as: "Box", fields: [BNRField(.array(of: "OldTrack"), "tracks")])
        let store = try makeStore([OldDisc.self, OldTrack.self, OldBox.self])
        _ = try BNRImporter(path: old.path, layout: BNRLayout(classes: [track, box])).importObjects(into: store)
        #expect(try store.verify().isIntact)
        try store.read { context in
            let (boxes, tracks) = (try context.allObjects(OldBox.self), try context.allObjects(OldTrack.self))
            #expect(boxes.map { $0.tracks.map(\.code) } == [["T2", "T3", "T2"], ["T3"]])
            #expect(tracks.map(\.boxes.count) == [1, 2, 0, 0, 0])
        }
        let filling = BNRClassLayout("OldTrack", as: "Track", fields: [BNRField(.string, "code"), BNRField(.array(of: "OldBox"), "boxes")])
        do throws(BNRError) {
            _ = try BNRImporter(path: old.path, layout: BNRLayout(classes: [filling, box])).check(for: store.catalog)
            Issue.record("a property that is determined by its inverse was filled")
        } catch { #expect(error.code == .invalidLayout && error.message.contains("is determined by its inverse")) }
    }

    /// If the store refuses the objects, nothing is stored.
    @Test func twoOfAKind() throws {
        let old = try OldStore([
            "OldTrack": OldClass(1, [2: OldBuffer().string("same").uint32(0), 3: OldBuffer().string("same").uint32(0)]),
            "OldDisc": Self.discs([:]),
        ])
        let store = try makeStore([OldDisc.self, OldTrack.self, OldBox.self])
        do throws(BNRError) {
            _ = try BNRImporter(path: old.path, layout: Self.layout(discTells: true, trackTells: false)).importObjects(into: store)
            Issue.record("two objects with one unique value were imported")
        } catch {
            #expect(error.code == .storeFailed && (error.cause as? ObjectStoreError)?.code == .notUnique)
        }
        let count = try store.read { context in try context.count(OldTrack.self) }
        #expect(count == 0)
    }
}
