/// Reads the fields of a struct that was stored as an array by ``MappedFieldWriter``, one after the other, without an array of them in memory.
///
/// ```swift
/// struct Session: MappedValue {
///     var name: String
///     var visits: Int
///
///     init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
///         var fields = try MappedFieldReader(bytes, as: type)
///         name = try fields.read()
///         visits = try fields.next() ?? 0              // added later: values from before do not have it
///     }
///
///     func withStoredBytes<Result>(
///         _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
///     ) throws(MappedStoreError) -> Result {
///         var fields = MappedFieldWriter()
///         try fields.write(name)
///         try fields.write(visits)
///         return try fields.withStoredBytes(body)
///     }
/// }
/// ```
///
/// The compiler does not let a reader outlive the bytes that it reads.
public struct MappedFieldReader: ~Escapable {
    @usableFromInline let bytes: RawSpan
    @usableFromInline var offset = 0

    /// Creates a reader that is positioned before the first field.
    ///
    /// - Throws: ``MappedStoreError/Code/typeMismatch`` if the stored value is not an array.
    @inlinable
    @_lifetime(copy bytes)
    public init(_ bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard type == .array else { throw .mismatch(type, [MappedVariant].self) }
        self.bytes = bytes
    }

    /// Reads the next field, or returns `nil` after the last.
    ///
    /// - Throws: ``MappedStoreError/Code/typeMismatch`` if the field has another type, ``MappedStoreError/Code/codec`` if its bytes are not a valid value.
    @inlinable
    public mutating func next<Value: MappedValue>(as type: Value.Type = Value.self) throws(MappedStoreError) -> Value? {
        guard offset < bytes.byteCount else { return nil }
        let (range, type) = try MappedArray.element(bytes, at: &offset)
        return try Value(stored: bytes.extracting(range), as: type)
    }

    /// Reads the next field.
    ///
    /// - Throws: Same as ``next(as:)``; ``MappedStoreError/Code/codec`` after the last field.
    @inlinable
    public mutating func read<Value: MappedValue>(_ type: Value.Type = Value.self) throws(MappedStoreError) -> Value {
        guard let value = try next(as: type) else { throw .malformed(.array) }
        return value
    }
}

/// Collects the fields of a struct, to be stored as an array that ``MappedFieldReader`` reads, and tools show field by field.
public struct MappedFieldWriter {
    @usableFromInline var bytes: [UInt8] = []

    @inlinable
    public init() {}

    /// Adds a field.
    ///
    /// - Throws: ``MappedStoreError/Code/codec`` if the value cannot be encoded.
    @inlinable
    public mutating func write<Value: MappedValue>(_ value: Value) throws(MappedStoreError) {
        try value.withStoredBytes { field, type throws(MappedStoreError) in MappedArray.append(field, type, to: &self.bytes) }
    }

    /// Lends the fields, for ``MappedValue/withStoredBytes(_:)``.
    @inlinable
    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        try unsafe body(bytes.span.bytes, .array)
    }
}
