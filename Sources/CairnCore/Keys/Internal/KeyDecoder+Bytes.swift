extension KeyDecoder {
    /// Returns the byte at `position`, which must be within the key.
    func byte(at position: Int) -> UInt8 {
        unsafe bytes.unsafeLoad(fromByteOffset: position, as: UInt8.self)
    }

    /// Reads a big-endian integer of the full width of `Bits`.
    mutating func takeBigEndian<Bits: FixedWidthInteger & BitwiseCopyable>(_ type: Bits.Type) throws(CodecError) -> Bits {
        let position = try take(MemoryLayout<Bits>.size)
        return unsafe Bits(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: position, as: Bits.self))
    }

    /// Skips `count` bytes and returns where they start.
    mutating func take(_ count: Int) throws(CodecError) -> Int {
        guard count <= bytes.byteCount - offset else { throw truncated() }
        defer { offset += count }
        return offset
    }

    /// Reads content and its terminator. `escapes` is the number of escaped zero bytes in the content.
    mutating func takeTerminated() throws(CodecError) -> (content: Range<Int>, escapes: Int) {
        let start = offset
        var position = offset
        var escapes = 0
        while position < bytes.byteCount {
            guard byte(at: position) == 0 else {
                position += 1
                continue
            }
            guard position + 1 < bytes.byteCount, byte(at: position + 1) == KeyTypeCode.escape else {
                offset = position + 1
                return (start..<position, escapes)
            }
            escapes += 1
            position += 2
        }
        throw truncated()
    }

    /// Reads terminated content and returns a copy of it without its escapes.
    mutating func takeUnescaped() throws(CodecError) -> [UInt8] {
        let (content, escapes) = try takeTerminated()
        let escaped = bytes.extracting(content)
        guard escapes > 0 else { return [UInt8](copying: escaped) }
        var result: [UInt8] = []
        result.reserveCapacity(content.count - escapes)
        var position = content.lowerBound
        while position < content.upperBound {
            let next = byte(at: position)
            result.append(next)
            position += next == 0 ? 2 : 1
        }
        return result
    }
}
