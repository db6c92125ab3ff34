/// A JSON value with everything in it. Numbers keep their text, so that none loses digits.
package indirect enum JSONTree: Hashable, Sendable {
    /// A member of an object.
    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONTree

        package init(name: String, value: JSONTree) {
            self.name = name
            self.value = value
        }
    }

    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONTree])
    /// In the order of the text; a name may occur twice.
    case object([Member])

    /// Parses the object `text`, which must be UTF-8.
    package init(object text: [UInt8]) throws(JSONFault) {
        // Reports errors in the text with their position.
        _ = try JSONScanner.fields(ofObject: text)
        var parser = Parser(text: text)
        self = try parser.value()
    }

    /// Parses a JSON value of any kind, which must be UTF-8.
    package init(value text: [UInt8]) throws(JSONFault) {
        try JSONScanner.check(text)
        var parser = Parser(text: text)
        self = try parser.value()
    }

    /// The member of an object; `nil` if there is none, or this is not an object.
    package subscript(name: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// Parses a text that has been checked.
    private struct Parser {
        let text: [UInt8]
        var position = 0

        mutating func value() throws(JSONFault) -> JSONTree {
            switch next() {
            case UInt8(ascii: "{"): return .object(try members())
            case UInt8(ascii: "["):
                var values: [JSONTree] = []
                position += 1
                while next() != UInt8(ascii: "]") {
                    if next() == UInt8(ascii: ",") { position += 1 }
                    values.append(try value())
                }
                position += 1
                return .array(values)
            case UInt8(ascii: "\""): return .string(try string())
            case UInt8(ascii: "t"):
                position += 4
                return .bool(true)
            case UInt8(ascii: "f"):
                position += 5
                return .bool(false)
            case UInt8(ascii: "n"):
                position += 4
                return .null
            default:
                let start = position
                while position < text.count, "+-.0123456789eE".utf8.contains(text[position]) { position += 1 }
                return .number(String(decoding: text[start..<position], as: UTF8.self))
            }
        }

        private mutating func members() throws(JSONFault) -> [Member] {
            var members: [Member] = []
            position += 1
            while next() != UInt8(ascii: "}") {
                if next() == UInt8(ascii: ",") { position += 1 }
                _ = next()
                let name = try string()
                _ = next()
                // The colon.
                position += 1
                members.append(Member(name: name, value: try value()))
            }
            position += 1
            return members
        }

        private mutating func string() throws(JSONFault) -> String {
            let start = position
            position += 1
            while text[position] != UInt8(ascii: "\"") { position += text[position] == UInt8(ascii: "\\") ? 2 : 1 }
            position += 1
            return String(decoding: try JSONScanner.string(text, at: start..<position), as: UTF8.self)
        }

        /// Returns the next byte after blanks.
        private mutating func next() -> UInt8? {
            while position < text.count, JSONScanner.isBlank(text[position]) { position += 1 }
            return position < text.count ? text[position] : nil
        }
    }
}
