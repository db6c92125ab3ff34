/// Variable-length integers of one to ten bytes, shorter for small numbers. LEB128, least significant seven bits first.
///
/// Each number has exactly one encoding: decoding rejects padded ones, so that equal values have equal bytes. Signed integers use zigzag
/// encoding, so that small negative numbers are short too.
///
/// ```swift
/// var bytes: [UInt8] = []
/// Varint.append(300, to: &bytes)                              // [0xAC, 0x02]
/// var offset = 0
/// let number = try Varint.decode(bytes.span.bytes, at: &offset)   // 300, offset 2
/// ```
public enum Varint {
    /// The maximum number of bytes of an encoding: 10, for the largest 64-bit numbers.
    public static var maximumByteCount: Int { 10 }

    /// The number of bytes that ``append(_:to:)`` adds for `value`.
    public static func byteCount(of value: UInt64) -> Int {
        (64 - value.leadingZeroBitCount + 6) / 7 + (value == 0 ? 1 : 0)
    }

    /// Appends the encoding of `value`.
    public static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Reads the number that begins at `offset` and moves `offset` past it.
    ///
    /// - Throws: ``CodecError``: ``CodecError/Code/truncated`` if the bytes end too early or `offset` is out of bounds,
    ///   ``CodecError/Code/outOfRange`` for a number above 64 bits, ``CodecError/Code/malformed`` for a padded encoding. `offset` is then
    ///   unchanged.
    public static func decode(_ bytes: RawSpan, at offset: inout Int) throws(CodecError) -> UInt64 {
        guard offset >= 0, offset < bytes.byteCount else { throw truncated(at: offset, in: bytes.byteCount) }
        var value: UInt64 = 0
        var index = 0
        while true {
            guard bytes.byteCount - offset > index else { throw truncated(at: offset, in: bytes.byteCount) }
            let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset + index, as: UInt8.self)
            // The tenth byte holds only the 64th bit, and so always ends the number.
            if index == maximumByteCount - 1, byte > 1 {
                throw CodecError(.outOfRange, "the varint at byte \(offset) exceeds 64 bits; the data is damaged or of another format")
            }
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            index += 1
            guard byte & 0x80 == 0 else { continue }
            if byte == 0, index > 1 {
                throw CodecError(.malformed, "the varint at byte \(offset) is padded with zeros; the data is damaged or of another format")
            }
            offset += index
            return value
        }
    }

    private static func truncated(at offset: Int, in count: Int) -> CodecError {
        CodecError(.truncated, "a varint at byte \(offset) does not end within the \(count) bytes given; the data is truncated")
    }
}
