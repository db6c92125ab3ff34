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

    @Test func aFlippedBitIsFound() throws {
        let db = try playground.database { db in
            for number in 0..<5000 { try db.put("value \(number)", for: "key \(number)") }
            try db.flush()
        }
        try flipByte(of: "sst", in: db, at: 20_000)
        let outcome = try cairn("rocks", "verify", db)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("\ndamage: verifying the checksums of '\(db)': "))
        #expect(outcome.output.contains(/\ndefault +[0-9,]+ +[0-9.]+ KiB  damaged after these\n/))
        #expect(
            outcome.error == """
                Error: '\(db)' is damaged.
                Hint: 'cairn rocks export' saves what can still be read, one column family at a time.

                """
        )
        // Other commands fail where the damage is, after what comes before it.
        let scan = try cairn("rocks", "scan", db)
        #expect(scan.status == 3)
        #expect(scan.output.hasPrefix("key 0\tvalue 0\nkey 1\tvalue 1\n"))
        #expect(scan.error.hasSuffix("Hint: 'cairn rocks verify' shows the damage.\n"))
    }

    @Test func aDamagedLogAndAMissingFileAreFound() throws {
        let log = try playground.database("log") { db in
            for number in 0..<5000 { try db.put("value \(number)", for: "key \(number)") }
        }
        try flipByte(of: "log", in: log, at: 20_000)
        let verify = try cairn("rocks", "verify", log)
        #expect(verify.status == 1)
        #expect(verify.output.hasPrefix("damage: opening the database at '\(log)': "))
        #expect(verify.error == "Error: '\(log)' is damaged.\nHint: It cannot be opened; restore it from a backup.\n")
        #expect(try cairn("rocks", "count", log).status == 3)

        let lost = try playground.database("lost", ["a": "1"]) { try $0.flush() }
        for file in try FileManager.default.contentsOfDirectory(atPath: lost) where file.hasSuffix(".sst") {
            try FileManager.default.removeItem(atPath: lost + "/" + file)
        }
        #expect(try cairn("rocks", "verify", lost).status == 1)
    }

    /// Changes a byte of the only file with that extension that is not empty.
    private func flipByte(of kind: String, in db: String, at offset: Int) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: db).filter { $0.hasSuffix("." + kind) }.map { db + "/" + $0 }
        let file = try #require(try files.first { try Data(contentsOf: URL(fileURLWithPath: $0)).count > offset })
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[offset] ^= 0xFF
        try bytes.write(to: URL(fileURLWithPath: file))
    }
}
