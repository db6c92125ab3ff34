extension String: StoredValue {
    public static var storedType: StoredType { .string }
    @inlinable public static var blank: String? { "" }

    /// Refuses what is not UTF-8, rather than repairing it.
    @inlinable
    public init(reading reader: inout FieldReader) throws(RecordError) {
        let bytes = try unsafe reader.takeBytes(as: String.self)
        guard let text = unsafe String(validating: bytes, as: UTF8.self) else { throw RecordError.invalidText(bytes.count) }
        self = text
    }

    @inlinable
    public func write(to writer: inout FieldWriter) {
        var copy = self
        copy.withUTF8 { unsafe writer.put(bytes: UnsafeRawBufferPointer($0)) }
    }
}
