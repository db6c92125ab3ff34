extension Bool: StoredValue {
    public static var storedType: StoredType { .bool }
    @inlinable public static var blank: Bool? { false }

    @inlinable
    public init(reading reader: inout FieldReader) throws(RecordError) {
        let value = try reader.takeVarint(as: Bool.self)
        guard value <= 1 else { throw RecordError.outOfRange(Bool.self, "\(value)") }
        self = value == 1
    }

    @inlinable
    public func write(to writer: inout FieldWriter) { writer.put(varint: self ? 1 : 0) }
}

extension Float: StoredValue {
    public static var storedType: StoredType { .float }
    @inlinable public static var blank: Float? { 0 }

    /// Also reads a `Double` that a `Float` can represent.
    @inlinable
    public init(reading reader: inout FieldReader) throws(RecordError) {
        if reader.kind == Wire.eight {
            let wide = Double(bitPattern: try reader.takeFixed(Wire.eight, as: Double.self))
            guard wide.isNaN || Double(Float(wide)) == wide else { throw RecordError.outOfRange(Float.self, "\(wide)") }
            self = Float(wide)
        } else {
            self = Float(bitPattern: try reader.takeFixed(Wire.four, as: Float.self))
        }
    }

    @inlinable
    public func write(to writer: inout FieldWriter) { writer.put(Wire.four, fixed: bitPattern) }
}

extension Double: StoredValue {
    public static var storedType: StoredType { .double }
    @inlinable public static var blank: Double? { 0 }

    /// Also reads a `Float`.
    @inlinable
    public init(reading reader: inout FieldReader) throws(RecordError) {
        if reader.kind == Wire.four {
            self = Double(Float(bitPattern: try reader.takeFixed(Wire.four, as: Float.self)))
        } else {
            self = Double(bitPattern: try reader.takeFixed(Wire.eight, as: Double.self))
        }
    }

    @inlinable
    public func write(to writer: inout FieldWriter) { writer.put(Wire.eight, fixed: bitPattern) }
}
