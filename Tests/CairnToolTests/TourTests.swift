import CairnTestSupport
import Foundation
import Testing

struct TourTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws {
        playground = try Playground()
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
    }

    private static let titles = [
        "1. Open a database", "2. Store records, get one back", "3. Scan a range", "4. Scan a prefix", "5. Write a batch",
        "6. See a batch fail", "7. Take a snapshot", "8. Count by merging", "9. Close and open again", "10. See the statistics",
        "11. Open an object store", "12. Save objects, all or none", "13. Follow relationships", "14. Query, and see the plan",
        "15. Arrange, undo, redo", "16. Change an object in two contexts", "17. Delete without dangling references",
        "18. Inspect the store without its classes", "19. Keep preferences", "20. Change several values, or none", "21. Damage a byte",
        "22. Create a constant database", "23. Look up one key, and all keys",
    ]

    @Test func itRunsOnWhatThisMachineHas() throws {
        let outcome = try cairn("tour", environment: ["TMPDIR": temporary])
        #expect(outcome.status == 0 && outcome.error == "")
        #expect(sections(of: outcome.output) == Self.titles)
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(outcome.output.hasSuffix("The four stores were removed; 'cairn tour --keep' keeps them.\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }

    @Test func itRunsOnAFileOfTheUsers() throws {
        var text = "city,country,people\n"
        for number in 0..<40 { text += "town-\(number),\(["Chile", "Peru", "Cuba"][number % 3]),\(number * 1000)\n" }
        let file = try playground.file("towns.csv", text)
        let outcome = try cairn("tour", file, "--keep", environment: ["TMPDIR": temporary])
        #expect(outcome.status == 0 && outcome.error == "")
        #expect(outcome.output.hasPrefix("40 records from \(file), on RocksDB "))
        #expect(sections(of: outcome.output) == Self.titles)
        // Each section has done what it shows.
        #expect(outcome.output.contains("     … 35 more\n   40 of 40 in "))
        #expect(outcome.output.contains("     thrown          columnFamilyDropped\n     records before  40\n     records after   40\n"))
        #expect(outcome.output.contains("     database                          0    0\n     snapshot                         40   40\n"))
        #expect(outcome.output.contains("     Chile         14\n     Cuba          13\n     Peru          13\n"))
        #expect(outcome.output.contains(", opened with 40 records in "))

        // Of 40 towns, the 21st in Cuba: 13 with it are on its shelf.
        #expect(outcome.output.contains("     Piece       40\n     Shelf        3\n"))
        #expect(outcome.output.contains("     Cuba       13       12      13\n"))
        #expect(outcome.output.contains("\"Move\" undone in "))
        #expect(outcome.output.contains(", no damage found\n"))

        #expect(outcome.output.contains("             Cuba  a new one\n     before    13    missing\n     after     13    missing\n"))
        #expect(outcome.output.contains("     victim  corruption\n     Cuba    13\n"))
        #expect(outcome.output.contains(": 1 damaged, 3 intact\n"))
        #expect(outcome.output.contains("     records               40\n"))
        #expect(outcome.output.contains(", 40 at once in "))

        let kept = try #require(outcome.output.firstMatch(of: /cairn rocks scan (.+) -c items --limit 5/)).1
        #expect(try cairn("rocks", "count", String(kept), "-c", "items") == Outcome("40\n"))
        let objects = try #require(outcome.output.firstMatch(of: /cairn objects list (.+) Piece --limit 5/)).1
        #expect(try cairn("objects", "list", String(objects), "Piece", "--limit", "5").output.contains("town-4"))
        let preferences = try #require(outcome.output.firstMatch(of: /cairn mapped list (.+)/)).1
        let listed = try cairn("mapped", "list", String(preferences))
        #expect(listed.output.contains("Cuba") && listed.status == 0)
        let texts = try #require(outcome.output.firstMatch(of: /cairn cdb stats (.+)/)).1
        #expect(try cairn("cdb", "stats", String(texts)).output.contains("40"))
    }

    @Test func anyTextCanBeAGroup() throws {
        // What the tour itself uses as keys and titles, more than one line, what a terminal obeys, and what is too long for a key.
        let groups = ["tour", "a new one", "two\nlines", "victim", "\u{1B}[31mred", String(repeating: "long ", count: 40_000)]
        var text = "name,group\n"
        for (number, group) in groups.enumerated() { for name in 0..<4 { text += "\(number)-\(name),\"\(group)\"\n" } }
        let outcome = try cairn("tour", playground.file("groups.csv", text), environment: ["TMPDIR": temporary])
        #expect(outcome.status == 0 && outcome.error == "", "\(outcome.error)")
        #expect(sections(of: outcome.output) == Self.titles)
        #expect(outcome.output.contains("             victim  a new one*\n     before       4     missing\n"))
        #expect(outcome.output.contains("     victim*  corruption\n     victim   4\n"))
        #expect(outcome.output.contains("     two\\nlines"))
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test func oneRecordIsEnough() throws {
        let file = try playground.file("one.csv", "name\nonly\n")
        let outcome = try cairn("tour", file, environment: ["TMPDIR": temporary])
        #expect(outcome.status == 0 && outcome.error == "", "\(outcome.error)")
        #expect(outcome.output.hasPrefix("1 record from \(file), on RocksDB "))
        #expect(sections(of: outcome.output) == Self.titles)
    }

    @Test func filesItCannotReadAreErrors() throws {
        let empty = try playground.file("empty.jsonl", "\n")
        #expect(try cairn("tour", empty) == Outcome(error: "Error: \(empty) does not contain records.\n", status: 4))
        let bad = try playground.file("bad.jsonl", "{\n")
        let message = "is not valid JSON at column 2: expected a field name in quotes"
        #expect(try cairn("tour", bad) == Outcome(error: "Error: \(bad), line 1, \(message).\n", status: 4))
    }

    @Test func aReaderThatHasEnoughEndsIt() throws {
        let script = "{ \(try toolPath()) tour; echo \"status $?\" >&2; } | head -1 | wc -l"
        let result = try runTool("/bin/sh", ["-c", script], environment: ["TMPDIR": temporary])
        #expect(result.standardOutput.contains("1"))
        #expect(result.standardError == "status 0\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }

    // MARK: The program of its own, `cairn-tour`

    @Test func theProgramRunsOnFilesAndStandardInput() throws {
        let table = "city,country\nLima,Peru\nCusco,Peru\nHavana,Cuba\n"
        let csv = try playground.file("towns.csv", table)
        // Without an ending, the format is detected from the text.
        let text = try playground.file("towns", table.replacing(",", with: "\t"))
        for (file, name) in [(csv, csv), (text, text), ("-", "standard input")] {
            let outcome = try program(file, stdin: table)
            #expect(outcome.status == 0 && outcome.error == "", "\(outcome)")
            #expect(outcome.output.hasPrefix("3 records from \(name), on RocksDB "))
            #expect(sections(of: outcome.output) == Self.titles)
            #expect(outcome.output.hasSuffix("The four stores were removed; 'cairn tour --keep' keeps them.\n"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }

    private static let usage = """
        Usage: cairn-tour [FILE]

        Demonstrates the stores with real data: the records of FILE (JSON Lines, CSV, TSV or Debian control), or data from this machine.

        """

    @Test func theProgramHasNoOptionsButHelp() throws {
        #expect(try program("--help") == Outcome(Self.usage))
        #expect(try program("a", "-h") == Outcome(Self.usage))
        let unknown = Outcome(error: "Error: Unknown option '--keep'.\n" + Self.usage, status: 2)
        #expect(try program("--keep") == unknown)
        #expect(try program("a", "--keep") == unknown)
        #expect(try program("a", "b") == Outcome(error: "Error: Only one file can be given.\n" + Self.usage, status: 2))
    }

    @Test func theProgramNamesWhatItCannotRead() throws {
        func failure(_ error: String) -> Outcome { Outcome(error: "Error: " + error + "\n", status: 4) }
        let missing = playground.path("missing.csv"), directory = playground.directory.path
        #expect(try program(missing) == failure("\(missing) cannot be opened: No such file or directory."))
        #expect(try program("") == failure("'' cannot be opened: No such file or directory."))
        #expect(try program(directory) == failure("\(directory) is a directory, not a file."))
        let empty = try playground.file("empty.csv", "")
        #expect(try program(empty) == failure("\(empty) is empty; it must begin with a header that names the columns."))
        let ragged = try playground.file("ragged.csv", "city,country\nLima\n")
        #expect(try program(ragged) == failure("\(ragged), line 2, has 1 field, but the header has 2."))
        let prose = try playground.file("prose.txt", "Dear reader\n")
        let unknown = "\(prose): the format cannot be detected from the name or the first bytes."
        let hint = "Hint: Let the name end in .jsonl, .csv, .tsv or .control, or use 'cairn tour --format'."
        #expect(try program(prose) == failure(unknown + "\n" + hint))
    }

    @Test(.enabled(if: OrdinaryRights.arePossible, Comment(rawValue: OrdinaryRights.reason))) func theProgramNamesWhatItMayNotRead() throws
    {
        let file = try playground.file("secret.csv", "a,b\n1,2\n")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
        let outcome = Outcome(try OrdinaryRights.run("cairn-tour", [file], environment: ["TMPDIR": temporary]))
        #expect(outcome == Outcome(error: "Error: \(file) cannot be opened: Permission denied.\n", status: 4))
    }

    @Test func storesThatCannotBeMadeAreErrors() throws {
        let nowhere = try playground.file("file", "")
        for tour in [try cairn("tour", environment: ["TMPDIR": nowhere]), try program(temporary: nowhere)] {
            #expect(tour.status == 3 && tour.output == "", "\(tour)")
            #expect(tour.error.contains(/^Error: '.+\/file\/cairn-tour-[0-9a-f]{8}' cannot be created: Not a directory\.\n$/), "\(tour)")
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full")) func aFullDiskOfTheOutputIsAnError() throws
    {
        let result = try runTool("/bin/sh", ["-c", "\(toolPath("cairn-tour")) > /dev/full"], environment: ["TMPDIR": temporary])
        #expect(result.standardError == "Error: The output cannot be written: No space left on device.\n" && result.status == 4)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }

    /// Where the tours of a test put their stores.
    private var temporary: String { playground.path("temporary") }

    private func program(_ arguments: String..., stdin: String = "", temporary: String? = nil) throws -> Outcome {
        return Outcome(try runTool("cairn-tour", arguments, stdin: stdin, environment: ["TMPDIR": temporary ?? self.temporary]))
    }

    private func sections(of output: String) -> [String] {
        output.split(separator: "\n").map(String.init).filter { $0.contains(/^[0-9]+\. [A-Z]/) }
    }
}
