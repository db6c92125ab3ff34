extension KeyEncoder {
    /// Appends the `count` low bytes of `bits`, most significant first.
    mutating func appendBigEndian<Bits: FixedWidthInteger>(_ bits: Bits, count: Int = MemoryLayout<Bits>.size) {
        unsafe withUnsafeBytes(of: bits.bigEndian) { unsafe bytes.append(contentsOf: $0.suffix(count)) }
    }

    /// Appends a type code and `content` with its zero bytes escaped, without the terminator.
    mutating func append(_ code: UInt8, escaping content: RawSpan) {
        bytes.append(code)
        guard unsafe content.contains(Self.zero.span.bytes) else {
            unsafe content.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
            return
        }
        unsafe content.withUnsafeBytes { content in
            var rest = unsafe content[...]
            while let zero = unsafe rest.firstIndex(of: 0) {
                unsafe bytes.append(contentsOf: rest[...zero])
                bytes.append(KeyTypeCode.escape)
                unsafe rest = rest[(zero + 1)...]
            }
            unsafe bytes.append(contentsOf: rest)
        }
    }

    private static let zero: [UInt8] = [0]

    /// Appends text as `String` does, from UTF-8 that has been validated.
    package mutating func encode(utf8 text: RawSpan) { append(KeyTypeCode.string, terminating: text) }

    /// Appends a type code, `content` with its zero bytes escaped, and the terminator.
    mutating func append(_ code: UInt8, terminating content: RawSpan) {
        append(code, escaping: content)
        bytes.append(0)
    }
}
