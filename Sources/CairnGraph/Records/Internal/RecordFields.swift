/// The fields of a record as bytes, without its class.
enum RecordFields {
    struct Field: ~Escapable {
        let number: UInt64
        let kind: UInt8
        /// The tag and the payload.
        let bytes: RawSpan
        /// The payload of a value with a length, without the length; all of it for others.
        let payload: RawSpan

        @_lifetime(copy bytes)
        init(_ number: UInt64, _ kind: UInt8, _ bytes: RawSpan, payloadCount: Int) {
            self.number = number
            self.kind = kind
            self.bytes = bytes
            payload = bytes.extracting(last: payloadCount)
        }
    }

    /// Calls `body` with each field, in record order.
    static func forEach(
        _ record: RawSpan,
        _ body: (borrowing Field) throws(RecordError) -> Void
    ) throws(RecordError) {
        var field = FieldReader(record.extracting(droppingFirst: try ObjectRecord.header(record).size))
        while unsafe field.position < field.end {
            let start = unsafe field.position
            let tag = try field.varint()
            let kind = UInt8(truncatingIfNeeded: tag & 7)
            var payloadStart = unsafe field.position
            if kind == Wire.bytes || kind == Wire.references {
                let count = try field.varint()
                unsafe payloadStart = field.position
                guard unsafe count <= UInt64(field.end - field.position) else { throw RecordError.truncated() }
                unsafe field.position += Int(count)
            } else {
                try field.skip(kind)
            }
            let bytes = unsafe RawSpan(_unsafeStart: start, byteCount: field.position - start)
            try body(unsafe Field(tag >> 3, kind, bytes, payloadCount: field.position - payloadStart))
        }
    }
}
