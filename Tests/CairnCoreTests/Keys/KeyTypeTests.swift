import CairnCore
import Foundation
import Testing

/// What keys and codecs say of what they store, for tools.
struct KeyTypeTests {
    private enum Genre: String, KeyCodable { case pop }
    private struct Year: RawRepresentable, KeyCodable { var rawValue: Int16 }
    private struct Account: KeyCodable {
        var bank: String, number: Int
        func encode(into encoder: inout KeyEncoder) { Key(bank, number).encode(into: &encoder) }
        init(decoding decoder: inout KeyDecoder) throws(CodecError) {
            (bank, number) = try Key<String, Int>(decoding: &decoder).elements
        }
    }

    private func names<Key: KeyCodable & SendableMetatype>(_ type: Key.Type) -> String? { KeyCodec<Key>.ordered.elementNames }

    @Test func singleValues() {
        #expect(names(String.self) == "string" && names(Substring.self) == "string")
        #expect(names(Int.self) == "int" && names(UInt8.self) == "int" && names(Int128.self) == "int")
        #expect(names(Float.self) == "float" && names(Double.self) == "double" && names(Bool.self) == "bool")
        #expect(names(Date.self) == "date" && names(UUID.self) == "uuid")
        #expect(names([UInt8].self) == "bytes" && names(Data.self) == "bytes")
        #expect(names(Genre.self) == "string" && names(Year.self) == "int")
        #expect(names(Int?.self) == "int?" && names(Int??.self) == "int?" && names(Genre?.self) == "string?")
    }

    @Test func compoundKeys() {
        #expect(names(Key<String, Int>.self) == "string,int")
        #expect(names(Key<Genre, Date?, [UInt8]>.self) == "string,date?,bytes")
        #expect(Key<Int, Key<Bool, UUID>>.keyType == .compound([.int, .compound([.bool, .uuid])]))
    }

    /// What has no simple name, or is known to the program alone, is unknown.
    @Test func unknownTypes() {
        #expect(names(Account.self) == nil && names(Key<String, Account>.self) == nil && names(Account?.self) == nil)
        #expect(names([Int].self) == nil && names(Key<Int, Key<Bool, UUID>>.self) == nil && names(Key<Int, Bool>?.self) == nil)
        #expect(names(KeyTuple.self) == nil && names(KeyValue.self) == nil && names(Versionstamp.self) == nil)
        #expect(KeyCodec<String>.raw.elementNames == nil)
        #expect(KeyCodec<Int>.custom(encode: { "\($0)" }, decode: { _ in 0 }).elementNames == nil)
    }

    @Test func values() {
        #expect(ValueCodec<Int, String>.utf8.type == .text && ValueCodec<Int, String>.raw.type == .text)
        #expect(ValueCodec<Int, [UInt8]>.raw.type == .bytes && ValueCodec<Int, Data>.raw.type == .bytes)
        #expect(ValueCodec<Int, [Int]>.json.type == .json && ValueCodec<Int, [Int]>.propertyList.type == .propertyList)
        #expect(ValueCodec<Int, Int>.littleEndian.type?.description == "int64")
        #expect(ValueCodec<Int, UInt16>.bigEndian.type?.description == "uint16be")
        #expect(ValueCodec<Int, Double>.littleEndian.type?.description == "double")
        #expect(ValueCodec<Int, Float>.bigEndian.type?.description == "floatbe")
        let custom = ValueCodec<Int, String>.custom(encode: { _, text in text }, decode: { _, bytes in try String(copying: bytes) })
        #expect(custom.type == nil && ValueCodec<Int, String>.missing.type == nil)
        #expect(ValueCodec<Int, String>.choosing { _ in .utf8 }.type == nil)
    }

    @Test func namesOfValueTypes() {
        let types: [ValueType] = [
            .text, .bytes, .json, .propertyList, .float(.littleEndian), .double(.bigEndian),
            .integer(bits: 8, isSigned: false, .littleEndian), .integer(bits: 128, isSigned: true, .bigEndian),
        ]
        for type in types { #expect(ValueType(type.description) == type) }
        for name in ["", "be", "int", "int24", "textbe", "jsonbe", "uuint8", "String"] { #expect(ValueType(name) == nil) }
    }
}
