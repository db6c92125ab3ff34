/// What text is to be like: a query of full-text search, read from a language of its own.
///
/// ```swift
/// let query = try TextQuery("[[sun*]] && walk !! \"on fire\"")
/// query.matches("Walking on Sunshine")                                 // true
/// ```
///
/// | form | text that |
/// | --- | --- |
/// | `abc` | contains it, anywhere |
/// | `"ab cd"` | contains it, spaces included; `""` stands for a quotation mark |
/// | `[[abc]]` | has it as a word, or as several that follow one another |
/// | `[[abc*]]`, `[[*abc]]` | has a word, or several, that begin so; end so |
/// | `[[*abc*]]` | contains it, spaces included |
/// | `[[[[abc` | begins so; up to the end of the query, or `]]`, which is part of it |
/// | `abc]]]]` | ends so |
/// | `a b`, `a && b` | is like both |
/// | `a \|\| b` | is like one of them; binds tighter than the others: `a && b \|\| c` is `a` and one of `b` and `c` |
/// | `a !! b` | is like `a` and not like `b` |
///
/// Operators have spaces around them. Words are what spaces separate; a comma is part of one. Upper and lower case are the same, as are
/// letters with and without accents, full and half width, and the ways to write spaces, apostrophes and hyphens. A query of nothing, and one that
/// begins with `!!`, finds nothing.
public struct TextQuery: Hashable, Sendable {
    /// The query as it was given.
    public let text: String
    /// Text is to be like one of each.
    let required: [Group]
    /// Text must not be like any of these.
    let excluded: [TextPattern]

    /// Patterns of which one is enough.
    typealias Group = [TextPattern]

    /// Reads a query.
    ///
    /// - Throws: ``TextQueryError`` where a quotation mark or `[[` is not closed, or an operator has nothing before or behind it.
    public init(_ text: String) throws(TextQueryError) {
        var parser = TextQueryParser(text)
        try parser.parse()
        self.text = text
        required = parser.required
        excluded = parser.excluded
    }

    /// Text that contains another, whatever characters that has: for what people type. Text of nothing is contained in none.
    public init(containing part: String) {
        text = "\"\(part.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
        required = [[TextPattern(part, .anywhere, .anywhere)]]
        excluded = []
    }

    /// Whether text is like that.
    ///
    /// - Complexity: O(n) in the length of the text for each word of the query.
    public func matches(_ text: String) -> Bool {
        let form = TextNormalizer.form(of: text)
        return holds { $0.matches(form) }
    }

    /// Whether the query holds where some patterns do.
    func holds(_ isFound: (TextPattern) -> Bool) -> Bool {
        !required.isEmpty && required.allSatisfy { $0.contains(where: isFound) } && !excluded.contains(where: isFound)
    }
}

/// What is wrong with a ``TextQuery``.
public struct TextQueryError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, as a sentence without its end.
    public let message: String
    /// How many characters come before the place.
    public let position: Int

    public var description: String { "\(message), at character \(position + 1)" }
}

/// A part of a query that holds no others: text, and where it is to stand.
struct TextPattern: Hashable, Sendable {
    enum Bound: Hashable, Sendable { case anywhere, word, text }

    /// In the form of ``TextNormalizer``. Nothing is found by no text.
    let form: [UInt8]
    let start: Bound
    let end: Bound

    init(_ text: some StringProtocol, _ start: Bound, _ end: Bound) {
        form = TextNormalizer.form(of: String(text))
        self.start = start
        self.end = end
    }

    private init(form: [UInt8], _ start: Bound, _ end: Bound) {
        self.form = form
        self.start = start
        self.end = end
    }

    /// The same text between other bounds.
    func bounded(_ start: Bound, _ end: Bound) -> TextPattern { TextPattern(form: form, start, end) }

    func matches(_ text: [UInt8]) -> Bool { first(in: text, from: 0) != nil }

    /// Where text is found at or behind a place.
    func first(in text: [UInt8], from place: Int) -> Range<Int>? {
        guard let head = form.first else { return nil }
        let (text, form) = (text.span, form.span)
        var place = place
        while place + form.count <= text.count {
            if text[place] == head, Self.begins(text, at: place, form), holds(place, place + form.count, text) {
                return place..<place + form.count
            }
            place += 1
        }
        return nil
    }

    /// Whether `part`, which is not longer than what is left, stands at a place.
    private static func begins(_ text: Span<UInt8>, at place: Int, _ part: Span<UInt8>) -> Bool {
        for offset in 1..<max(part.count, 1) where text[place + offset] != part[offset] { return false }
        return true
    }

    private func holds(_ lower: Int, _ upper: Int, _ text: Span<UInt8>) -> Bool {
        switch start {
        case .anywhere: break
        case .word: guard lower == 0 || text[lower - 1] == 0x20 else { return false }
        case .text: guard lower == 0 else { return false }
        }
        switch end {
        case .anywhere: return true
        case .word: return upper == text.count || text[upper] == 0x20
        case .text: return upper == text.count
        }
    }
}
