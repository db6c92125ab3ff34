#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Data: StoredValue {
    public static var storedType: StoredType { .bytes }
    public static var blank: Data? { Data() }

    @inlinable
    public init(reading reader: inout FieldReader) throws(RecordError) {
        self = try unsafe Data(reader.takeBytes(as: Data.self))
    }

    @inlinable
    public func write(to writer: inout FieldWriter) { unsafe withUnsafeBytes { unsafe writer.put(bytes: $0) } }
}

extension Date: StoredValue {
    public static var storedType: StoredType { .date }
    /// `nil`: declare a default, or an optional property.
    public static var blank: Date? { nil }
    public static var substitute: Date? { Date(timeIntervalSinceReferenceDate: 0) }

    @inlinable
    public init(reading reader: inout FieldReader) throws(RecordError) {
        self.init(timeIntervalSinceReferenceDate: Double(bitPattern: try reader.takeFixed(Wire.eight, as: Date.self)))
    }

    /// Writes the seconds since 2001, which a `Date` contains, so that exactly the same date is read.
    @inlinable
    public func write(to writer: inout FieldWriter) { writer.put(Wire.eight, fixed: timeIntervalSinceReferenceDate.bitPattern) }
}

extension UUID: StoredValue {
    public static var storedType: StoredType { .uuid }
    /// `nil`: declare a default, or an optional property.
    public static var blank: UUID? { nil }
    public static var substitute: UUID? { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

    @inlinable
    public init(reading reader: inout FieldReader) throws(RecordError) {
        // Sixteen bytes in text order, most significant first.
        let bits = (try reader.takeFixed(Wire.sixteen, as: UUID.self) as UInt128).littleEndian
        self.init(uuid: unsafe unsafeBitCast(bits, to: uuid_t.self))
    }

    @inlinable
    public func write(to writer: inout FieldWriter) {
        writer.put(Wire.sixteen, fixed: UInt128(littleEndian: unsafe unsafeBitCast(uuid, to: UInt128.self)))
    }
}

extension URL: StoredValue {
    public static var storedType: StoredType { .url }
    /// `nil`: declare a default, or an optional property.
    public static var blank: URL? { nil }
    public static var substitute: URL? { URL(string: "about:blank") }

    public init(reading reader: inout FieldReader) throws(RecordError) {
        let text = try String(reading: &reader)
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw RecordError(.malformed, "the stored text is not a URL", userData: "the text \(text)")
        }
        self = url
    }

    /// Writes the absolute URL: a relative one is resolved against its base.
    public func write(to writer: inout FieldWriter) { absoluteString.write(to: &writer) }
}

extension Decimal: StoredValue {
    public static var storedType: StoredType { .decimal }
    public static var blank: Decimal? { 0 }

    public init(reading reader: inout FieldReader) throws(RecordError) {
        let text = try String(reading: &reader)
        guard let number = DecimalText.number(text) else {
            throw RecordError(.malformed, "the stored text is not a decimal number", userData: "the text \(text)")
        }
        self = number
    }

    /// Writes digits and exponent as text: `12345e-2`. Exact for all numbers.
    public func write(to writer: inout FieldWriter) { DecimalText.text(self).write(to: &writer) }
}
