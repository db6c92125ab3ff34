extension String: StoredValue {
    public static var storedType: StoredType { .string }
    @inlinable public static var blank: String? { "" }

    /// Throws for invalid UTF-8, rather than repairing it.
    @inlinable
    public init(reading reader: inout FieldReader) throws(RecordError) {
        let bytes = try unsafe reader.takeBytes(as: String.self)
        self = unsafe String(decoding: bytes, as: UTF8.self)
        // Several times as fast as `String(validating:as:)` of Swift 6.3.
        guard unsafe isExactly(bytes) else { throw RecordError.invalidText(bytes.count) }
    }

    @inlinable
    public func write(to writer: inout FieldWriter) {
        // `withUTF8` needs a copy, which costs two atomic operations; it is used for strings that are not contiguous.
        let isWritten: Void? = unsafe utf8.withContiguousStorageIfAvailable { unsafe writer.put(bytes: UnsafeRawBufferPointer($0)) }
        if isWritten == nil {
            var copy = self
            copy.withUTF8 { unsafe writer.put(bytes: UnsafeRawBufferPointer($0)) }
        }
    }
}
