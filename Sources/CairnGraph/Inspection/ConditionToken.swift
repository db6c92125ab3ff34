/// A token of the text of a condition.
struct ConditionToken {
    enum Kind {
        /// A keyword, a property, or a value without quotes that begins with a letter.
        case word
        /// A property in backquotes.
        case name
        /// A value that begins with a digit or a sign.
        case number
        /// Text in quotes.
        case text
        case symbol
        case end
    }

    let kind: Kind
    /// The word, symbol or number; the content of quotes.
    let text: String
    /// Its position, in characters.
    let place: Int

    /// Whether it is a symbol or, in any case, a keyword.
    func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
    func isKeyword(_ word: String) -> Bool { kind == .word && text.lowercased() == word }
}

/// Divides the text of a condition into tokens.
struct ConditionLexer {
    private let scalars: [Unicode.Scalar]
    /// The number of characters before each scalar, and in all.
    private let places: [Int]
    private var position = 0

    static func tokens(_ text: String) throws(ConditionTextError) -> [ConditionToken] {
        var lexer = ConditionLexer(text)
        var tokens: [ConditionToken] = []
        while let token = try lexer.next() { tokens.append(token) }
        return tokens + [ConditionToken(kind: .end, text: "", place: text.count)]
    }

    private init(_ text: String) {
        // A combining mark is not part of the quotation mark before it.
        var scalars: [Unicode.Scalar] = []
        var places: [Int] = []
        for (place, character) in text.enumerated() {
            for scalar in character.unicodeScalars {
                scalars.append(scalar)
                places.append(place)
            }
        }
        self.scalars = scalars
        self.places = places + [text.count]
    }

    private mutating func next() throws(ConditionTextError) -> ConditionToken? {
        while let scalar = current, scalar.properties.isWhitespace { position += 1 }
        guard let scalar = current else { return nil }
        let start = position
        switch scalar {
        case "\"", "'": return token(.text, try quoted(scalar), start)
        case "`": return token(.name, try quoted(scalar), start)
        case "(", ")", ",": return symbol(start, 1)
        case "=": return symbol(start, isNext("=") ? 2 : 1)
        case "<", ">": return symbol(start, isNext("=") ? 2 : 1)
        case "!" where isNext("="): return symbol(start, 2)
        case "0"..."9", "+", "-", ".":
            return token(.number, take { $0.properties.isIDContinue || "+-.:/".unicodeScalars.contains($0) }, start)
        case _ where scalar == "_" || scalar.properties.isIDStart: return token(.word, take { $0.properties.isIDContinue }, start)
        default: throw failure("unexpected '\(scalar)'", start)
        }
    }

    private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private func isNext(_ scalar: Unicode.Scalar) -> Bool { position + 1 < scalars.count && scalars[position + 1] == scalar }

    private func token(_ kind: ConditionToken.Kind, _ text: String, _ start: Int) -> ConditionToken {
        ConditionToken(kind: kind, text: text, place: places[start])
    }

    private mutating func symbol(_ start: Int, _ count: Int) -> ConditionToken {
        position += count
        let text = scalars[start..<position].reduce(into: "") { $0.unicodeScalars.append($1) }
        return token(.symbol, text == "==" ? "=" : text, start)
    }

    private mutating func take(while belongs: (Unicode.Scalar) -> Bool) -> String {
        var text = ""
        while let scalar = current, belongs(scalar) {
            text.unicodeScalars.append(scalar)
            position += 1
        }
        return text
    }

    private mutating func quoted(_ mark: Unicode.Scalar) throws(ConditionTextError) -> String {
        let start = position
        var text = ""
        position += 1
        while let scalar = current, scalar != mark {
            position += 1
            text.unicodeScalars.append(scalar == "\\" ? try escaped() : scalar)
        }
        guard current != nil else { throw failure("the closing quotation mark is missing", start) }
        position += 1
        return text
    }

    /// The scalar that an escape sequence stands for.
    private mutating func escaped() throws(ConditionTextError) -> Unicode.Scalar {
        let start = position - 1
        guard let scalar = current else { throw failure("the closing quotation mark is missing", start) }
        position += 1
        switch scalar {
        case "\\", "\"", "'", "`": return scalar
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "0": return "\0"
        case "u" where current == "{":
            position += 1
            let digits = take { $0 != "}" && $0.properties.isASCIIHexDigit }
            guard current == "}", let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else { break }
            position += 1
            return scalar
        default: break
        }
        throw failure(#"the escape sequence is not one of \\, \", \', \n, \t, \r, \0 and \u{…}"#, start)
    }

    private func failure(_ message: String, _ start: Int) -> ConditionTextError {
        ConditionTextError(message: message, position: places[start])
    }
}
