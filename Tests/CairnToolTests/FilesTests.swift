import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// `ingest`, `metadata`, `tail`.
struct FilesTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// A sorted file.
    private func sorted(_ name: String, _ entries: KeyValuePairs<String, String>) throws -> String {
        let writer = try SSTFileWriter(path: playground.path(name))
        for (key, value) in entries { try writer.put(value, for: key) }
        try writer.finish()
        return playground.path(name)
    }

    @Test func sortedFilesAreTakenIn() throws {
        let db = try playground.database("db", ["a": "old", "z": "26"], columnFamilies: ["songs"])
        let one = try sorted("one.sst", ["a": "1", "b": "2"])
        let other = try sorted("other.sst", ["c": "3"])
        #expect(try cairn("rocks", "ingest", db, one, other) == Outcome("Added 2 files.\n"))
        #expect(try cairn("rocks", "scan", db) == Outcome("a\t1\nb\t2\nc\t3\nz\t26\n"))
        #expect(try cairn("rocks", "ingest", db, other, "-c", "songs", "--move", "--json") == Outcome("{\"files\":1}\n"))
        #expect(try cairn("rocks", "scan", db, "-c", "songs") == Outcome("c\t3\n"))
        #expect(FileManager.default.fileExists(atPath: one) && !FileManager.default.fileExists(atPath: other))

        let missing = playground.path("missing")
        let error = "Error: '\(missing)' cannot be read: No such file or directory.\n"
        #expect(try cairn("rocks", "ingest", db, missing) == Outcome(error: error, status: 4))
        let text = try playground.file("text", "no sorted file")
        let damaged = try cairn("rocks", "ingest", db, one, text)
        #expect(damaged.status == 4 && damaged.output == "" && damaged.error.hasPrefix("Error: Ingesting 2 files into '\(db)'"))
        #expect(!damaged.error.contains("Hint"))
    }

    @Test func damagedFilesAreRefused() throws {
        let db = try playground.database("db", ["a": "0"])
        let good = try sorted("good.sst", ["a": "1"])
        let file = try sorted("damaged.sst", ["b": String(repeating: "value", count: 20)])
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        // In the block of the entry.
        bytes[10] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let outcome = try cairn("rocks", "ingest", db, good, file)
        #expect(outcome.status == 4 && outcome.output == "", "\(outcome)")
        #expect(try cairn("rocks", "scan", db) == Outcome("a\t0\n"))
    }

    @Test func filesAreShownByLevel() throws {
        let db = try playground.database("db", columnFamilies: ["songs"]) { db in
            let songs = try db.columnFamily("songs")
            try songs.put("1", for: "a")
            try songs.delete("b\n")
            try songs.flush()
        }
        #expect(try cairn("rocks", "metadata", db) == Outcome("No files.\n"))
        let shown = try cairn("rocks", "metadata", db, "-c", "songs")
        let lines = shown.output.replacing(/[0-9]+ B|[0-9.]+ KiB/, with: "#").replacing(/[0-9]{6}/, with: "#").replacing(/\ +/, with: " ")
        let expected = """
            level files size
             0 1 #

            level file size entries deletions first key last key
             0 #.sst # 2 1 a b\\n

            """
        #expect(lines == expected)
        let text = try cairn("rocks", "metadata", db, "-c", "songs", "--json", "--hex").output
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let json = try #require(object as? [String: Any])
        let levels = try #require(json["levels"] as? [[String: Any]])
        let file = try #require((levels.first?["files"] as? [[String: Any]])?.first)
        #expect(file["entries"] as? Int == 2 && file["deletions"] as? Int == 1)
        #expect(file["smallest_key_hex"] as? String == "61" && file["largest_key_hex"] as? String == "620a")
        #expect(file["bytes"] as? Int == json["bytes"] as? Int && file["directory"] as? String == db)
        #expect(levels.dropFirst().allSatisfy { ($0["files"] as? [Any])?.isEmpty == true })
    }

    @Test func changesAreRepeated() throws {
        let db = try playground.database("db", ["a": "1"], columnFamilies: ["songs"]) { db in
            try db.write { batch in
                batch.putLogData("note")
                batch.put("2", for: "b\t")
                batch.delete("a")
            }
            try db.columnFamily("songs").deleteRange(from: "c", to: "d")
        }
        let all =
            "1\tput\tdefault\ta\t1\n\tlogData\tdefault\t\tnote\n2\tput\tdefault\tb\\t\t2\n3\tdelete\tdefault\ta\n"
            + "4\tdeleteRange\tsongs\tc\td\n"
        #expect(try cairn("rocks", "tail", db) == Outcome(all))
        // Looking does not use the log up.
        #expect(try cairn("rocks", "tail", db) == Outcome(all))
        #expect(try cairn("rocks", "tail", db, "--limit", "1") == Outcome("1\tput\tdefault\ta\t1\n"))
        #expect(try cairn("rocks", "tail", db, "--since", "3") == Outcome("4\tdeleteRange\tsongs\tc\td\n"))
        #expect(try cairn("rocks", "tail", db, "--since", "4") == Outcome())
        let json = """
            {"sequence_number":1,"operation":"put","column_family":"default","key":"a","value":"1"}
            {"operation":"logData","column_family":"default","key":"","value":"note"}

            """
        #expect(try cairn("rocks", "tail", db, "--limit", "2", "--json") == Outcome(json))
        #expect(try cairn("rocks", "tail", db, "--since", "5").status == 3)

        // Opening for writing makes files of the log.
        #expect(try cairn("rocks", "put", db, "e", "5") == Outcome())
        #expect(try cairn("rocks", "tail", db) == Outcome("5\tput\tdefault\te\t5\n"))
        #expect(
            try cairn("rocks", "tail", db, "--since", "6")
                == Outcome(error: "Error: The latest sequence number of '\(db)' is 5.\n", status: 3)
        )
        let gone = try cairn("rocks", "tail", db, "--since", "0")
        #expect(gone.status == 3 && gone.output == "")
        #expect(gone.error.hasSuffix("Hint: Without --since, the changes that are still in the log are printed.\n"), "\(gone.error)")
    }

    @Test func changesAreFollowedWhileTheyAreMade() throws {
        let path = try playground.database("db", ["a": "1"])
        let db = try RocksDB(path: path)
        let tool = try ChildProcess("cairn", ["rocks", "tail", path, "--since", "1", "--follow"])
        try db.put("2", for: "b")
        #expect(tool.readLine() == "2\tput\tdefault\tb\t2")
        // Another file of the log, and a column family that was not there before.
        try db.flush()
        try db.createColumnFamily("songs").delete("c")
        #expect(tool.readLine() == "3\tdelete\tsongs\tc")
        // What goes past the log cannot be followed.
        try db.put("4", for: "d", options: .unlogged)
        try db.put("5", for: "e")
        #expect(tool.readLine() == nil)
        #expect(try tool.waitForEnd() == .exited(3))
        #expect(
            try cairn("rocks", "tail", path, "--follow", "--limit", "2") == Outcome("3\tdelete\tsongs\tc\n5\tput\tdefault\te\t5\n")
        )
        try db.close()
    }
}
