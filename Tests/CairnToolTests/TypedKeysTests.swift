import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// What a program has in typed tables is within the tool's reach, and what the tool writes is within the program's.
struct TypedKeysTests {
    // Lives as long as the test.
    private let playground: Playground
    private let path: String

    init() throws {
        playground = try Playground()
        path = playground.path("db")
    }

    private struct Song: Codable, Equatable {
        var title: String, seconds: Int, rating: Double?, isLive: Bool
    }

    @Test func datesWithoutATime() throws {
        let db = try RocksDB(path: path, options: DatabaseOptions(createIfMissing: true))
        try db.close()
        #expect(try cairn("rocks", "put", path, "2024-01-01", "new year", "--key-type", "date") == Outcome())
        #expect(try cairn("rocks", "get", path, "2024-01-01T00:00:00Z", "--key-type", "date") == Outcome("new year"))
        #expect(
            try cairn("rocks", "get", path, "2024-1-1", "--key-type", "date")
                == Outcome(error: "Error: '2024-1-1' is not a valid date, such as 2026-03-01 or 2026-03-01T12:30:00Z.\n", status: 2)
        )
    }

    @Test(arguments: [
        ("float", "1e400"), ("float", "1e39"), ("float", "1e-50"), ("double", "1e400"), ("double", "-1e400"), ("double", "1e-400"),
    ])
    func numbersThatDoNotFit(type: String, text: String) throws {
        let db = try playground.database()
        let value = try cairn("rocks", "put", db, "k", text, "--value-type", type)
        #expect(value.status == 2 && value.error.hasPrefix("Error: '\(text)' is not a valid value of type \(type)"), "\(value)")
        let key = try cairn("rocks", "put", db, text, "1", "--key-type", type)
        #expect(key == Outcome(error: "Error: '\(text)' is not a valid \(type).\n", status: 2))
        for special in ["inf", "nan", "0e5"] {
            #expect(try cairn("rocks", "put", db, special, special, "--key-type", type, "--value-type", type) == Outcome())
        }
        #expect(try cairn("rocks", "scan", db, "--key-type", type, "--value-type", type).output.contains("inf\tinf\n"))
    }

    @Test func aKeyThatIsNotBytes() throws {
        let error = "Error: '0' is not bytes: write pairs of hexadecimal digits.\n"
        #expect(try cairn("rocks", "put", try playground.database(), "0", "1", "--key-type", "bytes") == Outcome(error: error, status: 2))
    }

    @Test func aKeyThatIsNeitherANumberNorNull() throws {
        let db = try playground.database()
        let error = "Error: 'x' is neither a valid int nor null.\n"
        #expect(try cairn("rocks", "put", db, "x", "1", "--key-type", "int?") == Outcome(error: error, status: 2))
    }

    @Test func compoundKeys() throws {
        let db = try RocksDB(path: path, options: DatabaseOptions(createIfMissing: true))
        let plays = try db.table("plays", key: Key<String, Int>.self, value: String.self, codec: .utf8)
        try plays.put("three", for: Key("katrina", 2024))
        try plays.put("five", for: Key("katrina", -7))
        try plays.put("one", for: Key("abba", 2024))
        try db.close()

        let arguments = ["-c", "plays", "--key-type", "string,int"]
        func tool(_ command: String, _ more: String...) throws -> Outcome {
            let result = try runTool("cairn", ["rocks", command, path] + more + arguments)
            return Outcome(result)
        }
        #expect(try tool("scan") == Outcome("abba,2024\tone\nkatrina,-7\tfive\nkatrina,2024\tthree\n"))
        #expect(try tool("scan", "--prefix", "katrina") == Outcome("katrina,-7\tfive\nkatrina,2024\tthree\n"))
        #expect(try tool("scan", "--from", "katrina,0", "--keys-only") == Outcome("katrina,2024\n"))
        #expect(try tool("count", "--to", "katrina") == Outcome("1\n"))
        #expect(try tool("get", "katrina,2024") == Outcome("three"))
        #expect(try tool("get", "katrina,2024", "--json") == Outcome(#"{"key":["katrina",2024],"value":"three"}"# + "\n"))
        #expect(try tool("get", "katrina").error.hasPrefix("Error: 'katrina' has 1 element; a key has 2, separated by commas.\n"))
        #expect(try tool("get", "katrina,x") == Outcome(error: "Error: 'x' is not a valid int.\n", status: 2))
        #expect(
            try tool("get", "katrina,1e3") == Outcome(error: "Error: '1e3' is not a valid int: integers have digits only.\n", status: 2)
        )
        #expect(
            try tool("put", "katrina,1", "1e3", "--value-type", "int64")
                == Outcome(error: "Error: '1e3' is not a valid value of type int64: integers have digits only.\n", status: 2)
        )
        #expect(try tool("put", "o'hara,5", "seven") == Outcome())
        #expect(try tool("delete", "abba,2024") == Outcome())
        let exported = #"{"key_type":"string,int","value_type":"text"}"# + "\n" + #"{"key":["katrina",-7],"value":"five"}"# + "\n"
        #expect(try tool("export").output.hasPrefix(exported))
        #expect(try cairn("rocks", "scan", path, "-c", "plays", "--key-type", "int").status == 3)
        #expect(try cairn("rocks", "scan", path, "-c", "plays", "--key-type", "number").status == 2)

        let again = try RocksDB(path: path)
        let found = try again.table("plays", key: Key<String, Int>.self, value: String.self, codec: .utf8).entries(.all)
        #expect(
            found.map { "\($0.key.elements.0) \($0.key.elements.1) \($0.value)" } == [
                "katrina -7 five", "katrina 2024 three", "o'hara 5 seven",
            ]
        )
        try again.close()
    }

    @Test func everyType() throws {
        let date = Date(timeIntervalSinceReferenceDate: 500)
        let uuid = UUID()
        let keys: [(type: String, text: String, bytes: [UInt8], json: String)] = [
            ("string", "a,b", "a,b".keyBytes, #""a,b""#), ("int", "42", 42.keyBytes, "42"),
            ("float", "0.25", Float(0.25).keyBytes, "0.25"), ("double", "1.5", 1.5.keyBytes, "1.5"),
            ("bool", "true", true.keyBytes, "true"),
            ("date", "2001-01-01T00:08:20Z", date.keyBytes, #""2001-01-01T00:08:20Z""#),
            ("uuid", uuid.uuidString, uuid.keyBytes, "\"\(uuid.uuidString)\""),
            ("bytes", "00ff", ([0, 255] as [UInt8]).keyBytes, #""00ff""#),
        ]
        for key in keys {
            #expect(try cairn("rocks", "put", path, key.text, "x", "--key-type", key.type, "--create") == Outcome(), "\(key.type)")
            #expect(try cairn("rocks", "scan", path, "--key-type", key.type) == Outcome("\(key.text)\tx\n"))
            #expect(try cairn("rocks", "scan", path, "--key-type", key.type, "--json").output == "{\"key\":\(key.json),\"value\":\"x\"}\n")
            let db = try RocksDB(path: path)
            #expect(try db.keys(as: [UInt8].self) == [key.bytes])
            try db.delete(key.bytes)
            try db.close()
        }
    }

    @Test func importedRecordsAreWhatTheTableHas() throws {
        let file = try playground.file(
            "songs.csv",
            "id,title,seconds,rating,isLive\n7,\"Walking, on\",298,4.5,true\n12,Waterloo,167,,false\n"
        )
        let arguments = [
            "rocks", "import", path, file, "-c", "songs", "--create", "--key-type", "int", "--types",
            "seconds=int,rating=double,isLive=bool",
        ]
        let imported = try runTool("cairn", arguments)
        #expect(imported.status == 0 && imported.standardError == "")

        let db = try RocksDB(path: path)
        let songs = try db.table("songs", key: Int.self, value: Song.self, codec: .json)
        #expect(try songs.get(7) == Song(title: "Walking, on", seconds: 298, rating: 4.5, isLive: true))
        #expect(try songs.get(12) == Song(title: "Waterloo", seconds: 167, rating: nil, isLive: false))
        try db.close()

        func importing(_ types: String) throws -> Outcome { try cairn("rocks", "import", path, file, "-c", "songs", "--types", types) }
        #expect(try importing("title=int").error.contains("'Walking, on', in the column 'title', is not a valid int"))
        #expect(try importing("length=int").error.contains("the header has no column 'length'; it has id, title, seconds, rating, isLive"))
        #expect(try importing("title=number").status == 2)
        let lines = try playground.file("songs.jsonl", "{\"id\":\"7\"}\n")
        #expect(try cairn("rocks", "import", path, lines, "--key", "id", "--types", "id=int").status == 4)
    }
}
