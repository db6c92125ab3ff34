import CairnObjects
import Foundation
import Testing

/// Types as text, and records without the program's types.
@Suite struct RecordsTypesTests {
    @Test func everyTypeHasATextThatIsReadBack() throws {
        let types: [(StoredType, String)] = [
            (Bool.storedType, "bool"), (Int.storedType, "int64"), (Int8.storedType, "int8"), (Int16.storedType, "int16"),
            (Int32.storedType, "int32"), (Int64.storedType, "int64"), (Int128.storedType, "int128"), (UInt.storedType, "uint64"),
            (UInt8.storedType, "uint8"), (UInt16.storedType, "uint16"), (UInt32.storedType, "uint32"), (UInt64.storedType, "uint64"),
            (UInt128.storedType, "uint128"), (Float.storedType, "float"), (Double.storedType, "double"), (String.storedType, "string"),
            ([UInt8].storedType, "bytes"), (Data.storedType, "bytes"), (Date.storedType, "date"), (UUID.storedType, "uuid"),
            (URL.storedType, "url"), (Decimal.storedType, "decimal"), (String?.storedType, "optional(string)"),
            ([Int?].storedType, "array(optional(int64))"), (Set<String>.storedType, "set(string)"),
            ([String: [Int8]].storedType, "dictionary(string, array(int8))"), (Genre.storedType, #"raw(string, "Genre")"#),
            (Level?.storedType, #"optional(raw(int8, "Level"))"#), (StoredType.of(Address.self), #"codable("Address")"#),
            (StoredType.of([Address].self), #"codable("Array<Address>")"#),
            (StoredType.of(Address?.self), #"optional(codable("Address"))"#),
            (StoredType.of([Int].self), "array(int64)"), (.codable(#"a "b" \ (c), d"#), #"codable("a \"b\" \\ (c), d")"#),
        ]
        for (type, text) in types {
            #expect(type.description == text)
            #expect(try StoredType(parsing: text) == type)
        }
    }

    @Test func otherTextIsRefused() {
        let texts = [
            "", "int", "int65", "INT8", "string ", " string", "array", "array()", "array(string", "array(string))", "set(strin)",
            "dictionary(string)", "dictionary(string,string)", "codable(Name)", #"codable("Name)"#, #"codable("Name"#, #"codable("Name\"#,
            #"codable("Name\")"#, "raw(string)", "optional(string, string)", "ärray(string)", "codable(",
        ]
        for text in texts {
            let error = #expect(throws: RecordError.self, "\(text)") { try StoredType(parsing: text) }
            #expect(error?.code == .malformed, "\(text)")
        }
        let deep = String(repeating: "array(", count: 100_000) + "bool" + String(repeating: ")", count: 100_000)
        let error = #expect(throws: RecordError.self) { try StoredType(parsing: deep) }
        #expect(error?.code == .tooDeep)
    }

    /// Two types, and whether the first reads what was stored as the second.
    @Test(arguments: [
        ("int8", "int64", true), ("int64", "uint64", false), ("uint64", "bool", false), ("bool", "bool", true), ("float", "double", true),
        ("double", "int64", false), ("date", "double", false), ("uuid", "int128", false), ("string", "url", true), ("url", "string", true),
        ("string", #"raw(string, "A")"#, true), (#"raw(string, "A")"#, #"raw(string, "B")"#, true), (#"raw(int8, "A")"#, "int64", true),
        (#"raw(int8, "A")"#, "string", false), ("optional(int8)", "int64", true), ("int64", "optional(int8)", true),
        ("optional(optional(int8))", "optional(int8)", false), ("optional(int8)", "optional(optional(int8))", false),
        ("optional(optional(int8))", "int8", false), ("optional(optional(int8))", "optional(optional(int64))", true),
        ("array(int8)", "set(int64)", true), ("set(string)", "array(string)", true), ("array(int8)", "array(optional(int8))", false),
        ("array(optional(int8))", "array(int8)", true), ("array(uint8)", "bytes", false),
        ("dictionary(string, optional(int8))", "dictionary(string, int8)", true), ("dictionary(string, int8)", "array(int8)", false),
        (#"codable("A")"#, #"codable("B")"#, true), (#"codable("A")"#, "string", false),
    ])
    func typesThatReadEachOther(type: String, stored: String, reads: Bool) throws {
        #expect(try StoredType(parsing: type).canRead(StoredType(parsing: stored)) == reads)
    }

    @Test func aDumpShowsEveryTypeAsJSON() throws {
        var writer = RecordWriter()
        writer.write("say \"hi\"\n\u{1}", field: 1)
        writer.write(-5, field: 2)
        writer.write(UInt64.max, field: 3)
        writer.write([1.5, .nan, -.infinity] as [Double], field: 4)
        writer.write([0xCA, 0xFE] as [UInt8], field: 5)
        writer.write(Date(timeIntervalSince1970: 0.25), field: 6)
        writer.write(Date(timeIntervalSinceReferenceDate: 1e300), field: 7)
        writer.write(["a": nil, "b": true] as [String: Bool?], field: 8)
        writer.write([1: Genre.pop], field: 9)
        writer.write(reference: 3, row: 17, field: 10)
        [1, 0xFF].withSpan { writer.write(references: $0, field: 11) }
        writer.write(Decimal(string: "1.50"), field: 12)
        writer.write(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"), field: 13)
        writer.write(Int??.some(nil), field: 14)
        writer.write(Float(0.1), field: 15)
        let types: [StoredType] = [
            .string, Int.storedType, UInt64.storedType, [Double].storedType, .bytes, .date, .date, [String: Bool?].storedType,
            [Int: Genre].storedType,
        ]
        var map = Dictionary(uniqueKeysWithValues: zip(1..., types))
        map[12] = .optional(.decimal)
        map[13] = .optional(.uuid)
        map[14] = Int??.storedType
        map[15] = .float
        let dump = try RecordDump(writer.bytes, types: map)
        let json = dump.json(names: [1: "text", 2: "number"])
        #expect(
            json == #"{"text":"say \"hi\"\n\u0001","number":-5,"3":18446744073709551615,"4":[1.5,"nan","-inf"],"5":"cafe","#
                + #""6":"1970-01-01T00:00:00.250Z","7":1e+300,"8":{"a":null,"b":true},"9":[[1,"pop"]],"10":{"class":3,"row":17},"#
                + #""11":"01ff","12":"15e-1","13":"00112233-4455-6677-8899-AABBCCDDEEFF","14":null,"15":0.1}"#
        )
        #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) is [String: Any])
    }

    @Test func aDumpWithoutTypesShowsWhatIsKnown() throws {
        var writer = RecordWriter()
        writer.write("text", field: 1)
        writer.write([0xFF] as [UInt8], field: 2)
        writer.write(UInt(7), field: 3)
        writer.write(Int?.none, field: 4)
        writer.write(Float(1), field: 5)
        let fields = try RecordDump(writer.bytes).fields
        #expect(fields.map(\.number) == [1, 2, 3, 4, 5])
        #expect(fields.map(\.kind) == [.bytes, .bytes, .varint, .null, .four])
        #expect(fields.map(\.value) == [.text("text"), .bytes([0xFF]), .varint(7), .null, .bits(0x3F80_0000, bytes: 4)])
        let error = #expect(throws: RecordError.self) { try RecordDump(record("a"), types: [1: .bool]) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.field == 1)
    }

    /// Values are equal if they are stored alike, wherever they are.
    @Test func equalValuesAreStoredAlike() {
        let alike: [RecordValue] = [
            .double(.nan), .float(.nan), .date(Date(timeIntervalSinceReferenceDate: .nan)), .text("é"), .list([.double(.nan)]),
        ]
        for value in alike { #expect(value == value && Set([value, value]).count == 1) }
        let different: [(RecordValue, RecordValue)] = [
            (.double(0), .double(-0.0)), (.float(0), .float(-0.0)), (.text("\u{E9}"), .text("e\u{301}")), (.json("1"), .text("1")),
            (.signed(1), .unsigned(1)), (.bits(1, bytes: 4), .bits(1, bytes: 8)), (.list([.null]), .list([])),
            (.reference(class: 1, row: 2), .reference(class: 2, row: 1)), (.dictionary([.init(.text("a"), .null)]), .dictionary([])),
        ]
        for (one, other) in different { #expect(one != other, "\(one), \(other)") }
    }
}
