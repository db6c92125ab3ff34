#if Hummingbird
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Encodes `Codable` values as CBOR (RFC 8949): structures as maps with text keys, `Data`, `[UInt8]` and `UUID` as byte strings, all else as the types ask for.
final class CBOREncoder: Encoder {
    /// How deep values may be nested.
    static let deepest = 128

    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// What was encoded; an empty map if nothing was.
    private(set) var item = CBORItem.container(CBORContainer(isMap: true))

    init(codingPath: [any CodingKey]) { self.codingPath = codingPath }

    /// Encodes a value.
    ///
    /// - Throws: `EncodingError` for what CBOR cannot hold: values nested more than 128 deep, integers of more than 64 bits; what the value throws.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        var writer = CBORWriter()
        writer.write(try item(for: value, []))
        return writer.bytes
    }

    static func item<Value: Encodable>(for value: Value, _ path: [any CodingKey]) throws -> CBORItem {
        switch value {
        case let value as String: return .text(value)
        case let value as Data: return .bytes([UInt8](value))
        case let value as [UInt8]: return .bytes(value)
        case let value as UUID:
            let u = value.uuid
            return .bytes([u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15])
        default: break
        }
        guard path.count < deepest else {
            throw EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: "it is nested more than \(deepest) deep"))
        }
        let encoder = CBOREncoder(codingPath: path)
        try value.encode(to: encoder)
        return encoder.item
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(CBORKeyedEncoding(container: begin(isMap: true), codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        CBORUnkeyedEncoding(container: begin(isMap: false), codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// A superclass may ask for the container that its subclass has begun.
    private func begin(isMap: Bool) -> CBORContainer {
        if case .container(let begun) = item, begun.isMap == isMap { return begun }
        let container = CBORContainer(isMap: isMap)
        item = .container(container)
        return container
    }
}

extension CBOREncoder: SingleValueEncodingContainer {
    func encodeNil() { item = .null }
    func encode(_ value: Bool) { item = .bool(value) }
    func encode(_ value: String) { item = .text(value) }
    func encode(_ value: Double) { item = .double(value) }
    func encode(_ value: Float) { item = .float(value) }
    func encode(_ value: Int) { item = CBORItem(value) }
    func encode(_ value: Int8) { item = CBORItem(value) }
    func encode(_ value: Int16) { item = CBORItem(value) }
    func encode(_ value: Int32) { item = CBORItem(value) }
    func encode(_ value: Int64) { item = CBORItem(value) }
    func encode(_ value: UInt) { item = CBORItem(value) }
    func encode(_ value: UInt8) { item = CBORItem(value) }
    func encode(_ value: UInt16) { item = CBORItem(value) }
    func encode(_ value: UInt32) { item = CBORItem(value) }
    func encode(_ value: UInt64) { item = CBORItem(value) }
    func encode(_ value: some Encodable) throws { item = try Self.item(for: value, codingPath) }
}

/// The index of an element of an array.
struct CBORIndex: CodingKey {
    let intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }

    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { return nil }
}

/// The key of what belongs to a superclass.
struct CBORSuperKey: CodingKey {
    var stringValue: String { "super" }
    var intValue: Int? { nil }

    init() {}
    init?(intValue: Int) { return nil }
    init?(stringValue: String) { return nil }
}
#endif
