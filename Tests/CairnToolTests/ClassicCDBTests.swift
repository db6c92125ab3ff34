import CairnCDB
import CairnTestSupport
import Foundation
import Testing

/// Where tinycdb's program is.
private let tinyCDB = InstalledProgram.path("cdb")

/// tinycdb's program and `cairn cdb` with its command line: the same output, messages, exit codes and files, run side by side.
@Suite(.disabled(if: tinyCDB == nil, "the program 'cdb' is not installed"))
struct ClassicCDBTests {
    // Live as long as the test.
    private let theirs: Playground
    private let ours: Playground

    init() throws {
        theirs = try Playground()
        ours = try Playground()
    }

    /// Writes a file for both.
    private func file(_ name: String, _ content: String) throws {
        _ = try theirs.file(name, content)
        _ = try ours.file(name, content)
    }

    /// Runs a shell command in which `cdb` is the one program or the other; both must do the same. Returns what they did.
    @discardableResult
    private func both(_ command: String, stdin: String = "", comparing names: String...) throws -> Outcome {
        func run(_ program: String, in playground: Playground) throws -> Outcome {
            let text = "cd '\(playground.directory.path)' && \(command.replacing("cdb ", with: "\(program) "))"
            return Outcome(try runTool("/bin/sh", ["-c", text], stdin: stdin))
        }
        let expected = try run(try #require(tinyCDB), in: theirs)
        let actual = try run("'\(toolPath())' cdb ", in: ours)
        #expect(actual == expected, "\(command)")
        for name in names {
            #expect(
                FileManager.default.contents(atPath: ours.path(name)) == FileManager.default.contents(atPath: theirs.path(name)),
                "\(name) after \(command)"
            )
        }
        return expected
    }

    @Test func keysThatAreNotUTF8() throws {
        try both(#"printf '+1,4:\351->here\n+3,5:a\377b->there\n\n' | cdb -c out.db"#, comparing: "out.db")
        #expect(try both(#"cdb -q out.db "$(printf '\351')""#).output == "here")
        #expect(try both(#"cdb -qm out.db "$(printf 'a\377b')""#).output == "there\n")
        #expect(try both(#"cdb -q out.db "$(printf '\303')""#).status == 100)
    }

    /// They are refused rather than repaired.
    @Test func pathsThatAreNotUTF8() throws {
        _ = try ours.file("in", "\n")
        let text = try "cd '\(ours.directory.path)' && '\(toolPath())' cdb -c \"$(printf 'new\\351.cdb')\" <in; ls"
        let result = try runTool("/bin/sh", ["-c", text])
        #expect(result.standardOutput == "in\n")
        #expect(result.standardError == "cdb: new\u{FFFD}.cdb: not UTF-8, which is required of a path\n")
        for command in ["-l F", "-s F", "-d F", "-q F key", "-c new.cdb F", "-c -t F new.cdb"] {
            let command = command.replacing("F", with: "\"$(printf 'tc\\351.cdb')\"")
            let refused = try runTool("/bin/sh", ["-c", "cd '\(ours.directory.path)' && '\(toolPath())' cdb \(command) <in; ls"])
            #expect(refused.standardOutput == "in\n", "\(command)")
            #expect(refused.standardError == "cdb: tc\u{FFFD}.cdb: not UTF-8, which is required of a path\n", "\(command)")
        }
    }

    private static let records = "+3,4:one->here\n+1,1:a->b\n+1,3:b->abc\n+3,4:one->also\n\n"

    @Test func creatingAndReading() throws {
        try file("in", Self.records)
        #expect(try both("cdb -c -t - out.db < in", comparing: "out.db") == Outcome())
        try both("cdb -c out.db in", comparing: "out.db")
        try both("cdb -ct tmp.db out.db in in", comparing: "out.db")
        try both("cdb -c out.db - in < in", comparing: "out.db")
        #expect(try both("cdb -q out.db one").output == "herealsoherealso")
        try both("cdb -q -m out.db one")
        #expect(try both("cdb -qn2 out.db one").output == "also")
        #expect(try both("cdb -q -n 9 out.db one").status == 100)
        #expect(try both("cdb -q out.db nothing").status == 100)
        try both("cdb -q -n 0x2 -m out.db one")
        try both("cdb out.db one -q")
        try both("cdb -q -- out.db one")
        try both("cdb -d out.db")
        try both("cdb -d -m out.db")
        try both("cdb -l out.db")
        try both("cdb -lm out.db")
        try both("cdb -d < out.db")
        try both("cdb -l - < out.db")
        try both("cdb -s out.db")
        try both("cdb -s < out.db")
        try both("cdb -d out.db | cdb -c again.db", comparing: "again.db")
        try both("cdb -dm out.db | cdb -cm again.db", comparing: "again.db")
        #expect(try both("cdb -h").status == 0)
    }

    @Test func duplicates() throws {
        try file("in", "+1,1:a->1\n+1,1:b->2\n+1,2:a->33\n+1,3:a->444\n\n")
        for flags in ["", "-w", "-e", "-r", "-u", "-0", "-wr", "-wu", "-w0", "-er", "-eu", "-u -r", "-r -0 -w"] {
            let outcome = try both("cdb -c \(flags) out.db in; code=$?; cdb -d out.db; exit $code")
            #expect(outcome.status == (flags.contains("e") ? 1 : 0), "\(flags)")
            for playground in [ours, theirs] { try? FileManager.default.removeItem(atPath: playground.path("out.db")) }
        }
    }

    @Test func lines() throws {
        try file("in", "# comment\n\nkey value with spaces \n \t b \t c\nonly\n#\nlast line")
        try both("cdb -c -m out.db in", comparing: "out.db")
        try both("cdb -d -m out.db")
        try both("cdb -q -m out.db key")
    }

    @Test func permissions() throws {
        try file("in", Self.records)
        for flag in ["", "-p 0640", "-p 600", "-p0x1a4"] {
            for mask in ["022", "077", "0"] {
                try both("umask \(mask); rm -f out.db; cdb -c \(flag) out.db in; stat -c %a out.db")
            }
        }
    }

    @Test func badInput() throws {
        let texts = [
            "", "x", "+", "+1", "+1,1:a->b", "+1,1:a->b\n", "+1,2:a->b\n\n", "+1,1:a>b\n\n", "+9999999999,1:a->b\n\n",
            "+4294967295,4294967295:", "+100,1:a->b\n\n", "+1,100:a->b\n\n", "+1,1:a->b\n+", "+-1,1:a->b\n\n",
        ]
        for text in texts {
            let outcome = try both("cdb -c out.db", stdin: text)
            #expect(outcome.status == 2, "\(text)")
        }
        try file("bad", "+1,1:a->b\nx")
        try file("good", Self.records)
        try both("cdb -c out.db good bad")
        try both("cdb -c out.db good missing")
        try both("cdb -c no/where.db good")
    }

    @Test func misuse() throws {
        let commands = [
            "-x", "-t", "-qd a", "-q", "-q a", "-q a b c", "-c", "-d a b", "-s a b", "-m", "-n 0 -q a b", "-n x -q a b", "-n -q a b",
            "-p 9 -c a",
            "-p 1000 -c a", "-p '' -q a b", "-q -n '' a b", "-q -n 1x a b", "-q -n 08 a b", "-mx", "-c -p -1 a",
        ]
        for command in commands {
            let outcome = try both("cdb \(command)")
            #expect(outcome.status != 0, "\(command)")
        }
    }

    @Test func damagedFiles() async throws {
        try file("in", Self.records)
        try both("cdb -c out.db in", comparing: "out.db")
        let intact = [UInt8](try #require(FileManager.default.contents(atPath: ours.path("out.db"))))
        try file("short", String(repeating: "x", count: 100))
        for command in ["-d", "-l", "-s"] { #expect(try both("cdb \(command) short").status == 2) }
        #expect(try both("cdb -q short a").status == 111)
        for command in ["-d missing", "-l missing", "-s missing", "-q missing a"] { #expect(try both("cdb \(command)").status == 111) }
        // The header of another end of data, lengths of other records, a file that was cut.
        for (place, value): (Int, UInt8) in [(0, 0xFF), (1, 0), (2, 1), (2048, 0xFF), (2050, 1), (2052, 9), (2063, 0x10), (4, 7)] {
            var bytes = intact
            bytes[place] = value
            for playground in [ours, theirs] { _ = try playground.file("damaged", bytes) }
            for command in ["-d", "-l", "-s", "-dm"] { try both("cdb \(command) damaged") }
        }
        for count in [2048, 2060, intact.count - 8] {
            for playground in [ours, theirs] { _ = try playground.file("damaged", Array(intact.prefix(count))) }
            for command in ["-d", "-l", "-s"] { try both("cdb \(command) damaged") }
        }
    }

    @Test func aFileThatIsThereIsKeptUntilTheNewOneIsWhole() throws {
        try file("in", Self.records)
        try file("bad", "+1,1:a->b\nx")
        let out = ours.path("out.db")
        #expect(try runTool("cairn", ["cdb", "-c", out, ours.path("in")]).status == 0)
        let before = FileManager.default.contents(atPath: out)
        #expect(try runTool("cairn", ["cdb", "-c", "-t", "-", out, ours.path("bad")]).status == 2)
        #expect(FileManager.default.contents(atPath: out) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: ours.directory.path).sorted() == ["bad", "in", "out.db"])
    }
}
