/// A field of a JSON object and the position of its value in the text.
package struct JSONField {
    package enum Kind { case string, number, boolean, null, container }
    /// The name, unescaped.
    package var name: [UInt8]
    package var kind: Kind
    /// The range of the value's text, quotes included.
    package var range: Range<Int>
}

/// An error in a JSON text and its position.
package struct JSONFault: Error, CustomStringConvertible {
    /// The byte at which it was found, from 1.
    package let column: Int
    package let message: String
    package var description: String { "is not valid JSON at column \(column): \(message)" }
}

/// Checks a JSON text and finds the fields of its outermost object, without building the values.
package struct JSONScanner {
    /// The maximum depth of nested containers; deeper ones are refused.
    package static let deepest = 512

    private let text: [UInt8]
    private var position = 0

    /// Returns the fields of the object `text`, in their order. `text` must be UTF-8.
    package static func fields(ofObject text: [UInt8]) throws(JSONFault) -> [JSONField] {
        var scanner = JSONScanner(text: text)
        scanner.skipBlanks()
        guard scanner.peek == UInt8(ascii: "{") else { throw scanner.fault("each line must be one object") }
        var fields: [JSONField] = []
        try scanner.object(depth: 1, into: &fields)
        scanner.skipBlanks()
        guard scanner.peek == nil else { throw scanner.fault("there is more text after the object") }
        return fields
    }

    /// Checks that `text`, which must be UTF-8, is a JSON value of any kind, possibly between blanks.
    package static func check(_ text: [UInt8]) throws(JSONFault) {
        var scanner = JSONScanner(text: text)
        scanner.skipBlanks()
        _ = try scanner.value(depth: 0)
        scanner.skipBlanks()
        guard scanner.peek == nil else { throw scanner.fault("there is more text after the value") }
    }

    private init(text: [UInt8]) { self.text = text }

    package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// `text` without the blanks around it.
    package static func trimmed(_ text: [UInt8]) -> [UInt8] {
        let start = text.firstIndex { !isBlank($0) } ?? text.endIndex
        let end = text.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return Array(text[start..<end])
    }

    private var peek: UInt8? { position < text.count ? text[position] : nil }

    private func fault(_ message: String) -> JSONFault { JSONFault(column: position + 1, message: message) }

    private mutating func skipBlanks() {
        while let byte = peek, Self.isBlank(byte) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func object(depth: Int, into fields: inout [JSONField]) throws(JSONFault) {
        position += 1
        skipBlanks()
        if take(UInt8(ascii: "}")) { return }
        while true {
            guard peek == UInt8(ascii: "\"") else { throw fault("expected a field name in quotes") }
            let name = position
            try skipString()
            let nameRange = name..<position
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw fault("expected ':'") }
            skipBlanks()
            let start = position
            let kind = try value(depth: depth)
            if depth == 1 {
                fields.append(JSONField(name: try Self.string(text, at: nameRange), kind: kind, range: start..<position))
            }
            skipBlanks()
            if take(UInt8(ascii: "}")) { return }
            guard take(UInt8(ascii: ",")) else { throw fault("expected ',' or '}'") }
            skipBlanks()
        }
    }

    private mutating func array(depth: Int) throws(JSONFault) {
        position += 1
        skipBlanks()
        if take(UInt8(ascii: "]")) { return }
        while true {
            _ = try value(depth: depth)
            skipBlanks()
            if take(UInt8(ascii: "]")) { return }
            guard take(UInt8(ascii: ",")) else { throw fault("expected ',' or ']'") }
            skipBlanks()
        }
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONField.Kind {
        guard depth < Self.deepest else { throw fault("values are nested more than \(Self.deepest) levels deep") }
        switch peek {
        case UInt8(ascii: "\""):
            try skipString()
            return .string
        case UInt8(ascii: "{"):
            var unused: [JSONField] = []
            try object(depth: depth + 1, into: &unused)
            return .container
        case UInt8(ascii: "["):
            try array(depth: depth + 1)
            return .container
        case UInt8(ascii: "t"): return try word("true", .boolean)
        case UInt8(ascii: "f"): return try word("false", .boolean)
        case UInt8(ascii: "n"): return try word("null", .null)
        default:
            try number()
            return .number
        }
    }

    private mutating func word(_ word: StaticString, _ kind: JSONField.Kind) throws(JSONFault) -> JSONField.Kind {
        let expected = word.description.utf8
        guard text[position...].starts(with: expected) else { throw fault("expected a value") }
        position += expected.count
        return kind
    }

    private mutating func number() throws(JSONFault) {
        let start = position
        _ = take(UInt8(ascii: "-"))
        let whole = digits()
        guard whole > 0 else {
            position = start
            throw fault("expected a value")
        }
        if whole > 1 && text[position - whole] == UInt8(ascii: "0") { throw fault("a number has a leading zero") }
        if take(UInt8(ascii: ".")), digits() == 0 { throw fault("expected a digit") }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            if digits() == 0 { throw fault("expected a digit") }
        }
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        return position - start
    }

    /// Skips a string; its escapes are checked when it is read.
    private mutating func skipString() throws(JSONFault) {
        let start = position
        position += 1
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"):
                position += 1
                try escape()
            case ..<0x20: throw fault("a control character in a string must be escaped")
            default: position += 1
            }
        }
        position = start
        throw fault("a string is not closed")
    }

    private mutating func escape() throws(JSONFault) {
        guard let byte = peek, #""\/bfnrtu"#.utf8.contains(byte) else { throw fault("unknown escape in a string") }
        position += 1
        guard byte == UInt8(ascii: "u") else { return }
        for _ in 0..<4 {
            guard let digit = peek, Hex.digit(digit) != nil else { throw fault("expected four hexadecimal digits") }
            position += 1
        }
    }
}
