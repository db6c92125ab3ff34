import CairnRocks
import CairnTestSupport
import Testing

/// `get`, `put`, `delete`, `count`.
struct EntriesTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func getPrintsTheValueAsItIs() throws {
        let db = try playground.database("db", ["Hello": "World\n", "empty": ""])
        #expect(try cairn("rocks", "get", db, "Hello") == Outcome("World\n"))
        #expect(try cairn("rocks", "get", db, "empty") == Outcome())
        #expect(try cairn("rocks", "get", db, "48656c6c6f", "--hex") == Outcome("576f726c640a\n"))
        #expect(try cairn("rocks", "get", db, "Hello", "--json") == Outcome(#"{"key":"Hello","value":"World\n"}"# + "\n"))
        #expect(try cairn("rocks", "get", db, "48", "--hex").status == 1)
    }

    @Test func aMissingKeyIsExitCodeOne() throws {
        let db = try playground.database("db", columnFamilies: ["songs"])
        #expect(
            try cairn("rocks", "get", db, "x", "-c", "songs")
                == Outcome(error: "Error: There is no key 'x' in column family 'songs' of '\(db)'.\n", status: 1)
        )
    }

    @Test func putStoresArgumentsOrStandardInput() throws {
        let db = playground.path("db")
        #expect(try cairn("rocks", "put", db, "a", "1", "--create") == Outcome())
        #expect(try cairn("rocks", "put", db, "b", stdin: "two\n") == Outcome())
        #expect(try cairn("rocks", "put", db, "--hex", "00ff", "", "--sync") == Outcome())
        #expect(try cairn("rocks", "put", db, "--hex", "01", stdin: "fe\nFD\n") == Outcome())
        #expect(try cairn("rocks", "put", db, "a", "3", "-c", "more", "--create") == Outcome())
        #expect(
            try playground.content(of: db) == [
                "default": [[0x61]: [0x31], [0x62]: Array("two\n".utf8), [0, 0xFF]: [], [1]: [0xFE, 0xFD]], "more": [[0x61]: [0x33]],
            ]
        )
    }

    @Test func deleteRemovesAllKeysNamed() throws {
        let db = try playground.database("db", ["a": "1", "b": "2", "c": "3"])
        #expect(try cairn("rocks", "delete", db, "a", "c", "nothing") == Outcome())
        #expect(try playground.content(of: db) == ["default": [[0x62]: [0x32]]])
    }

    @Test func countCountsARange() throws {
        let db = try playground.database("db", ["a": "", "ab": "", "b": "", "c": ""])
        #expect(try cairn("rocks", "count", db) == Outcome("4\n"))
        #expect(try cairn("rocks", "count", db, "--prefix", "a", "--json") == Outcome("{\"count\":2}\n"))
        #expect(try cairn("rocks", "count", db, "--from", "ab", "--to", "c") == Outcome("2\n"))
        #expect(try cairn("rocks", "count", db, "--hex", "--from", "62") == Outcome("2\n"))
    }

    @Test func readersDoNotDisturbTheProgramThatWrites() throws {
        let db = try RocksDB(path: playground.path("db"), options: DatabaseOptions(createIfMissing: true))
        try db.put("1", for: "a")
        #expect(try cairn("rocks", "get", db.path, "a") == Outcome("1"))
        try db.put("2", for: "a")
        #expect(try cairn("rocks", "get", db.path, "a") == Outcome("2"))
        let refused = try cairn("rocks", "put", db.path, "a", "3")
        #expect(refused.status == 3)
        #expect(refused.error.hasPrefix("Error: Opening the database at '\(db.path)': "))
        #expect(
            refused.error.hasSuffix("Hint: Commands that only read still work.\n")
        )
        #expect(try db.get("a") == [0x32])
        try db.close()
    }
}
