import CairnCore
import CairnObjects
import Foundation
import Testing

/// The bytes of a small store, as `docs/formats/object-store.md` shows them: they do not change as long as the format has this number.
struct GoldenStoreTests {
    private func store(in engine: MemoryEngine) throws -> ObjectStore {
        let identity = try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
        return try ObjectStore(engine: engine, classes: [GoldenTrack.self, GoldenDisc.self], identity: identity)
    }

    private static let catalog = [
        "0000": #"{"format":1,"identity":"01234567-89AB-CDEF-0123-456789ABCDEF","kind":"cairn objects"}"#,
        "00010001":
            #"{"indexes":[{"isComplete":true,"isUnique":false,"number":65537,"properties":["title"]}],"lastIndex":1,"name":"Track","#
            + #""properties":[{"name":"title","type":"string"},{"name":"seconds","type":"int64"},"#
            + #"{"name":"disc","relationship":{"deleteRule":"nullify","inverse":"tracks","isDerived":false,"target":"Disc"},"type":"one"}],"version":1}"#,
        "00010002": #"{"indexes":[{"isComplete":true,"isUnique":true,"number":131073,"properties":["code"]}],"lastIndex":1,"name":"Disc","#
            + #""properties":[{"name":"code","type":"string"},"#
            + #"{"name":"tracks","relationship":{"deleteRule":"cascade","inverse":"disc","isDerived":false,"target":"Track"},"type":"list"},"#
            + #"{"name":"cover","type":"bytes"}],"version":1}"#,
    ]

    private static let entries = [
        // The last rows.
        "00020001": "0000000000000002", "00020002": "0000000000000001",
        // The page of both tracks, and that of the disc, whose record is large.
        "010001000000000000": "01" + "06000000" + "0a0a" + "01010c016211011e0201" + "01010c016111001e0201",
        "010002000000000000": "010200000000",
        "020002000000000001": "01010c0141170401040202" + "1cb009" + String(repeating: "2a", count: 1200),
        // The tracks by title, the disc by code.
        "0300010001" + "026100" + "000000000002": "", "0300010001" + "026200" + "000000000001": "",
        "0300020001" + "024100": "0002000000000001",
        // The disc leads to both tracks, and they to it.
        "050001000000000001" + "00020002" + "000000000001": "01", "050001000000000002" + "00020002" + "000000000001": "01",
        "050002000000000001" + "00010003" + "000000000001": "01", "050002000000000001" + "00010003" + "000000000002": "01",
        // The names "first" and "launches".
        "066669727374": "0e0101", "066c61756e63686573": "090e",
    ]

    @Test func aSmallStoreHasTheseBytes() throws {
        let engine = MemoryEngine()
        try store(in: engine).write { context in
            let disc = GoldenDisc(code: "A", cover: [UInt8](repeating: 0x2A, count: 1200))
            disc.tracks.append(contentsOf: [GoldenTrack(title: "b", seconds: -1), GoldenTrack(title: "a")])
            context.insert(disc)
            try context.setNamed("first", to: disc.tracks[0])
            try context.setNamed("launches", to: 7)
        }
        var found: [String: String] = [:]
        for (key, value) in try engine.makeView().entries() {
            found[Self.hex(key)] = value.first == UInt8(ascii: "{") ? String(decoding: value, as: UTF8.self) : Self.hex(value)
        }
        #expect(found == Self.catalog.merging(Self.entries) { first, _ in first })
    }

    @Test func theseBytesAreRead() throws {
        let engine = MemoryEngine()
        var commit = EngineCommit()
        for (key, value) in Self.catalog { commit.put(value, for: try Self.bytes(key)) }
        for (key, value) in Self.entries { commit.put(try Self.bytes(value), for: try Self.bytes(key)) }
        try engine.commit(commit)
        let store = try store(in: engine)
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
        try store.read { context in
            let disc = try context.allObjects(GoldenDisc.self)[0]
            #expect(disc.code == "A" && disc.cover.count == 1200 && disc.tracks.map(\.title) == ["b", "a"])
            #expect(disc.tracks.map(\.seconds) == [-1, 0] && disc.tracks.allSatisfy { $0.disc === disc })
            let (first, launches) = (try context.named("first", as: GoldenTrack.self), try context.named("launches", as: Int.self))
            #expect(first?.title == "b" && launches == 7)
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    private static func bytes(_ digits: String) throws -> [UInt8] {
        try stride(from: 0, to: digits.count, by: 2).map { offset in
            try #require(UInt8(digits.dropFirst(offset).prefix(2), radix: 16))
        }
    }
}

@Stored(name: "Track") final class GoldenTrack {
    @Indexed var title: String
    var seconds: Int = 0
    @Relationship(inverse: \GoldenDisc.tracks) var disc: GoldenDisc?
}

@Stored(name: "Disc") final class GoldenDisc {
    @Unique var code: String
    @Relationship(onDelete: .cascade) var tracks: ObjectList<GoldenTrack>
    var cover: [UInt8] = []
}
