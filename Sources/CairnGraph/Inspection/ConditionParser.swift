import CairnCore

/// Reads the text of a condition.
///
/// ```
/// condition  = conjunction { "or" conjunction }
/// conjunction = negation { "and" negation }
/// negation   = "not" negation | "(" condition ")" | test
/// test       = property operator value
///            | property [ "not" ] "in" "(" value { "," value } ")"
///            | property [ "not" ] ( "contains" | "begins" "with" | "ends" "with" ) value
///            | property "is" [ "not" ] "nil"
/// operator   = "=" | "==" | "!=" | "<" | "<=" | ">" | ">="
/// property   = a name, in backquotes if it is not a word or is a keyword
/// value      = text in quotes, a number, "true", "false", "nil"
/// ```
struct ConditionParser {
    private let entry: CatalogEntry
    private let tokens: [ConditionToken]
    private var position = 0
    private var depth = 0

    /// Deeper nesting is refused.
    private static let deepest = 100
    private static let keywords: Set = ["and", "or", "not", "in", "is", "nil", "contains", "begins", "ends", "with", "true", "false"]

    static func condition(_ text: String, on entry: CatalogEntry) throws(ConditionTextError) -> StoredCondition {
        var parser = ConditionParser(entry, try ConditionLexer.tokens(text))
        let condition = try parser.condition()
        guard parser.next.kind == .end else { throw parser.failure("expected 'and' or 'or'") }
        return condition
    }

    private init(_ entry: CatalogEntry, _ tokens: [ConditionToken]) {
        self.entry = entry
        self.tokens = tokens
    }

    private var next: ConditionToken { tokens[position] }

    private func failure(_ message: String, _ token: ConditionToken? = nil) -> ConditionTextError {
        ConditionTextError(message: message, position: (token ?? next).place)
    }

    private mutating func takes(symbol: String) -> Bool {
        guard next.isSymbol(symbol) else { return false }
        position += 1
        return true
    }

    private mutating func takes(_ word: String) -> Bool {
        guard next.isKeyword(word) else { return false }
        position += 1
        return true
    }

    // MARK: Conditions

    private mutating func condition() throws(ConditionTextError) -> StoredCondition {
        var sides = [try conjunction()]
        while takes("or") { sides.append(try conjunction()) }
        return .anyOf(sides)
    }

    private mutating func conjunction() throws(ConditionTextError) -> StoredCondition {
        var parts = [try negation()]
        while takes("and") { parts.append(try negation()) }
        return .allOf(parts)
    }

    private mutating func negation() throws(ConditionTextError) -> StoredCondition {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw failure("the condition is nested more than \(Self.deepest) deep") }
        if takes("not") { return try negation().negated }
        guard takes(symbol: "(") else { return try test() }
        let condition = try condition()
        guard takes(symbol: ")") else { throw failure("expected ')'") }
        return condition
    }

    private mutating func test() throws(ConditionTextError) -> StoredCondition {
        let test = PropertyTest(try property())
        let comparisons: [(String, ValueComparison)] = [
            ("=", .equal), ("<", .less), ("<=", .lessOrEqual), (">", .greater), (">=", .greaterOrEqual),
        ]
        for (symbol, comparison) in comparisons where takes(symbol: symbol) {
            return try value { value throws(ConditionTextError) in try test.compared(comparison, value) }
        }
        if takes(symbol: "!=") { return try value { value throws(ConditionTextError) in try test.compared(.equal, value).negated } }
        if takes("is") {
            let isNegated = takes("not")
            guard next.isKeyword("nil") else { throw failure("expected 'nil'") }
            return try value { value throws(ConditionTextError) in
                let isNil = try test.compared(.equal, value)
                return isNegated ? isNil.negated : isNil
            }
        }
        let isNegated = takes("not")
        let condition = try listOrPart(test)
        return isNegated ? condition.negated : condition
    }

    private mutating func listOrPart(_ test: PropertyTest) throws(ConditionTextError) -> StoredCondition {
        if takes("in") {
            guard takes(symbol: "(") else { throw failure("expected '('") }
            var values: [ConditionToken] = []
            repeat { values.append(try value()) } while takes(symbol: ",")
            guard takes(symbol: ")") else { throw failure("expected ',' or ')'") }
            return try test.isIn(values)
        }
        if takes("contains") { return try value { value throws(ConditionTextError) in try test.contains(value) } }
        for (word, part) in [("begins", PropertyTest.End.start), ("ends", .end)] where takes(word) {
            guard takes("with") else { throw failure("expected 'with'") }
            return try value { value throws(ConditionTextError) in try test.has(value, at: part) }
        }
        throw failure("expected =, !=, <, <=, >, >=, 'in', 'contains', 'begins with', 'ends with', 'is nil' or 'is not nil'")
    }

    private mutating func property() throws(ConditionTextError) -> StoredProperty {
        let token = next
        guard token.kind == .name || token.kind == .word && !Self.keywords.contains(token.text.lowercased()) else {
            throw failure("expected the name of a property")
        }
        guard let property = entry.property(named: token.text) else { throw failure(entry.lacks(token.text)) }
        position += 1
        if next.kind == .number, next.text.dropFirst().first?.isLetter == true, next.text.hasPrefix(".") {
            let example = "'\(property.name) = 1/17'"
            throw failure("a condition cannot test properties of other objects; compare the reference itself, as in \(example)")
        }
        return property
    }

    private mutating func value() throws(ConditionTextError) -> ConditionToken {
        let token = next
        guard token.kind == .text || token.kind == .number || token.kind == .word else {
            throw failure("expected a value: text in quotes, a number, true, false or nil")
        }
        position += 1
        return token
    }

    /// The condition that `make` makes of the next value.
    private mutating func value(
        _ make: (ConditionToken) throws(ConditionTextError) -> StoredCondition
    ) throws(ConditionTextError) -> StoredCondition { try make(try value()) }
}
