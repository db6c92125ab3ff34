// The text form is part of the catalog format and must not change.

extension StoredType: CustomStringConvertible {
    /// The type as text: `int64`, `array(string)`, `dictionary(string, optional(uint8))`, `raw(string, "Genre")`. Parsed by ``init(parsing:)``.
    public var description: String {
        switch self {
        case .bool: "bool"
        case .integer(let bits, let isSigned): "\(isSigned ? "int" : "uint")\(bits)"
        case .float: "float"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .date: "date"
        case .uuid: "uuid"
        case .url: "url"
        case .decimal: "decimal"
        case .optional(let wrapped): "optional(\(wrapped.description))"
        case .array(let element): "array(\(element.description))"
        case .set(let element): "set(\(element.description))"
        case .dictionary(let key, let value): "dictionary(\(key.description), \(value.description))"
        case .codable(let name): "codable(\(Self.quoted(name)))"
        case .raw(let type, let name): "raw(\(type.description), \(Self.quoted(name)))"
        }
    }

    private static func quoted(_ name: String) -> String {
        "\"" + name.unicodeScalars.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "\""
    }

    /// Parses the text form.
    ///
    /// - Throws: ``RecordError``: `malformed` if the text is not a type, `tooDeep` if types are nested more than ``WireKind/deepest`` deep.
    public init(parsing text: some StringProtocol) throws(RecordError) {
        var parser = Parser(Array(text.unicodeScalars))
        self = try parser.type(depth: 0)
        guard parser.rest.isEmpty else { throw parser.unexpected }
    }

    private struct Parser {
        private let scalars: [Unicode.Scalar]
        var rest: ArraySlice<Unicode.Scalar>

        init(_ scalars: [Unicode.Scalar]) {
            self.scalars = scalars
            rest = scalars[...]
        }

        var unexpected: RecordError {
            let text = scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
            return RecordError(.malformed, "\"\(text)\" is not a valid stored type, from character \(rest.startIndex) on")
        }

        mutating func type(depth: Int) throws(RecordError) -> StoredType {
            guard depth < WireKind.deepest else {
                throw RecordError(.tooDeep, "the text of a stored type nests types more than \(WireKind.deepest) deep")
            }
            let word = rest.prefix { ("a"..."z").contains($0) || ("0"..."9").contains($0) }.reduce(into: "") {
                $0.unicodeScalars.append($1)
            }
            if let type = StoredType.plain[word] {
                rest.removeFirst(word.count)
                return type
            }
            guard ["optional", "array", "set", "dictionary", "codable", "raw"].contains(word) else { throw unexpected }
            rest.removeFirst(word.count)
            try expect("(")
            let type: StoredType
            switch word {
            case "optional": type = .optional(try self.type(depth: depth + 1))
            case "array": type = .array(try self.type(depth: depth + 1))
            case "set": type = .set(try self.type(depth: depth + 1))
            case "dictionary":
                let key = try self.type(depth: depth + 1)
                try expect(", ")
                type = .dictionary(key, try self.type(depth: depth + 1))
            case "codable": type = .codable(try name())
            default:
                let raw = try self.type(depth: depth + 1)
                try expect(", ")
                type = .raw(raw, of: try name())
            }
            try expect(")")
            return type
        }

        private mutating func name() throws(RecordError) -> String {
            try expect("\"")
            var name = ""
            while let next = rest.popFirst(), next != "\"" {
                guard next == "\\" else {
                    name.unicodeScalars.append(next)
                    continue
                }
                guard let escaped = rest.popFirst() else { throw unexpected }
                name.unicodeScalars.append(escaped)
            }
            guard rest.startIndex > scalars.startIndex, scalars[rest.startIndex - 1] == "\"" else { throw unexpected }
            return name
        }

        private mutating func expect(_ text: String) throws(RecordError) {
            guard rest.starts(with: text.unicodeScalars) else { throw unexpected }
            rest.removeFirst(text.unicodeScalars.count)
        }
    }

    /// The types that consist of one word.
    private static let plain: [String: StoredType] = {
        var types: [StoredType] = [.bool, .float, .double, .string, .bytes, .date, .uuid, .url, .decimal]
        for bits in [8, 16, 32, 64, 128] { types += [.integer(bits: bits, isSigned: true), .integer(bits: bits, isSigned: false)] }
        return Dictionary(uniqueKeysWithValues: types.map { ($0.description, $0) })
    }()
}
