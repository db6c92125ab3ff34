extension Optional: StoredValue where Wrapped: StoredValue {
    public static var storedType: StoredType { .optional(Wrapped.storedType) }
    @inlinable public static var blank: Wrapped?? { .some(nil) }
    @inlinable public static var isNullable: Bool { true }

    @inlinable
    public init(reading reader: inout FieldReader) throws(RecordError) {
        if reader.takeNull() {
            self = nil
        } else if Wrapped.isNullable {
            // A nested optional is a list of one element, so that `.some(nil)` is not `nil`.
            let list = try reader.beginList(as: Self.self)
            guard list.count == 1 else { throw RecordError.malformed("an optional has \(list.count) values") }
            self = try .some(reader.element(list, as: Wrapped.self))
            try reader.endList(list)
        } else {
            self = try Wrapped(reading: &reader)
        }
    }

    @inlinable
    public func write(to writer: inout FieldWriter) {
        guard let value = self else { return writer.putNull() }
        if Wrapped.isNullable {
            let outer = writer.beginList()
            writer.element(value)
            writer.endList(outer)
        } else {
            value.write(to: &writer)
        }
    }
}
