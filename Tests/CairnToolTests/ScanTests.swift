import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

struct ScanTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func entriesAreLinesInOrder() throws {
        let db = try playground.database("db", ["b": "2", "a": "1", "c\tx": "line\nback\\slash"])
        #expect(try cairn("rocks", "scan", db) == Outcome("a\t1\nb\t2\nc\\tx\tline\\nback\\\\slash\n"))
        #expect(try cairn("rocks", "scan", db, "--keys-only", "--reverse") == Outcome("c\\tx\nb\na\n"))
        #expect(try cairn("rocks", "scan", db, "--limit", "1") == Outcome("a\t1\n"))
        #expect(try cairn("rocks", "scan", db, "--limit", "0") == Outcome())
        #expect(try cairn("rocks", "scan", db, "--hex", "--limit", "1") == Outcome("61\t31\n"))
    }

    @Test func rangesBeginWithTheFirstBoundAndEndBeforeTheSecond() throws {
        let db = try playground.database("db", ["a": "", "b": "", "ba": "", "c": ""])
        func keys(_ arguments: String...) throws -> String {
            let result = try runTool("cairn", ["rocks", "scan", db, "--keys-only"] + arguments)
            return result.standardOutput.split(separator: "\n").joined(separator: " ") + result.standardError
        }
        #expect(try keys("--prefix", "b") == "b ba")
        #expect(try keys("--prefix", "b", "--reverse") == "ba b")
        #expect(try keys("--from", "b") == "b ba c")
        #expect(try keys("--to", "b") == "a")
        #expect(try keys("--from", "b", "--to", "c") == "b ba")
        #expect(try keys("--from", "c", "--to", "a", "--reverse") == "c ba b")
        #expect(
            try keys("--from", "c", "--to", "a") == "Error: No key lies between 'c' and 'a' in this order.\n"
                + "Hint: Swap --from and --to; or use --reverse, which scans from the larger bound to the smaller.\n"
        )
        #expect(try keys("--from", "b", "--to", "b") == "")
        #expect(try keys("--from", "x", "--to", "d") == "")
        let swapped = "Error: No key lies between 'c' and 'a' in this order.\nHint: Swap --from and --to.\n"
        #expect(try cairn("rocks", "count", db, "--from", "c", "--to", "a") == Outcome(error: swapped, status: 2))
        #expect(try keys("--prefix", "62", "--hex") == "62 6261")
    }

    @Test func jsonShowsBytesThatAreNotText() throws {
        let db = try playground.database { db in
            try db.put([0xFF], for: "text")
            try db.put("ü\u{1}\"", for: [0x80])
        }
        let lines = #"{"key":"text","value_hex":"ff"}"# + "\n" + #"{"key_hex":"80","value":"ü\u0001\""}"# + "\n"
        #expect(try cairn("rocks", "scan", db, "--json") == Outcome(lines))
        #expect(try cairn("rocks", "scan", db, "--json", "--keys-only") == Outcome("{\"key\":\"text\"}\n{\"key_hex\":\"80\"}\n"))
        #expect(
            try cairn("rocks", "scan", db, "--json", "--hex", "--limit", "1")
                == Outcome("{\"key_hex\":\"74657874\",\"value_hex\":\"ff\"}\n")
        )
    }

    @Test func aReaderThatHasEnoughIsNoError() throws {
        let db = try playground.database { db in
            for number in 0..<20_000 { try db.put("a value that fills the pipe", for: "key \(number)") }
        }
        let script = "{ \(try toolPath()) rocks scan '\(db)'; echo \"status $?\" >&2; } | head -1"
        let result = try runTool("/bin/sh", ["-c", script])
        #expect(result.standardOutput == "key 0\ta value that fills the pipe\n")
        #expect(result.standardError == "status 0\n")
    }

    #if os(Linux)
    @Test func outputThatCannotBeWrittenIsAnError() throws {
        let db = try playground.database("db", ["a": "1"])
        let result = try runTool("/bin/sh", ["-c", "\(try toolPath()) rocks scan '\(db)' > /dev/full"])
        #expect(result.standardError == "Error: The output cannot be written: No space left on device.\n")
        #expect(result.status == 4)
    }
    #endif

    @Test func otherOrdersAreFollowed() throws {
        let path = playground.path("db")
        let descending = ColumnFamilyOptions(comparator: .reverseBytewise)
        let db = try RocksDB(path: path, options: DatabaseOptions(createIfMissing: true), columnFamilyOptions: descending)
        for key in ["a", "b", "c"] { try db.put("", for: key) }
        try db.close()
        #expect(try cairn("rocks", "scan", path, "--keys-only") == Outcome("c\nb\na\n"))
        #expect(try cairn("rocks", "put", path, "bb", "x") == Outcome())
        #expect(try cairn("rocks", "scan", path, "--keys-only", "--from", "c", "--to", "b") == Outcome("c\nbb\n"))
    }

    @Test func anOrderOfAProgramsOwnIsRefused() throws {
        let path = playground.path("db")
        let own = KeyComparator(name: "test.length") { $0.byteCount - $1.byteCount }
        let options = ColumnFamilyOptions(comparator: own)
        try RocksDB(path: path, options: DatabaseOptions(createIfMissing: true), columnFamilyOptions: options).close()
        let message = "Column family 'default' of '\(path)' orders keys with the comparator 'test.length', which only its program has."
        let hint =
            "If it is equivalent to one of RocksDB's or Cairn's comparators, name that with --order; this works for commands that only read."
        #expect(try cairn("rocks", "scan", path) == Outcome(error: "Error: \(message)\nHint: \(hint)\n", status: 3))
    }
}
