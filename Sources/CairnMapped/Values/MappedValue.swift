/// A type whose values a ``MappedStore`` can store. Values are stored with their type: reading one as another type is an error, not garbage.
///
/// `Bool`, all integers, `Float`, `Double`, `String`, `[UInt8]`, `Data`, `Date`, `UUID`, `URL`, and arrays and dictionaries of them conform. Your own
/// types need only declare the conformance, if they have a raw value that conforms or are `Codable`:
///
/// ```swift
/// enum Theme: String, MappedValue { case light, dark }
/// struct Window: Codable, MappedValue { var width = 800, height = 600 }
/// ```
///
/// An integer can be read as any integer type that can hold its value, and as a `Double` or `Float` that equals it; a `Float` as a `Double`; and
/// `[UInt8]` as `Data` and vice versa. Nothing else is converted. On Apple platforms, a `CGFloat` is stored as a `Double`.
public protocol MappedValue: MappedContent where Stored == Self {
    /// Creates a value from its stored bytes.
    ///
    /// - Throws: ``MappedStoreError/Code/typeMismatch``, or ``MappedStoreError/Code/codec`` if bytes of the right type are not a valid value.
    init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError)

    /// Calls `body` once with the bytes to store and their type.
    ///
    /// - Throws: What `body` throws, and ``MappedStoreError/Code/codec`` if the value cannot be encoded.
    func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result
}

// MARK: - Types with a raw value

extension MappedValue where Self: RawRepresentable, RawValue: MappedValue {
    /// Creates the value with the stored raw value.
    @inlinable
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard let value = Self(rawValue: try RawValue(stored: bytes, as: type)) else {
            throw MappedStoreError(.codec, "the stored raw value is not one of \(Self.self)")
        }
        self = value
    }

    /// Stores the raw value.
    @inlinable
    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        try rawValue.withStoredBytes(body)
    }
}

// Both apply to `enum Theme: String, Codable, MappedValue`; this one is chosen because it is more specific.
extension MappedValue where Self: RawRepresentable & Codable, RawValue: MappedValue {
    /// Creates the value with the stored raw value.
    @inlinable
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard let value = Self(rawValue: try RawValue(stored: bytes, as: type)) else {
            throw MappedStoreError(.codec, "the stored raw value is not one of \(Self.self)")
        }
        self = value
    }

    /// Stores the raw value.
    @inlinable
    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        try rawValue.withStoredBytes(body)
    }
}
