/// A type whose values a ``MappedStore`` keeps, together with what they are: reading a value as another type is an error, not garbage.
///
/// `Bool`, all integers, `Float`, `Double`, `String`, `[UInt8]`, `Data`, `Date`, `UUID`, `URL`, and arrays and dictionaries of them conform.
/// Types of your own conform by saying so, if they have a raw value that conforms or are `Codable`:
///
/// ```swift
/// enum Theme: String, MappedValue { case light, dark }
/// struct Window: Codable, MappedValue { var width = 800, height = 600 }
/// ```
///
/// What reads as what: an integer reads as every integer type that can hold its value, a `Float` as a `Double`, `[UInt8]` as `Data` and the
/// other way round. Nothing else is converted.
public protocol MappedValue: MappedContent where Stored == Self {
    /// The value whose bytes these are.
    ///
    /// - Throws: ``MappedStoreError/Code/typeMismatch``, or ``MappedStoreError/Code/codec`` where bytes of the right type make no value.
    init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError)

    /// Lends the bytes to be stored, and their type, to `body`, which is called once.
    ///
    /// - Throws: What `body` throws, and ``MappedStoreError/Code/codec`` where the value has no bytes.
    func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result
}

// MARK: - Types with a raw value

extension MappedValue where Self: RawRepresentable, RawValue: MappedValue {
    /// The value with this raw value.
    @inlinable
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard let value = Self(rawValue: try RawValue(stored: bytes, as: type)) else {
            throw MappedStoreError(.codec, "the stored raw value is none of \(Self.self)")
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

// Both apply to `enum Theme: String, Codable, MappedValue`: this one is chosen, being narrower.
extension MappedValue where Self: RawRepresentable & Codable, RawValue: MappedValue {
    /// The value with this raw value.
    @inlinable
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard let value = Self(rawValue: try RawValue(stored: bytes, as: type)) else {
            throw MappedStoreError(.codec, "the stored raw value is none of \(Self.self)")
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
