/// A type for stored properties.
///
/// `Bool`, all integers, `Float`, `Double`, `String`, `[UInt8]`, `Data`, `Date`, `UUID`, `URL` and `Decimal` conform, as do `Optional`, `Array`,
/// `Set` and `Dictionary` of such values. `Codable` types need no conformance: they are stored as JSON (``StoredCodable``).
///
/// ## Custom types
/// An enumeration or struct with a raw value only declares the conformance: `enum Genre: String, StoredValue { … }`. Other types convert to and from
/// a value that can be stored:
///
/// ```swift
/// struct Point: StoredValue {
///     var x: Double, y: Double
///
///     static var storedType: StoredType { [Double].storedType }
///     static var blank: Point? { Point(x: 0, y: 0) }
///     init(reading reader: inout FieldReader) throws(RecordError) {
///         let parts = try [Double](reading: &reader)
///         guard parts.count == 2 else { throw RecordError(.malformed, "a point has two coordinates and \(parts.count) are stored") }
///         (x, y) = (parts[0], parts[1])
///     }
///     func write(to writer: inout FieldWriter) { [x, y].write(to: &writer) }
/// }
/// ```
public protocol StoredValue {
    /// How values are stored: for the store's catalog, and for tools that do not have the program's types.
    static var storedType: StoredType { get }

    /// The value of a missing field whose declaration has no default: 0, `""`, `false`, `nil`, `[]`. `nil` if there is no natural value, as for a
    /// `URL`; a missing field is then an error.
    static var blank: Self? { get }

    /// Replaces a value that cannot be read, if the declaration has no default: in an object whose record is damaged or gone
    /// (``ObjectContext/faultErrors``), and in one whose values were not read before its context was closed. It is never saved. By default ``blank``;
    /// for an enumeration the first case if it is `CaseIterable`, otherwise the case with the raw value 0 or `""`; for a `Date` the reference date,
    /// for a `UUID` all zeros, for a `URL` `about:blank`. If `nil`, a property needs a default, and opening a store with a class that lacks one
    /// throws ``ObjectStoreError/Code/schemaMismatch``.
    static var substitute: Self? { get }

    /// Whether ``write(to:)`` may write a null: `true` for optionals, and for types stored as one. `false` by default.
    static var isNullable: Bool { get }

    /// Reads the current field of `reader`, or the current element of a collection.
    ///
    /// - Throws: ``RecordError``: `typeMismatch` if a value of another type is stored, `outOfRange` if this type cannot represent it, `truncated`,
    ///   `malformed`, `invalidText` or `tooDeep` if the record is damaged.
    init(reading reader: inout FieldReader) throws(RecordError)

    /// Writes the value: exactly one value of another type, or nothing, which counts as null.
    func write(to writer: inout FieldWriter)
}

extension StoredValue {
    @inlinable
    public static var isNullable: Bool { false }

    public static var substitute: Self? { blank }
}

extension RawRepresentable where Self: StoredValue, RawValue: StoredValue {
    @inlinable
    public static var storedType: StoredType { .raw(RawValue.storedType, of: String(describing: Self.self)) }

    /// `nil`, because no case is the natural one. Declare a default, or an optional property.
    @inlinable
    public static var blank: Self? { nil }

    public static var substitute: Self? { firstCase(Self.self) ?? RawValue.substitute.flatMap { Self(rawValue: $0) } }

    @inlinable
    public static var isNullable: Bool { RawValue.isNullable }

    @inlinable
    public init(reading reader: inout FieldReader) throws(RecordError) {
        let raw = try RawValue(reading: &reader)
        guard let value = Self(rawValue: raw) else { throw RecordError.noRawValue(Self.self, "\(raw)") }
        self = value
    }

    @inlinable
    public func write(to writer: inout FieldWriter) { rawValue.write(to: &writer) }
}
