// Integers of all widths share one format, so that a property's width can change; values that don't fit throw.

extension FixedWidthInteger {
    /// Reads a signed integer of any width.
    @inlinable @inline(__always)
    init(readingSigned reader: inout FieldReader) throws(RecordError) {
        if reader.kind == Wire.sixteen {
            let wide = Int128(truncatingIfNeeded: try reader.takeFixed(Wire.sixteen, as: Self.self) as UInt128)
            guard let value = Self(exactly: wide) else { throw RecordError.outOfRange(Self.self, "\(wide)") }
            self = value
            return
        }
        let coded = try reader.takeVarint(as: Self.self)
        let number = Int64(bitPattern: coded >> 1) ^ -Int64(bitPattern: coded & 1)
        guard let value = Self(exactly: number) else { throw RecordError.outOfRange(Self.self, "\(number)") }
        self = value
    }

    /// Reads an unsigned integer of any width.
    @inlinable @inline(__always)
    init(readingUnsigned reader: inout FieldReader) throws(RecordError) {
        if reader.kind == Wire.sixteen {
            let wide: UInt128 = try reader.takeFixed(Wire.sixteen, as: Self.self)
            guard let value = Self(exactly: wide) else { throw RecordError.outOfRange(Self.self, "\(wide)") }
            self = value
            return
        }
        let number = try reader.takeVarint(as: Self.self)
        guard let value = Self(exactly: number) else { throw RecordError.outOfRange(Self.self, "\(number)") }
        self = value
    }
}

extension FieldWriter {
    /// Writes a signed integer of at most 64 bits.
    @inlinable @inline(__always)
    mutating func put(signed value: Int64) { put(varint: UInt64(bitPattern: value << 1 ^ value >> 63)) }
}

extension Int: StoredValue {
    public static var storedType: StoredType { .integer(bits: 64, isSigned: true) }
    @inlinable public static var blank: Int? { 0 }
    @inlinable public init(reading reader: inout FieldReader) throws(RecordError) { try self.init(readingSigned: &reader) }
    @inlinable public func write(to writer: inout FieldWriter) { writer.put(signed: Int64(self)) }
}

extension Int8: StoredValue {
    public static var storedType: StoredType { .integer(bits: 8, isSigned: true) }
    @inlinable public static var blank: Int8? { 0 }
    @inlinable public init(reading reader: inout FieldReader) throws(RecordError) { try self.init(readingSigned: &reader) }
    @inlinable public func write(to writer: inout FieldWriter) { writer.put(signed: Int64(self)) }
}

extension Int16: StoredValue {
    public static var storedType: StoredType { .integer(bits: 16, isSigned: true) }
    @inlinable public static var blank: Int16? { 0 }
    @inlinable public init(reading reader: inout FieldReader) throws(RecordError) { try self.init(readingSigned: &reader) }
    @inlinable public func write(to writer: inout FieldWriter) { writer.put(signed: Int64(self)) }
}

extension Int32: StoredValue {
    public static var storedType: StoredType { .integer(bits: 32, isSigned: true) }
    @inlinable public static var blank: Int32? { 0 }
    @inlinable public init(reading reader: inout FieldReader) throws(RecordError) { try self.init(readingSigned: &reader) }
    @inlinable public func write(to writer: inout FieldWriter) { writer.put(signed: Int64(self)) }
}

extension Int64: StoredValue {
    public static var storedType: StoredType { .integer(bits: 64, isSigned: true) }
    @inlinable public static var blank: Int64? { 0 }
    @inlinable public init(reading reader: inout FieldReader) throws(RecordError) { try self.init(readingSigned: &reader) }
    @inlinable public func write(to writer: inout FieldWriter) { writer.put(signed: Int64(self)) }
}

extension UInt: StoredValue {
    public static var storedType: StoredType { .integer(bits: 64, isSigned: false) }
    @inlinable public static var blank: UInt? { 0 }
    @inlinable public init(reading reader: inout FieldReader) throws(RecordError) { try self.init(readingUnsigned: &reader) }
    @inlinable public func write(to writer: inout FieldWriter) { writer.put(varint: UInt64(self)) }
}

extension UInt8: StoredValue {
    public static var storedType: StoredType { .integer(bits: 8, isSigned: false) }
    @inlinable public static var blank: UInt8? { 0 }
    @inlinable public init(reading reader: inout FieldReader) throws(RecordError) { try self.init(readingUnsigned: &reader) }
    @inlinable public func write(to writer: inout FieldWriter) { writer.put(varint: UInt64(self)) }
}

extension UInt16: StoredValue {
    public static var storedType: StoredType { .integer(bits: 16, isSigned: false) }
    @inlinable public static var blank: UInt16? { 0 }
    @inlinable public init(reading reader: inout FieldReader) throws(RecordError) { try self.init(readingUnsigned: &reader) }
    @inlinable public func write(to writer: inout FieldWriter) { writer.put(varint: UInt64(self)) }
}

extension UInt32: StoredValue {
    public static var storedType: StoredType { .integer(bits: 32, isSigned: false) }
    @inlinable public static var blank: UInt32? { 0 }
    @inlinable public init(reading reader: inout FieldReader) throws(RecordError) { try self.init(readingUnsigned: &reader) }
    @inlinable public func write(to writer: inout FieldWriter) { writer.put(varint: UInt64(self)) }
}

extension UInt64: StoredValue {
    public static var storedType: StoredType { .integer(bits: 64, isSigned: false) }
    @inlinable public static var blank: UInt64? { 0 }
    @inlinable public init(reading reader: inout FieldReader) throws(RecordError) { try self.init(readingUnsigned: &reader) }
    @inlinable public func write(to writer: inout FieldWriter) { writer.put(varint: UInt64(self)) }
}

extension Int128: StoredValue {
    public static var storedType: StoredType { .integer(bits: 128, isSigned: true) }
    @inlinable public static var blank: Int128? { 0 }
    @inlinable public init(reading reader: inout FieldReader) throws(RecordError) { try self.init(readingSigned: &reader) }
    @inlinable public func write(to writer: inout FieldWriter) { writer.put(Wire.sixteen, fixed: self) }
}

extension UInt128: StoredValue {
    public static var storedType: StoredType { .integer(bits: 128, isSigned: false) }
    @inlinable public static var blank: UInt128? { 0 }
    @inlinable public init(reading reader: inout FieldReader) throws(RecordError) { try self.init(readingUnsigned: &reader) }
    @inlinable public func write(to writer: inout FieldWriter) { writer.put(Wire.sixteen, fixed: self) }
}
