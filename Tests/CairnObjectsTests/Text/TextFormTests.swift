import CairnObjects
import CairnTestSupport
import Foundation
import Testing

@testable import CairnGraph
@testable import CairnText

/// The form in which text is searched: docs/formats/object-text.md.
struct TextFormTests {
    private static func form(_ text: String) -> String { String(decoding: TextNormalizer.form(of: text), as: UTF8.self) }

    @Test(arguments: [
        ("Hello, World", "hello, world"), ("  a \t\n b  ", "a b"), ("", ""), (" \u{3000}\u{A0}", ""), ("a\0b", "a b"),
        ("ÀÉÎÕÜ Çñ", "aeiou cn"), ("A\u{30A}ngstro\u{308}m", "angstrom"), ("Straße STRASSE", "strasse strasse"),
        ("Æsop œuvre", "aesop oeuvre"),
        ("Łódź Øre Đorđe", "lodz ore dorde"), ("İstanbul ısı", "istanbul isi"),
        ("ΆΛΦΑ τελοσ τέλος", "αλφα τελοσ τελοσ"), ("Ёлка Й Україна", "елка и украіна"), ("ＦＵＬＬ　ｗｉｄｔｈ １２", "full width 12"),
        ("ｶﾞｷﾞ ﾊﾟ", "ガギ パ"), ("か\u{3099}は\u{309A}", "がぱ"), ("ガ", "ガ"), ("東京 ㌔", "東京 キロ"), ("\u{2F00}\u{F900}", "一豈"),
        ("한국 \u{1112}\u{1161}\u{11AB}", "한국 한"), ("ﾡ", "\u{1100}"), ("don’t `x´ ‘y’", "don't 'x' 'y'"), ("“hi” „x‟", "\"hi\" \"x\""),
        ("a–b—c‐d−e", "a-b-c-d-e"), ("ﬁn ① ™ x²", "fin 1 tm x2"), ("👨‍👩‍👧 ❤️", "👨👩👧 ❤"), ("so\u{AD}ft\u{200B}", "soft"),
        ("שָׁלוֹם", "שלום"), ("مَرْحَبًا أ", "مرحبا ا"), ("हिन्दी", "हिन्दी"), ("¨ a", "¨ a"), ("𝔄𝟙", "a1"), ("བོད", "བོད"),
        ("か\u{E48}\u{3099}", "が\u{E48}"), ("か\u{E48}ﾞ", "が\u{E48}"), ("\u{E38}\u{309A}", "\u{309A}\u{E38}"),
    ])
    func bringsTextIntoItsForm(_ text: String, _ wanted: String) {
        #expect(Self.form(text) == wanted, "\(text)")
        #expect(Array(Self.form(text).unicodeScalars) == Array(wanted.unicodeScalars), "\(text)")
    }

    @Test func theFormIsTheSameHoweverTextIsComposed() async throws {
        try await withSeeds("the form of text", count: Thorough.count(3, of: 20)) { random in
            for _ in 0..<200 {
                let text = TextPool.text(&random, words: 3)
                let form = TextNormalizer.form(of: text)
                for other in [
                    text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping, text.uppercased(), " \(text)\t",
                    String(decoding: form, as: UTF8.self),
                ] {
                    // Turkish is none of the languages here.
                    #expect(TextNormalizer.form(of: other) == form, "\(text): \(other)")
                }
                #expect(String(validating: form, as: UTF8.self) != nil)
            }
        }
    }

    /// Marks of different classes may come in any order.
    @Test func marksAreSorted() {
        let (one, other) = ("क\u{93C}\u{94D}", "क\u{94D}\u{93C}")
        #expect(Self.form(one) == Self.form(other) && Self.form(one).unicodeScalars.count == 3)
    }

    @Test func anyBytesHaveAForm() async throws {
        try await withSeeds("the form of bytes", count: Thorough.count(3, of: 20)) { random in
            for _ in 0..<200 {
                let bytes = random.bytes(random.int(in: 0..<30))
                var normalizer = TextNormalizer(wantsSources: true)
                normalizer.normalize(bytes.span)
                #expect(String(validating: normalizer.bytes, as: UTF8.self) != nil, "\(bytes)")
                #expect(normalizer.sources.count == normalizer.bytes.count + 1 && normalizer.sources == normalizer.sources.sorted())
                #expect(normalizer.sources.last ?? 0 <= bytes.count)
            }
        }
    }

    @Test func gramsAreThreeScalarsAndEndWithZeros() {
        func grams(_ text: String) -> [String] {
            var grams: [String] = []
            TextGrams.forEach(TextNormalizer.form(of: text)) { gram, place in
                #expect(Int(place) == grams.count)
                var term: [UInt8] = []
                TextTerms(1, nil).append(gram, to: &term)
                grams.append(String(decoding: term, as: UTF8.self))
            }
            return grams
        }
        #expect(grams("") == [])
        #expect(grams("a") == ["a\0\0"])
        #expect(grams("東京") == ["東京\0", "京\0\0"])
        #expect(grams("abca") == ["abc", "bca", "ca\0", "a\0\0"])
        let distinct = TextGrams.distinct(TextNormalizer.form(of: "ababab"))
        // ab\0, aba, b\0\0, bab
        let places = distinct.map { gram in (0..<gram.places.count).map { gram.places[$0] } }
        #expect(places == [[4], [0, 2], [5], [1, 3]])
        #expect(TextGrams.distinct([UInt8](repeating: 0x61, count: 20)).map(\.places.isKnown) == [true, true, false])
    }
}
