import CairnObjects
import Testing

/// The language of queries: what Tokyo Dystopia finds (`tcidbsearch2`), and where this one differs.
struct TextQueryTests {
    static let titles = [
        "My Choice", "Choices of Life", "The choicest", "Multi choice test", "prochoice", "CHOICE", "Café Olé", "choice  words",
        "Big Nerd Ranch", "a", "say \"hi\" now", "[[odd]] title", "Choice, comma",
    ]

    /// Which of the titles a query finds, counted from 1.
    static let truth: [(query: String, titles: [Int])] = [
        ("choice", [1, 2, 3, 4, 5, 6, 8, 13]),
        ("\"my choice\"", [1]),
        ("my choice", [1]),
        ("\"choice words\"", [8]),
        ("[[choice]]", [1, 4, 6, 8]),
        ("[[choice*]]", [1, 2, 3, 4, 6, 8, 13]),
        ("[[*choice]]", [1, 4, 5, 6, 8]),
        ("[[*choice*]]", [1, 2, 3, 4, 5, 6, 8, 13]),
        ("[[[[choice", [2, 6, 8, 13]),
        ("[[[[choice]]", []),
        ("choice]]]]", [1, 5, 6]),
        ("[[[[choice]]]]", []),
        ("choice && test", [4]),
        ("choice || nerd", [1, 2, 3, 4, 5, 6, 8, 9, 13]),
        ("choice !! test", [1, 2, 3, 5, 6, 8, 13]),
        ("!! test", []),
        ("my || multi && choice", [1, 4]),
        ("choice && my || multi", [1, 4]),
        ("choice !! my || multi", [2, 3, 5, 6, 8, 13]),
        ("[[multi choice]]", [4]),
        ("c", [1, 2, 3, 4, 5, 6, 7, 8, 9, 13]),
        ("oi", [1, 2, 3, 4, 5, 6, 8, 13]),
        ("cafe ole", [7]),
        ("CAFÉ", [7]),
        ("[[choice,]]", [13]),
        ("[[Choice,*]]", [13]),
        ("nerd ranch", [9]),
        ("[[choice]]&&test", []),
        ("[[]]", []),
        ("[[**]]", []),
        ("\"\"", []),
        ("", []),
        // Beyond the table.
        ("\"say \"\"hi\"\"\"", [11]),
        ("\"\"\"hi\"\" now\"", [11]),
        ("\"[[odd]]\"", [12]),
        ("[[nerd ranch]]", [9]),
        ("[[nerd ran*]]", [9]),
        ("[[[[the cho", [3]),
        ("choice test]]]]", [4]),
        ("a]]]]", [10, 13]),
        ("[[a]]", [10]),
        ("choice && test || words !! multi", [8]),
        ("choice !! test !! my", [2, 3, 5, 6, 8, 13]),
        ("\u{3000}choice\u{A0}test ", [4]),
    ]

    @Test(arguments: truth.indices) func findsWhatTheOriginalFinds(_ place: Int) throws {
        let (text, wanted) = Self.truth[place]
        let query = try TextQuery(text)
        let found = Self.titles.indices.filter { query.matches(Self.titles[$0]) }.map { $0 + 1 }
        #expect(found == wanted, "\(text)")
    }

    @Test(arguments: [
        ("\"abc", 0, "quotation"), ("a \"b\"\"", 2, "quotation"), ("[[abc", 0, "[["), ("ab [[c]", 3, "[["), ("a &&", 2, "after the last"),
        ("a || && b", 5, "between two"), ("&& a", 0, "before the first"), ("|| a", 0, "before the first"), ("!!", 0, "after the last"),
        ("é́ 👨‍👩‍👧 !!", 4, "after the last"), ("a && !! b", 5, "between two"), ("!! && a", 3, "between two"),
    ])
    func tellsWhereAQueryIsMalformed(_ text: String, _ position: Int, _ word: String) throws {
        let error = #expect(throws: TextQueryError.self) { try TextQuery(text) }
        #expect(error?.position == position && error?.message.contains(word) == true, "\(text): \(String(describing: error))")
    }

    @Test func anyTextIsSoughtAsItIs() {
        #expect(TextQuery(containing: "hi\" n").matches("say \"hi\" now"))
        #expect(TextQuery(containing: "[[ODD").matches("[[odd]] title"))
        #expect(!TextQuery(containing: "a && b").matches("a b"))
        #expect(!TextQuery(containing: " ").matches("a b"))
        // It can be read as a query again.
        let query = TextQuery(containing: "say \"hi\"")
        #expect((try? TextQuery(query.text))?.matches("say \"hi\" now") == true)
    }

    @Test(arguments: [
        ("ash", "Ash, hash and ASHES", ["Ash", "ash", "ASH"]),
        ("[[ash*]]", "Ash, hash and ASHES", ["Ash", "ASH"]),
        ("ol cafe", "Cafe\u{301}\u{A0} Olé", ["Cafe\u{301}", "Ol"]),
        ("abc bcd", "xabcdx", ["abcd"]),
        ("\"e o\"", "Café  \t Olé", ["é  \t O"]),
        ("ガー", "ｶﾞｰﾄﾞ ガード", ["ｶﾞｰ", "ガー"]),
        ("がー", "がーど か\u{3099}ーど", ["がー", "か\u{3099}ー"]),
        ("s", "Straße", ["S", "ß"]),
        ("👩", "xx 👨‍👩‍👧 y", ["👨‍👩‍👧"]),
        ("한", "대한민국 ㅎㅏㄴ", ["한"]),
        ("choice !! no", "no choice", []),
        ("absent", "text", []),
    ])
    func highlightsWhatIsFound(_ query: String, _ text: String, _ wanted: [String]) throws {
        let found = try TextQuery(query).highlights(in: text).map { String(text[$0]) }
        #expect(found.map { Array($0.unicodeScalars) } == wanted.map { Array($0.unicodeScalars) }, "\(query) in \(text): \(found)")
    }
}
