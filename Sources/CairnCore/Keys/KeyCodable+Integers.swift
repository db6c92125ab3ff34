extension Int: KeyCodable {}
extension Int8: KeyCodable {}
extension Int16: KeyCodable {}
extension Int32: KeyCodable {}
extension Int64: KeyCodable {}
extension Int128: KeyCodable {}
extension UInt: KeyCodable {}
extension UInt16: KeyCodable {}
extension UInt32: KeyCodable {}
extension UInt64: KeyCodable {}
extension UInt128: KeyCodable {}

extension UInt8: KeyCodable {
    /// Appends a byte string.
    public static func encode(array: [UInt8], into encoder: inout KeyEncoder) {
        array.withBytes { encoder.append(KeyTypeCode.bytes, terminating: $0) }
    }

    /// Decodes a byte string.
    public static func decodeArray(from decoder: inout KeyDecoder) throws(CodecError) -> [UInt8] {
        try decoder.take(code: KeyTypeCode.bytes)
        return try decoder.takeUnescaped()
    }
}

extension KeyCodable where Self: FixedWidthInteger {
    /// Appends an integer, in as many bytes as its value needs.
    public func encode(into encoder: inout KeyEncoder) {
        encoder.append(self)
    }

    /// Decodes an integer of any width, if its value fits.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        self = try decoder.takeInteger()
    }

    /// An integer.
    public static var keyType: KeyType? { .int }
}

extension KeyEncoder {
    /// Appends an integer as `encode(_:)` does, which other modules cannot specialize.
    package mutating func encode(integer value: Int64) { append(value) }

    mutating func append<Integer: FixedWidthInteger>(_ value: Integer) {
        let magnitude = value.magnitude
        let count = (Integer.Magnitude.bitWidth - magnitude.leadingZeroBitCount + 7) / 8
        if count <= 8, magnitude < UInt64.max {
            append(isNegative: value < 0, magnitude: UInt64(truncatingIfNeeded: magnitude), count: count)
        } else {
            append(isNegative: value < 0, large: magnitude, count: count)
        }
    }

    private mutating func append(isNegative: Bool, magnitude: UInt64, count: Int) {
        let code = Int(KeyTypeCode.zero) + (isNegative ? -count : count)
        bytes.append(UInt8(truncatingIfNeeded: code))
        appendBigEndian(isNegative ? ~magnitude : magnitude, count: count)
    }

    private mutating func append<Magnitude: FixedWidthInteger>(isNegative: Bool, large magnitude: Magnitude, count: Int) {
        precondition(count <= 255, "integers of more than 255 bytes cannot be keys")
        let mask: UInt8 = isNegative ? 0xFF : 0
        bytes.append(isNegative ? KeyTypeCode.largeNegative : KeyTypeCode.largePositive)
        bytes.append(UInt8(truncatingIfNeeded: count) ^ mask)
        for index in (0..<count).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: magnitude >> (8 * index)) ^ mask)
        }
    }
}

extension KeyDecoder {
    mutating func takeInteger<Integer: FixedWidthInteger>() throws(CodecError) -> Integer {
        let code = try peekCode()
        guard (KeyTypeCode.largeNegative...KeyTypeCode.largePositive).contains(code) else {
            throw unexpected(code, insteadOf: "an integer")
        }
        offset += 1
        let isNegative = code < KeyTypeCode.zero
        let isLarge = code == KeyTypeCode.largeNegative || code == KeyTypeCode.largePositive
        let mask: UInt8 = isNegative ? 0xFF : 0
        let count = isLarge ? Int(byte(at: try take(1)) ^ mask) : abs(Int(code) - Int(KeyTypeCode.zero))
        let start = try take(count)
        try checkForm(isLarge: isLarge, start: start, count: count, mask: mask)

        guard count * 8 <= Integer.Magnitude.bitWidth else { throw outOfRange(Integer.self) }
        var magnitude: Integer.Magnitude = 0
        for position in start..<(start + count) {
            magnitude = magnitude << 8 | Integer.Magnitude(truncatingIfNeeded: byte(at: position) ^ mask)
        }
        guard magnitude <= (isNegative ? Integer.min.magnitude : Integer.max.magnitude) else { throw outOfRange(Integer.self) }
        return Integer(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude)
    }

    /// Rejects anything but the shortest form of an integer: it would be a second key for the same value, out of order.
    private func checkForm(isLarge: Bool, start: Int, count: Int, mask: UInt8) throws(CodecError) {
        if count > 0, byte(at: start) ^ mask != 0 {
            guard isLarge, count <= 8 else { return }
            // The one large integer of 8 bytes: 2⁶⁴ - 1, as Python writes it.
            if count == 8, (start..<start + 8).allSatisfy({ byte(at: $0) ^ mask == 0xFF }) { return }
        } else if count == 0, !isLarge {
            return
        }
        throw CodecError(.malformed, "the integer that ends at byte \(start + count) of the key is not in its shortest form")
    }

    private func outOfRange<Integer: FixedWidthInteger>(_ type: Integer.Type) -> CodecError {
        CodecError(.outOfRange, "the integer that ends at byte \(offset) of the key does not fit \(Integer.self)")
    }
}
