import CairnCore
import CairnTestSupport
import Foundation
import Testing

/// Values into bytes and back.
@Suite struct ValuesTests {
    struct Song: Codable, Equatable {
        var title: String
        var artist: String
        var seconds: Int
        var rating: Double?
    }
    /// No key of the tuple layer: any type can be a codec's key.
    struct Place: Sendable { var row: Int }
    struct Refused: Error {}

    static let song = Song(title: "Walking on Sunshine", artist: "Katrina/the Waves", seconds: 298, rating: nil)

    @Test func bytesAndTextAreStoredAsTheyAre() throws {
        try check(ValueCodec<Place, [UInt8]>.raw, [0, 1, 255], stores: [0, 1, 255])
        try check(ValueCodec<Place, [UInt8]>.raw, [], stores: [])
        try check(ValueCodec<Place, Data>.raw, Data([7, 0]), stores: [7, 0])
        try check(ValueCodec<Place, String>.raw, "né\0", stores: [0x6E, 0xC3, 0xA9, 0])
        try check(ValueCodec<Place, String>.utf8, "né\0", stores: [0x6E, 0xC3, 0xA9, 0])
        try check(ValueCodec<Place, String>.utf8, "", stores: [])
        #expect(decodingCode(ValueCodec<Place, String>.utf8, [0x61, 0xFF]) == .invalidText)
        #expect(decodingCode(ValueCodec<Place, String>.raw, [0xC3]) == .invalidText)
    }

    @Test func integersTakeTheirWidth() throws {
        try check(ValueCodec<Place, UInt8>.littleEndian, 0xFE, stores: [0xFE])
        try check(ValueCodec<Place, Int16>.littleEndian, -2, stores: [0xFE, 0xFF])
        try check(ValueCodec<Place, Int16>.bigEndian, -2, stores: [0xFF, 0xFE])
        try check(ValueCodec<Place, UInt64>.littleEndian, 0x0102_0304_0506_0708, stores: [8, 7, 6, 5, 4, 3, 2, 1])
        try check(ValueCodec<Place, UInt64>.bigEndian, 0x0102_0304_0506_0708, stores: [1, 2, 3, 4, 5, 6, 7, 8])
        try check(ValueCodec<Place, UInt128>.bigEndian, 1 << 120 | 5, stores: [1] + Array(repeating: 0, count: 14) + [5])
        for value in [Int64.min, -1, 0, 1, Int64.max] {
            let bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            try check(ValueCodec<Place, Int64>.littleEndian, value, stores: bytes)
            try check(ValueCodec<Place, Int64>.bigEndian, value, stores: bytes.reversed())
        }
    }

    @Test func floatingPointKeepsEveryBit() throws {
        try check(ValueCodec<Place, Double>.littleEndian, 1, stores: [0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
        try check(ValueCodec<Place, Double>.bigEndian, 1, stores: [0x3F, 0xF0, 0, 0, 0, 0, 0, 0])
        try check(ValueCodec<Place, Float>.littleEndian, -2, stores: [0, 0, 0, 0xC0])
        try check(ValueCodec<Place, Float>.bigEndian, -2, stores: [0xC0, 0, 0, 0])
        for bits in [0x8000_0000_0000_0000, 0x7FF8_0000_0000_0001, 0xFFFF_FFFF_FFFF_FFFF, 0xFFF0_0000_0000_0000] as [UInt64] {
            let codec = ValueCodec<Place, Double>.littleEndian
            let bytes = try codec.encode(Double(bitPattern: bits), for: Place(row: 1))
            #expect(try codec.decode(bytes, for: Place(row: 1)).bitPattern == bits)
        }
    }

    @Test func numbersOfAnotherWidthAreErrors() throws {
        for count in 0...20 where count != 4 {
            let bytes = [UInt8](repeating: 1, count: count)
            let expected: CodecError.Code = count < 4 ? .truncated : .trailingBytes
            #expect(decodingCode(ValueCodec<Place, Int32>.littleEndian, bytes) == expected)
            #expect(decodingCode(ValueCodec<Place, UInt32>.bigEndian, bytes) == expected)
            #expect(decodingCode(ValueCodec<Place, Float>.littleEndian, bytes) == expected)
        }
        #expect(decodingCode(ValueCodec<Place, Double>.bigEndian, [1, 2, 3]) == .truncated)
        let error = #expect(throws: CodecError.self) { try ValueCodec<Place, Double>.bigEndian.decode([1], for: Place(row: 1)) }
        #expect(error?.message == "Double takes 8 bytes, but 1 are stored; was the value written as another type?")
    }

    @Test func codableValuesAsJSON() throws {
        let text = #"{"artist":"Katrina/the Waves","seconds":298,"title":"Walking on Sunshine"}"#
        try check(ValueCodec<Place, Song>.json, Self.song, stores: Array(text.utf8))
        try check(ValueCodec<Place, Int>.json, 42, stores: Array("42".utf8))
        try check(ValueCodec<Place, [String: Int]>.json, ["b": 2, "a": 1, "c": 3], stores: Array(#"{"a":1,"b":2,"c":3}"#.utf8))
        let encoder = JSONEncoder()
        let decoder = JSONDecoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        decoder.dateDecodingStrategy = .secondsSince1970
        try check(ValueCodec<Place, Date>.json(encoder: encoder, decoder: decoder), Date(timeIntervalSince1970: 5), stores: Array("5".utf8))
    }

    @Test func codableValuesAsPropertyLists() throws {
        let codec = ValueCodec<Place, Song>.propertyList
        let bytes = try codec.encode(Self.song, for: Place(row: 1))
        #expect(bytes.starts(with: Array("bplist00".utf8)))
        #expect(try codec.decode(bytes, for: Place(row: 1)) == Self.song)
        #expect(try PropertyListDecoder().decode(Song.self, from: Data(bytes)) == Self.song)
    }

    @Test func failuresOfFoundationsCodersAreCauses() {
        let json = #expect(throws: CodecError.self) { try ValueCodec<String, Song>.json.decode("{}", for: "secret") }
        #expect(json?.code == .failed)
        #expect(json?.cause is DecodingError)
        #expect(json?.message == "the 2 bytes are not Song encoded as JSON; was the value written by another codec?")
        #expect(json?.description.contains("secret") == false)
        #expect(json?.fullDescription.contains("key secret") == true)

        let number = #expect(throws: CodecError.self) { try ValueCodec<String, Double>.json.encode(.nan, for: "k") }
        #expect(number?.code == .failed)
        #expect(number?.cause is EncodingError)
        #expect(number?.description.hasSuffix("[EncodingError]") == true)
        #expect(number?.message == "Double cannot be encoded as JSON, which has no NaN")
        for (value, name) in [(Float.infinity, "infinity"), (-Float.infinity, "-infinity")] {
            let error = #expect(throws: CodecError.self) { try ValueCodec<String, [String: Float]>.json.encode(["a": value], for: "k") }
            #expect(error?.message == "Dictionary<String, Float> cannot be encoded as JSON, which has no \(name)")
        }

        let list = #expect(throws: CodecError.self) { try ValueCodec<String, Int>.propertyList.encode(1, for: "k") }
        #expect(list?.code == .failed)
        #expect(list?.cause is EncodingError)
        let single = #expect(throws: CodecError.self) { try ValueCodec<String, Double>.propertyList.encode(.nan, for: "k") }
        #expect(single?.message == "Double cannot be encoded as a property list")
    }

    @Test func customCodecsGetTheKey() throws {
        let codec = ValueCodec<Int, String>.custom(
            encode: { key, value in
                guard key >= 0 else { throw Refused() }
                guard key > 0 else { throw CodecError(.outOfRange, "zero") }
                return "\(key):\(value)"
            },
            decode: { key, bytes in
                let text = try String(copying: bytes)
                guard text.hasPrefix("\(key):") else { throw Refused() }
                return String(text.dropFirst("\(key):".count))
            }
        )
        #expect(try codec.encode("x", for: 5) == Array("5:x".utf8))
        #expect(try codec.decode("5:x", for: 5) == "x")
        #expect(code { () throws(CodecError) in _ = try codec.encode("x", for: 0) } == .outOfRange)
        #expect(code { () throws(CodecError) in _ = try codec.decode([0xFF] as [UInt8], for: 5) } == .invalidText)
        let encoding = #expect(throws: CodecError.self) { try codec.encode("x", for: -1) }
        #expect(encoding?.code == .failed && encoding?.cause is Refused && encoding?.userData == "key -1")
        let decoding = #expect(throws: CodecError.self) { try codec.decode("6:x", for: 5) }
        #expect(decoding?.code == .failed && decoding?.cause is Refused && decoding?.userData == "key 5")
    }

    @Test func oneTableCanHoldSeveralKindsOfValues() throws {
        enum Entry: Equatable {
            case song(Song)
            case count(Int64)
        }
        let songs = ValueCodec<String, Song>.json
        let counts = ValueCodec<String, Int64>.littleEndian
        let codec = ValueCodec<String, Entry>.custom(
            encode: { key, entry in
                switch entry {
                case .song(let song): try songs.encode(song, for: key)
                case .count(let count): try counts.encode(count, for: key)
                }
            },
            decode: { key, bytes in
                key.hasPrefix("song") ? .song(try songs.decode(bytes, for: key)) : .count(try counts.decode(bytes, for: key))
            }
        )
        try check(codec, .song(Self.song), for: "song:1")
        try check(codec, .count(-5), for: "count:1")
    }

    @Test func codecsAreChosenByKey() throws {
        let json = ValueCodec<String, String>.json
        let codec = ValueCodec<String, String>.choosing { key in
            if key.hasPrefix("text:") { .utf8 } else if key.hasPrefix("json:") { json } else { nil }
        }
        #expect(try codec.encode("a", for: "text:1") == Array("a".utf8))
        #expect(try codec.encode("a", for: "json:1") == Array(#""a""#.utf8))
        try check(codec, "a", for: "json:1")
        let encoding = #expect(throws: CodecError.self) { try codec.encode("a", for: "other:1") }
        #expect(encoding?.code == .missingCodec)
        #expect(encoding?.message.contains("choosing(_:)") == true)
        #expect(encoding?.userData == "key other:1")
        #expect(code { () throws(CodecError) in _ = try codec.decode("a", for: "other:1") } == .missingCodec)
    }

    @Test func missingCodecsSayWhatToConfigure() {
        let codec = ValueCodec<Int, Song>.missing
        let encoding = #expect(throws: CodecError.self) { try codec.encode(Self.song, for: 1) }
        #expect(encoding?.code == .missingCodec)
        #expect(encoding?.message == "no codec is configured to encode Song; open the table with one, for example codec: .json")
        let decoding = #expect(throws: CodecError.self) { try codec.decode("{}", for: 1) }
        #expect(decoding?.code == .missingCodec)
        #expect(decoding?.message.contains("decode Song") == true)
    }

    @Test func encodingAppendsOrLeavesTheBufferAlone() throws {
        var buffer: [UInt8] = [9]
        let numbers = ValueCodec<Int, UInt16>.bigEndian
        try numbers.encode(0x0102, for: 0, into: &buffer)
        try numbers.encode(0x0304, for: 0, into: &buffer)
        #expect(buffer == [9, 1, 2, 3, 4])
        let missing = ValueCodec<Int, Song>.missing
        #expect(code { () throws(CodecError) in try missing.encode(Self.song, for: 0, into: &buffer) } == .missingCodec)
        #expect(buffer == [9, 1, 2, 3, 4])
    }

    @Test func lendingCodecsMustLend() {
        let silent = ValueCodec<Int, Int>(lending: { _, _, _ in }, decoding: { (_, _) throws(CodecError) in 0 })
        #expect(code { () throws(CodecError) in _ = try silent.encode(1, for: 1) } == .failed)
    }

    /// Damaged property lists and JSON: an error or a value, never a trap.
    @Test(arguments: [1, 2, 3] as [UInt64]) func damagedValuesAreErrors(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for codec in [ValueCodec<Int, Song>.json, .propertyList] {
            let bytes = try codec.encode(Self.song, for: 0)
            for length in 0..<bytes.count {
                #expect(code { () throws(CodecError) in _ = try codec.decode(bytes[..<length], for: 0) } == .failed, "cut to \(length)")
            }
            for _ in 0..<1_000 {
                var damaged = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
                }
                let code = code { () throws(CodecError) in _ = try codec.decode(damaged, for: 0) }
                #expect(code == nil || code == .failed, "seed \(seed)")
            }
        }
    }

    private func check<Value: Equatable>(_ codec: ValueCodec<Place, Value>, _ value: Value, stores expected: [UInt8]) throws {
        let key = Place(row: 1)
        let bytes = try codec.encode(value, for: key)
        #expect(bytes == expected)
        #expect(try codec.withBytes(of: value, for: key) { [UInt8](copying: $0) } == expected)
        #expect(try codec.decode(bytes, for: key) == value)
    }

    private func check<Key, Value: Equatable>(_ codec: ValueCodec<Key, Value>, _ value: Value, for key: Key) throws {
        #expect(try codec.decode(codec.encode(value, for: key), for: key) == value)
    }

    private func decodingCode<Value>(_ codec: ValueCodec<Place, Value>, _ bytes: [UInt8]) -> CodecError.Code? {
        code { () throws(CodecError) in _ = try codec.decode(bytes, for: Place(row: 1)) }
    }
}
