extension ValueCodec where Value: ByteSource & ByteResult & SendableMetatype {
    /// Stores the bytes unchanged: `[UInt8]`, `Data`, `String`.
    ///
    /// Decoding text throws ``CodecError/Code/invalidText`` if the bytes are not UTF-8.
    @inlinable
    public static var raw: ValueCodec {
        ValueCodec(
            lending: { _, value, body in value.withBytes { body($0) } },
            decoding: { (_, bytes) throws(CodecError) in try Value(copying: bytes) },
            type: Value.self == String.self ? .text : .bytes
        )
    }
}

extension ValueCodec where Value == String {
    /// Stores text as UTF-8.
    ///
    /// Decoding throws ``CodecError/Code/invalidText`` if the bytes are not UTF-8; nothing is repaired.
    @inlinable
    public static var utf8: ValueCodec { raw }
}
