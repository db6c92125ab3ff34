import CairnTestSupport
import CairnToolKit
import Foundation
import Testing

/// Debian control paragraphs.
struct ControlReaderTests {
    @Test func paragraphsBecomeObjectsWithTheirContinuations() throws {
        let text = """
            Package: bash
            Version: 5.2
            Description: a shell
             Bash is a shell.
             .
            \tIndented.

            # a comment
            Package: zsh
            Conffiles:
             /etc/zsh 1
            """
        #expect(
            try read(text, .control) == [
                #"1 bash = {"Package":"bash","Version":"5.2","Description":"a shell\\n Bash is a shell.\\n .\\n\\tIndented."}"#,
                #"9 zsh = {"Package":"zsh","Conffiles":"\\n /etc/zsh 1"}"#,
            ]
        )
    }

    @Test func lineEndsAndBlankLinesMakeNoDifference() throws {
        let expected = [#"1 a = {"Package":"a"}"#, #"4 b = {"Package":"b"}"#]
        #expect(try read("Package: a\n\n\nPackage: b\n\n", .control) == expected)
        #expect(try read("Package: a\r\n\r\n \r\nPackage: b", .control) == expected)
    }

    @Test func anotherFieldCanBeTheKey() throws {
        #expect(try read("Package: a\nSource: s\n", .control, key: "source") == [#"1 s = {"Package":"a","Source":"s"}"#])
    }

    @Test(arguments: [
        ("Version: 1\n\n", "error 1: this paragraph has no field 'Package'"),
        ("Package: \n", "error 1: the key field 'Package' is empty"),
        (" text\n", "error 1: is a continuation line, but no field precedes it"),
        ("Package: a\nnonsense\n", "error 2: is neither 'Field: value' nor a continuation line, which begins with white space"),
        ("Package: a\n: b\n", "error 2: is neither 'Field: value' nor a continuation line, which begins with white space"),
        ("Package: a\nVersion: 1\nversion: 2\n", "error 3: the field 'version' occurs twice in this paragraph"),
    ])
    func malformedInputIsAnError(text: String, error: String) throws {
        #expect(try read(text, .control) == [error])
    }

    /// Each name was compared with all before it: minutes for so many. What counts is how long the processor works on it, not how busy it is with others.
    @Test(.endsWhenItHangs) func manyFieldsTakeNoLongerEach() throws {
        func processorTime() -> Int {
            var time = timespec()
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return time.tv_sec
        }
        let start = processorTime()
        defer { #expect(processorTime() - start < 60) }
        let count = 40_000
        let text = "Package: a\n" + (0..<count).map { "F\($0): \n" }.joined()
        let lines = try read(text, .control)
        #expect(lines.count == 1 && lines[0].hasSuffix(",\"F\(count - 1)\":\"\"}"))
        #expect(try read(text + "f7: 1\n", .control) == ["error \(count + 2): the field 'f7' occurs twice in this paragraph"])
    }

    @Test func linesMustBeUTF8() throws {
        #expect(try read(Array("Package: a\nX: ".utf8) + [0xC3, 0x28, 0x0A], .control) == ["error 2: is not valid UTF-8"])
    }
}
