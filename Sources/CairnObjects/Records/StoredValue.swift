/// A type that a stored property can have.
///
/// `Bool`, all integers, `Float`, `Double`, `String`, `[UInt8]`, `Data`, `Date`, `UUID`, `URL`, `Decimal` conform, and so do `Optional`, `Array`,
/// `Set` and `Dictionary` of such values. Types that are `Codable` need no conformance: they are stored as JSON (``StoredCodable``).
///
/// ## Types of your own
/// An enumeration or a struct with a raw value only declares the conformance: `enum Genre: String, StoredValue { … }`. Other types go by way of
/// a value that can be stored already:
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

    /// What a missing field reads as where the declaration has no default: 0, `""`, `false`, `nil`, `[]`. `nil` where nothing is natural, as for
    /// a `URL`; a missing field is an error then.
    static var blank: Self? { get }

    /// What stands for a value that cannot be read, where the declaration has no default: in an object whose record is damaged or gone
    /// (``ObjectContext/faultErrors``), and in one whose values were not read before its context was closed. It is never saved. By default ``blank``; of an
    /// enumeration the first case, where it is `CaseIterable`, or else the case with the raw value 0 or `""`; of a `Date` the reference
    /// date, of a `UUID` the one of zeros, of a `URL` `about:blank`. `nil` where there is nothing: then a property needs a
    /// default, and opening a store with a class that has none throws ``ObjectStoreError/Code/schemaMismatch``.
    static var substitute: Self? { get }

    /// Whether ``write(to:)`` may write a null: `true` for optionals, and for types that store themselves by way of one. By default `false`.
    static var isNullable: Bool { get }

    /// Takes the value of the field, or of the element of a collection, that `reader` stands at.
    ///
    /// - Throws: ``RecordError``: `typeMismatch` where a value of another type is stored, `outOfRange` where this type cannot hold it,
    ///   `truncated`, `malformed`, `invalidText` or `tooDeep` where the record is damaged.
    init(reading reader: inout FieldReader) throws(RecordError)

    /// Writes the value: exactly one of another type, or nothing, which counts as null.
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

    /// Nothing: which case should it be? Declare a default, or an optional property.
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
