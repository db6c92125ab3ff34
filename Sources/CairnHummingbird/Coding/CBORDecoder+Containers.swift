#if Hummingbird
/// Decodes a map. Types mostly ask for keys in the order in which they were encoded, so each search begins where the last one ended.
final class CBORKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let bytes: [UInt8]
    let codingPath: [any CodingKey]
    private let start: Int
    private let count: Int
    /// The number of the entry that was found last, and where it begins.
    private var number = 0
    private var position: Int

    init(_ decoder: CBORDecoder) throws {
        bytes = decoder.bytes
        codingPath = decoder.codingPath
        var reader = CBORReader(bytes, decoder.position)
        count = try reader.count(of: 5, codingPath)
        start = reader.position
        position = start
    }

    var allKeys: [Key] {
        var reader = CBORReader(bytes, start)
        var keys: [Key] = []
        for _ in 0..<count {
            guard let text = try? reader.text(codingPath), (try? reader.skip(codingPath)) != nil else { break }
            if let key = Key(stringValue: text) { keys.append(key) }
        }
        return keys
    }

    /// A reader of the value for `key`; `nil` if there is none.
    private func find(_ key: any CodingKey) throws -> CBORReader? {
        let name = key.stringValue
        var (reader, number) = (CBORReader(bytes, position), number)
        for _ in 0..<count {
            if number == count { (reader.position, number) = (start, 0) }
            let entry = reader.position
            if try reader.readText(equalTo: name, codingPath) {
                (position, self.number) = (entry, number)
                return reader
            }
            try reader.skip(codingPath)
            number += 1
        }
        return nil
    }

    private func value(_ key: Key) throws -> CBORReader {
        if let reader = try find(key) { return reader }
        throw DecodingError.keyNotFound(
            key,
            .init(codingPath: codingPath, debugDescription: "there is no value for the key \(key.stringValue)")
        )
    }

    func contains(_ key: Key) -> Bool { (try? find(key)) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try find(key)?.isNull ?? true }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        var reader = try value(key)
        return try reader.bool(codingPath)
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        var reader = try value(key)
        return try reader.text(codingPath)
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        var reader = try value(key)
        return try reader.double(codingPath)
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        var reader = try value(key)
        return try reader.float(codingPath)
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try CBORDecoder(bytes, value(key).position, codingPath, key).decode(type)
    }

    private func integer<Number: FixedWidthInteger>(_ key: Key) throws -> Number {
        var reader = try value(key)
        return try reader.integer(codingPath)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try CBORDecoder(bytes, value(key).position, codingPath, key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try CBORDecoder(bytes, value(key).position, codingPath, key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder {
        let key = CBORSuperKey()
        guard let reader = try find(key) else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "there is nothing of the superclass"))
        }
        return CBORDecoder(bytes, reader.position, codingPath, key)
    }
    func superDecoder(forKey key: Key) throws -> any Decoder { CBORDecoder(bytes, try value(key).position, codingPath, key) }
}

/// Decodes an array.
struct CBORUnkeyedDecoding: UnkeyedDecodingContainer {
    private var reader: CBORReader
    let codingPath: [any CodingKey]
    let count: Int?
    private(set) var currentIndex = 0

    init(_ decoder: CBORDecoder) throws {
        codingPath = decoder.codingPath
        reader = CBORReader(decoder.bytes, decoder.position)
        count = try reader.count(of: 4, codingPath)
    }

    var isAtEnd: Bool { currentIndex == count }

    private mutating func element<Value>(_ type: Value.Type = Value.self, _ read: (inout CBORReader) throws -> Value) throws -> Value {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(type, .init(codingPath: codingPath, debugDescription: "the array has no more elements"))
        }
        var next = reader
        let value = try read(&next)
        reader = next
        currentIndex += 1
        return value
    }

    /// A decoder of the next element.
    private mutating func decoder() throws -> CBORDecoder {
        let (path, index) = (codingPath, CBORIndex(currentIndex))
        return try element(CBORDecoder.self) { reader in
            let decoder = CBORDecoder(reader.bytes, reader.position, path, index)
            try reader.skip(path)
            return decoder
        }
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, reader.isNull else { return false }
        return try element { reader in
            try reader.skip([])
            return true
        }
    }
    mutating func decode(_ type: Bool.Type) throws -> Bool { try element { [codingPath] in try $0.bool(codingPath) } }
    mutating func decode(_ type: String.Type) throws -> String { try element { [codingPath] in try $0.text(codingPath) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try element { [codingPath] in try $0.double(codingPath) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try element { [codingPath] in try $0.float(codingPath) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try element { [codingPath] in try $0.integer(codingPath) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try element { [codingPath] in try $0.integer(codingPath) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try element { [codingPath] in try $0.integer(codingPath) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try element { [codingPath] in try $0.integer(codingPath) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try element { [codingPath] in try $0.integer(codingPath) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try element { [codingPath] in try $0.integer(codingPath) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try element { [codingPath] in try $0.integer(codingPath) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try element { [codingPath] in try $0.integer(codingPath) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try element { [codingPath] in try $0.integer(codingPath) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try element { [codingPath] in try $0.integer(codingPath) } }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == String.self, let text = try decode(String.self) as? Value { return text }
        return try decoder().decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try decoder().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try decoder().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try decoder() }
}
#endif
