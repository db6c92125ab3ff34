import CairnMapped

/// A value in a JSON text, and its position.
struct JSONNode {
    enum Value {
        case null
        case bool(Bool)
        /// As written in the text.
        case number(String)
        case string(String)
        case array([JSONNode])
        /// In the order of the text; names may repeat.
        case object([(name: String, node: JSONNode)])
    }
    var value: Value
    var range: Range<Int>
}

/// Reads JSON (RFC 8259) without changing anything: the order, the numbers and the text of every value are kept.
struct JSONReader {
    /// Containers nested more deeply than this are rejected.
    static let deepest = 512

    private let text: [UInt8]
    private var position: Int

    /// Parses `text`, which may begin with a byte order mark. `depth` is the number of containers it will be nested in.
    static func parse(_ text: [UInt8], depth: Int = 0) throws(MappedStoreError) -> JSONNode {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var reader = JSONReader(text: text, position: text.starts(with: mark) ? 3 : 0)
        reader.skipBlanks()
        let node = try reader.node(depth: depth + 1)
        reader.skipBlanks()
        guard reader.peek == nil else { throw reader.fault("there is more text after the value") }
        return node
    }

    static func isValid(_ text: String) -> Bool { (try? parse(Array(text.utf8))) != nil }

    private var peek: UInt8? { position < text.count ? text[position] : nil }

    private func fault(_ message: String) -> MappedStoreError {
        let line = text[..<position].count { $0 == UInt8(ascii: "\n") } + 1
        let column = position - (text[..<position].lastIndex(of: UInt8(ascii: "\n")) ?? -1)
        return MappedStoreError(.malformedInput, "invalid JSON on line \(line), byte \(column): \(message)")
    }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func take(_ byte: Character) -> Bool { take(byte.asciiValue!) }

    private mutating func node(depth: Int) throws(MappedStoreError) -> JSONNode {
        guard depth <= Self.deepest else { throw fault("values are nested more than \(Self.deepest) deep") }
        let start = position
        let value: JSONNode.Value =
            switch peek {
            case UInt8(ascii: "\""): .string(try string())
            case UInt8(ascii: "{"): .object(try members(depth: depth))
            case UInt8(ascii: "["): .array(try elements(depth: depth))
            case UInt8(ascii: "t"): try word("true", .bool(true))
            case UInt8(ascii: "f"): try word("false", .bool(false))
            case UInt8(ascii: "n"): try word("null", .null)
            default: .number(try number())
            }
        return JSONNode(value: value, range: start..<position)
    }

    private mutating func members(depth: Int) throws(MappedStoreError) -> [(name: String, node: JSONNode)] {
        position += 1
        var members: [(name: String, node: JSONNode)] = []
        skipBlanks()
        if take("}") { return members }
        while true {
            skipBlanks()
            guard peek == UInt8(ascii: "\"") else { throw fault("expected a name in quotes") }
            let name = try string()
            skipBlanks()
            guard take(":") else { throw fault("expected ':'") }
            skipBlanks()
            members.append((name, try node(depth: depth + 1)))
            skipBlanks()
            if take("}") { return members }
            guard take(",") else { throw fault("expected ',' or '}'") }
        }
    }

    private mutating func elements(depth: Int) throws(MappedStoreError) -> [JSONNode] {
        position += 1
        var elements: [JSONNode] = []
        skipBlanks()
        if take("]") { return elements }
        while true {
            skipBlanks()
            elements.append(try node(depth: depth + 1))
            skipBlanks()
            if take("]") { return elements }
            guard take(",") else { throw fault("expected ',' or ']'") }
        }
    }

    private mutating func word(_ word: String, _ value: JSONNode.Value) throws(MappedStoreError) -> JSONNode.Value {
        guard text[position...].starts(with: word.utf8) else { throw fault("expected a value") }
        position += word.utf8.count
        return value
    }

    private mutating func number() throws(MappedStoreError) -> String {
        let start = position
        _ = take("-")
        let whole = digits()
        guard whole > 0 else {
            position = start
            throw fault("expected a value")
        }
        if whole > 1, text[position - whole] == UInt8(ascii: "0") { throw fault("a number has a leading zero") }
        if take("."), digits() == 0 { throw fault("expected a digit") }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            if digits() == 0 { throw fault("expected a digit") }
        }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    // MARK: - Strings

    private mutating func string() throws(MappedStoreError) -> String {
        let start = position
        position += 1
        var bytes: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                if let string = String(validating: bytes, as: UTF8.self) { return string }
                position = start
                throw fault("the string is not UTF-8")
            case UInt8(ascii: "\\"): bytes.append(contentsOf: try escaped().utf8)
            case 0..<0x20:
                position -= 1
                throw fault("a control character must be escaped")
            default: bytes.append(byte)
            }
        }
        position = start
        throw fault("the string is not closed")
    }

    private mutating func escaped() throws(MappedStoreError) -> String {
        guard let byte = peek else { throw fault("the string is not closed") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            var units = [try unit()]
            if UTF16.isLeadSurrogate(units[0]), take("\\"), take("u") { units.append(try unit()) }
            if let text = String(validating: units, as: UTF16.self) { return text }
            throw fault("unpaired surrogate")
        default:
            position -= 1
            throw fault("unknown escape")
        }
    }

    private mutating func unit() throws(MappedStoreError) -> UInt16 {
        let digits = String(decoding: text[position...].prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else {
            throw fault("expected four hexadecimal digits")
        }
        position += 4
        return unit
    }
}
