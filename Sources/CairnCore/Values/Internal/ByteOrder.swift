/// The byte order of a number.
@usableFromInline
package enum ByteOrder: Sendable {
    case littleEndian, bigEndian
}

/// Calls `body` with the bytes of `value`, which are on the stack. Uses shifts, not memory layout, so it works for any integer type.
@inlinable
func lend<Integer: FixedWidthInteger>(_ value: Integer, _ order: ByteOrder, to body: (RawSpan) -> Void) {
    let count = (Integer.bitWidth + 7) / 8
    unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { buffer in
        for index in 0..<count {
            let byte = UInt8(truncatingIfNeeded: value >> (8 * index))
            unsafe buffer[order == .littleEndian ? index : count - 1 - index] = byte
        }
        unsafe body(buffer.bytes)
    }
}

extension FixedWidthInteger {
    /// Creates the integer whose bytes are exactly `bytes`.
    @inlinable
    init(_ bytes: RawSpan, _ order: ByteOrder, for type: Any.Type = Self.self) throws(CodecError) {
        let count = (Self.bitWidth + 7) / 8
        guard bytes.byteCount == count else {
            throw CodecError(
                bytes.byteCount < count ? .truncated : .trailingBytes,
                "\(type) takes \(count) bytes, but \(bytes.byteCount) are stored; was the value written as another type?"
            )
        }
        var value: Self = 0
        for index in 0..<count {
            let byte = unsafe bytes.unsafeLoad(fromByteOffset: order == .littleEndian ? count - 1 - index : index, as: UInt8.self)
            value = value << 8 | Self(truncatingIfNeeded: byte)
        }
        self = value
    }
}
