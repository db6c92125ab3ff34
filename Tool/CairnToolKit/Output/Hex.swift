/// Hexadecimal digits, two per byte.
package enum Hex {
    /// Returns the lower-case digits of `bytes`.
    package static func digits(_ bytes: [UInt8]) -> [UInt8] {
        var digits: [UInt8] = []
        for byte in bytes { append(byte, to: &digits) }
        return digits
    }

    /// Returns the bytes that `digits` spell, in either case; `nil` if they do not come in pairs or are not digits.
    package static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in digits {
            guard let value = digit(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    static func append(_ byte: UInt8, to digits: inout [UInt8]) {
        digits.append(character(byte >> 4))
        digits.append(character(byte & 15))
    }

    private static func character(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x57 + digit }

    static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x37
        case 0x61...0x66: character - 0x57
        default: nil
        }
    }
}
