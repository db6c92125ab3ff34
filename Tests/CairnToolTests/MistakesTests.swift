import CairnMapped
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// What people do wrong, and the messages they get.
struct MistakesTests {
    let playground = try! Playground()

    @Test(arguments: [
        ("rocks scna", "rocks scan"), ("rocks gte", "rocks get"), ("objects lsit", "objects list"), ("mapped lits", "mapped list"),
    ])
    func swappedLettersAreGuessed(typed: String, meant: String) throws {
        let words = typed.split(separator: " ").map(String.init)
        let outcome = try cairn(words[0], words[1], "x")
        #expect(outcome.status == 2 && outcome.error.hasSuffix("Hint: Did you mean 'cairn \(meant)'?\n"), "\(outcome)")
    }

    @Test func aMissingDirectoryIsNamed() throws {
        let db = try playground.database("music.db", ["a": "1"])
        let store = playground.path("music.store")
        #expect(try cairn("objects", "import", store, "--create", stdin: "{\"cairn_objects\":1}\n").status == 0)
        let input = try playground.file("songs.jsonl", "{\"cairn_objects\":1}\n")
        let missing = playground.path("none")
        let backups = playground.path("backups")
        #expect(try cairn("rocks", "backup", db, backups).status == 0)
        for command in [
            ["rocks", "restore", backups, missing + "/copy"],
            ["rocks", "checkpoint", db, missing + "/copy"], ["rocks", "backup", db, missing + "/backups"],
            ["objects", "import", missing + "/music.store", input, "--create"],
            ["objects", "import", "sqlite:" + missing + "/music", input, "--create"],
            ["mapped", "set", missing + "/settings.map", "a", "1", "--create"], ["objects", "move", store, "sqlite:" + missing + "/music"],
        ] {
            let result = try runTool("cairn", command)
            #expect(result.status == 3)
            let error = result.standardError
            #expect(
                error.contains("its directory does not exist; create it first")
                    || error.contains("create the directory '\(missing)' first"),
                "\(command): \(error)"
            )
        }
        let records = try playground.file("records", "+1,1:a->b\n\n")
        let created = try runTool("cairn", ["cdb", "create", missing + "/music.cdb", records])
        #expect(
            created.status != 0 && created.standardError.contains("music.cdb: its directory does not exist; create it first"),
            "\(created)"
        )
        #expect(!FileManager.default.fileExists(atPath: missing))
    }

    @Test func anEmptyPathIsNamed() throws {
        let db = try playground.database("music.db", ["a": "1"])
        #expect(try cairn("rocks", "checkpoint", db, "") == Outcome(error: "Error: The path of the copy is empty.\n", status: 3))
        let error = "Error: The path of the directory of backups is empty.\n"
        #expect(try cairn("rocks", "backup", db, "") == Outcome(error: error, status: 3))
    }

    /// The limit for the size of files is reported, and at most an empty file is left, which the next attempt makes a store of.
    @Test(.limitingFileSizes) func whatCannotBeWrittenIsNotCreated() throws {
        let json = try playground.file("in.json", #"{"a":1}"#)
        let records = try playground.file("in.txt", "+1,9000:a->" + String(repeating: "x", count: 9000) + "\n\n")
        let before = try FileManager.default.contentsOfDirectory(atPath: playground.directory.path)
        for (command, error) in [
            ("mapped set new a 1 --create", "the size exceeds a system limit"),
            ("mapped import new '\(json)' --create", "the size exceeds a system limit"),
            ("rocks put new a --create < '\(records)'", "File too large"),
            ("cdb create new '\(records)'", "the size exceeds a system limit"),
        ] {
            let script = "cd '\(playground.directory.path)'; ulimit -f 4; exec '\(try toolPath())' \(command)"
            let result = try runTool("/bin/sh", ["-c", script])
            #expect(result.status == 3 && result.standardError.contains(error), "\(command): \(result)")
            let new = playground.path("new")
            if command.hasPrefix("mapped") {
                #expect(try FileSystem.system.stat(new).size == 0)
                try FileSystem.system.unlink(new)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: playground.directory.path) == before, "\(command)")
        }
    }

    @Test func aMissingFileIsNotOneOfUnknownFormat() throws {
        let store = try playground.mapped("settings.map", ["a": .int(1)])
        let outcome = try cairn("mapped", "import", store, playground.path("none"))
        #expect(outcome == Outcome(error: "Error: There is no file '\(playground.path("none"))'.\n", status: 4))
    }

    @Test func whatIsSomethingElseIsNamed() throws {
        let cdb = playground.path("music.cdb")
        #expect(try cairn("cdb", "create", cdb, stdin: "+1,1:a->b\n\n").status == 0)
        #expect(try cairn("mapped", "list", cdb).error.hasSuffix("Hint: 'cairn doctor' identifies it.\n"))
        #expect(try cairn("nothing.db").error.hasPrefix("Error: There is neither a command nor a file 'nothing.db'.\n"))
    }

    @Test(arguments: ["99999999999999d", "367000d", "-1", "0", "1y"]) func timesThatCannotBe(text: String) throws {
        let store = try playground.mapped("settings.map", ["a": .int(1)])
        let outcome = try cairn("mapped", "set", store, "b", "1", "--expires-after=" + text)
        #expect(outcome.status == 2 && outcome.error.contains("at most 1,000 years"), "\(outcome)")
        #expect(try cairn("mapped", "set", store, "b", "1", "--expires-after", "365000d").status == 0)
    }

    /// Databases of ObjectiveRocks' StringCompare, in both directions.
    @Test(arguments: [(KeyComparator.objectiveRocksStringAscending, "a\t1\nb\t2\n"), (.objectiveRocksStringDescending, "b\t2\na\t1\n")])
    func databasesOfObjectiveRocks(comparator: KeyComparator, entries: String) throws {
        let path = playground.path("old.db")
        var options = ColumnFamilyOptions()
        options.comparator = comparator
        let db = try RocksDB(path: path, options: .init(createIfMissing: true), columnFamilies: ["default": options])
        try db.put("1", for: "a")
        try db.close()
        #expect(try cairn("rocks", "put", path, "b", "2") == Outcome())
        #expect(try cairn("rocks", "scan", path) == Outcome(entries))
        #expect(try cairn("doctor", path).output.contains("It is intact"))
    }
}
