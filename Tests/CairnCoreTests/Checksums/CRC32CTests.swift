import CairnCore
import CairnTestSupport
import Testing

struct ChecksumTests {
    /// RFC 3720, appendix B.4 (the checksums there are printed in the order of bytes on the wire), and the common check value.
    @Test(
        arguments: [
            ([UInt8](repeating: 0, count: 32), 0x8a91_36aa),
            ([UInt8](repeating: 0xFF, count: 32), 0x62a8_ab43),
            ([UInt8](0..<32), 0x46dd_794e),
            ([UInt8]((0..<32).reversed()), 0x113f_db5c),
            (Array("123456789".utf8), 0xe306_9283),
            ([], 0),
        ] as [([UInt8], UInt32)]
    )
    func publishedVectors(bytes: [UInt8], expected: UInt32) {
        #expect(CRC32C.checksum(of: bytes) == expected)
        #expect(CRC32C.softwareChecksum(of: bytes) == expected)
    }

    /// RFC 3720, appendix B.4: a SCSI read command.
    @Test func publishedCommand() {
        var command = [UInt8](repeating: 0, count: 48)
        command.replaceSubrange(0..<2, with: [0x01, 0xC0])
        command[16] = 0x14
        command[22] = 0x04
        command[27] = 0x14
        command[31] = 0x18
        command[32] = 0x28
        command[40] = 0x02
        #expect(CRC32C.checksum(of: command) == 0xd996_3a56)
    }

    @Test func tablesAgreeWithInstructionsAtEveryAlignmentAndLength() async throws {
        try await withSeeds("CRC32C", count: 3) { generator in
            let bytes = generator.bytes(400)
            let start = UInt32.random(in: .min ... .max, using: &generator)
            for offset in 0..<16 {
                for count in Array(0..<80) + [255, 256, 257, 384] {
                    let piece = bytes[offset..<offset + count]
                    var checksum = CRC32C(extending: start)
                    checksum.update(piece)
                    #expect(checksum.value == CRC32C.softwareChecksum(of: piece, extending: start), "offset \(offset), count \(count)")
                    #expect(checksum.value == bitByBit(piece, extending: start), "offset \(offset), count \(count)")
                }
            }
        }
    }

    @Test func piecesAddUp() async throws {
        try await withSeeds("CRC32C in pieces") { generator in
            let bytes = generator.bytes(generator.int(in: 0..<2_000))
            var checksum = CRC32C()
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(generator.int(in: 0..<100))
                checksum.update(piece)
                rest = rest.dropFirst(piece.count)
            }
            #expect(checksum.value == CRC32C.checksum(of: bytes))
        }
    }

    @Test func masking() async throws {
        // By LevelDB's definition: rotated right by 15 bits, plus a constant.
        let foo = CRC32C.checksum(of: "foo")
        #expect(CRC32C(extending: 0).masked == 0xa282_ead8)
        #expect(CRC32C(extending: foo).masked == (foo >> 15 | foo << 17) &+ 0xa282_ead8)
        try await withSeeds("masked CRC32C") { generator in
            let value = UInt32.random(in: .min ... .max, using: &generator)
            #expect(CRC32C.unmask(CRC32C(extending: value).masked) == value)
        }
    }

    /// The definition: one bit a step.
    private func bitByBit(_ bytes: ArraySlice<UInt8>, extending value: UInt32) -> UInt32 {
        var state = ~value
        for byte in bytes {
            state ^= UInt32(byte)
            for _ in 0..<8 { state = state >> 1 ^ (state & 1 == 1 ? 0x82f6_3b78 : 0) }
        }
        return ~state
    }
}
