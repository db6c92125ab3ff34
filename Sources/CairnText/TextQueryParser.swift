/// Reads the language of ``TextQuery``.
struct TextQueryParser {
    private(set) var required: [TextQuery.Group] = []
    private(set) var excluded: [TextPattern] = []

    private let characters: [Unicode.Scalar]
    /// The number of characters before each scalar.
    private let places: [Int]
    private var position = 0

    /// The tokens of the language.
    private enum Token {
        case pattern(TextPattern)
        case and, or, without
    }

    init(_ text: String) {
        var characters: [Unicode.Scalar] = []
        var places: [Int] = []
        for (place, character) in text.enumerated() {
            for scalar in character.unicodeScalars {
                characters.append(scalar)
                places.append(place)
            }
        }
        self.characters = characters
        self.places = places
    }

    mutating func parse() throws(TextQueryError) {
        /// The operator that waits for its right side, and its position.
        var waiting: (operator: Token, place: Int)?
        var groups: [(patterns: TextQuery.Group, isExcluded: Bool)] = []
        while let (token, place) = try next() {
            guard case .pattern(let pattern) = token else {
                if case .without = token, groups.isEmpty, waiting == nil {
                    waiting = (token, place)
                    continue
                }
                guard waiting == nil else { throw failure("there is nothing between two operators", place) }
                guard !groups.isEmpty else { throw failure("there is nothing before the first operator", place) }
                waiting = (token, place)
                continue
            }
            switch waiting?.operator {
            case .or: groups[groups.count - 1].patterns.append(pattern)
            case .without: groups.append(([pattern], true))
            default: groups.append(([pattern], false))
            }
            waiting = nil
        }
        if let waiting { throw failure("there is nothing after the last operator", waiting.place) }
        // There is nothing to exclude from.
        guard let first = groups.first, !first.isExcluded else { return }
        required = groups.filter { !$0.isExcluded }.map(\.patterns)
        excluded = groups.filter { $0.isExcluded }.flatMap(\.patterns)
    }

    // MARK: Tokens

    private mutating func next() throws(TextQueryError) -> (Token, place: Int)? {
        while position < characters.count, TextNormalizer.isSpace(characters[position]) { position += 1 }
        guard position < characters.count else { return nil }
        let start = position
        if skip("\"") { return (.pattern(try phrase(start)), start) }
        if skip("[[[[") { return (.pattern(textBeginning()), start) }
        if skip("[[") { return (.pattern(try words(start)), start) }
        while position < characters.count, !TextNormalizer.isSpace(characters[position]) { position += 1 }
        let word = text(start..<position)
        switch word {
        case "&&": return (.and, start)
        case "||": return (.or, start)
        case "!!": return (.without, start)
        default:
            let isEnd = word.hasSuffix("]]]]")
            return (.pattern(TextPattern(isEnd ? word.dropLast(4) : word[...], .anywhere, isEnd ? .text : .anywhere)), start)
        }
    }

    /// Reads the text between quotation marks, after the first.
    private mutating func phrase(_ start: Int) throws(TextQueryError) -> TextPattern {
        var phrase = String.UnicodeScalarView()
        while position < characters.count {
            if skip("\"\"") {
                phrase.append("\"")
            } else if skip("\"") {
                return TextPattern(String(phrase), .anywhere, .anywhere)
            } else {
                phrase.append(characters[position])
                position += 1
            }
        }
        throw failure("the closing quotation mark is missing", start)
    }

    /// Reads the text between [[ and ]], after the first.
    private mutating func words(_ start: Int) throws(TextQueryError) -> TextPattern {
        let first = position
        guard let end = find("]]") else { throw failure("[[ is not closed by ]]", start) }
        var range = first..<end
        position = end + 2
        let isOpenBefore = range.first.map { characters[$0] == "*" } ?? false
        if isOpenBefore { range = range.dropFirst() }
        let isOpenBehind = range.last.map { characters[$0] == "*" } ?? false
        if isOpenBehind { range = range.dropLast() }
        return TextPattern(text(range), isOpenBefore ? .anywhere : .word, isOpenBehind ? .anywhere : .word)
    }

    /// Reads the text after [[[[.
    private mutating func textBeginning() -> TextPattern {
        let first = position
        position = find("]]").map { $0 + 2 } ?? characters.count
        return TextPattern(text(first..<position), .text, .anywhere)
    }

    private mutating func skip(_ wanted: String) -> Bool {
        guard characters[position...].starts(with: wanted.unicodeScalars) else { return false }
        position += wanted.unicodeScalars.count
        return true
    }

    private func find(_ wanted: String) -> Int? {
        (position..<characters.count).first { characters[$0...].starts(with: wanted.unicodeScalars) }
    }

    private func text(_ range: Range<Int>) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: characters[range])
        return String(scalars)
    }

    private func failure(_ message: String, _ place: Int) -> TextQueryError {
        TextQueryError(message: "the query cannot be parsed: \(message)", position: places[place])
    }
}
