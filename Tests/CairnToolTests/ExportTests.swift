import CairnRocks
import CairnTestSupport
import Foundation
import Testing

struct ExportTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func linesTellColumnFamiliesAndBytes() throws {
        let db = try playground.database("db", ["a": "1"], columnFamilies: ["empty", "songs"]) { db in
            try db.columnFamily("songs").put([0xFF, 0x00], for: "b")
        }
        let expected = #"""
            {"key":"a","value":"1"}
            {"column_family":"empty"}
            {"column_family":"songs"}
            {"column_family":"songs","key":"b","value_hex":"ff00"}

            """#
        #expect(try cairn("rocks", "export", db) == Outcome(expected))
        #expect(try cairn("rocks", "export", db, "-c", "songs") == Outcome(#"{"key":"b","value_hex":"ff00"}"# + "\n"))
        #expect(try cairn("rocks", "export", db, "-c", "songs", "--hex") == Outcome(#"{"key_hex":"62","value_hex":"ff00"}"# + "\n"))
    }

    @Test func nothingIsExportedAndImported() throws {
        let (db, copy) = (try playground.database("db"), playground.path("copy"))
        #expect(try cairn("rocks", "export", db) == Outcome())
        #expect(try cairn("rocks", "import", copy, "--create").output.hasPrefix("Imported 0 records in "))
        let file = try playground.file("nothing", "")
        #expect(try cairn("rocks", "import", copy, file).output.hasPrefix("Imported 0 records in "))
        #expect(try playground.content(of: copy) == ["default": [:]])
    }

    @Test func boundsInTheWrongOrderAreAnError() throws {
        let db = try playground.database("db", ["a": "1", "b": "2"], columnFamilies: ["songs"])
        let error = "Error: No key lies between 'c' and 'a' in this order.\nHint: Swap --from and --to.\n"
        #expect(try cairn("rocks", "export", db, "--from", "c", "--to", "a") == Outcome(error: error, status: 2))
        #expect(try cairn("rocks", "export", db, "--from", "x", "--to", "b", "-c", "songs") == Outcome())
    }

    /// Any keys and values in any number of column families come back as they were.
    @Test func whatIsExportedIsImportedTheSame() async throws {
        try await withSeeds("export and import", count: Thorough.count(1, of: 4)) { generator in
            let families = ["empty", "f\u{e9}\"\\\n", "x"].filter { _ in !generator.oneIn(3) }
            var entries: [(family: String, key: [UInt8], value: [UInt8])] = []
            for _ in 0..<300 {
                let family = generator.pick(["default"] + families.filter { $0 != "empty" })
                entries.append((family, randomBytes(&generator), randomBytes(&generator)))
            }
            let db = try playground.database("db-\(generator.seed)", columnFamilies: families) { db in
                for (family, key, value) in entries { try db.columnFamily(family).put(value, for: key) }
            }
            let exported = try cairn("rocks", "export", db)
            #expect(exported.error == "")
            let file = try playground.file("all-\(generator.seed).jsonl", exported.output)
            let copy = playground.path("copy-\(generator.seed)")
            #expect(try cairn("rocks", "import", copy, file, "--create", "--batch", "7").status == 0)
            #expect(try playground.content(of: copy) == playground.content(of: db))
            #expect(try cairn("rocks", "export", copy) == exported)
        }
    }

    /// Bytes of all kinds: none, text with everything that needs escapes, and noise.
    private func randomBytes(_ generator: inout SeededGenerator) -> [UInt8] {
        if generator.oneIn(2) { return generator.bytes(generator.int(in: 0..<20)) }
        let scalars = (0..<generator.int(in: 0..<10)).map { _ in
            generator.pick(["\"", "\\", "\n", "\r", "\t", "\0", "\u{7F}", "/", "a", "é", "😀", "\u{2028}", "\u{FEFF}"] as [Character])
        }
        return Array(String(scalars).utf8)
    }
}
