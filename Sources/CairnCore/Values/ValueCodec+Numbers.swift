extension ValueCodec where Value: FixedWidthInteger & SendableMetatype {
    /// Stores an integer in the bytes of its width, least significant first, as RocksDB's `uint64add` merge operator does.
    ///
    /// Decoding throws ``CodecError/Code/truncated`` or ``CodecError/Code/trailingBytes`` if the number of bytes is not that width.
    @inlinable
    public static var littleEndian: ValueCodec { integer(.littleEndian) }

    /// Stores an integer in the bytes of its width, most significant first. Throws as `littleEndian` does.
    @inlinable
    public static var bigEndian: ValueCodec { integer(.bigEndian) }

    @inlinable
    static func integer(_ order: ByteOrder) -> ValueCodec {
        ValueCodec(
            lending: { _, value, body in lend(value, order, to: body) },
            decoding: { (_, bytes) throws(CodecError) in try Value(bytes, order) },
            type: .integer(bits: Value.bitWidth, isSigned: Value.isSigned, order)
        )
    }
}

extension ValueCodec where Value == Double {
    /// Stores the 8 bytes of the IEEE 754 bits, least significant first. Keeps every bit, including those of NaN.
    ///
    /// Decoding throws ``CodecError/Code/truncated`` or ``CodecError/Code/trailingBytes`` for another number of bytes.
    @inlinable
    public static var littleEndian: ValueCodec { double(.littleEndian) }

    /// Stores the 8 bytes of the IEEE 754 bits, most significant first. Throws as `littleEndian` does.
    @inlinable
    public static var bigEndian: ValueCodec { double(.bigEndian) }

    @inlinable
    static func double(_ order: ByteOrder) -> ValueCodec {
        ValueCodec(
            lending: { _, value, body in lend(value.bitPattern, order, to: body) },
            decoding: { (_, bytes) throws(CodecError) in Double(bitPattern: try UInt64(bytes, order, for: Double.self)) },
            type: .double(order)
        )
    }
}

extension ValueCodec where Value == Float {
    /// Stores the 4 bytes of the IEEE 754 bits, least significant first. Keeps every bit, including those of NaN.
    ///
    /// Decoding throws ``CodecError/Code/truncated`` or ``CodecError/Code/trailingBytes`` for another number of bytes.
    @inlinable
    public static var littleEndian: ValueCodec { float(.littleEndian) }

    /// Stores the 4 bytes of the IEEE 754 bits, most significant first. Throws as `littleEndian` does.
    @inlinable
    public static var bigEndian: ValueCodec { float(.bigEndian) }

    @inlinable
    static func float(_ order: ByteOrder) -> ValueCodec {
        ValueCodec(
            lending: { _, value, body in lend(value.bitPattern, order, to: body) },
            decoding: { (_, bytes) throws(CodecError) in Float(bitPattern: try UInt32(bytes, order, for: Float.self)) },
            type: .float(order)
        )
    }
}
