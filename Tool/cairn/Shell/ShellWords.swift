import CairnToolKit

/// The words of a line, quoted as in a POSIX shell: between apostrophes nothing is special; between quotation marks, a backslash protects a quotation mark
/// or a backslash; elsewhere it protects any character.
enum ShellWords {
    /// - Throws: `Failure` if a quotation or a backslash has no end.
    static func split(_ line: String) throws -> [String] {
        var words: [String] = []
        // `nil` between words: a word may be empty.
        var word: String?
        var quote: Character?
        var rest = line[...]
        while let character = rest.popFirst() {
            switch (character, quote) {
            case (quote, .some): quote = nil
            case ("\\", nil):
                guard let next = rest.popFirst() else { throw Failure(.usage, "The line ends with a backslash that escapes nothing.") }
                word = (word ?? "") + String(next)
            case ("\\", "\"") where rest.first == "\"" || rest.first == "\\": word?.append(rest.removeFirst())
            case ("'", nil), ("\"", nil):
                quote = character
                word = word ?? ""
            case (_, nil) where character.isWhitespace:
                if let ended = word { words.append(ended) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        if let quote { throw Failure(.usage, "A quotation mark is not closed: \(quote) is missing.") }
        return words + (word.map { [$0] } ?? [])
    }
}
