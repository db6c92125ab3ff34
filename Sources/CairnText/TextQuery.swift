#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A full-text query, read from a query language.
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
/// | `[[abc]]` | has it as a word, or as several consecutive words |
/// | `[[abc*]]`, `[[*abc]]` | has a word, or several consecutive ones, that begin with it; that end with it |
/// | `[[*abc*]]` | contains it, spaces included |
/// | `[[[[abc` | begins with it; it extends to the end of the query, or through `]]`, which is part of it |
/// | `abc]]]]` | ends with it |
/// | `a b`, `a && b` | matches both |
/// | `a \|\| b` | matches either; binds more tightly than the others: `a && b \|\| c` is `a` and one of `b` and `c` |
/// | `a !! b` | matches `a` and not `b` |
///
/// Operators have spaces around them. Spaces separate words; a comma is part of a word. Case, accents, full and half width, and the ways to
/// write spaces, apostrophes and hyphens make no difference. An empty query, and one that begins with `!!`, finds nothing.
public struct TextQuery: Hashable, Sendable {
    /// The text of the query.
    public let text: String
    /// Text must match one pattern of each group.
    package let required: [Group]
    /// Text must match none of these.
    package let excluded: [TextPattern]

    /// Patterns, one of which must match.
    package typealias Group = [TextPattern]

    /// Reads a query.
    ///
    /// - Throws: ``TextQueryError`` if a quotation mark or `[[` is not closed, or an operator has nothing before or after it.
    public init(_ text: String) throws(TextQueryError) {
        var parser = TextQueryParser(text)
        try parser.parse()
        self.text = text
        required = parser.required
        excluded = parser.excluded
    }

    /// Creates a query for text that contains `part`, whatever characters `part` has; meant for user input. An empty `part` matches nothing.
    public init(containing part: String) {
        text = "\"\(part.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
        required = [[TextPattern(part, .anywhere, .anywhere)]]
        excluded = []
    }

    /// Returns whether a text matches the query.
    ///
    /// - Complexity: O(n) in the length of the text for each word of the query; O(n · m) at worst, for a word of m characters and a text that repeats most of it.
    public func matches(_ text: String) -> Bool {
        let form = TextNormalizer.form(of: text)
        return holds { $0.matches(form) }
    }

    /// Whether the query matches, given which patterns are found.
    package func holds(_ isFound: (TextPattern) -> Bool) -> Bool {
        !required.isEmpty && required.allSatisfy { $0.contains(where: isFound) } && !excluded.contains(where: isFound)
    }
}

/// A syntax error in a ``TextQuery``.
public struct TextQueryError: LocalizedError, Hashable, CustomStringConvertible {
    /// The description of the error, without a final period.
    public let message: String
    /// The position of the error, in characters.
    public let position: Int

    public var description: String { "\(message), at character \(position + 1)" }

    /// The ``description``, for Foundation's `localizedDescription`.
    public var errorDescription: String? { description }
}

/// A basic part of a query: text, and where it must be.
package struct TextPattern: Hashable, Sendable {
    package enum Bound: Hashable, Sendable { case anywhere, word, text }

    /// The text in the form of ``TextNormalizer``. An empty one finds nothing.
    package let form: [UInt8]
    package let start: Bound
    package let end: Bound

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

    /// The same text with other bounds.
    package func bounded(_ start: Bound, _ end: Bound) -> TextPattern { TextPattern(form: form, start, end) }

    package func matches(_ text: [UInt8]) -> Bool { first(in: text.span, from: 0) != nil }
    package func matches(_ text: Span<UInt8>) -> Bool { first(in: text, from: 0) != nil }

    /// The first occurrence at or after a position.
    package func first(in text: [UInt8], from place: Int) -> Range<Int>? { first(in: text.span, from: place) }

    private func first(in text: Span<UInt8>, from place: Int) -> Range<Int>? {
        let form = form.span
        guard form.count > 0 else { return nil }
        let (head, tail, last) = (form[0], form[form.count - 1], form.count - 1)
        var place = place
        while place + last < text.count {
            if text[place] == head, text[place + last] == tail, Self.begins(text, at: place, form),
                holds(place, place + form.count, text)
            {
                return place..<place + form.count
            }
            place += 1
        }
        return nil
    }

    /// Whether `part`, which is no longer than the rest of the text, and whose ends agree with it, is at a position.
    private static func begins(_ text: Span<UInt8>, at place: Int, _ part: Span<UInt8>) -> Bool {
        var offset = 1
        while offset < part.count - 1 {
            guard text[place + offset] == part[offset] else { return false }
            offset += 1
        }
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
