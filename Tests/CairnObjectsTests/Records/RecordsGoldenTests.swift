import CairnObjects
import Foundation
import Testing

/// The bytes of each type: `docs/formats/object-records.md`. They do not change.
@Suite struct RecordsGoldenTests {
    /// Whether the value is stored as `payload` behind the tag of field 1 with `kind`, and read from it.
    func check<Value: StoredValue & Equatable>(
        _ value: Value,
        _ kind: WireKind,
        _ payload: [UInt8],
        _ place: SourceLocation = #_sourceLocation
    ) throws {
        let bytes = [8 | kind.rawValue] + payload
        #expect(try record(value) == bytes, sourceLocation: place)
        #expect(try CairnObjectsTests.value(bytes, as: Value.self) == value, sourceLocation: place)
    }

    @Test func integersAreVarints() throws {
        try check(false, .varint, [0])
        try check(true, .varint, [1])
        try check(0, .varint, [0])
        try check(-1, .varint, [1])
        try check(1, .varint, [2])
        try check(298, .varint, [0xD4, 0x04])
        try check(Int8.min, .varint, [0xFF, 0x01])
        try check(Int16.max, .varint, [0xFE, 0xFF, 0x03])
        try check(Int32.min, .varint, [0xFF, 0xFF, 0xFF, 0xFF, 0x0F])
        try check(Int64.min, .varint, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01])
        try check(UInt8(200), .varint, [0xC8, 0x01])
        try check(UInt16(300), .varint, [0xAC, 0x02])
        try check(UInt32(1) << 31, .varint, [0x80, 0x80, 0x80, 0x80, 0x08])
        try check(UInt(127), .varint, [0x7F])
        try check(UInt64.max, .varint, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01])
        try check(Int128(-2), .sixteen, [0xFE] + Array(repeating: 0xFF, count: 15))
        try check(UInt128(258), .sixteen, [2, 1] + Array(repeating: 0, count: 14))
    }

    @Test func otherNumbersHaveTheirWidth() throws {
        try check(Float(1), .four, [0, 0, 0x80, 0x3F])
        try check(-2.5, .eight, [0, 0, 0, 0, 0, 0, 0x04, 0xC0])
        try check(Date(timeIntervalSinceReferenceDate: 1), .eight, [0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
        let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        try check(uuid, .sixteen, (0..<16).map { UInt8($0 * 0x11) })
    }

    @Test func textAndBytesHaveALength() throws {
        try check("", .bytes, [0])
        try check("né\0", .bytes, [4, 0x6E, 0xC3, 0xA9, 0])
        try check([1, 255] as [UInt8], .bytes, [2, 1, 255])
        try check(Data([1, 255]), .bytes, [2, 1, 255])
        try check(String(repeating: "a", count: 128), .bytes, [0x80, 0x01] + Array(repeating: 0x61, count: 128))
        try check(try #require(URL(string: "https://a.b/c?d#e")), .bytes, [17] + Array("https://a.b/c?d#e".utf8))
        try check(try #require(Decimal(string: "-123.45")), .bytes, [9] + Array("-12345e-2".utf8))
        try check(Decimal(7), .bytes, [1, 0x37])
        try check(Genre.pop, .bytes, [3] + Array("pop".utf8))
        try check(Level.low, .varint, [1])
    }

    @Test func optionalsAreNullOrTheValue() throws {
        try check(Int?.none, .null, [])
        try check(Int?(1), .varint, [2])
        try check(String?(""), .bytes, [0])
        try check(Int??.none, .null, [])
        try check(Int??.some(nil), .bytes, [2, 0, 0])
        try check(Int??.some(1), .bytes, [2, 1, 2])
    }

    @Test func collectionsAreLists() throws {
        try check([] as [Int], .bytes, [0])
        try check([1, -1, 100], .bytes, [5, 1, 2, 1, 0xC8, 0x01])
        try check([true], .bytes, [2, 1, 1])
        try check([Float(1), 0], .bytes, [9, 2, 0, 0, 0x80, 0x3F, 0, 0, 0, 0])
        try check([Int128(1)], .bytes, [17, 5, 1] + Array(repeating: 0, count: 15))
        try check(["a", ""], .bytes, [4, 4, 1, 0x61, 0])
        try check([1, nil, 2] as [Int?], .bytes, [6, 0, 1, 2, 0, 1, 4])
        try check([nil, nil] as [String?], .bytes, [3, 0, 0, 0])
        try check([[1], []] as [[Int]], .bytes, [5, 4, 2, 1, 2, 0])
        try check([3, 1, 2] as Set<UInt>, .bytes, [4, 1, 1, 2, 3])
        try check(["b": 1, "a": 2, "c": 3], .bytes, [14, 4, 7, 4, 1, 0x61, 1, 0x62, 1, 0x63, 4, 1, 4, 2, 6])
        try check([:] as [String: Int], .bytes, [0])
    }

    @Test func codableTypesAreJSON() throws {
        var writer = RecordWriter()
        writer.write(Address(street: "Elm", number: 3), field: 1)
        let json = #"{"number":3,"street":"Elm","weight":0.5}"#
        #expect(try writer.bytes == [12, UInt8(json.utf8.count)] + Array(json.utf8))
    }

    @Test func referencesAreTwoNumbersOrBytes() throws {
        var writer = RecordWriter()
        writer.write(reference: 3, row: 300, field: 2)
        [9, 8].withSpan { writer.write(references: $0, field: 3) }
        #expect(try writer.bytes == [22, 3, 0xAC, 0x02, 31, 2, 9, 8])
    }

    @Test func tagsOfLargeNumbersTakeMoreBytes() throws {
        var writer = RecordWriter()
        writer.write(true, field: 15)
        writer.write(true, field: 16)
        writer.write(true, field: (1 << 28) - 1)
        #expect(try writer.bytes == [0x79, 1, 0x81, 0x01, 1, 0xF9, 0xFF, 0xFF, 0xFF, 0x07, 1])
    }
}

extension Array where Element == UInt8 {
    /// Lends the bytes to `body`.
    func withSpan(_ body: (RawSpan) -> Void) { unsafe body(span.bytes) }
}
