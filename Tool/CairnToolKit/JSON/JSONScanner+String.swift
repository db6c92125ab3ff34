extension JSONScanner {
    /// Returns the content of the string at `range` of `text`, quotes included, which the scanner has already skipped: as UTF-8, with escapes
    /// resolved.
    package static func string(_ text: [UInt8], at range: Range<Int>) throws(JSONFault) -> [UInt8] {
        let inner = (range.lowerBound + 1)..<(range.upperBound - 1)
        guard text[inner].contains(UInt8(ascii: "\\")) else { return Array(text[inner]) }
        var result: [UInt8] = []
        var position = inner.lowerBound
        while position < inner.upperBound {
            let byte = text[position]
            position += 1
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            let escape = text[position]
            position += 1
            switch escape {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "u"): result += try scalar(text, &position).utf8
            default: result.append(escape)
            }
        }
        return result
    }

    /// Returns the scalar written at `position` as four digits, or as a surrogate pair.
    private static func scalar(_ text: [UInt8], _ position: inout Int) throws(JSONFault) -> String {
        let start = position
        let first = unit(text, &position)
        if let scalar = Unicode.Scalar(first) { return String(Character(scalar)) }
        // Half of a pair: the other half must follow.
        if first < 0xDC00, text[position...].starts(with: #"\u"#.utf8) {
            position += 2
            let second = unit(text, &position)
            if (0xDC00...0xDFFF).contains(second), let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) {
                return String(Character(scalar))
            }
        }
        throw JSONFault(column: start - 1, message: "unpaired surrogate")
    }

    private static func unit(_ text: [UInt8], _ position: inout Int) -> UInt32 {
        defer { position += 4 }
        return text[position..<position + 4].reduce(0) { $0 << 4 + UInt32(Hex.digit($1) ?? 0) }
    }
}
