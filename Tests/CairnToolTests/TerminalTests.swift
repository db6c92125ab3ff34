#if os(Linux)
import CairnMapped
import CairnMappedEncryption
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Plays a terminal.
let terminal = InstalledProgram.path("script")

/// What changes on a terminal.
@Suite(.enabled(if: terminal != nil, "the program 'script' is not installed"))
struct TerminalTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func errorsAreColoredUnlessNoColorIsSet() throws {
        let path = playground.path("nothing")
        let hint = "Check the path; 'put' and 'import' create a database with --create."
        let plain = "Error: There is no database at '\(path)'.\r\nHint: \(hint)\r\n"
        let colored = plain.replacing("Error:", with: "\u{1B}[31mError:\u{1B}[0m").replacing("Hint:", with: "\u{1B}[36mHint:\u{1B}[0m")
        #expect(try onTerminal("rocks count '\(path)'") == colored)
        #expect(try onTerminal("rocks count '\(path)'", ["NO_COLOR": "1"]) == plain)
        #expect(try onTerminal("rocks count '\(path)'", ["TERM": "dumb"]) == plain)
    }

    @Test func aValueEndsWithANewline() throws {
        let db = try playground.database("db", ["a": "1"])
        #expect(try onTerminal("rocks get '\(db)' a") == "1\r\n")
    }

    /// Elsewhere, it is written as it is.
    @Test func aValueCannotControlTheTerminal() throws {
        let value = "a\u{1B}]0;x\u{7}\u{9B}2J\u{202E}ü\r\tb"
        let db = try playground.database("db", ["a": value])
        #expect(try onTerminal("rocks get '\(db)' a") == #"a\x1b]0;x\x07\xc2\x9b2J\xe2\x80\xaeü\x0d"# + "\tb\r\n")
        #expect(try cairn("rocks", "get", db, "a") == Outcome(value))
        // Bytes that are not UTF-8, such as a control character of eight bits.
        let binary = try playground.database("binary") { try $0.put([0x9B, 0x33, 0x31, 0x6D] as [UInt8], for: "a") }
        #expect(try onTerminal("rocks get '\(binary)' a") == #"\x9b31m"# + "\r\n")
    }

    @Test func headersAreStyledAndCellsAreNot() throws {
        let db = try playground.database("db", ["a": "1"])
        let shown = try onTerminal("rocks stats '\(db)'")
        #expect(shown.contains("\r\n\u{1B}[2mcolumn family "), "\(shown.debugDescription)")
        #expect(shown.contains("\u{1B}[0m\r\ndefault "), "\(shown.debugDescription)")
    }

    /// Enough rows that the bar, which is drawn ten times a second, is seen.
    @Test func makingAConstantDatabaseShowsHowFarItIs() throws {
        let rows = (0..<150_000).map { "+6,6:\(100_000 + $0)->\(100_000 + $0)\n" }.joined() + "\n"
        let input = try playground.file("in.txt", rows)
        let path = playground.path("db.cdb")
        for command in ["cdb create '\(path)' '\(input)'", "cdb -c -w '\(path)' '\(input)'"] {
            let shown = try onTerminal(command)
            #expect(shown.contains(" %  ") && shown.contains("\r[") && shown.contains(" rows"), "\(command)")
        }
    }

    @Test func compactingAndRestoringShowWhatIsDone() throws {
        let db = try playground.database("db") { db in
            for _ in 0..<2 {
                for number in 0..<100 { try db.put(String(repeating: "x\(number)", count: 100), for: "\(number)") }
                try db.flush()
            }
        }
        let compacting = try onTerminal("rocks compact '\(db)'")
        #expect(compacting.contains(/\rcompacting default \(1 of 1\): [1-9][0-9.]* KiB read, [1-9][0-9.]* KiB written/), "\(compacting)")
        let backups = playground.path("backups")
        _ = try cairn("rocks", "backup", db, backups)
        let restoring = try onTerminal("rocks restore '\(backups)' '\(playground.path("copy"))'")
        let last = try #require(restoring.matches(of: /restoring backup 1: (\S+ \S+) of (\S+ \S+?)[\r\e]/).last, "\(restoring)")
        #expect(last.output.1 == last.output.2)
    }

    @Test(.endsWhenItHangs) func aPassphraseIsNotShownWhileItIsTyped() throws {
        let child = try start("'\(try toolPath())' mapped get '\(try sealedStore())' a --passphrase-file -")
        #expect(child.read(upTo: "Passphrase: ") == "Passphrase: ")
        try child.writeLine("correct horse")
        #expect(child.read(upTo: "7\r\n") == "\r\n7\r\n")
        #expect(try child.waitForEnd() == .exited(0))
    }

    @Test(.endsWhenItHangs) func aKeyIsNotShownWhileItIsTyped() throws {
        let path = playground.path("k.map")
        let digits = String(repeating: "0f", count: 32)
        let key = try playground.file("key", digits)
        #expect(try cairn("mapped", "set", path, "a", "7", "--create", "--key-file", key).status == 0)
        let child = try start("'\(try toolPath())' mapped get '\(path)' a --key-file -")
        #expect(child.read(upTo: "Key: ") == "Key: ")
        try child.writeLine(digits)
        #expect(child.read(upTo: "7\r\n") == "\r\n7\r\n")
        #expect(try child.waitForEnd() == .exited(0))
    }

    /// Otherwise the shell would not show what is typed next.
    @Test(.endsWhenItHangs, arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT]) func signalsAtAQuestionShowTypingAgain(number: CInt) throws {
        let child = try start("\(try asking(sealedStore())); \(Self.echo)")
        let tool = try #require(processIdentifier(child.readLine()))
        #expect(child.read(upTo: "Passphrase: ") == "Passphrase: ")
        #expect(kill(tool, number) == 0)
        let shown = child.read(upTo: "echo\r\n")
        #expect(shown.hasSuffix("\r\necho\r\n"), "\(shown.debugDescription)")
        #expect(try child.waitForEnd() == .exited(0))
    }

    @Test(.endsWhenItHangs) func aQuestionThatIsStoppedShowsTypingAgainAndIsAskedAgain() throws {
        // Only a shell with jobs continues when one of them is stopped.
        let child = try start("set -m; \(try asking(sealedStore())); \(Self.echo); fg")
        let tool = try #require(processIdentifier(child.readLine()))
        #expect(child.read(upTo: "Passphrase: ") == "Passphrase: ")
        #expect(kill(tool, SIGTSTP) == 0)
        let shown = child.read(upTo: "Passphrase: ")
        #expect(shown.contains("\r\necho\r\n") && shown.hasSuffix("\r\nPassphrase: "), "\(shown.debugDescription)")
        try child.writeLine("correct horse")
        #expect(child.read(upTo: "7\r\n") == "\r\n7\r\n")
        #expect(try child.waitForEnd() == .exited(0))
    }

    /// Says whether the terminal shows what is typed: `echo` or `-echo`.
    private static let echo = "stty -a | grep -ow -e '-*echo'"

    /// Says the process's number, and asks for the passphrase of the store. Tests that run in the background ignore some signals, and so would the tool.
    private func asking(_ store: String) throws -> String {
        "env --default-signal sh -c 'echo $$; exec \"$0\" \"$@\"' '\(try toolPath())' mapped get '\(store)' a --passphrase-file -"
    }

    private func processIdentifier(_ line: String?) -> pid_t? { line.flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) } }

    private func sealedStore() throws -> String {
        let path = playground.path("a.map")
        let cipher = try MappedEncryption(passphrase: "correct horse", cost: #require(ScryptCost(stored: 4)))
        let store = try MappedStore(path: path, options: MappedStoreOptions(cipher: cipher))
        try store.set(7, for: "a")
        try store.close()
        return path
    }

    /// Starts a command of the shell on a terminal, which shows what it is sent.
    private func start(_ command: String) throws -> ChildProcess {
        try ChildProcess(try #require(terminal), ["-qec", command, "/dev/null"], environment: ["SHELL": "/bin/sh"])
    }

    private func onTerminal(_ arguments: String, _ environment: [String: String] = [:]) throws -> String {
        let environment = ["NO_COLOR": "", "TERM": "xterm"].merging(environment) { $1 }
        let command = "'\(try toolPath())' \(arguments)"
        return try runTool(try #require(terminal), ["-qec", command, "/dev/null"], environment: environment).standardOutput
    }
}
#endif
