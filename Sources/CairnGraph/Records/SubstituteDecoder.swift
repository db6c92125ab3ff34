/// Makes substitutes for unreadable values of `Codable` types: decodes them from nothing, where every number is 0, every text empty, every optional
/// `nil` and every collection empty.
struct SubstituteDecoder: Decoder {
    /// `nil` if the type rejects such values.
    static func value<Value: Decodable>(_ type: Value.Type) -> Value? { try? SubstituteDecoder().decoded(type) }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> { KeyedDecodingContainer(Keyed(decoder: self)) }
    func unkeyedContainer() -> any UnkeyedDecodingContainer { Unkeyed(decoder: self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    fileprivate func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let stored = type as? any StoredValue.Type, let value = stored.substitute as? Value { return value }
        if let value = firstCase(type) { return value }
        return try Value(from: self)
    }
}

/// The first of a type's cases.
func firstCase<Value>(_ type: Value.Type) -> Value? {
    func first<Cases: CaseIterable>(_ cases: Cases.Type) -> Any? { cases.allCases.first }
    return (type as? any CaseIterable.Type).flatMap { first($0) } as? Value
}

private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: SubstituteDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { false }
    func decodeNil(forKey key: Key) -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder.decoded(type) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedDecodingContainer<Nested> {
        decoder.container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { decoder.unkeyedContainer() }
    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) -> any Decoder { decoder }
}

private struct Unkeyed: UnkeyedDecodingContainer {
    let decoder: SubstituteDecoder
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    func decodeNil() -> Bool { true }
    // For types that read a fixed number of elements without checking their count.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decoded(type) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        decoder.container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { decoder.unkeyedContainer() }
    func superDecoder() -> any Decoder { decoder }
}

private struct Single: SingleValueDecodingContainer {
    let decoder: SubstituteDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decoded(type) }
}
