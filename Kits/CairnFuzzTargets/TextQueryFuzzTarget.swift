import CairnCore
import CairnGraph

/// Queries of full text: they are refused with a place in them, or find what a reading of the language in another way finds, with an index and without.
public struct TextQueryFuzzTarget: FuzzTarget {
    public static let name = "text-queries"

    private static let texts = [
        "My Choice", "Multi choice  test", "prochoice", "Café Olé", "a", "", "say \"hi\" now", "[[odd]] title", "日本語 and !! &&",
    ]

    public init() {}

    /// The input is a line with a query, and lines with texts.
    public func check(_ bytes: RawSpan) throws {
        let lines = String(decoding: [UInt8](copying: bytes), as: UTF8.self).unicodeScalars.split(
            separator: "\n",
            maxSplits: 8,
            omittingEmptySubsequences: false
        )
        .map { String($0) }
        let texts = Self.texts + lines.dropFirst()
        for text in texts { try checkWhole(text, texts) }
        let query: TextQuery
        do throws(TextQueryError) { query = try TextQuery(lines[0]) } catch {
            try require((0..<lines[0].count).contains(error.position), "an error at \(error.position) of \(lines[0].count) characters")
            return try checkRefusal(lines[0], error)
        }
        try check(query, texts)
        guard let naive = NaiveTextQuery(lines[0]) else { return }
        try require(naive.failure == nil, "a query is taken that is malformed at \(naive.failure ?? 0)")
        for text in texts {
            guard let wanted = naive.matches(text) else { continue }
            try require(query.matches(text) == wanted, "\"\(lines[0])\" \(wanted ? "does not match" : "matches") \"\(text)\"")
        }
    }

    private func checkRefusal(_ text: String, _ error: TextQueryError) throws {
        guard let naive = NaiveTextQuery(text) else { return }
        try require(naive.failure == error.position, "a query is malformed at \(String(describing: naive.failure)), not \(error)")
    }

    /// A text contains itself, whatever is in it, and so does it as a query that is read.
    private func checkWhole(_ text: String, _ texts: [String]) throws {
        let query = TextQuery(containing: text)
        let hasLetter = text.unicodeScalars.contains { ("a"..."z").contains($0) }
        try require(!hasLetter || query.matches(text), "a text does not contain itself")
        let read: TextQuery
        do throws(TextQueryError) { read = try TextQuery(query.text) } catch { throw FuzzFinding("\(query.text) cannot be read: \(error)") }
        for other in texts { try require(read.matches(other) == query.matches(other), "\(query.text) is read as something else") }
    }

    private func check(_ query: TextQuery, _ texts: [String]) throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: [FuzzedText.self])
        try store.write { context in for text in texts { context.insert(FuzzedText(text: text)) } }
        let found = try store.read { try $0.search(FuzzedText.self, \.text, query.text).map(\.text) }
        let wanted = texts.filter { query.matches($0) }
        // As bytes: texts that look the same are others.
        try require(
            found.map { Array($0.utf8) } == wanted.map { Array($0.utf8) },
            "the index finds \(found.count) texts, and a look at all of them \(wanted.count)"
        )
        for text in texts {
            var end = text.startIndex
            let places = query.highlights(in: text)
            try require(query.matches(text) || places.isEmpty, "places are found in a text that does not match")
            for place in places {
                try require(place.lowerBound >= end && !place.isEmpty && place.upperBound <= text.endIndex, "places overlap, or are empty")
                end = place.upperBound
            }
        }
    }
}

/// The language read in another way, in printable ASCII: by strings instead of forms of bytes.
struct NaiveTextQuery {
    private enum Bound { case anywhere, word, text }
    private typealias Pattern = (text: String, start: Bound, end: Bound)
    private enum Token {
        case pattern(Pattern)
        case sign(String)
    }
    private struct Failure: Error { var position: Int }

    /// Where the query is malformed.
    private(set) var failure: Int?
    private var groups: [(patterns: [Pattern], isExcluded: Bool)] = []

    /// `nil` for a query with other characters.
    init?(_ query: String) {
        guard Self.isPlain(query) else { return nil }
        do { groups = try Self.groups(query) } catch { failure = (error as? Failure)?.position }
    }

    /// `nil` for a text with other characters.
    func matches(_ text: String) -> Bool? {
        guard Self.isPlain(text) else { return nil }
        guard let first = groups.first, !first.isExcluded else { return false }
        let text = Self.form(text)
        return groups.allSatisfy { group in group.patterns.contains { Self.holds($0, text) } != group.isExcluded }
    }

    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

    private static func form(_ text: some StringProtocol) -> String { text.lowercased().split(separator: " ").joined(separator: " ") }

    private static func holds(_ pattern: Pattern, _ text: String) -> Bool {
        guard !pattern.text.isEmpty else { return false }
        if pattern.start == .text, pattern.end == .text { return text == pattern.text }
        if pattern.start == .text { return text.hasPrefix(pattern.text) }
        if pattern.end == .text { return text.hasSuffix(pattern.text) }
        let (before, behind) = (pattern.start == .word ? " " : "", pattern.end == .word ? " " : "")
        return contains(before + text + behind, before + pattern.text + behind)
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        var rest = text[...]
        while rest.utf8.count >= part.utf8.count {
            if rest.hasPrefix(part) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    // MARK: Reading

    private static func groups(_ query: String) throws -> [(patterns: [Pattern], isExcluded: Bool)] {
        var groups: [(patterns: [Pattern], isExcluded: Bool)] = []
        var waiting: (sign: String, position: Int)?
        var rest = query[...]
        while true {
            rest = rest.drop { $0 == " " }
            let position = query.distance(from: query.startIndex, to: rest.startIndex)
            guard !rest.isEmpty else { break }
            switch try token(&rest, position) {
            case .sign(let sign):
                guard waiting == nil, !groups.isEmpty || sign == "!!" else { throw Failure(position: position) }
                waiting = (sign, position)
            case .pattern(let pattern):
                if waiting?.sign == "||" {
                    groups[groups.count - 1].patterns.append(pattern)
                } else {
                    groups.append(([pattern], waiting?.sign == "!!"))
                }
                waiting = nil
            }
        }
        if let waiting { throw Failure(position: waiting.position) }
        return groups
    }

    private static func token(_ rest: inout Substring, _ position: Int) throws -> Token {
        if rest.hasPrefix("\"") { return .pattern(try phrase(&rest, position)) }
        if rest.hasPrefix("[[[[") {
            rest = rest.dropFirst(4)
            return .pattern((form(taken(through: "]]", of: &rest) ?? taken(rest.count, of: &rest)), .text, .anywhere))
        }
        if rest.hasPrefix("[[") {
            rest = rest.dropFirst(2)
            guard var words = taken(through: "]]", of: &rest)?.dropLast(2) else { throw Failure(position: position) }
            var bounds = (Bound.word, Bound.word)
            if words.hasPrefix("*") { (words, bounds.0) = (words.dropFirst(), .anywhere) }
            if words.hasSuffix("*") { (words, bounds.1) = (words.dropLast(), .anywhere) }
            return .pattern((form(words), bounds.0, bounds.1))
        }
        let word = taken(rest.prefix { $0 != " " }.count, of: &rest)
        if ["&&", "||", "!!"].contains(word) { return .sign(word) }
        let isEnd = word.hasSuffix("]]]]")
        return .pattern((form(isEnd ? word.dropLast(4) : word[...]), .anywhere, isEnd ? .text : .anywhere))
    }

    private static func phrase(_ rest: inout Substring, _ position: Int) throws -> Pattern {
        rest = rest.dropFirst()
        var parts: [String] = []
        repeat {
            guard let part = taken(through: "\"", of: &rest) else { throw Failure(position: position) }
            parts.append(String(part.dropLast()))
        } while !taken(rest.hasPrefix("\"") ? 1 : 0, of: &rest).isEmpty
        return (form(parts.joined(separator: "\"")), .anywhere, .anywhere)
    }

    private static func taken(_ count: Int, of rest: inout Substring) -> String {
        defer { rest = rest.dropFirst(count) }
        return String(rest.prefix(count))
    }

    /// What comes up to the first such mark, which is part of it; `nil` where there is none.
    private static func taken(through mark: String, of rest: inout Substring) -> String? {
        for count in 0..<rest.count where rest.dropFirst(count).hasPrefix(mark) { return taken(count + mark.count, of: &rest) }
        return nil
    }
}
