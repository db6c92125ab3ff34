import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// The bytes of a large value, as `docs/formats/object-store.md` shows them: they do not change as long as the format has this number.
@Suite struct GoldenValueTests {
    private static let header = #"{"format":2,"identity":"01234567-89AB-CDEF-0123-456789ABCDEF","kind":"cairn objects"}"#
    private static let value = (0..<1 << 20 + 3).map { UInt8(truncatingIfNeeded: $0) }
    /// Field 2 of kind 7, 14 bytes: the mark of a large value, 1,048,579 bytes, and two parts: of 1,048,576 from save 1, number 0; and of 3 from the same
    /// save, number 1.
    private static let directory = "17" + "0e" + "81 80 04" + "83 80 40" + "80 80 40" + "02" + "00" + "03" + "00" + "01"
    private static let page = "01 02000000" + "15" + "01 01" + "0c0172" + directory

    private func store(in engine: MemoryEngine) throws -> ObjectStore {
        let identity = try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
        return try ObjectStore(engine: engine, classes: [GoldenBlob.self], identity: identity)
    }

    private func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits.utf8.filter { $0 != UInt8(ascii: " ") })
        return stride(from: 0, to: digits.count, by: 2).compactMap { place in
            UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
        }
    }

    private var parts: [(key: [UInt8], value: [UInt8])] {
        [(0, Self.value.prefix(1 << 20)), (1, Self.value.suffix(3))].map { number, content in
            let key = bytes("04 0001000000000001 0002 00000001 0000000\(number)")
            let sum = CRC32C.checksum(of: key + content)
            return (key, [1] + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) } + content)
        }
    }

    @Test func aLargeValueHasTheseBytes() throws {
        let engine = MemoryEngine()
        try store(in: engine).write { $0.insert(GoldenBlob(title: "r", data: Self.value)) }
        let view = try engine.makeView()
        #expect(String(decoding: try #require(try view.get([0, 0] as [UInt8])), as: UTF8.self) == Self.header)
        #expect(try view.get(bytes("01 0001000000000000")) == bytes(Self.page))
        let found = try view.entries(KeyRange(prefix: [4]))
        let isSame = found.map(\.key) == parts.map(\.key) && found.map(\.value) == parts.map(\.value)
        #expect(isSame)
        // The sum of the second, so that it is not only compared with itself.
        #expect(found.last?.value == bytes("01 808f8c20 000102"))
    }

    @Test func theseBytesAreRead() throws {
        let engine = MemoryEngine()
        try store(in: engine).write { $0.insert(GoldenBlob(title: "r", data: [])) }
        var commit = EngineCommit()
        commit.put(bytes(Self.header.utf8.map { String(format: "%02x", $0) }.joined()), for: [0, 0] as [UInt8])
        commit.put(bytes(Self.page), for: bytes("01 0001000000000000"))
        for (key, value) in parts { commit.put(value, for: key) }
        try engine.commit(commit)
        let report = try store(in: engine).verify()
        #expect(report.isIntact, "\(report.problems)")
        let isRead = try store(in: engine).read { try $0.allObjects(GoldenBlob.self).map(\.data) == [Self.value] }
        #expect(isRead)
    }
}

@Stored(name: "Blob") final class GoldenBlob {
    var title: String
    var data: [UInt8]
}
