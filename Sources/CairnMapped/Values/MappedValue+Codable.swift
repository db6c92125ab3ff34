#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MappedValue where Self: Codable {
    /// Decodes the value from JSON.
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard type == .json else { throw .mismatch(type, Self.self) }
        self = try MappedJSON.decode(Self.self, bytes)
    }

    /// Encodes the value as JSON with sorted keys, so that equal values have equal bytes.
    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        try body(MappedJSON.encode(self).bytes, .json)
    }
}

/// Stores a `Codable` value, of a type that does not conform to ``MappedValue``, as JSON.
///
/// ```swift
/// try store.set(JSONCoded(response), for: "last")
/// let response = try store.get("last", as: JSONCoded<Response>.self)?.value
/// ```
public struct JSONCoded<Value: Codable>: MappedValue {
    /// The wrapped value.
    public var value: Value

    /// Wraps a value.
    public init(_ value: Value) { self.value = value }

    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard type == .json else { throw .mismatch(type, Value.self) }
        value = try MappedJSON.decode(Value.self, bytes)
    }

    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        try body(MappedJSON.encode(value).bytes, .json)
    }
}

extension JSONCoded: Sendable where Value: Sendable {}
extension JSONCoded: Equatable where Value: Equatable {}

/// Encodes and decodes JSON with Foundation's coders.
enum MappedJSON {
    static func encode(_ value: some Encodable) throws(MappedStoreError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(value) } catch {
            let reason = (error as? EncodingError)?.unencodableNumber.map { ", which has no \($0)" } ?? ""
            throw MappedStoreError(.codec, "could not encode \(type(of: value)) as JSON\(reason)", cause: error)
        }
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: RawSpan) throws(MappedStoreError) -> Value {
        do { return try JSONDecoder().decode(type, from: Data(copying: bytes)) } catch {
            throw MappedStoreError(.codec, "could not decode a \(type) from the stored JSON", cause: error)
        }
    }
}
