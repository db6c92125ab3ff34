import CairnCDB
import CairnTestSupport
import Foundation
import Testing

/// `cairn cdb` with commands of its own, as a user sees it.
struct CDBTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    private static let records = "+3,4:one->here\n+1,1:a->b\n+3,4:one->also\n\n"

    /// Makes a file of the records above and returns its path.
    private func database() throws -> String {
        let path = playground.path("db.cdb")
        let input = try playground.file("in.txt", Self.records)
        #expect(try cairn("cdb", "create", path, input).status == 0)
        return path
    }

    @Test func verifyingAnotherFileSaysWhatItIs() throws {
        let playground = try Playground()
        let text = try playground.file("t.txt", "one\ntwo\n")
        #expect(
            try cairn("cdb", "verify", text) == Outcome(error: "Error: '\(text)' is not a constant database but a text file.\n", status: 3)
        )
    }

    @Test(arguments: ["verify", "stats", "dump", "list", "query"]) func textIsNotDamaged(command: String) throws {
        let files = [
            (try playground.file("short.txt", "one\ntwo\n"), "a text file"), (try playground.file("empty", ""), "an empty file"),
            (try playground.file("long.txt", String(repeating: "A line of text.\n", count: 300)), "a text file"),
        ]
        for (path, kind) in files {
            let result = try Outcome(runTool("cairn", ["cdb", command, path] + (command == "query" ? ["key"] : [])))
            #expect(result == Outcome(error: "Error: '\(path)' is not a constant database but \(kind).\n", status: 3), "\(command)")
        }
    }

    @Test func createAndDump() throws {
        let path = playground.path("db.cdb")
        let made = try cairn("cdb", "create", path, stdin: Self.records)
        #expect(made.output.hasPrefix("Created '\(path)' with 3 records in ") && made.error.isEmpty && made.status == 0)
        #expect(try cairn("cdb", "dump", path) == Outcome(Self.records))
        #expect(try cairn("cdb", "dump", path, "--format", "map") == Outcome("one here\na b\none also\n"))
        #expect(try cairn("cdb", "dump", path, "--format", "tsv") == Outcome("one\there\na\tb\none\talso\n"))
        let json = "{\"key\":\"one\",\"value\":\"here\"}\n{\"key\":\"a\",\"value\":\"b\"}\n{\"key\":\"one\",\"value\":\"also\"}\n"
        #expect(try cairn("cdb", "dump", path, "--format", "jsonl") == Outcome(json))
        #expect(try cairn("cdb", "dump", path, "--positioned") == Outcome(Self.records))
        let again = playground.path("again.cdb")
        #expect(
            try cairn("cdb", "create", again, "--format", "jsonl", "--json", stdin: json) == Outcome("{\"records\":3,\"bytes\":2136}\n")
        )
        #expect(FileManager.default.contents(atPath: again) == FileManager.default.contents(atPath: path))
    }

    @Test func createFromOtherFormats() throws {
        let csv = try playground.file("songs.csv", "title,artist\nWaterloo,ABBA\n\"Walking, on\",Katrina\n")
        let path = playground.path("songs.cdb")
        #expect(try cairn("cdb", "create", path, csv, "--key", "title").status == 0)
        #expect(try cairn("cdb", "query", path, "Walking, on") == Outcome("{\"title\":\"Walking, on\",\"artist\":\"Katrina\"}"))
        #expect(try cairn("cdb", "create", path, "--format", "map", stdin: "a 1\n# no\nb 2 3\n").status == 0)
        #expect(try cairn("cdb", "dump", path) == Outcome("+1,1:a->1\n+1,3:b->2 3\n\n"))
    }

    @Test func duplicates() throws {
        let path = playground.path("db.cdb")
        let input = try playground.file("in.txt", Self.records)
        for (mode, lines) in [("add", "one here\na b\none also\n"), ("insert", "one here\na b\n"), ("replace", "a b\none also\n")] {
            #expect(try cairn("cdb", "create", path, input, "--duplicates", mode).status == 0)
            #expect(try cairn("cdb", "dump", path, "--format", "map") == Outcome(lines))
        }
        let before = FileManager.default.contents(atPath: path)
        let error = "Error: \(input): duplicate key 'one'; no file was written.\n"
        #expect(try cairn("cdb", "create", path, input, "--duplicates", "fail") == Outcome(error: error, status: 4))
        #expect(FileManager.default.contents(atPath: path) == before)
    }

    @Test func layoutsAndModes() throws {
        let path = playground.path("wide.cdb")
        for layout in ["go64", "python64"] {
            #expect(try cairn("cdb", "create", path, "--dialect", layout, "--mode", "640", stdin: Self.records).status == 0)
            #expect(try cairn("cdb", "dump", path, "--dialect", layout) == Outcome(Self.records))
            #expect(try cairn("cdb", "verify", path, "--dialect", layout) == Outcome("3 records read, no damage found.\n"))
        }
        // By default, the layout that the file looks like.
        for layout in CDBDialect.allCases {
            let name = layout.rawValue
            let records = "+8,1:Waterloo->1\n+4,1:SOS!->2\n\n"
            #expect(try cairn("cdb", "create", path, "--dialect", name, stdin: records).status == 0)
            #expect(try cairn("cdb", "dump", path) == Outcome(records))
            #expect(try cairn("cdb", "query", path, "Waterloo", "--positioned") == Outcome("1"))
            #expect(try cairn("cdb", "verify", path) == Outcome("2 records read, no damage found.\n"))
            for other in CDBDialect.allCases where other != layout {
                let error = "Error: '\(path)' is not in the layout '\(other.rawValue)' but in '\(name)'.\n"
                let hint = "Hint: Leave out --dialect: the layout is detected.\n"
                #expect(try cairn("cdb", "verify", path, "--dialect", other.rawValue) == Outcome(error: error + hint, status: 3))
            }
        }
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
        #expect(try cairn("cdb", "create", path, "--mode", "888").status == 2)
        #expect(try cairn("cdb", "dump", path, "--dialect", "cdb").status == 2)
    }

    @Test func queryAndList() throws {
        let path = try database()
        #expect(try cairn("cdb", "query", path, "a") == Outcome("b"))
        #expect(try cairn("cdb", "query", path, "one") == Outcome("here\nalso\n"))
        #expect(try cairn("cdb", "query", path, "one", "--number", "2") == Outcome("also"))
        #expect(try cairn("cdb", "query", path, "6f6e65", "--hex") == Outcome("68657265\n616c736f\n"))
        #expect(try cairn("cdb", "query", path, "a", "--json") == Outcome("{\"key\":\"a\",\"value\":\"b\"}\n"))
        let missing = "Error: There is no key 'x' in '\(path)'.\n"
        #expect(try cairn("cdb", "query", path, "x") == Outcome(error: missing, status: 1))
        let third = "Error: There is no value 3 of key 'one' in '\(path)'.\n"
        #expect(try cairn("cdb", "query", path, "one", "--number", "3") == Outcome(error: third, status: 1))
        #expect(try cairn("cdb", "query", path, "one", "--number", "0").status == 2)
        #expect(try cairn("cdb", "list", path) == Outcome("one\na\none\n"))
        #expect(try cairn("cdb", "list", path, "--json") == Outcome("{\"key\":\"one\"}\n{\"key\":\"a\"}\n{\"key\":\"one\"}\n"))
    }

    @Test func stats() throws {
        let path = try database()
        let text = try cairn("cdb", "stats", path)
        #expect(text.output.hasPrefix("number of records: 3\nkey min/avg/max length: 1/2/3\n") && text.status == 0)
        let json = try cairn("cdb", "stats", path, "--json")
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(object["records"] as? Int == 3 && object["slots"] as? Int == 6)
        #expect((object["values"] as? [String: Int])?["total"] == 9)
    }

    @Test func verifyFindsDamage() throws {
        let path = try database()
        #expect(try cairn("cdb", "verify", path) == Outcome("3 records read, no damage found.\n"))
        #expect(try cairn("cdb", "verify", path, "--json") == Outcome("{\"ok\":true,\"path\":\"\(path)\",\"damage\":[],\"records\":3}\n"))

        // Records begin at bytes 2048, 2063 and 2073, slots of the hash tables 129 and 196 at bytes 2088 and 2120.
        let whole = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        let cases: [(flipped: Int?, size: Int, what: String)] = [
            (2048 + 8, 2136, "is damaged: no slot refers to the record at byte 2048"),
            (2063 + 3, 2136, "is damaged: a record extends past the end of the data at byte 2063"),
            (2088, 2136, "is damaged: a slot is in the wrong hash table at byte 2088"),
            (129 * 8 + 4, 2136, "is damaged: two hash tables overlap at byte 2120"),
            (nil, 2135, "is damaged, or is not a cdb in the layout 'standard': hash table 196 is outside its 2135 bytes"),
            (nil, 2060, "is damaged, or is not a cdb in the layout 'standard': hash table 129 is outside its 2060 bytes"),
        ]
        let damaged = playground.path("damaged.cdb")
        let error = "Error: '\(damaged)' is damaged.\nHint: 'cairn cdb dump' prints the records before the damage.\n"
        for (flipped, size, what) in cases {
            var bytes = Array(whole[..<size])
            if let flipped { bytes[flipped] ^= 1 }
            _ = try playground.file("damaged.cdb", bytes)
            let text = Outcome("damage: \(damaged) \(what)\n0 records read, 1 problem found.\n", error: error, status: 1)
            #expect(try cairn("cdb", "verify", damaged) == text)
            #expect(try cairn("cdb", "verify", damaged, "--positioned") == text)
            let damage = #"[{"what":"\#(damaged) \#(what)","where":"\#(damaged)"}]"#
            let json = #"{"ok":false,"path":"\#(damaged)","damage":\#(damage),"records":0}"# + "\n"
            #expect(try cairn("cdb", "verify", damaged, "--json") == Outcome(json, error: error, status: 1))
        }
    }

    @Test func verifyCannotFindOrOpenEverything() throws {
        let path = try database()
        var bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        // There are no checksums of values.
        bytes[2048 + 11] ^= 1
        #expect(try cairn("cdb", "verify", playground.file("value.cdb", bytes)) == Outcome("3 records read, no damage found.\n"))
        let short = try playground.file("short.cdb", Array(bytes[..<2047]))
        let what = "could not open \(short): it has 2047 bytes, but a cdb header takes 2048"
        let error = "Error: '\(short)' is damaged.\nHint: It cannot be opened; restore it from a backup.\n"
        #expect(
            try cairn("cdb", "verify", short)
                == Outcome("damage: \(what)\n0 records read, 1 problem found.\n", error: error, status: 1)
        )
        let byte = try playground.file("byte.cdb", [7])
        #expect(try cairn("cdb", "verify", byte).output.contains("it has 1 byte, but a cdb header takes 2048"))
        // Nothing is damaged where nothing is.
        let missing = playground.path("missing.cdb"), directory = playground.directory.path
        let notThere = "Error: Could not open \(missing); check that the path exists.\n"
        #expect(try cairn("cdb", "verify", missing) == Outcome(error: notThere, status: 3))
        let noFile = "Error: Could not read \(directory); it is a directory; give the path of a file.\n"
        #expect(try cairn("cdb", "verify", directory, "--json") == Outcome(error: noFile, status: 3))
    }

    @Test func otherCommandsStopAtDamage() throws {
        let path = try database()
        var bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        bytes[2048 + 15] = 0xFF
        let damaged = try playground.file("damaged.cdb", bytes)
        let dump = try cairn("cdb", "dump", damaged)
        #expect(dump.status == 3 && dump.output == "+3,4:one->here\n" && dump.error.contains("'cairn cdb verify'"))
        let missing = playground.path("missing.cdb")
        let error = try cairn("cdb", "stats", missing)
        #expect(error.status == 3 && error.error.contains(missing))
        let short = try playground.file("short.cdb", "too short")
        #expect(try cairn("cdb", "list", short).status == 3)
    }

    @Test func badInputLeavesTheOldFile() throws {
        let path = try database()
        let before = FileManager.default.contents(atPath: path)
        for (text, reason) in [("+1,1:a->b\nx", "record 2 of the text"), ("+5,1:a", "ends within record 1")] {
            let outcome = try cairn("cdb", "create", path, stdin: text)
            #expect(
                outcome.status == 4 && outcome.error.hasPrefix("Error: standard input: ") && outcome.error.contains(reason),
                "\(outcome)"
            )
        }
        #expect(try cairn("cdb", "create", path, playground.path("missing")).status == 4)
        #expect(FileManager.default.contents(atPath: path) == before)
        #expect(try cairn("cdb", "create", playground.path("no/where.cdb"), stdin: Self.records).status == 3)
    }
}
