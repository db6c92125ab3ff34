import CairnTestSupport
import Foundation
import Testing

struct TourTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    private static let titles = [
        "1. Open a database", "2. Store records, get one back", "3. Scan a range", "4. Scan a prefix", "5. Write a batch",
        "6. See a batch fail", "7. Take a snapshot", "8. Count by merging", "9. Close and open again", "10. See the statistics",
        "11. Open an object store", "12. Save objects, all or none", "13. Follow relationships", "14. Query, and see the plan",
        "15. Arrange, undo, redo", "16. Change an object in two contexts", "17. Delete without dangling references",
        "18. Inspect the store without its classes", "19. Keep preferences", "20. Change several values, or none", "21. Damage a byte",
        "22. Create a constant database", "23. Look up one key, and all keys",
    ]

    @Test func itRunsOnWhatThisMachineHas() throws {
        let outcome = try cairn("tour", environment: ["TMPDIR": playground.directory.path])
        #expect(outcome.status == 0 && outcome.error == "")
        #expect(sections(of: outcome.output) == Self.titles)
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(outcome.output.hasSuffix("The four stores were removed; 'cairn tour --keep' keeps them.\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: playground.directory.path) == [])
    }

    @Test func itRunsOnAFileOfTheUsers() throws {
        var text = "city,country,people\n"
        for number in 0..<40 { text += "town-\(number),\(["Chile", "Peru", "Cuba"][number % 3]),\(number * 1000)\n" }
        let file = try playground.file("towns.csv", text)
        let outcome = try cairn("tour", file, "--keep", environment: ["TMPDIR": playground.directory.path])
        #expect(outcome.status == 0 && outcome.error == "")
        #expect(outcome.output.hasPrefix("40 records from \(file), on RocksDB "))
        #expect(sections(of: outcome.output) == Self.titles)
        // Each section has done what it shows.
        #expect(outcome.output.contains("     … 35 more\n   40 of 40 in "))
        #expect(outcome.output.contains("     thrown          columnFamilyDropped\n     records before  40\n     records after   40\n"))
        #expect(outcome.output.contains("     database                          0    0\n     snapshot                         40   40\n"))
        #expect(outcome.output.contains("     Chile         14\n     Cuba          13\n     Peru          13\n"))
        #expect(outcome.output.contains("; 40 records are there\n"))

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

    @Test func filesItCannotReadAreErrors() throws {
        let empty = try playground.file("empty.jsonl", "\n")
        #expect(try cairn("tour", empty) == Outcome(error: "Error: \(empty) does not contain records.\n", status: 4))
        let bad = try playground.file("bad.jsonl", "{\n")
        let message = "is not valid JSON at column 2: expected a field name in quotes"
        #expect(try cairn("tour", bad) == Outcome(error: "Error: \(bad), line 1: \(message).\n", status: 4))
    }

    @Test func aReaderThatHasEnoughEndsIt() throws {
        let script = "{ \(try toolPath()) tour; echo \"status $?\" >&2; } | head -1 | wc -l"
        let result = try runTool("/bin/sh", ["-c", script], environment: ["TMPDIR": playground.directory.path])
        #expect(result.standardOutput.contains("1"))
        #expect(result.standardError == "status 0\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: playground.directory.path) == [])
    }

    private func sections(of output: String) -> [String] {
        output.split(separator: "\n").map(String.init).filter { $0.contains(/^[0-9]+\. [A-Z]/) }
    }
}
