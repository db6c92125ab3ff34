#if os(Linux)
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

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

    private func onTerminal(_ arguments: String, _ environment: [String: String] = [:]) throws -> String {
        let environment = ["NO_COLOR": "", "TERM": "xterm"].merging(environment) { $1 }
        let command = "'\(try toolPath())' \(arguments)"
        return try runTool(try #require(terminal), ["-qec", command, "/dev/null"], environment: environment).standardOutput
    }
}
#endif
