/// Scalars of UTF-8, without a `String`.
package enum UTF8Reading {
    /// Reads the scalar at `position` and advances; reads U+FFFD, and one byte, if there is no valid one.
    static func scalar(_ text: Span<UInt8>, _ position: inout Int) -> UInt32 {
        let first = text[position]
        position += 1
        guard first >= 0x80 else { return UInt32(first) }
        let (count, least): (Int, UInt32)
        switch first {
        case 0xC2..<0xE0: (count, least) = (1, 0x80)
        case 0xE0..<0xF0: (count, least) = (2, 0x800)
        case 0xF0..<0xF5: (count, least) = (3, 0x1_0000)
        default: return 0xFFFD
        }
        guard position + count <= text.count else { return 0xFFFD }
        var scalar = UInt32(first) & (0x3F >> UInt32(count))
        for offset in 0..<count {
            let byte = text[position + offset]
            guard byte & 0xC0 == 0x80 else { return 0xFFFD }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        guard scalar >= least, Unicode.Scalar(scalar) != nil else { return 0xFFFD }
        position += count
        return scalar
    }

    /// Calls `body` with the bytes of a scalar.
    @inline(__always)
    package static func encode(_ scalar: UInt32, _ body: (UInt8) -> Void) {
        if scalar < 0x80 { return body(UInt8(scalar)) }
        let count: UInt32 = scalar < 0x800 ? 1 : scalar < 0x1_0000 ? 2 : 3
        body(UInt8(truncatingIfNeeded: 0xFF00 >> (count + 1) & 0xFF | scalar >> (6 * count)))
        for rest in (0..<count).reversed() { body(UInt8(truncatingIfNeeded: 0x80 | scalar >> (6 * rest) & 0x3F)) }
    }

    /// The number of bytes of the scalar that begins with a byte.
    @inline(__always)
    static func size(_ first: UInt8) -> Int { first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }

    /// The scalars of well-formed UTF-8.
    package static func scalars(_ text: [UInt8]) -> [UInt32] {
        var scalars: [UInt32] = []
        var position = 0
        while position < text.count { scalars.append(scalar(text.span, &position)) }
        return scalars
    }
}
