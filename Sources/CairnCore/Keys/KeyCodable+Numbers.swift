extension Bool: KeyCodable {
    /// Appends a bool: false sorts before true.
    public func encode(into encoder: inout KeyEncoder) {
        encoder.bytes.append(self ? KeyTypeCode.true : KeyTypeCode.false)
    }

    /// Decodes a bool.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        let code = try decoder.peekCode()
        guard code == KeyTypeCode.true || code == KeyTypeCode.false else {
            throw decoder.unexpected(code, insteadOf: "a bool")
        }
        decoder.offset += 1
        self = code == KeyTypeCode.true
    }

    /// A Boolean value.
    public static var keyType: KeyType? { .bool }
}

// Positive numbers sort by their bits once the sign bit is set; negative ones once all bits are flipped.

extension Float: KeyCodable {
    /// Appends a float. Keeps all bits, including those of NaN.
    public func encode(into encoder: inout KeyEncoder) {
        encoder.bytes.append(KeyTypeCode.float)
        encoder.appendBigEndian(sign == .minus ? ~bitPattern : bitPattern | 1 << 31)
    }

    /// Decodes a float; a double is another type.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        try decoder.take(code: KeyTypeCode.float)
        let bits = try decoder.takeBigEndian(UInt32.self)
        self.init(bitPattern: bits >> 31 == 0 ? ~bits : bits & ~(1 << 31))
    }

    /// A single-precision number.
    public static var keyType: KeyType? { .float }
}

extension Double: KeyCodable {
    /// Appends a double. Keeps all bits, including those of NaN.
    public func encode(into encoder: inout KeyEncoder) {
        encoder.bytes.append(KeyTypeCode.double)
        encoder.appendBigEndian(sign == .minus ? ~bitPattern : bitPattern | 1 << 63)
    }

    /// Decodes a double; a float is another type.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        try decoder.take(code: KeyTypeCode.double)
        let bits = try decoder.takeBigEndian(UInt64.self)
        self.init(bitPattern: bits >> 63 == 0 ? ~bits : bits & ~(1 << 63))
    }

    /// A double-precision number.
    public static var keyType: KeyType? { .double }
}
