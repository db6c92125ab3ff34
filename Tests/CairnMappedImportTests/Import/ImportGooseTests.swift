import CairnMapped
import CairnMappedImport
import CairnTestSupport
import Foundation
import Testing

struct ImportGooseTests {
    private static func little(_ number: some FixedWidthInteger) -> [UInt8] { MMKVFixture.little(number) }

    @Test func typesAreGuessed() throws {
        var fixture = GooseFixture()
        fixture.store([1], "bool")
        fixture.store(Self.little(Int8(-3)), "int8")
        fixture.store(Self.little(Int16(-300)), "int16")
        fixture.store(Self.little(Int32(70_000)), "int32")
        fixture.store(Self.little(Int64(-5)), "int64")
        fixture.store(Self.little(Int.max), "int.max")
        fixture.store(Self.little(0), "zero")
        fixture.store(Self.little(Float(0.1).bitPattern), "float")
        fixture.store(Self.little((-0.25).bitPattern), "double")
        fixture.store(Array("abcd".utf8), "four characters")
        fixture.store(Array("abcdefgh".utf8), "eight characters")
        fixture.store(Array("größer".utf8), "text")
        fixture.store(Array(#"{"a":[1,2]}"#.utf8), "object")
        fixture.store(Array(#"["a","b"]"#.utf8), "list")
        fixture.store(Array("\"dark\"".utf8), "case")
        fixture.store(Array("{no JSON".utf8), "no JSON")
        fixture.store([0xFF, 0xFE, 0xFD], "bytes")
        let result = try MappedImport.goose(bytes: fixture.data)
        let expected: [String: MappedVariant] = [
            "bool": .bool(true), "int8": .int(-3), "int16": .int(-300), "int32": .int(70_000), "int64": .int(-5),
            "int.max": .int(Int128(Int.max)),
            "zero": .int(0), "float": .float(0.1), "double": .double(-0.25), "four characters": .string("abcd"),
            "eight characters": .string("abcdefgh"), "text": .string("größer"), "object": .json(#"{"a":[1,2]}"#),
            "list": .json(#"["a","b"]"#),
            "case": .json("\"dark\""), "no JSON": .string("{no JSON"), "bytes": .bytes([0xFF, 0xFE, 0xFD]),
        ]
        #expect(result.values == expected)
        #expect(result.report.guessedCount == expected.count && result.report.damage == nil)
        #expect(result.report.types["bool"] == .guessed(.bool, alternatives: [.int, .string, .bytes]))
        #expect(result.report.types["list"] == .guessed(.json, alternatives: [.string, .strings, .bytes]))
        #expect(result.report.types["int64"] == .guessed(.int, alternatives: [.unsigned, .bytes, .double]))
    }

    @Test func typesAreTold() throws {
        var fixture = GooseFixture()
        let uuid = UUID()
        fixture.store(Self.little(UInt8.max), "u8")
        fixture.store(Self.little(UInt16.max), "u16")
        fixture.store(Self.little(UInt32.max), "u32")
        fixture.store(Self.little(UInt64.max), "u64")
        fixture.store(Self.little(UInt128(1) << 100), "u128")
        fixture.store(Self.little(Int128(-1)), "i128")
        fixture.store(Array("726397200.5".utf8), "date")
        fixture.store(Array(#""https:\/\/example.com""#.utf8), "url")
        fixture.store(Array("\"\(uuid.uuidString)\"".utf8), "uuid")
        fixture.store(bytes(of: .uuid(uuid)), "uuid bytes")
        fixture.store(Array(#"["a","b"]"#.utf8), "list")
        fixture.store(Array("[1]".utf8), "mismatched")
        let types: [String: MappedForeignType] = [
            "u8": .unsigned, "u16": .unsigned, "u32": .unsigned, "u64": .unsigned, "u128": .unsigned, "i128": .int, "date": .date,
            "url": .url,
            "uuid": .uuid, "uuid bytes": .uuid, "list": .strings, "mismatched": .strings,
        ]
        let result = try MappedImport.goose(bytes: fixture.data, types: types)
        let expected: [String: MappedVariant] = [
            "u8": .int(255), "u16": .int(65535), "u32": .int(4_294_967_295), "u64": .int(Int128(UInt64.max)), "u128": .int(1 << 100),
            "i128": .int(-1), "date": .date(Date(timeIntervalSinceReferenceDate: 726397200.5)),
            "url": .url(try #require(URL(string: "https://example.com"))), "uuid": .uuid(uuid), "uuid bytes": .uuid(uuid),
            "list": .array([.string("a"), .string("b")]), "mismatched": .json("[1]"),
        ]
        #expect(result.values == expected)
        #expect(result.report.mismatchedKeys == ["mismatched"] && result.report.guessedCount == 1)
    }

    @Test func theLastRecordCounts() throws {
        var fixture = GooseFixture()
        fixture.store([1], "a")
        fixture.store([], "a")
        fixture.store([0], "ключ 🗝️")
        fixture.store([1], "ключ 🗝️")
        fixture.store([1], [0xFF])
        fixture.store([0], "")
        let result = try MappedImport.goose(bytes: fixture.data)
        #expect(result.values == ["ключ 🗝️": .bool(true), "": .bool(false)])
        #expect(result.report.recordCount == 6 && result.report.removedCount == 1 && result.report.supersededCount == 2)
        #expect(result.report.leftOut.map(\.reason) == ["the key is not UTF-8"])
    }

    @Test func damage() throws {
        var fixture = GooseFixture()
        // A changed bit makes no key another.
        for name in ["A", "B", "D", "G", "H"] { fixture.store(Array("value \(name)".utf8), "key \(name)") }
        let sound = try MappedImport.goose(bytes: fixture.data).entries.map(\.key)
        #expect(sound.count == 5)
        for count in 0...fixture.data.count {
            let whole = fixture.ends.count { $0 <= count }
            do {
                let result = try MappedImport.goose(bytes: Array(fixture.data.prefix(count)))
                #expect(result.entries.map(\.key) == Array(sound.prefix(whole)))
                #expect((result.report.damage == nil) == (whole == 5))
            } catch { #expect(whole == 0 && error.code == .malformedInput) }
        }
        for offset in 0..<fixture.ends[4] {
            for bit in 0..<8 {
                var data = fixture.data
                data[offset] ^= 1 << UInt8(bit)
                do {
                    let result = try MappedImport.goose(bytes: data)
                    let before = fixture.ends.count { $0 <= offset }
                    #expect(result.entries.map(\.key).starts(with: sound.prefix(before)))
                } catch { #expect(offset < fixture.ends[0] && error.code == .malformedInput) }
            }
        }
        #expect(importCode { try MappedImport.goose(bytes: [1, 0, 0, 0, 0, 0, 0, 0x80]) } == .malformedInput)
        #expect(try MappedImport.goose(bytes: Array(repeating: 0, count: 100)).entries.isEmpty)
    }

    @Test func files() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("goose")
        #expect(importCode { try MappedImport.goose(path: path) } == .notFound)
        var fixture = GooseFixture()
        fixture.store([1], "a")
        try Data(fixture.data).write(to: URL(filePath: path))
        #expect(try MappedImport.goose(path: path).values == ["a": .bool(true)])
    }

    @Test func whateverTheBytesNothingTraps() async throws {
        try await withSeeds("Goose damage", count: Thorough.count(100, of: 300)) { generator in
            var fixture = GooseFixture()
            for _ in 0..<generator.int(in: 0..<5) {
                fixture.store(generator.bytes(generator.int(in: 0..<20)), generator.bytes(generator.int(in: 0..<5)))
            }
            var data = fixture.data
            for _ in 0..<generator.int(in: 0..<4) {
                data[generator.int(in: 0..<data.count)] = generator.pick([0, 1, 0x7F, 0x80, 0xFF])
            }
            _ = importCode { try MappedImport.goose(bytes: data) }
        }
    }
}
