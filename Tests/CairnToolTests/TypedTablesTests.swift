import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// Tables that a program declares: the tool knows their types.
struct TypedTablesTests {
    // Lives as long as the test.
    private let playground: Playground
    private let path: String

    init() throws {
        playground = try Playground()
        path = playground.path("db")
    }

    private struct Song: Codable, Equatable {
        var title: String, seconds: Int
    }

    private static let plays = TableDefinition("plays", key: Key<String, Int>.self, value: Int.self, codec: .littleEndian)
    private static let songs = TableDefinition("songs", key: Int.self, value: Song.self, codec: .json)
    private static let titles = TableDefinition("titles", key: String.self, value: String.self, codec: .utf8)
    private static let moments = TableDefinition("moments", key: Key<Date, UUID?>.self, value: Double.self, codec: .bigEndian)
    private static let covers = TableDefinition("covers", key: [UInt8].self, value: [UInt8].self, codec: .raw)
    private static let all: [any ColumnFamilyDefinition] = [plays, songs, titles, moments, covers]

    private static let uuid = UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")!

    private func fill() throws {
        let db = try RocksDB(path: path, tables: Self.all)
        for (artist, year, count) in [("abba", 2024, 1), ("katrina", -7, 5), ("katrina", 2024, -3)] {
            try db.table(Self.plays).put(count, for: Key(artist, year))
        }
        try db.table(Self.songs).put(Song(title: "Walking, on", seconds: 298), for: 7)
        try db.table(Self.titles).put("Walking\ton", for: "katrina")
        try db.table(Self.titles).put("", for: "katrina and the waves")
        try db.table(Self.moments).put(0.5, for: Key(Date(timeIntervalSinceReferenceDate: 785_000_000.123456), Self.uuid))
        try db.table(Self.moments).put(.nan, for: Key(Date(timeIntervalSinceReferenceDate: -0.25), nil))
        try db.table(Self.covers).put([0xFF, 0], for: [1, 0, 2])
        try db.close()
    }

    private func tool(_ command: String, _ arguments: String..., stdin: String = "") throws -> Outcome {
        let result = try runTool("cairn", ["rocks", command, path] + arguments, stdin: stdin)
        return Outcome(result)
    }

    @Test func reading() throws {
        try fill()
        #expect(try tool("scan", "-c", "plays") == Outcome("abba,2024\t1\nkatrina,-7\t5\nkatrina,2024\t-3\n"))
        #expect(
            try tool("scan", "-c", "plays", "--prefix", "katrina", "--json", "--limit", "1")
                == Outcome(#"{"key":["katrina",-7],"value":5}"# + "\n")
        )
        #expect(try tool("get", "katrina,2024", "-c", "plays") == Outcome("-3"))
        #expect(try tool("get", #"["katrina",2024]"#, "-c", "plays", "--json") == Outcome(#"{"key":["katrina",2024],"value":-3}"# + "\n"))
        #expect(try tool("count", "-c", "plays", "--from", "katrina") == Outcome("2\n"))
        let song = #"{"seconds":298,"title":"Walking, on"}"#
        #expect(try tool("get", "7", "-c", "songs") == Outcome(song))
        #expect(try tool("scan", "-c", "songs", "--json") == Outcome("{\"key\":7,\"value\":\(song)}\n"))
        #expect(try tool("get", "katrina", "-c", "titles") == Outcome("Walking\ton"))
        // The beginning of the text, not of a compound key.
        #expect(try tool("scan", "-c", "titles", "--prefix", "kat", "--keys-only") == Outcome("katrina\nkatrina and the waves\n"))
        #expect(try tool("scan", "-c", "titles", "--to", "katrina and") == Outcome("katrina\tWalking\\ton\n"))
        #expect(
            try tool("scan", "-c", "moments")
                == Outcome("2000-12-31T23:59:59.75Z,null\tnan\n2025-11-16T15:33:20.123456Z,\(Self.uuid)\t0.5\n")
        )
        #expect(try tool("get", "2025-11-16T15:33:20.123456Z,\(Self.uuid)", "-c", "moments") == Outcome("0.5"))
        #expect(try tool("scan", "-c", "covers", "--json") == Outcome(#"{"key":"010002","value_hex":"ff00"}"# + "\n"))
    }

    @Test func writing() throws {
        try fill()
        #expect(try tool("put", "ohara,5", "7", "-c", "plays") == Outcome())
        #expect(try tool("put", "ohara,6", "-c", "plays", stdin: "-8\n") == Outcome())
        #expect(try tool("put", #"["a,b",6]"#, "9", "-c", "plays") == Outcome())
        #expect(try tool("delete", "abba,2024", "katrina,-7", "-c", "plays") == Outcome())
        #expect(try tool("put", "12", #"{"title":"Waterloo","seconds":167}"#, "-c", "songs") == Outcome())
        #expect(try tool("put", "abba", "Waterloo\n", "-c", "titles") == Outcome())
        #expect(try tool("put", "2001-01-01T00:00:00Z,null", "1e300", "-c", "moments") == Outcome())
        #expect(try tool("put", "0100", "text", "-c", "covers") == Outcome())

        let db = try RocksDB(path: path, tables: Self.all)
        let plays = try db.table(Self.plays).entries(.all)
        #expect(
            plays.map { "\($0.key) \($0.value)" } == [
                #"("a,b", 6) 9"#, #"("katrina", 2024) -3"#, #"("ohara", 5) 7"#, #"("ohara", 6) -8"#,
            ]
        )
        #expect(try db.table(Self.songs).get(12) == Song(title: "Waterloo", seconds: 167))
        #expect(try db.table(Self.titles).get("abba") == "Waterloo\n")
        #expect(try db.table(Self.moments).get(Key(Date(timeIntervalSinceReferenceDate: 0), nil)) == 1e300)
        #expect(try db.table(Self.covers).get([1, 0]) == Array("text".utf8))
        try db.close()
    }

    @Test func whatIsNotOfTheTypeIsRefused() throws {
        try fill()
        let hint = "Hint: The program declared values of type int64; --raw stores bytes.\n"
        for value in ["seven", "1.5", "9223372036854775808", "", "1 2"] {
            let note = value == "1.5" ? ": integers have digits only" : ""
            let error = "Error: '\(value)' is not a valid value of type int64\(note).\n" + hint
            #expect(try tool("put", "abba,1", value, "-c", "plays") == Outcome(error: error, status: 2))
        }
        #expect(try tool("put", "7", "{title}", "-c", "songs").error.hasPrefix("Error: '{title}' is not a valid value of type json.\n"))
        let key = try tool("put", "abba,x", "1", "-c", "plays")
        #expect(key.error == "Error: 'x' is not a valid int.\nHint: The program declared keys of type string,int; --raw takes bytes.\n")
        #expect(try tool("get", "abba", "-c", "plays").status == 2 && tool("count", "-c", "songs", "--from", "x").status == 2)
        #expect(try tool("count", "-c", "plays") == Outcome("3\n"))
    }

    @Test func asBytes() throws {
        try fill()
        #expect(try tool("scan", "-c", "titles", "--raw", "--limit", "1") == Outcome("\\x02katrina\\x00\tWalking\\ton\n"))
        #expect(try tool("get", "15022a", "-c", "plays", "--hex").status == 1)
        #expect(try tool("get", "026162626100" + "1607e8", "-c", "plays", "--hex") == Outcome("0100000000000000\n"))
        #expect(try tool("put", "any", "thing", "-c", "plays", "--raw") == Outcome())
        // What does not have the types is printed as bytes, and in JSON as what `import` takes for bytes.
        #expect(try tool("scan", "-c", "plays", "--from", "z").output == "any\tthing\n")
        #expect(try tool("scan", "-c", "plays", "--json").output.hasSuffix(#"{"key_hex":"616e79","value_hex":"7468696e67"}"# + "\n"))
        #expect(try tool("scan", "-c", "plays", "--key-type", "string,int").status == 3)
        #expect(try tool("scan", "-c", "plays", "--value-type", "int64").status == 3)
        #expect(try tool("scan", "-c", "plays", "--raw", "--value-type", "int64").status == 2)
        #expect(try tool("scan", "-c", "songs", "--value-type", "int24").status == 2)
        #expect(
            try tool("scan", "-c", "plays", "--value-type", "bytes", "--limit", "1").output
                == #"abba,2024\#t\x01\x00\x00\x00\x00\x00\x00\x00\#n"#
        )
    }

    /// A copy has the same entries, and remembers the same types.
    @Test(arguments: [nil, "plays", "moments", "titles"])
    func exportedAndImported(family: String?) throws {
        try fill()
        try RocksDB(path: path, tables: Self.all).table(Self.songs).space.write { batch in
            for (number, json) in [#""text""#, "[1,\n 2]", " {} ", "null", "not json", "1e5"].enumerated() {
                batch.put(json, for: (100 + number).keyBytes)
            }
            batch.put("{}", for: "no number")
        }
        let only = family.map { ["-c", $0] } ?? []
        let exported = try runTool("cairn", ["rocks", "export", path] + only)
        #expect(exported.status == 0 && exported.standardError == "")
        let file = try playground.file("all.jsonl", exported.standardOutput)
        let copy = playground.path("copy")
        let imported = try runTool("cairn", ["rocks", "import", copy, file, "--create"] + only)
        #expect(imported.status == 0 && imported.standardError == "")
        let content = try playground.content(of: path)
        #expect(
            try playground.content(of: copy).filter { $0.key != "default" }
                == content.filter { family == nil ? $0.key != "default" : $0.key == family }
        )
        #expect(try runTool("cairn", ["rocks", "export", copy] + only).standardOutput == exported.standardOutput)
        // Once more, into what exists.
        #expect(try runTool("cairn", ["rocks", "import", path, file] + only).status == 0)
        #expect(try playground.content(of: path) == content)
    }

    @Test func exportedLines() throws {
        try fill()
        let lines = try tool("export").output.split(separator: "\n")
        #expect(lines.contains(#"{"column_family":"plays","key_type":"string,int","value_type":"int64"}"#))
        #expect(lines.contains(#"{"column_family":"plays","key":["katrina",-7],"value":5}"#))
        #expect(lines.contains(#"{"column_family":"moments","key":["2000-12-31T23:59:59.75Z",null],"value":"nan"}"#))
        #expect(lines.contains(#"{"column_family":"songs","key":7,"value":{"seconds":298,"title":"Walking, on"}}"#))
        #expect(
            try tool("export", "--raw", "-c", "titles").output.hasPrefix(#"{"key":"\u0002katrina\u0000","value":"Walking\ton"}"# + "\n")
        )
    }

    @Test func importing() throws {
        try fill()
        func importing(_ text: String, _ name: String, _ arguments: String...) throws -> ToolResult {
            try runTool("cairn", ["rocks", "import", path, playground.file(name, text)] + arguments)
        }
        #expect(try importing("id,title,seconds\n12,Waterloo,167\n", "songs.csv", "-c", "songs", "--types", "seconds=int").status == 0)
        #expect(try importing(#"{"key":["abba",1],"value":"12"}"#, "plays.jsonl", "-c", "plays").status == 0)
        let db = try RocksDB(path: path, tables: Self.all)
        #expect(try db.table(Self.songs).get(12) == Song(title: "Waterloo", seconds: 167))
        #expect(try db.table(Self.plays).get(Key("abba", 1)) == 12)
        try db.close()

        let rows = try importing("id,title\nx,Waterloo\n", "more.csv", "-c", "songs")
        #expect(rows.status == 4 && rows.standardError.contains("more.csv, line 2: 'x' is not a valid int."))
        let value = try importing("{\"key\":[\"abba\",1],\"value\":1}\n{\"key\":[\"abba\",2],\"value\":1.5}", "more.jsonl", "-c", "plays")
        #expect(value.status == 4 && value.standardError.contains("more.jsonl, line 2: '1.5' is not a valid value of type int64."))
        let other = try importing(#"{"key_type":"int","value_type":"json"}"#, "other.jsonl", "-c", "plays")
        #expect(other.status == 4 && other.standardError.contains("those of column family 'plays' are of type string,int"))
        let unknown = try importing(#"{"key_type":"decimal"}"#, "unknown.jsonl")
        #expect(unknown.status == 4 && unknown.standardError.contains("'decimal'"))
        let untyped = try importing(#"{"key":[1],"value":""}"#, "untyped.jsonl")
        #expect(untyped.status == 4 && untyped.standardError.contains("untyped.jsonl, line 1: the field 'key' is not a string"))
        #expect(try importing(#"{"key":"\#("\\u0002x\\u0000")","value":"1"}"#, "raw.jsonl", "-c", "titles", "--raw").status == 0)
        #expect(try tool("get", "x", "-c", "titles") == Outcome("1"))
    }

    /// Without the types, everything is bytes, and a note says why.
    @Test(arguments: ["{", #"{"version":1,"tables":{"titles":{"key":"decimal"}}}"#])
    func aDamagedOrUnknownFile(content: String) throws {
        try fill()
        let file = path + "/cairn-tables.json"
        try Data(content.utf8).write(to: URL(fileURLWithPath: file))
        let outcome = try tool("scan", "-c", "titles", "--limit", "1")
        #expect(outcome.output == "\\x02katrina\\x00\tWalking\\ton\n" && outcome.status == 0)
        #expect(outcome.error.hasPrefix("Note: '\(file)' ") && outcome.error.hasSuffix("they are handled as bytes.\n"))
        #expect(try tool("scan", "-c", "titles", "--raw").error == "")
        let export = try tool("export")
        #expect(export.error == outcome.error && export.status == 0)
        #expect(try cairn("doctor", path).status == 0)
    }
}
