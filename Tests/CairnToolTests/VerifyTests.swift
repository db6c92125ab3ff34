import CairnRocks
import CairnTestSupport
import Foundation
import Testing

struct VerifyTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func aWholeDatabaseIsWhole() throws {
        let db = try playground.database("db", ["a": "1", "bb": "22"], columnFamilies: ["songs"])
        let expected = """
            column family  entries  data  state
            default              2   6 B  intact
            songs                0   0 B  intact
            2 entries read, no damage found.

            """
        #expect(try cairn("rocks", "verify", db) == Outcome(expected))
        let families =
            #"[{"name":"default","entries":2,"bytes":6,"state":"intact"},{"name":"songs","entries":0,"bytes":0,"state":"intact"}]"#
        #expect(
            try cairn("rocks", "verify", db, "--json")
                == Outcome(#"{"ok":true,"path":"\#(db)","damage":[],"column_families":\#(families)}"# + "\n")
        )
    }

    @Test func aFlippedByteIsFound() throws {
        let db = try sortedFile()
        // In the second of the three blocks.
        try flipByte(of: "sst", in: db, at: 6000)
        let checksums = "verifying the checksums of '\(db)': #", cursor = "moving a cursor over column family 'default' of '\(db)': #"
        let hint =
            "Hint: 'cairn rocks export' saves what can still be read, one column family at a time; --from KEY begins after the damage."
        let error = "Error: '\(db)' is damaged.\n\(hint)\n"
        let expected = """
            column family  entries     data  state
            default              1  4.9 KiB  damaged after these
            damage: \(checksums)
            damage: \(cursor)
            1 entry read, 2 problems found.

            """
        #expect(try verify(db) == Outcome(expected, error: error, status: 1))
        let damage = #"{"what":"\#(checksums)","where":"\#(db)"},{"what":"\#(cursor)","where":"column family 'default'"}"#
        let families = #"[{"name":"default","entries":1,"bytes":5001,"state":"damaged"}]"#
        let json = #"{"ok":false,"path":"\#(db)","damage":[\#(damage)],"column_families":\#(families)}"# + "\n"
        #expect(try verify(db, "--json") == Outcome(json, error: error, status: 1))

        // Other commands fail where the damage is, after what comes before it.
        let scan = try cairn("rocks", "scan", db, "--keys-only")
        #expect(scan.status == 3 && scan.output == "a\n")
        #expect(scan.error.hasSuffix("Hint: 'cairn rocks verify' shows the damage.\n"))
    }

    @Test func aTruncatedFileIsFound() throws {
        let db = try sortedFile()
        try change(the: "sst", in: db) { $0.removeLast(1000) }
        try expectThatItCannotBeOpened(db, "if '\(table(in: db))' is damaged: replace it, \(Self.otherAdvice)")
    }

    /// A process that dies while it writes leaves such a log.
    @Test func aLogThatEndsEarlyIsNotDamaged() throws {
        let db = try playground.database("db", ["a": "1", "b": "2"])
        try change(the: "log", in: db) { $0.removeLast() }
        let expected = """
            column family  entries  data  state
            default              1   2 B  intact
            1 entry read, no damage found.

            """
        #expect(try verify(db) == Outcome(expected))
    }

    @Test func aDamagedLogAndAMissingFileAreFound() throws {
        let log = try playground.database("log") { db in
            for number in 0..<5000 { try db.put("value \(number)", for: "key \(number)") }
        }
        try flipByte(of: "log", in: log, at: 20_000)
        try expectThatItCannotBeOpened(
            log,
            "nothing was changed; if the write-ahead log is damaged, repairing the database, or opening it with walRecoveryMode .pointInTime, keeps the data before it"
        )
        #expect(try cairn("rocks", "count", log).status == 3)

        let lost = try playground.database("lost", ["a": "1"]) { try $0.flush() }
        let file = try table(in: lost)
        try FileManager.default.removeItem(atPath: lost + "/" + file)
        try expectThatItCannotBeOpened(lost, "the file '\(file)' is missing: put it back, \(Self.otherAdvice)")
    }

    @Test func aMissingCurrentIsFound() throws {
        let db = try playground.database("db", ["a": "1"]) { try $0.flush() }
        try FileManager.default.removeItem(atPath: db + "/CURRENT")
        let files = try FileManager.default.contentsOfDirectory(atPath: db).sorted()
        let error = "Error: '\(db)' is damaged.\nHint: It cannot be opened; restore it from a backup.\n"
        let damage = "damage: the file CURRENT is missing; 'cairn rocks repair' can rebuild it\n"
        #expect(
            try cairn("rocks", "verify", db) == Outcome(damage + "0 entries read, 1 problem found.\n", error: error, status: 1)
        )
        let missing = "Error: The directory '\(db)' holds the files of a RocksDB database, but CURRENT is missing.\n"
        #expect(try cairn("rocks", "scan", db).error.hasPrefix(missing))
        let created = try cairn("rocks", "put", db, "b", "2", "--create")
        #expect(created.status == 3 && created.error.hasPrefix(missing), "\(created)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: db).sorted() == files)
        #expect(try cairn("rocks", "repair", db, "--yes").status == 0)
        #expect(try cairn("rocks", "scan", db) == Outcome("a\t1\n"))
    }

    /// A process that is killed while it creates a database leaves such a directory, which can be used again.
    @Test func anInterruptedCreationIsNotADatabase() throws {
        let db = playground.path("db")
        try FileManager.default.createDirectory(atPath: db, withIntermediateDirectories: false)
        for name in ["MANIFEST-000001", "IDENTITY", "LOCK"] { try Data().write(to: URL(fileURLWithPath: db + "/" + name)) }
        #expect(try cairn("rocks", "scan", db).error.contains("does not contain a RocksDB database"))
        #expect(try cairn("rocks", "put", db, "a", "1", "--create") == Outcome())
        #expect(try cairn("rocks", "scan", db) == Outcome("a\t1\n"))
    }

    /// The name of the only sorted file.
    private func table(in db: String) throws -> String {
        let files = try FileManager.default.contentsOfDirectory(atPath: db).filter { $0.hasSuffix(".sst") }
        try #require(files.count == 1)
        return files[0]
    }

    private static let otherAdvice = "restore a backup, or repair the database, which keeps the data in the other files"

    /// A database with the keys `a`, `b` and `c` in one sorted file, each in a block of its own. The values cannot be compressed.
    private func sortedFile() throws -> String {
        try playground.database { db in
            var generator = SeededGenerator(seed: 1)
            for key in ["a", "b", "c"] { try db.put(generator.bytes(5000), for: key) }
            try db.flush()
        }
    }

    /// `cairn rocks verify` with `#` for RocksDB's words, which differ between its versions.
    private func verify(_ db: String, _ options: String...) throws -> Outcome {
        let result = try runTool("cairn", ["rocks", "verify", db] + options)
        let words = /((?:verifying the checksums of|moving a cursor over|opening the database at) [^:]*: )[^;"\n]+/
        let output = result.standardOutput.replacing(words) { "\($0.1)#" }
        return Outcome(output, error: result.standardError, status: result.status)
    }

    private func expectThatItCannotBeOpened(_ db: String, _ advice: String) throws {
        let what = "opening the database at '\(db)': #; \(advice)"
        let error = "Error: '\(db)' is damaged.\nHint: It cannot be opened; restore it from a backup.\n"
        #expect(try verify(db) == Outcome("damage: \(what)\n0 entries read, 1 problem found.\n", error: error, status: 1))
        let json = #"{"ok":false,"path":"\#(db)","damage":[{"what":"\#(what)","where":"\#(db)"}],"column_families":[]}"# + "\n"
        #expect(try verify(db, "--json") == Outcome(json, error: error, status: 1))
    }

    private func flipByte(of kind: String, in db: String, at offset: Int) throws {
        try change(the: kind, in: db) { $0[offset] ^= 0xFF }
    }

    /// Changes the only file with that extension that is not empty.
    private func change(the kind: String, in db: String, _ body: (inout Data) -> Void) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: db).filter { $0.hasSuffix("." + kind) }.map { db + "/" + $0 }
        let file = URL(fileURLWithPath: try #require(try files.first { try !Data(contentsOf: URL(fileURLWithPath: $0)).isEmpty }))
        var bytes = try Data(contentsOf: file)
        body(&bytes)
        try bytes.write(to: file)
    }
}
