import CairnCore
import CairnObjects
import Foundation
import Testing

/// The bytes of a long list, as `docs/formats/object-store.md` shows them: they do not change as long as the format has this number.
@Suite struct GoldenListTests {
    private static let header = #"{"format":2,"identity":"01234567-89AB-CDEF-0123-456789ABCDEF","kind":"cairn objects"}"#
    /// The mark of a long list, 1025 references without keys, and two chunks: of 1024 from save 1, number 0; and of 1 from the same save, number 1.
    private static let directory = "17" + "0c" + "80 80 04" + "82 10" + "80 08" + "02" + "00" + "01" + "00" + "01"

    private func store(in engine: MemoryEngine) throws -> ObjectStore {
        let identity = try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
        return try ObjectStore(engine: engine, classes: [GoldenRow.self, GoldenLink.self], identity: identity)
    }

    private func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits.utf8.filter { $0 != UInt8(ascii: " ") })
        return stride(from: 0, to: digits.count, by: 2).compactMap { place in
            UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
        }
    }

    /// The checksum of a chunk is that of its key and its references.
    private func chunk(_ key: [UInt8], _ references: [UInt8]) -> [UInt8] {
        let sum = CRC32C.checksum(of: key + references)
        return [1] + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) } + references
    }

    private var chunks: [(key: [UInt8], value: [UInt8])] {
        let first = bytes("04 0001000000000001 0002 00000001 00000000")
        let second = bytes("04 0001000000000001 0002 00000001 00000001")
        // Class 2, 1024 · 2 for so many without keys, and each row 1 more than that before: 1 is 2 as a zigzag number.
        let references = bytes("02 8010") + [UInt8](repeating: 2, count: 1024)
        // Row 1025.
        return [(first, chunk(first, references)), (second, chunk(second, bytes("02 02 8210")))]
    }

    @Test func aLongListHasTheseBytes() throws {
        let engine = MemoryEngine()
        try store(in: engine).write { context in
            let row = GoldenRow(title: "r")
            context.insert(row)
            row.links.append(contentsOf: (0..<1025).map { _ in GoldenLink() })
        }
        let view = try engine.makeView()
        #expect(String(decoding: try #require(try view.get([0, 0] as [UInt8])), as: UTF8.self) == Self.header)
        let page = try view.get(bytes("01 0001000000000000"))
        #expect(page == bytes("01 02000000" + "13" + "01 01" + "0c0172" + Self.directory))
        let found = try view.entries(KeyRange(prefix: [4]))
        #expect(found.map(\.key) == chunks.map(\.key) && found.map(\.value) == chunks.map(\.value))
        // The sum of the second, so that it is not only compared with itself.
        #expect(chunks[1].value == bytes("01 c23a7f6e 02 02 8210"))
    }

    @Test func theseBytesAreRead() throws {
        let engine = MemoryEngine()
        try store(in: engine).write { context in
            context.insert(GoldenRow(title: "r"))
            for _ in 0..<1025 { context.insert(GoldenLink()) }
        }
        var commit = EngineCommit()
        commit.put(Self.header, for: [UInt8]([0, 0]))
        commit.put(bytes("01 02000000" + "13" + "01 01" + "0c0172" + Self.directory), for: bytes("01 0001000000000000"))
        for (key, value) in chunks { commit.put(value, for: key) }
        for row in 1...1025 {
            let target = (0..<6).map { UInt8(truncatingIfNeeded: row >> (40 - 8 * $0)) }
            commit.put([1] as [UInt8], for: bytes("05 0002") + target + bytes("0001 0002 000000000001"))
        }
        try engine.commit(commit)
        let report = try store(in: engine).verify()
        #expect(report.isIntact, "\(report.problems)")
        try store(in: engine).read { context in
            let row = try context.allObjects(GoldenRow.self)[0]
            #expect(row.links.objectIDs == (1...1025).map { ObjectID("2/\($0)")! })
        }
    }
}

@Stored(name: "Row") final class GoldenRow {
    var title: String
    @Relationship var links: ObjectList<GoldenLink>
}

@Stored(name: "Link") final class GoldenLink {}
