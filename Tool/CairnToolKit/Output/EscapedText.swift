/// Formats bytes as text on one line.
///
/// Backslash, tab, newline and carriage return become `\\`, `\t`, `\n` and `\r`; anything that is not printable, not UTF-8, or could control a
/// terminal becomes `\xNN`, byte for byte. Everything else is unchanged, so the text is unambiguous.
package enum EscapedText {
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) {
            text += bytes
            return
        }
        var position = 0
        while position < bytes.count {
            if let scalar = scalar(at: position, of: bytes) {
                let length = UTF8.width(scalar)
                append(scalar, bytes[position..<position + length], to: &text)
                position += length
            } else {
                appendHex(bytes[position], to: &text)
                position += 1
            }
        }
    }

    private static func scalar(at position: Int, of bytes: [UInt8]) -> Unicode.Scalar? {
        var decoder = UTF8()
        var next = bytes[position...].prefix(4).makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&next) else { return nil }
        return scalar
    }

    package static func string(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ scalar: Unicode.Scalar, _ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
        switch scalar {
        case "\\": text += #"\\"#.utf8
        case "\t": text += #"\t"#.utf8
        case "\n": text += #"\n"#.utf8
        case "\r": text += #"\r"#.utf8
        case _ where isPrintable(scalar): text += bytes
        default: for byte in bytes { appendHex(byte, to: &text) }
        }
    }

    private static func appendHex(_ byte: UInt8, to text: inout [UInt8]) {
        text += #"\x"#.utf8
        Hex.append(byte, to: &text)
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // Marks that change the writing direction can make one text look like another.
        default: !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
        }
    }
}
