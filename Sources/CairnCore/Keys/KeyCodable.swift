/// A value that can be a key, or an element of one: its bytes sort as the values do.
///
/// ```swift
/// try db.put("Hello", for: 42.keyBytes)
/// let number = try Int(keyBytes: bytes)
/// ```
///
/// Stores compare keys byte by byte, unsigned, shorter first. For the values of one type, the order of ``keyBytes`` is:
///
/// - Integers, `Bool`, `Date`, `UUID`, byte strings: the values' order. Integers of all widths share one encoding.
/// - `String`: the order of the UTF-8 bytes, which is that of the Unicode scalars. Swift's `==` treats composed and decomposed characters as
///   equal; as keys they differ.
/// - `Float`, `Double`: IEEE 754 total order: -NaN, -∞, …, -0.0, 0.0, …, ∞, NaN. So -0.0 and 0.0 are different keys.
/// - `Optional`: `nil` first. A nested optional is decoded with a single level.
/// - Arrays, ``Key`` and ``KeyTuple``: element by element, shorter first.
///
/// Elements of different types sort by type: null, bytes, strings, tuples, integers, floats, doubles, bools, UUIDs, versionstamps. The bytes are
/// those of the FoundationDB tuple layer (see ``KeyEncoder``), so its bindings in other languages read and write the same keys.
///
/// ## Types of your own
/// An enumeration or a struct with a raw value only declares the conformance: `enum Genre: String, KeyCodable { … }`. Other types implement
/// ``encode(into:)`` and ``init(decoding:)`` with a value that is already a key:
///
/// ```swift
/// struct Account: KeyCodable {
///     var bank: String, number: Int
///     func encode(into encoder: inout KeyEncoder) { Key(bank, number).encode(into: &encoder) }
///     init(decoding decoder: inout KeyDecoder) throws(CodecError) {
///         (bank, number) = try Key<String, Int>(decoding: &decoder).elements
///     }
/// }
/// ```
public protocol KeyCodable {
    /// Appends the value as exactly one element.
    func encode(into encoder: inout KeyEncoder)
    /// Decodes the value from the next element.
    ///
    /// - Throws: ``CodecError`` as ``KeyDecoder/decode(_:)`` lists them.
    init(decoding decoder: inout KeyDecoder) throws(CodecError)

    /// Appends the value as a whole key. By default this is its one element; compound keys append their elements without a wrapper.
    func encodeKey(into encoder: inout KeyEncoder)
    /// Decodes the value from a whole key: the counterpart of ``encodeKey(into:)``.
    init(decodingKey decoder: inout KeyDecoder) throws(CodecError)

    /// Appends an array of such values as one element: a nested tuple, except that `[UInt8]` is a byte string. Rarely implemented.
    static func encode(array: [Self], into encoder: inout KeyEncoder)
    /// Decodes an array of such values: the counterpart of ``encode(array:into:)``.
    static func decodeArray(from decoder: inout KeyDecoder) throws(CodecError) -> [Self]

    /// How values of this type are stored, for tools; `nil`, the default, if that is not known.
    static var keyType: KeyType? { get }
}

extension KeyCodable {
    /// The key as bytes.
    ///
    /// - Complexity: O(n) in the number of bytes; one allocation for keys of up to 64 bytes.
    @inlinable
    public var keyBytes: [UInt8] {
        var encoder = KeyEncoder(capacity: 64)
        encodeKey(into: &encoder)
        return encoder.bytes
    }

    /// Decodes a whole key.
    ///
    /// - Throws: ``CodecError`` as ``KeyDecoder/decode(_:)`` lists them, and ``CodecError/Code/trailingBytes`` if the key continues after the
    ///   value. The error's user data is the key in hexadecimal digits.
    @inlinable
    public init(keyBytes: some ByteSource & ~Escapable) throws(CodecError) {
        self = try keyBytes.withBytes { (bytes) throws(CodecError) in try Self(keyBytes: bytes) }
    }

    /// Decodes a whole key from lent bytes.
    @inlinable
    public init(keyBytes: RawSpan) throws(CodecError) {
        do {
            var decoder = KeyDecoder(keyBytes)
            let value = try Self(decodingKey: &decoder)
            try decoder.finish()
            self = value
        } catch {
            throw error.about(key: keyBytes)
        }
    }

    /// Unknown.
    public static var keyType: KeyType? { nil }

    /// Appends the value's one element.
    @inlinable
    public func encodeKey(into encoder: inout KeyEncoder) {
        encode(into: &encoder)
    }

    /// Decodes the value from one element.
    @inlinable
    public init(decodingKey decoder: inout KeyDecoder) throws(CodecError) {
        try self.init(decoding: &decoder)
    }

    /// Appends a nested tuple.
    @inlinable
    public static func encode(array: [Self], into encoder: inout KeyEncoder) {
        encoder.beginTuple()
        for element in array { element.encode(into: &encoder) }
        encoder.endTuple()
    }

    /// Decodes a nested tuple whose elements must all be of this type.
    @inlinable
    public static func decodeArray(from decoder: inout KeyDecoder) throws(CodecError) -> [Self] {
        var array: [Self] = []
        try decoder.beginTuple()
        while !decoder.isAtEnd { array.append(try Self(decoding: &decoder)) }
        try decoder.endTuple()
        return array
    }
}

extension CodecError {
    /// Returns the error with the key concerned as user data.
    @usableFromInline
    func about(key: RawSpan) -> CodecError {
        CodecError(code, message, userData: userData ?? "key \(hexadecimal(key))", cause: cause)
    }
}

/// Returns the bytes as hexadecimal digits, two per byte.
package func hexadecimal(_ bytes: RawSpan) -> String {
    [UInt8](copying: bytes).reduce(into: "") { text, byte in
        text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
}
