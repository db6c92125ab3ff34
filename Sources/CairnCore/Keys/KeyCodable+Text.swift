extension String: KeyCodable {
    /// Appends the string as UTF-8.
    public func encode(into encoder: inout KeyEncoder) {
        withBytes { encoder.append(KeyTypeCode.string, terminating: $0) }
    }

    /// Decodes a string.
    ///
    /// - Throws: ``CodecError`` with ``CodecError/Code/invalidText`` if it is not UTF-8; nothing is repaired.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        try decoder.take(code: KeyTypeCode.string)
        let start = decoder.offset
        let (content, escapes) = try decoder.takeTerminated()
        guard escapes > 0 else {
            self = try String(copying: decoder.bytes.extracting(content))
            return
        }
        decoder.offset = start
        let unescaped = try decoder.takeUnescaped()
        self = try String(copying: unsafe unescaped.span.bytes)
    }

    /// A string.
    public static var keyType: KeyType? { .string }
}

extension Substring: KeyCodable {
    /// Appends the same bytes as a `String` of the same characters.
    public func encode(into encoder: inout KeyEncoder) {
        withBytes { encoder.append(KeyTypeCode.string, terminating: $0) }
    }

    /// Decodes a string.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        self = Substring(try String(decoding: &decoder))
    }

    /// A string.
    public static var keyType: KeyType? { .string }
}
