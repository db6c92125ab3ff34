import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// `compact`, `checkpoint`, `repair`, and changing `column-families`.
struct OperationsTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func compactingGivesBackTheSpaceOfWhatWasDeleted() throws {
        let db = try playground.database("db", columnFamilies: ["songs"]) { db in
            for number in 0..<2_000 { try db.put(String(repeating: "x\(number)", count: 20), for: "key \(number)") }
            try db.flush()
            for number in 0..<2_000 { try db.delete("key \(number)") }
            try db.put("1", for: "a")
        }
        let outcome = try cairn("rocks", "compact", db, "--json")
        #expect(outcome.status == 0)
        let families = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
        #expect(families.map { $0["name"] as? String } == ["default", "songs"])
        let before = try #require(families[0]["bytes_before"] as? Int)
        let after = try #require(families[0]["bytes_after"] as? Int)
        #expect(after < before / 4)
        #expect(try playground.content(of: db) == ["default": [Array("a".utf8): Array("1".utf8)], "songs": [:]])
        let table = try cairn("rocks", "compact", db, "-c", "songs")
        #expect(table == Outcome("column family  before  after\nsongs             0 B    0 B\n"))
        let reversed = try cairn("rocks", "compact", db, "--from", "z", "--to", "a")
        let error = "Error: No key lies between 'z' and 'a' in this order.\nHint: Swap --from and --to.\n"
        #expect(reversed == Outcome(error: error, status: 2))
        #expect(try cairn("rocks", "compact", db, "--from", "a", "--to", "z").status == 0)
    }

    @Test func aCheckpointIsADatabaseOfItsOwn() throws {
        let db = try playground.database("db", ["a": "1", "b": "2"])
        let copy = playground.path("copy")
        #expect(try cairn("rocks", "checkpoint", db, copy) == Outcome("Copied to '\(copy)', up to sequence number 2.\n"))
        #expect(try playground.content(of: copy) == playground.content(of: db))
        #expect(try cairn("rocks", "checkpoint", db, copy).status == 3)
        let other = playground.path("other")
        #expect(try cairn("rocks", "checkpoint", db, other, "--json") == Outcome("{\"path\":\"\(other)\",\"sequence_number\":2}\n"))
    }

    @Test func repairingSavesWhatCanBeRead() throws {
        let db = try playground.database("db", ["a": "1", "b": "2"]) { try $0.flush() }
        for name in try FileManager.default.contentsOfDirectory(atPath: db) where name.hasPrefix("MANIFEST") {
            try Data("nonsense".utf8).write(to: URL(fileURLWithPath: db + "/" + name))
        }
        #expect(try cairn("rocks", "scan", db).status == 3)
        let refused = "Error: Repairing '\(db)' may lose data.\nHint: Confirm it with --yes.\n"
        #expect(try cairn("rocks", "repair", db) == Outcome(error: refused, status: 2))
        #expect(try cairn("rocks", "repair", db, "--yes") == Outcome("column family  entries\ndefault              2\n"))
        #expect(try cairn("rocks", "scan", db) == Outcome("a\t1\nb\t2\n"))
    }

    @Test(arguments: [false, true]) func repairingSaysWhichFilesAreLost(json: Bool) throws {
        let db = try playground.database { db in
            var generator = SeededGenerator(seed: 1)
            for key in ["a", "b", "c"] { try db.put(generator.bytes(5000), for: key) }
            try db.flush()
        }
        let file = try #require(try FileManager.default.contentsOfDirectory(atPath: db).first { $0.hasSuffix(".sst") })
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: db + "/" + file)))
        // In the second of the three blocks.
        bytes[6000] ^= 0xFF
        try Data(bytes).write(to: URL(fileURLWithPath: db + "/" + file))
        let outcome = try runTool("cairn", ["rocks", "repair", db, "--yes"] + (json ? ["--json"] : []))
        let lost = json ? "\"lost_files\":[\"\(file)\"]" : "\nlost: \(db)/lost/\(file), with its intact entries\n"
        #expect(outcome.status == 0 && outcome.standardOutput.contains(lost), "\(outcome)")
    }

    @Test func columnFamiliesAreMadeAndDropped() throws {
        let db = try playground.database("db", ["a": "1"])
        #expect(try cairn("rocks", "column-families", db, "--create", "songs", "--create", "plays") == Outcome("default\nplays\nsongs\n"))
        #expect(try cairn("rocks", "column-families", db, "--drop", "songs", "--json") == Outcome("[\"default\",\"plays\"]\n"))
        let twice = "Error: '\(db)' already has a column family 'plays'.\n"
        #expect(try cairn("rocks", "column-families", db, "--create", "plays") == Outcome(error: twice, status: 3))
        let missing = "Error: '\(db)' has no column family 'songs'.\nHint: It has: default, plays.\n"
        #expect(try cairn("rocks", "column-families", db, "--drop", "songs") == Outcome(error: missing, status: 3))
        #expect(try cairn("rocks", "column-families", db, "--drop", "default").status == 3)
        // All names are checked before anything is changed.
        for names in [
            ["--drop", "plays", "--drop", "songs"], ["--create", "songs", "--drop", "default"], ["--create", "songs", "--create", "plays"],
            ["--create", "songs", "--create", ""], ["--create", "songs", "--create", "songs"], ["--drop", "plays", "--drop", "plays"],
        ] {
            let result = try runTool("cairn", ["rocks", "column-families", db] + names)
            #expect(result.status != 0, "\(names): \(result)")
            #expect(try cairn("rocks", "column-families", db) == Outcome("default\nplays\n"), "\(names)")
        }
    }
}
