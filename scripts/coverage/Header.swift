import Foundation

/// What a C++ header declares for its users: types, functions, and the public fields of types.
///
/// Not a parser of C++, but enough of one for RocksDB's headers: comments, strings and preprocessor lines are dropped, then declarations are
/// told apart by their words and brackets.
struct Header {
    var names: Set<String> = []

    init(text: String) {
        var reader = DeclarationReader(tokens: tokens(of: text))
        reader.readScope(isClass: false, isPublic: true)
        names = reader.names
    }
}

private func tokens(of text: String) -> [String] {
    var result: [String] = []
    var rest = Substring(text)
    while let first = rest.first {
        if rest.hasPrefix("//") {
            rest = rest.drop { $0 != "\n" }
        } else if rest.hasPrefix("/*") {
            rest = rest.range(of: "*/").map { rest[$0.upperBound...] } ?? ""
        } else if first == "#" {
            // To the end of the line, and of its continuation lines.
            while let end = rest.firstIndex(of: "\n") {
                let continues = rest[..<end].last == "\\"
                rest = rest[rest.index(after: end)...]
                if !continues { break }
            }
        } else if first == "\"" || first == "'" {
            rest = rest.dropFirst()
            while let next = rest.first, next != first { rest = rest.dropFirst(next == "\\" ? 2 : 1) }
            rest = rest.dropFirst()
            result.append("0")
        } else if first.isLetter || first.isNumber || first == "_" {
            let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            result.append(String(word))
            rest = rest[word.endIndex...]
        } else {
            if rest.hasPrefix("::") {
                result.append("::")
                rest = rest.dropFirst(2)
                continue
            }
            if !first.isWhitespace { result.append(String(first)) }
            rest = rest.dropFirst()
        }
    }
    return result
}

private struct DeclarationReader {
    let tokens: [String]
    var position = 0
    var names: Set<String> = []

    /// Words that stand before a bracket without naming a function.
    private static let keywords: Set<String> = [
        "if", "for", "while", "switch", "return", "sizeof", "defined", "noexcept", "alignas", "decltype", "throw", "operator",
        "static_assert",
        "__attribute__", "explicit", "final", "override",
    ]

    init(tokens: [String]) { self.tokens = tokens }

    /// Reads declarations up to the closing brace of the scope, or the end.
    mutating func readScope(isClass: Bool, isPublic: Bool, name: String = "") {
        var isPublic = isPublic
        var statement: [String] = []
        while position < tokens.count {
            let token = tokens[position]
            position += 1
            switch token {
            case "}":
                return
            case ";":
                if isPublic { record(statement, isClass: isClass, in: name) }
                statement = []
            case ":" where isClass && ["public", "private", "protected"].contains(statement.last ?? ""):
                isPublic = statement.last == "public"
                statement = []
            case "{":
                if readBraces(after: statement, isClass: isClass, isPublic: isPublic, name: name) { statement = [] }
            default:
                statement.append(token)
            }
        }
    }

    /// Reads what stands in braces; true if it ended the statement.
    private mutating func readBraces(after statement: [String], isClass: Bool, isPublic: Bool, name: String) -> Bool {
        if statement.contains("namespace") || statement.first == "extern" {
            readScope(isClass: false, isPublic: true)
            return true
        }
        if let kind = statement.first(where: { ["class", "struct", "union", "enum"].contains($0) }), !statement.contains("("),
            !statement.contains("=")
        {
            let declared = typeName(statement)
            if kind == "enum" {
                if isPublic { names.insert(declared) }
                skipBraces()
            } else if isPublic {
                if !declared.isEmpty { names.insert(declared) }
                readScope(isClass: true, isPublic: kind != "class", name: declared)
            } else {
                skipBraces()
            }
            return false  // a variable of the type may follow; the semicolon ends it
        }
        skipBraces()
        if statement.contains("(") && !isField(statement) {
            if isPublic { record(statement, isClass: isClass, in: name) }
            return true
        }
        return false  // the initial value of a field
    }

    private mutating func skipBraces() {
        var depth = 1
        while position < tokens.count, depth > 0 {
            if tokens[position] == "{" { depth += 1 }
            if tokens[position] == "}" { depth -= 1 }
            position += 1
        }
    }

    private func typeName(_ statement: [String]) -> String {
        let start = statement.lastIndex { ["class", "struct", "union", "enum"].contains($0) }!
        let words = statement[(start + 1)...].prefix { $0 != ":" && $0 != "<" }
        return words.last { $0 != "final" && $0.first!.isLetter } ?? ""
    }

    /// Whether a value is given with `=` before any bracket.
    private func isField(_ statement: [String]) -> Bool {
        guard let equals = statement.firstIndex(of: "=") else { return false }
        return equals < statement.firstIndex(of: "(") ?? statement.count
    }

    private mutating func record(_ statement: [String], isClass: Bool, in name: String) {
        guard let first = statement.first, !["using", "typedef", "friend", "static_assert", "ROCKSDB_DEPRECATED_FUNC"].contains(first)
        else {
            return
        }
        if statement.contains("operator") || statement.contains("~") || statement.contains("delete") { return }
        if let bracket = statement.firstIndex(of: "("), !isField(statement) {
            guard bracket > 0 else { return }
            let function = statement[bracket - 1]
            guard function.first!.isLetter, function != name, !Self.keywords.contains(function) else { return }
            names.insert(function)
        } else if isClass {
            let words = statement.prefix { $0 != "=" && $0 != "[" }
            guard words.count > 1, let field = words.last, field.first!.isLetter, field.last != "_", field != "default" else { return }
            if ["class", "struct", "enum"].contains(words.first) { return }
            names.insert(field)
        }
    }
}
