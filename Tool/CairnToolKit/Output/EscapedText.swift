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

    /// Returns text of several lines in which nothing can control a terminal: what is not printable becomes `\\xNN`, byte for byte; backslashes and
    /// tabs stay as they are, so that what is escaped already does not change. Bytes of an argument that is not UTF-8 (``RawArguments``) become
    /// `\\xNN` too.
    package static func lines(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if isPrintable(scalar) || scalar == "\n" || scalar == "\t" {
                result.append(scalar)
            } else {
                var hex: [UInt8] = []
                if scalar == "\0", let byte = rawByte(rest.prefix(2)) {
                    appendHex(byte, to: &hex)
                    rest = rest.dropFirst(2)
                } else {
                    for byte in String(scalar).utf8 { appendHex(byte, to: &hex) }
                }
                result.append(contentsOf: String(decoding: hex, as: UTF8.self).unicodeScalars)
            }
        }
        return String(result)
    }

    /// Same as ``lines(_:)``, on one line: newlines become `\\n`.
    package static func line(_ text: String) -> String { lines(text).replacing("\n", with: #"\n"#) }

    /// Same as ``lines(_:)``, for bytes; those that are not UTF-8 become `\\xNN`.
    static func lines(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == UInt8(ascii: "\n") }) { return bytes }
        var text: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let scalar = scalar(at: position, of: bytes)
            let length = scalar.map(UTF8.width) ?? 1
            let isShown = scalar.map { isPrintable($0) || $0 == "\n" || $0 == "\t" } ?? false
            for byte in bytes[position..<position + length] {
                if isShown { text.append(byte) } else { appendHex(byte, to: &text) }
            }
            position += length
        }
        return text
    }

    private static func rawByte(_ digits: Substring.UnicodeScalarView) -> UInt8? {
        Hex.bytes(Array(String(digits).utf8))?.first.flatMap { $0 >= 0x80 ? $0 : nil }
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

    package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // Marks that change the writing direction can make one text look like another.
        default: !scalar.properties.isBidiControl
        }
    }
}
