import CairnCore
import CairnObjects
import CairnTestSupport

/// Texts of many scripts, made of few words: so that they are found.
enum TextPool {
    static let words = [
        "Sun", "sunshine", "Rain", "choice", "a", "I", "b2", "Café", "OLÉ", "naïve", "Łódź", "ｆｕｌｌ", "ＷＩＤＥ", "Ωμέγα", "ΩΜΈΓΑ", "άλφα",
        "Ёлка", "Йод",
        "москва", "東京", "東", "京都", "東京都", "ひらがな", "カード", "ｶｰﾄﾞ", "中文", "中", "图书馆", "한국", "대한민국", "한", "👨‍👩‍👧", "🎵", "❤️", "don’t", "x-ray",
        "x–ray", "\"q\"", "[[", "]]", "&&", "*", "x²", "ﬁn",
    ]
    static let spaces = [" ", " ", " ", "", "  ", "\u{3000}", ", "]

    static func text(_ random: inout SeededGenerator, words count: Int) -> String {
        var text = ""
        for _ in 0..<random.int(in: 0..<count + 1) { text += random.pick(words) + random.pick(spaces) }
        return text
    }

    /// A part of a text, as a word of a query.
    static func word(of text: String, _ random: inout SeededGenerator) -> String {
        let characters = Array(text)
        guard !characters.isEmpty else { return "sun" }
        let start = random.int(in: 0..<characters.count)
        let end = min(characters.count, start + random.int(in: 1..<6))
        return String(characters[start..<end])
    }
}

@Stored final class Memo {
    @Searchable var title: String
    @Searchable var body: String?
    @Indexed var number: Int = 0
    var plain: String = ""
}

/// Gives out all rows of class 1 up to one: what is inserted when the engine is opened again comes behind.
func skipRows(of engine: some StorageEngine, to row: UInt64) throws {
    var commit = EngineCommit()
    commit.put((0..<8).map { UInt8(truncatingIfNeeded: row >> (56 - 8 * $0)) }, for: [0, 2, 0, 1])
    try engine.commit(commit)
}
