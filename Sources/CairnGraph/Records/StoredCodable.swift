#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Stores a `Codable` value of a type that is not a ``StoredValue``, as JSON.
///
/// JSON rather than a property list, because tools can show it, it supports single numbers and strings, and its decoder rejects malicious bytes. Keys
/// are sorted, so that equal values have equal bytes. Infinities and NaN are encoded as `"inf"`, `"-inf"` and `"nan"`, `Data` as base64, dates as
/// seconds since 2001.
///
/// Records accept `Codable` values directly: ``RecordWriter`` and ``RecordReader`` wrap and unwrap them.
public struct StoredCodable<Value: Codable>: StoredValue {
    /// The stored value.
    public var value: Value

    /// Wraps a value.
    public init(_ value: Value) { self.value = value }

    public static var storedType: StoredType { .codable(String(describing: Value.self)) }
    /// `nil`.
    public static var blank: StoredCodable? { nil }
    /// A value of zeros and empty texts, if possible.
    public static var substitute: StoredCodable? {
        guard let value = SubstituteDecoder.value(Value.self) else { return nil }
        return StoredCodable(value)
    }

    /// Decodes JSON.
    ///
    /// - Throws: ``RecordError``: `failed` with Foundation's error as the cause.
    public init(reading reader: inout FieldReader) throws(RecordError) {
        let bytes = try unsafe reader.takeBytes(as: Value.self)
        do {
            value = try unsafe StoredJSON.makeDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            throw RecordError(.failed, "the stored JSON is not a \(Value.self); did the type change?", cause: error)
        }
    }

    /// Encodes as JSON. If that fails, the record fails: ``RecordWriter/check()``.
    public func write(to writer: inout FieldWriter) {
        do {
            let data = try StoredJSON.makeEncoder().encode(value)
            unsafe data.withUnsafeBytes { unsafe writer.put(bytes: $0) }
        } catch {
            writer.fail(RecordError(.failed, "a \(Value.self) could not be encoded as JSON", cause: error))
            writer.putNull()
        }
    }
}

extension StoredCodable: Sendable where Value: Sendable {}
extension StoredCodable: Equatable where Value: Equatable {}
extension StoredCodable: Hashable where Value: Hashable {}

enum StoredJSON {
    static func makeEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return encoder
    }

    static func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return decoder
    }
}

// MARK: - Without the wrapper
// Types that are both StoredValue and Codable are stored as StoredValue: these overloads are disfavored.

extension RecordWriter {
    /// Writes a `Codable` value as the value of a field, as JSON.
    @_disfavoredOverload
    public mutating func write<Value: Codable>(_ value: Value, field number: Int) {
        write(StoredCodable(value), field: number)
    }

    /// Writes an optional `Codable` value as the value of a field, as JSON or null.
    @_disfavoredOverload
    public mutating func write<Value: Codable>(_ value: Value?, field number: Int) {
        write(value.map { StoredCodable($0) }, field: number)
    }
}

extension RecordReader {
    /// Returns the value of property `index`, from JSON.
    ///
    /// - Throws: As for other types; `failed` if the JSON is not a `Value`.
    @_disfavoredOverload
    public mutating func read<Value: Codable>(_ index: Int, default value: @autoclosure () -> Value?) throws(RecordError) -> Value {
        try read(index, default: value().map { StoredCodable($0) }).value
    }

    /// Returns the value of property `index`, from JSON or null.
    @_disfavoredOverload
    public mutating func read<Value: Codable>(_ index: Int, default value: @autoclosure () -> Value??) throws(RecordError) -> Value? {
        try read(index, default: value().map { $0.map { StoredCodable($0) } })?.value
    }
}

extension StoredType {
    /// How a record stores values of `type`: its ``StoredValue/storedType``.
    public static func of<Value: StoredValue>(_ type: Value.Type) -> StoredType { type.storedType }

    /// How a record stores values of `type`: as JSON.
    @_disfavoredOverload
    public static func of<Value: Codable>(_ type: Value.Type) -> StoredType { StoredCodable<Value>.storedType }

    /// How a record stores values of `type`: as JSON, or null.
    @_disfavoredOverload
    public static func of<Value: Codable>(_ type: Value?.Type) -> StoredType { StoredCodable<Value>?.storedType }
}
