extension Optional: KeyCodable where Wrapped: KeyCodable {
    /// Appends the value, or a null for `nil`.
    @inlinable
    public func encode(into encoder: inout KeyEncoder) {
        if let self { self.encode(into: &encoder) } else { encoder.encodeNull() }
    }

    /// Decodes a value; a null becomes `nil`.
    @inlinable
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        self = try decoder.decodeNull() ? nil : Wrapped(decoding: &decoder)
    }

    /// The wrapped type, or a null.
    public static var keyType: KeyType? { Wrapped.keyType.map { .optional($0) } }
}

extension Array: KeyCodable where Element: KeyCodable {
    /// Appends a nested tuple of the elements; `[UInt8]` is a byte string.
    @inlinable
    public func encode(into encoder: inout KeyEncoder) {
        Element.encode(array: self, into: &encoder)
    }

    /// Decodes a nested tuple whose elements must all be of the array's type; `[UInt8]` decodes a byte string.
    @inlinable
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        self = try Element.decodeArray(from: &decoder)
    }

    /// A byte string, if the elements are bytes; other arrays have any number of elements, which no type describes.
    public static var keyType: KeyType? { Element.self == UInt8.self ? .bytes : nil }
}

extension KeyCodable where Self: RawRepresentable, RawValue: KeyCodable {
    /// Appends the raw value.
    @inlinable
    public func encode(into encoder: inout KeyEncoder) {
        rawValue.encode(into: &encoder)
    }

    /// Decodes a raw value.
    ///
    /// - Throws: ``CodecError`` with ``CodecError/Code/outOfRange`` if the type has no such raw value.
    @inlinable
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        self = try Self(stored: RawValue(decoding: &decoder))
    }

    /// Appends the raw value as a whole key.
    @inlinable
    public func encodeKey(into encoder: inout KeyEncoder) {
        rawValue.encodeKey(into: &encoder)
    }

    /// Decodes a raw value from a whole key.
    @inlinable
    public init(decodingKey decoder: inout KeyDecoder) throws(CodecError) {
        self = try Self(stored: RawValue(decodingKey: &decoder))
    }

    /// The type of the raw value.
    public static var keyType: KeyType? { RawValue.keyType }

    @inlinable
    init(stored rawValue: RawValue) throws(CodecError) {
        guard let value = Self(rawValue: rawValue) else {
            throw CodecError(.outOfRange, "\(Self.self) has no case for the stored raw value", userData: "raw value \(rawValue)")
        }
        self = value
    }
}
