extension Varint {
    /// Appends the zigzag encoding of `value`: 0, -1, 1, -2... become 0, 1, 2, 3...
    public static func appendSigned(_ value: Int64, to bytes: inout [UInt8]) {
        append(zigzag(value), to: &bytes)
    }

    /// Reads the signed number that begins at `offset` and moves `offset` past it; throws as ``decode(_:at:)`` does.
    public static func decodeSigned(_ bytes: RawSpan, at offset: inout Int) throws(CodecError) -> Int64 {
        let coded = try decode(bytes, at: &offset)
        return Int64(bitPattern: coded >> 1) ^ -Int64(bitPattern: coded & 1)
    }

    /// The number of bytes that ``appendSigned(_:to:)`` adds for `value`.
    public static func byteCount(ofSigned value: Int64) -> Int { byteCount(of: zigzag(value)) }

    private static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }
}
