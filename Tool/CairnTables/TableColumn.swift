/// A column of a table, and a property of its rows.
package struct TableColumn: Hashable, Sendable {
    package var name: String
    package var type: ColumnType
    package var isOptional: Bool

    /// As in Swift: `Int?`.
    package var typeText: String { type.rawValue + (isOptional ? "?" : "") }
    /// As in a header: `population:Int?`.
    package var text: String { "\(name):\(typeText)" }
}

extension TableColumn {
    /// Reads a field of a header: `name`, which is a `String`, or `name:Type`.
    ///
    /// - Throws: What is wrong with it.
    init(header text: String) throws(NameFault) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        try Self.check(name: name)
        guard parts.count > 1 else {
            self.init(name: name, type: .string, isOptional: false)
            return
        }
        let isOptional = parts[1].hasSuffix("?")
        guard let type = ColumnType(rawValue: String(isOptional ? parts[1].dropLast() : parts[1])) else {
            throw NameFault(
                "\(shown(parts[1])) is not a column type; use String, Int, Double or Bool, followed by '?' if fields may be empty"
            )
        }
        self.init(name: name, type: type, isOptional: isOptional)
    }

    /// Checks the columns together: the first is the key.
    static func check(key column: TableColumn) throws(NameFault) {
        guard !column.isOptional, column.type == .string || column.type == .int else {
            throw NameFault("the first column, '\(column.name)', is the key, which must be a String or an Int, not \(column.typeText)")
        }
    }
}

/// What is wrong with a name or a type.
struct NameFault: Error {
    let message: String
    init(_ message: String) { self.message = message }
}

extension TableColumn {
    /// Checks that the name can be the name of a property.
    static func check(name: String) throws(NameFault) {
        guard !name.isEmpty else { throw NameFault("a column has no name") }
        guard let first = name.utf8.first, isLower(first) || first == UInt8(ascii: "_"), name.utf8.allSatisfy(isWord), name != "_" else {
            throw NameFault(
                "a column cannot be named \(shown(name)): use ASCII letters, digits and '_', starting with a lowercase letter"
            )
        }
        guard !reserved.contains(name) else { throw NameFault("a column cannot be named '\(name)', which is reserved in Swift") }
    }

    /// Checks that the name of a file can be the name of a type.
    static func check(typeName name: String) throws(NameFault) {
        guard let first = name.utf8.first, isWord(first), !isLower(first), !isDigit(first), name.utf8.allSatisfy(isWord) else {
            throw NameFault(
                "the file's name, up to '.table', becomes the name of a type: it cannot be \(shown(name)); use ASCII letters, digits and '_', "
                    + "starting with a capital letter"
            )
        }
        guard !types.contains(name) else {
            throw NameFault("the file's name becomes the name of a type, but '\(name)' is the name of another type")
        }
    }

    private static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isWord(_ byte: UInt8) -> Bool {
        isLower(byte | 0x20) && byte >= UInt8(ascii: "A") || isDigit(byte) || byte == UInt8(ascii: "_")
    }

    /// Words that cannot be the name of a property without quotes, and the property that `Hashable` has.
    private static let reserved: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
        "extension",
        "fallthrough", "false", "fileprivate", "for", "func", "guard", "hashValue", "if", "import", "in", "init", "inout", "internal", "is",
        "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static",
        "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// Types that the generated code uses, and names that no type can have.
    private static let types: Set<String> = [
        "Any", "Bool", "Bundle", "CDBTable", "CDBTableRow", "CairnCDB", "CodecError", "Double", "Foundation", "Hashable", "Int",
        "KeyDecoder",
        "Optional", "Protocol", "Self", "Sendable", "String", "Swift", "Type",
    ]
}
