import CairnTestSupport
import CairnToolKit
import Foundation
import Testing

struct EscapedTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("Grüße 😀", "Grüße 😀"), (#"a\b"#, #"a\\b"#), ("a\tb\nc\rd", #"a\tb\nc\rd"#),
        ("\u{1B}[31m", #"\x1b[31m"#), ("\u{7F}\0", #"\x7f\x00"#), ("\u{9B}", #"\xc2\x9b"#), ("\u{2028}", #"\xe2\x80\xa8"#),
        ("\u{202E}abc", #"\xe2\x80\xaeabc"#),
    ])
    func textStaysOnOneLine(text: String, expected: String) {
        #expect(EscapedText.string(Array(text.utf8)) == expected)
    }

    @Test func whatIsNotUTF8IsShownByteForByte() {
        #expect(EscapedText.string([0x61, 0xFF, 0xC3, 0xBC, 0xE2, 0x82]) == #"a\xffü\xe2\x82"#)
        #expect(EscapedText.string([0xED, 0xA0, 0x80, 0xC0, 0x80]) == #"\xed\xa0\x80\xc0\x80"#)
    }

    /// Different bytes never look the same, and one entry is one line.
    @Test func escapingCanBeUndone() async throws {
        try await withSeeds("escaped bytes", count: Thorough.count(50, of: 200)) { generator in
            let bytes = generator.bytes(generator.int(in: 0..<40))
            let text = EscapedText.string(bytes)
            #expect(!text.contains { $0.isNewline || $0 == "\t" })
            #expect(unescaped(Array(text.utf8)) == bytes)
        }
    }

    @Test(arguments: [
        ("a\u{1B}[2Jb\u{7F}", #"a\x1b[2Jb\x7f"#), ("\u{9B}31m", #"\xc2\x9b31m"#), ("\u{202E}x\u{200F}", #"\xe2\x80\xaex\xe2\x80\x8f"#),
        ("a\r\u{8}", #"a\x0d\x08"#), (#"C:\x1b\n"#, #"C:\x1b\n"#), ("Köln\tis\nhere", "Köln\tis\nhere"),
        ("\u{0}1b", #"\x001b"#), ("\u{0}9b", #"\x9b"#), ("\u{0}ff", #"\xff"#),
    ])
    func linesCannotControlATerminal(text: String, expected: String) {
        #expect(EscapedText.lines(text) == expected)
    }

    @Test func jsonCannotControlATerminal() throws {
        let text = "\u{1B}\u{80}\u{9F}\u{A0}ü\u{61C}\u{200E}\u{200F}\u{2028}\u{202A}\u{202E}\u{2066}\u{2069}\u{1F600}"
        let json = String(decoding: JSONValue.object([(text, .string(text)), ("raw", .raw("\"\u{9B}\""))]).text, as: UTF8.self)
        let escaped =
            "\\u001b\\u0080\\u009f\u{A0}ü\\u061c\\u200e\\u200f\\u2028\\u202a\\u202e\\u2066\\u2069\u{1F600}"
        #expect(json == #"{""# + escaped + #"":""# + escaped + #"","raw":"\u009b"}"#)
        #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String] == [text: text, "raw": "\u{9B}"])
    }

    /// The name of a column is part of the message.
    @Test func errorsAboutHostileFilesCannotControlATerminal() throws {
        let playground = try Playground()
        let input = try playground.file("in.csv", "a\u{1B}]0;x\u{7}\u{9B}2J,b,b\n")
        let outcome = try cairn("cdb", "create", playground.path("db.cdb"), input, "--key", "c")
        #expect(outcome.error.contains(#"twice"#) && outcome.status == 4)
        let other = try playground.file("other.csv", "a\u{1B}]0;x\u{7}\u{9B}2J,b\n")
        let named = try cairn("cdb", "create", playground.path("db.cdb"), other, "--key", "c")
        #expect(named.error.contains(#"it has a\x1b]0;x\x07\xc2\x9b2J, b."#), "\(named.error)")
        #expect(!named.error.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" })
    }

    private func unescaped(_ text: [UInt8]) -> [UInt8] {
        let short: [UInt8: UInt8] = [UInt8(ascii: "t"): 0x09, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D]
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] != UInt8(ascii: "\\") {
                bytes.append(text[index])
                index += 1
            } else if text[index + 1] == UInt8(ascii: "x") {
                bytes += Hex.bytes(text[index + 2..<index + 4]) ?? []
                index += 4
            } else {
                bytes.append(short[text[index + 1]] ?? text[index + 1])
                index += 2
            }
        }
        return bytes
    }
}

struct HexTests {
    @Test func digitsComeBackAsBytes() {
        let all = Array(UInt8.min...UInt8.max)
        #expect(Hex.bytes(Hex.digits(all)) == all)
        #expect(Hex.bytes("00fFAb".utf8) == [0x00, 0xFF, 0xAB])
        #expect(Hex.bytes("".utf8) == [])
    }

    @Test(arguments: ["0", "abc", "0g", "0x10", " 00", "é"])
    func anythingElseIsRefused(text: String) { #expect(Hex.bytes(text.utf8) == nil) }
}

struct NumbersTests {
    @Test func thousandsAreSetApart() {
        #expect([0, 7, 999, 1000, 1_234_567, -1_000].map { Numbers.grouped($0) } == ["0", "7", "999", "1,000", "1,234,567", "-1,000"])
        #expect(Numbers.grouped(Int64.min) == "-9,223,372,036,854,775,808")
    }

    @Test func durationsHaveThreeDigits() {
        let durations: [Duration] = [
            .zero, .nanoseconds(999), .nanoseconds(1_240), .nanoseconds(99_960), .microseconds(999_600), .milliseconds(84), .seconds(3725),
        ]
        #expect(durations.map(Numbers.duration) == ["0.00 ns", "999 ns", "1.24 µs", "100 µs", "1.00 s", "84.0 ms", "3725 s"])
    }

    @Test func ratesHaveThreeDigits() {
        #expect(Numbers.rate(1_000_000, in: .milliseconds(811)) == "1,230,000/s")
        #expect(Numbers.rate(5, in: .seconds(1)) == "5/s")
        #expect(Numbers.rate(0, in: .seconds(1)) == nil)
        #expect(Numbers.rate(5, in: .zero) == nil)
    }
}

struct TextTableTests {
    @Test func columnsAreAligned() {
        var table = TextTable(["name", "size", "note"], [.left, .right])
        table.append(["a", "1", ""])
        table.append(["größer", "1,000", "x"])
        #expect(table.lines() == ["name     size  note", "a           1", "größer  1,000  x"])
    }

    @Test func emptyHeadersAreLeftOut() {
        var table = TextTable(["", ""])
        table.append(["abcdef", "x"])
        #expect(table.lines() == ["abcdef  x"])
        #expect(TextTable(["", ""]).lines() == [])
    }
}

struct ProgressTests {
    @Test func aBarOnTerminalsAndPlainTextElsewhere() {
        func text(total: Int?, hasBar: Bool) -> String {
            Progress.text(rows: 1200, bytes: 50, total: total, elapsed: .seconds(2), hasBar: hasBar)
        }
        #expect(text(total: 100, hasBar: true) == "[############............]  50 %  1,200 rows  600/s")
        #expect(text(total: 100, hasBar: false) == "50 %  1,200 rows  600/s")
        #expect(text(total: nil, hasBar: true) == "1,200 rows  600/s")
        #expect(text(total: 10, hasBar: true) == "[########################]  100 %  1,200 rows  600/s")
    }

    @Test func stepsAreLinesElsewhereNowAndThen() {
        let often = Progress(total: nil, terminal: .plain, interval: .zero)
        #expect(["moving: 1 %", "moving: 1 %", "moving: 2 %"].map { often.isLineDue(step: $0) } == [true, false, true])
        let rarely = Progress(total: nil, terminal: .plain, interval: .seconds(3600))
        #expect(!rarely.isLineDue(step: "moving: 1 %"))
    }
}
