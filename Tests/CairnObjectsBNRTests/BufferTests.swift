import CairnObjectsBNR
import CairnTestSupport
import Foundation
import Testing

@Suite struct BufferTests {
    /// Bytes that were worked out by hand.
    @Test func knownBytes() throws {
        let bytes: [[UInt8]] = [
            [7], [1, 2, 0, 0], [0x3F, 0x80, 0, 0], [0x40, 0x09, 0x21, 0xFB, 0x54, 0x44, 0x2D, 0x18], [3, 0, 0, 0, 0x61, 0xC3, 0xA9],
            [2, 0, 0, 0, 0xCA, 0xFE], [0x41, 0xB2, 0xCE, 0xA6, 0, 0, 0, 0], [9, 0, 0, 0], [2, 5, 0, 0, 0],
            [2, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 3, 4, 0, 0, 0],
        ]
        var buffer = BNRBuffer(bytes.flatMap(\.self))
        #expect(try buffer.readUInt8() == 7)
        #expect(try buffer.readUInt32() == 513)
        #expect(try buffer.readFloat32() == 1)
        #expect(try buffer.readFloat64() == .pi)
        #expect(try buffer.readString() == "aé")
        #expect(try buffer.readData() == [0xCA, 0xFE])
        #expect(try buffer.readDate() == Date(timeIntervalSinceReferenceDate: 315_532_800))
        #expect(try buffer.readObjectReference(ofClass: "A") == BNRReference(.name("A"), row: 9))
        #expect(try buffer.readObjectReferenceOfUnknownClass() == BNRReference(.number(2), row: 5))
        #expect(try buffer.readArray(ofClass: "A") == [BNRReference(.name("A"), row: 8)])
        #expect(try buffer.readHeteroArray() == [BNRReference(.number(3), row: 4)])
        #expect(buffer.remainingCount == 0)
    }

    private static let reads: [@Sendable (inout BNRBuffer) throws -> Void] = [
        { _ = try $0.readUInt8() }, { _ = try $0.readUInt32() }, { _ = try $0.readFloat32() }, { _ = try $0.readFloat64() },
        { _ = try $0.readString() }, { _ = try $0.readData() }, { _ = try $0.readDate() }, { _ = try $0.readObjectReference(ofClass: "A") },
        { _ = try $0.readObjectReferenceOfUnknownClass() }, { _ = try $0.readArray(ofClass: "A") }, { _ = try $0.readHeteroArray() },
    ]

    /// Any bytes, read in any order: what cannot be read leaves the position alone.
    @Test func anyBytes() async throws {
        try await withSeeds("buffers", count: Thorough.count(100, of: 500)) { generator in
            let bytes =
                generator.oneIn(2) ? generator.bytes(generator.int(in: 0..<60)) : (0..<40).map { _ in generator.pick([0, 1, 2, 255]) }
            var buffer = BNRBuffer(bytes[min(3, bytes.count)...])
            for _ in 0..<20 {
                let before = buffer.remainingCount
                do { try generator.pick(Self.reads)(&buffer) } catch {
                    #expect((error as? BNRError)?.code == .malformedRecord && buffer.remainingCount == before)
                }
            }
            let rest = buffer.remainingCount
            #expect(buffer.readRest().count == rest && buffer.remainingCount == 0)
        }
    }

    /// A list says how many references it has; if they are not all there, none is read.
    @Test func listsThatAreCutShort() {
        let list: [UInt8] = [2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0]
        for count in 0..<list.count {
            var (array, hetero) = (BNRBuffer(list.prefix(min(count, 11))), BNRBuffer(list.prefix(count)))
            let failures = [
                #expect(throws: BNRError.self) { try array.readArray(ofClass: "A") },
                #expect(throws: BNRError.self) { try hetero.readHeteroArray() },
            ]
            #expect(failures.allSatisfy { $0?.code == .malformedRecord })
            #expect(array.remainingCount == min(count, 11) && hetero.remainingCount == count)
        }
    }

    @Test func nothingIsEmpty() throws {
        var buffer = BNRBuffer([UInt8](repeating: 0, count: 33), version: 3)
        #expect(buffer.version == 3)
        #expect(try buffer.readString().isEmpty)
        #expect(try buffer.readData().isEmpty)
        #expect(try buffer.readDate() == nil)
        #expect(try buffer.readObjectReference(ofClass: "A") == nil)
        #expect(try buffer.readObjectReferenceOfUnknownClass() == nil)
        #expect(try buffer.readArray(ofClass: "A").isEmpty)
        #expect(try buffer.readHeteroArray().isEmpty)
        #expect(buffer.remainingCount == 0)
    }
}
