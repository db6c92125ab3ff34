/// Bytes in paths and lines, as RFC 3986 writes them: `%` and two digits for each byte that is not allowed there.
enum PercentCoding {
    /// `nil` where `%` is not followed by two hexadecimal digits.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Key, tab, value, newline.
    static func appendLine(_ key: RawSpan, _ value: RawSpan, to text: inout [UInt8]) {
        append(key, to: &text)
        text.append(UInt8(ascii: "\t"))
        append(value, to: &text)
        text.append(UInt8(ascii: "\n"))
    }

    private static func append(_ bytes: RawSpan, to text: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        for index in 0..<bytes.byteCount {
            let byte = bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                text.append(byte)
            default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }
}
