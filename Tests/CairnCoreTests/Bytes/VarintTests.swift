import CairnCore
import CairnTestSupport
import Testing

struct VarintTests {
    private func encoded(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(value, to: &bytes)
        return bytes
    }

    private func encodedSigned(_ value: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.appendSigned(value, to: &bytes)
        return bytes
    }

    private func decode(_ bytes: [UInt8], at offset: inout Int) throws(CodecError) -> UInt64 {
        try bytes.withBytes { span throws(CodecError) in try Varint.decode(span, at: &offset) }
    }

    private func decodeSigned(_ bytes: [UInt8], at offset: inout Int) throws(CodecError) -> Int64 {
        try bytes.withBytes { span throws(CodecError) in try Varint.decodeSigned(span, at: &offset) }
    }

    @Test(
        arguments: [
            (0, [0]), (1, [1]), (127, [0x7F]), (128, [0x80, 0x01]), (300, [0xAC, 0x02]), (624_485, [0xE5, 0x8E, 0x26]),
            (1 << 63, [UInt8](repeating: 0x80, count: 9) + [1]), (.max, [UInt8](repeating: 0xFF, count: 9) + [1]),
        ] as [(UInt64, [UInt8])]
    )
    func knownBytes(value: UInt64, bytes: [UInt8]) throws {
        #expect(encoded(value) == bytes)
        #expect(Varint.byteCount(of: value) == bytes.count)
        var offset = 0
        #expect(try decode(bytes, at: &offset) == value)
        #expect(offset == bytes.count)
    }

    @Test(
        arguments: [
            (0, [0]), (-1, [1]), (1, [2]), (-2, [3]), (63, [0x7E]), (-64, [0x7F]), (64, [0x80, 0x01]),
            (.max, [0xFE] + [UInt8](repeating: 0xFF, count: 8) + [1]), (.min, [UInt8](repeating: 0xFF, count: 9) + [1]),
        ] as [(Int64, [UInt8])]
    )
    func knownSignedBytes(value: Int64, bytes: [UInt8]) throws {
        #expect(encodedSigned(value) == bytes)
        #expect(Varint.byteCount(ofSigned: value) == bytes.count)
        var offset = 0
        #expect(try decodeSigned(bytes, at: &offset) == value)
        #expect(offset == bytes.count)
    }

    @Test func sequencesRoundTrip() async throws {
        try await withSeeds("varints", count: 100) { generator in
            var values: [UInt64] = []
            var bytes: [UInt8] = []
            for _ in 0..<50 {
                let value = generator.spreadInteger()
                let before = bytes.count
                Varint.append(value, to: &bytes)
                #expect(bytes.count - before == Varint.byteCount(of: value))
                Varint.appendSigned(Int64(bitPattern: value), to: &bytes)
                values.append(value)
            }
            var offset = 0
            for value in values {
                let unsigned = try decode(bytes, at: &offset)
                let signed = try decodeSigned(bytes, at: &offset)
                #expect(unsigned == value)
                #expect(signed == Int64(bitPattern: value))
            }
            #expect(offset == bytes.count)
        }
    }

    @Test func everyCutIsTruncated() throws {
        for value: UInt64 in [128, 300, 1 << 35, .max] {
            let bytes = encoded(value)
            for count in 0..<bytes.count {
                var offset = 0
                let error = #expect(throws: CodecError.self) { try decode(Array(bytes.prefix(count)), at: &offset) }
                #expect(error?.code == .truncated)
                #expect(offset == 0)
            }
        }
    }

    @Test(arguments: [-1, 3, 4, .min, .max]) func offsetsOutsideAreTruncated(start: Int) {
        var offset = start
        let error = #expect(throws: CodecError.self) { try decode([1, 2, 3], at: &offset) }
        #expect(error?.code == .truncated)
        #expect(offset == start)
    }

    @Test(arguments: [
        [UInt8](repeating: 0xFF, count: 9) + [2], [UInt8](repeating: 0x80, count: 9) + [0x7F], [UInt8](repeating: 0xFF, count: 12),
        [UInt8](repeating: 0x80, count: 10) + [1],
    ])
    func overflowIsOutOfRange(bytes: [UInt8]) {
        var offset = 0
        let error = #expect(throws: CodecError.self) { try decode(bytes, at: &offset) }
        #expect(error?.code == .outOfRange)
        #expect(offset == 0)
    }

    @Test(arguments: [[0x80, 0], [0xFF, 0], [0x80, 0x80, 0], [UInt8](repeating: 0x80, count: 9) + [0]] as [[UInt8]])
    func paddingIsMalformed(bytes: [UInt8]) {
        var offset = 0
        let error = #expect(throws: CodecError.self) { try decode(bytes, at: &offset) }
        #expect(error?.code == .malformed)
    }

    /// Whatever decodes, encodes to the same bytes: no two encodings of one number.
    @Test func anyBytesDecodeOrThrow() async throws {
        try await withSeeds("varints from noise", count: 50) { generator in
            let bytes = generator.bytes(200)
            var offset = 0
            while offset < bytes.count {
                let start = offset
                if let value = try? decode(bytes, at: &offset) {
                    #expect(encoded(value) == Array(bytes[start..<offset]))
                } else {
                    #expect(offset == start)
                    offset += 1
                }
            }
        }
    }
}
