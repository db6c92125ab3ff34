/// Reads one record from borrowed bytes, and cannot outlive them.
///
/// Fields are found by number wherever they are; fields read in stored order cost one comparison each. Other fields are skipped. Any bytes are safe
/// to read: invalid records throw a ``RecordError``.
///
/// Hand-written codecs read fields in the order in which they wrote them:
///
/// ```swift
/// init(from record: inout RecordReader) throws(RecordError) {
///     artist = try record.read()
///     seconds = try record.read()
///     genre = try record.read(default: "unknown")        // since version 2
/// }
/// ```
@safe public struct RecordReader: ~Copyable, ~Escapable {
    @usableFromInline var field: FieldReader
    @usableFromInline let start: UnsafeRawPointer
    @usableFromInline let end: UnsafeRawPointer
    /// The lifetime of this value depends on the map.
    @usableFromInline let fields: Unmanaged<FieldMap>
    /// `FieldMap.tags`.
    @usableFromInline let tags: UnsafeMutablePointer<UInt32>
    @usableFromInline let tagCount: Int
    /// The tag of the last field read or skipped; the reader searches for earlier fields from the start.
    @usableFromInline var passed: UInt32 = 0
    /// The number of fields read in order.
    @usableFromInline var sequence: Int = 0
    /// The bits of the properties whose values are stored apart and were replaced by substitutes (``LargeValue``).
    @usableFromInline var large: UInt64 = 0
    /// The class version that wrote the record.
    public let version: UInt8

    /// Makes a reader at the first field of a record.
    ///
    /// - Parameters:
    ///   - bytes: The record, without its header.
    ///   - fields: Maps the program's properties to fields. The reader depends on it: bind a property that contains it to a local constant first
    ///     (`let fields = class.fields`), which costs nothing if that property is a `let`.
    ///   - version: The class version, which the store keeps.
    @inlinable
    @_lifetime(copy bytes, borrow fields)
    public init(bytes: RawSpan, fields: borrowing FieldMap, version: UInt8 = 0) {
        field = FieldReader(bytes)
        unsafe start = unsafe field.position
        unsafe end = unsafe field.end
        unsafe self.fields = Unmanaged.passUnretained(fields)
        unsafe tags = unsafe fields.tags
        tagCount = fields.count
        self.version = version
    }

    /// Returns the value of property `index`.
    ///
    /// - Parameters:
    ///   - index: The property's index in the program, which the ``FieldMap`` maps to a field number.
    ///   - value: The value of a missing field, unless the store has one because the property was added to the class; by default, the type's
    ///     ``StoredValue/blank`` value. A null counts as missing if the type is not optional.
    /// - Throws: ``RecordError``: `missingField` if there is neither a value nor a replacement; errors of the type.
    @inlinable
    public mutating func read<Value: StoredValue>(_ index: Int, default value: @autoclosure () -> Value?) throws(RecordError) -> Value {
        let tag = UInt(bitPattern: index) < UInt(bitPattern: tagCount) ? unsafe tags[index] : 0
        if try find(tag), let found = try take(tag, index, as: Value.self) { return found }
        if unsafe fields._withUnsafeGuaranteedRef({ $0.hasInitial }), let initial: Value = try initial(tag, index) { return initial }
        guard let value = value() ?? Value.blank ?? (large & FieldMap.bit(index) != 0 ? Value.substitute : nil) else {
            throw RecordError.missing(Value.self, field: FieldMap.number(tag), index: index)
        }
        return value
    }

    /// Returns the value of the field with a number, or `nil` if the record does not have it: for tools and migrations.
    ///
    /// - Throws: ``RecordError`` if the field is damaged or has another type.
    @inlinable
    public mutating func read<Value: StoredValue>(_ type: Value.Type = Value.self, field number: Int) throws(RecordError) -> Value? {
        guard number > 0, number < Wire.numberLimit else { return nil }
        let tag = FieldMap.tag(number)
        return try find(tag) ? try take(tag, nil, as: type) : nil
    }
}

// MARK: - In order

extension RecordReader {
    /// Returns the next field in order: the first, then the second, as ``RecordWriter/write(_:)`` wrote them.
    ///
    /// - Throws: ``RecordError``: `missingField` if the record ends before it, or contains a null and the type is not optional.
    @inlinable
    public mutating func read<Value: StoredValue>(_ type: Value.Type = Value.self) throws(RecordError) -> Value {
        sequence += 1
        let tag = FieldMap.tag(sequence)
        if try find(tag), let found = try take(tag, nil, as: type) { return found }
        throw RecordError.missing(type, field: FieldMap.number(tag), index: nil)
    }

    /// Returns the next field in order, or `value` if the record ends before it, as records of older versions may, or contains a null and the type is
    /// not optional.
    @inlinable
    public mutating func read<Value: StoredValue>(
        _ type: Value.Type = Value.self,
        default value: @autoclosure () -> Value
    ) throws(RecordError) -> Value {
        sequence += 1
        let tag = FieldMap.tag(sequence)
        if try find(tag), let found = try take(tag, nil, as: type) { return found }
        return value()
    }

    /// Whether there is no field after the last one read.
    @inlinable
    public var isAtEnd: Bool { unsafe field.position == end }

    /// How the next field in order is stored; `nil` if the record does not have it. Does not consume it.
    ///
    /// - Throws: ``RecordError`` if the record is damaged.
    public mutating func nextKind() throws(RecordError) -> WireKind? {
        let place = unsafe field.position
        let last = passed
        guard try seek(FieldMap.tag(sequence + 1)) else { return nil }
        let kind = field.kind
        unsafe field.position = unsafe place
        passed = last
        return WireKind(rawValue: kind)
    }
}

extension RecordReader {
    /// Reads the field found; `nil` if it is null and the type has no nulls.
    @inlinable @inline(__always)
    mutating func take<Value: StoredValue>(_ tag: UInt32, _ index: Int?, as type: Value.Type) throws(RecordError) -> Value? {
        if !Value.isNullable, field.kind == Wire.null { return nil }
        do throws(RecordError) {
            let value = try Value(reading: &field)
            // The type read nothing.
            if field.kind != Wire.none { try field.skip(field.kind) }
            return value
        } catch {
            if let index, try skipsLarge(tag, index) { return nil }
            throw failed(error, tag, index)
        }
    }

    /// Moves to the payload of the field with a tag; returns `false` if there is none.
    @inlinable @inline(__always)
    mutating func find(_ tag: UInt32) throws(RecordError) -> Bool {
        if unsafe field.position < end {
            let byte = unsafe field.position.load(as: UInt8.self)
            if UInt32(byte) ^ tag < 8, byte >= 8 {
                unsafe field.position += 1
                field.kind = byte & 7
                passed = tag
                return true
            }
        }
        return try seek(tag)
    }
}
