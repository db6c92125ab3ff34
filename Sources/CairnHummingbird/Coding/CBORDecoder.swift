#if Hummingbird
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Decodes `Codable` values from CBOR. Any bytes at all are either a value or a `DecodingError`.
struct CBORDecoder: Decoder {
    let bytes: [UInt8]
    /// Where the item begins.
    let position: Int
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
        codingPath = []
    }

    init(_ bytes: [UInt8], _ position: Int, _ path: [any CodingKey], _ key: any CodingKey) {
        self.bytes = bytes
        self.position = position
        codingPath = path + [key]
    }

    /// Decodes a value that `CBOREncoder.encode` has encoded.
    ///
    /// - Throws: `DecodingError`; what the type throws.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        var reader = CBORReader(bytes, 0)
        try reader.skip([])
        guard reader.position == bytes.count else { throw CBORReader.damage("there are bytes after the value", []) }
        return try CBORDecoder(bytes).decode(type)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try CBORKeyedDecoding(self))
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try CBORUnkeyedDecoding(self) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension CBORDecoder: SingleValueDecodingContainer {
    private func read<Value>(_ body: (inout CBORReader) throws -> Value) rethrows -> Value {
        var reader = CBORReader(bytes, position)
        return try body(&reader)
    }

    func decodeNil() -> Bool { CBORReader(bytes, position).isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try read { try $0.bool(codingPath) } }
    func decode(_ type: String.Type) throws -> String { try read { try $0.text(codingPath) } }
    func decode(_ type: Double.Type) throws -> Double { try read { try $0.double(codingPath) } }
    func decode(_ type: Float.Type) throws -> Float { try read { try $0.float(codingPath) } }
    func decode(_ type: Int.Type) throws -> Int { try read { try $0.integer(codingPath) } }
    func decode(_ type: Int8.Type) throws -> Int8 { try read { try $0.integer(codingPath) } }
    func decode(_ type: Int16.Type) throws -> Int16 { try read { try $0.integer(codingPath) } }
    func decode(_ type: Int32.Type) throws -> Int32 { try read { try $0.integer(codingPath) } }
    func decode(_ type: Int64.Type) throws -> Int64 { try read { try $0.integer(codingPath) } }
    func decode(_ type: UInt.Type) throws -> UInt { try read { try $0.integer(codingPath) } }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try read { try $0.integer(codingPath) } }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try read { try $0.integer(codingPath) } }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try read { try $0.integer(codingPath) } }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try read { try $0.integer(codingPath) } }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == Data.self, let data = Data(try read { try $0.byteString(codingPath) }) as? Value { return data }
        if type == [UInt8].self, let array = try read({ try $0.byteString(codingPath) }) as? Value { return array }
        if type == UUID.self {
            let b = try read { try $0.byteString(codingPath) }
            guard b.count == 16 else { throw CBORReader.damage("a UUID has 16 bytes", codingPath) }
            let bytes = (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15])
            if let value = UUID(uuid: bytes) as? Value { return value }
        }
        guard codingPath.count < CBOREncoder.deepest else {
            throw CBORReader.damage("it is nested more than \(CBOREncoder.deepest) deep", codingPath)
        }
        return try type.init(from: self)
    }
}
#endif
