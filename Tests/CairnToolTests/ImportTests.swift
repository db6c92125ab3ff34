import CairnTestSupport
import Foundation
import Testing

struct ImportTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func eachFormatIsRecognised() throws {
        let files = [
            try playground.file("a.csv", "id,name\n1,Ann\n2,Bob\n"),
            try playground.file("b.txt", "id\tname\n3\tCid\n"),
            try playground.file("status", "Package: bash\nDescription: a shell\n and more\n\nPackage: zsh\n"),
            try playground.file("d", #"{"key":"d","value":"4"}"#),
        ]
        let db = playground.path("db")
        let counts = ["2 records", "1 record", "2 records", "1 record"]
        for (file, count) in zip(files, counts) {
            let outcome = try cairn("rocks", "import", db, file, "--create")
            #expect(outcome.error == "")
            #expect(withoutTimes(outcome.output) == "Imported \(count) in # s, #/s.\n")
        }
        let expected = #"""
            1	{"id":"1","name":"Ann"}
            2	{"id":"2","name":"Bob"}
            3	{"id":"3","name":"Cid"}
            bash	{"Package":"bash","Description":"a shell\\n and more"}
            d	4
            zsh	{"Package":"zsh"}

            """#
        #expect(try cairn("rocks", "scan", db) == Outcome(expected))
    }

    @Test func standardInputAndAFieldAsKey() throws {
        let db = playground.path("db")
        let outcome = try cairn("rocks", "import", db, "--key", "id", "--json", "--create", stdin: "{\"id\":1}\n{\"id\":2}\n")
        #expect(outcome.output.hasPrefix(#"{"rows":2,"format":"jsonl","seconds":"#))
        #expect(outcome.status == 0)
        #expect(try cairn("rocks", "scan", db) == Outcome("1\t{\"id\":1}\n2\t{\"id\":2}\n"))
    }

    @Test func malformedRecordsEndItAndTellWhatIsStored() throws {
        let file = try playground.file("a.csv", "k,v\n1,a\n2,b\n3,c\n4,\"d\n")
        let db = playground.path("db")
        let error = "Error: \(file), line 5: a quoted field is not closed.\n"
        #expect(
            try cairn("rocks", "import", db, file, "--create", "--batch", "2")
                == Outcome(error: error + "Hint: 2 records, up to line 3, were imported.\n", status: 4)
        )
        #expect(try cairn("rocks", "count", db) == Outcome("2\n"))
        #expect(try cairn("rocks", "import", db, file) == Outcome(error: error + "Hint: No records were imported.\n", status: 4))
    }

    @Test func aDatabaseOfAFailedImportIsRemoved() throws {
        let file = try playground.file("a.csv", "k,v\n1,a\nx,b\n")
        let db = playground.path("db")
        let failed = "Error: \(file), line 3: 'x' is not a valid int.\n"
        func importing(_ path: String, _ more: String...) throws -> Outcome {
            Outcome(try runTool("cairn", ["rocks", "import", path, file, "--create", "--key-type", "int"] + more))
        }
        #expect(try importing(db) == Outcome(error: failed + "Hint: No records were imported.\n", status: 4))
        #expect(!FileManager.default.fileExists(atPath: db))
        // A directory that was there stays, with what is in it.
        try FileManager.default.createDirectory(atPath: db, withIntermediateDirectories: false)
        #expect(try importing(db).status == 4)
        #expect(try FileManager.default.contentsOfDirectory(atPath: db) == [])
        try Data("notes".utf8).write(to: URL(fileURLWithPath: db + "/notes.txt"))
        #expect(try importing(db).status == 4)
        #expect(try FileManager.default.contentsOfDirectory(atPath: db) == ["notes.txt"])
        // And so does a database, whether it was there or has records.
        #expect(try importing(playground.path("some"), "--batch", "1").error == failed + "Hint: 1 record, up to line 2, was imported.\n")
        #expect(try cairn("rocks", "count", playground.path("some")) == Outcome("1\n"))
        let empty = try playground.database("empty")
        #expect(try importing(empty).status == 4)
        #expect(try cairn("rocks", "count", empty) == Outcome("0\n"))
    }

    @Test func badHeadersMakeNoDatabase() throws {
        let file = try playground.file("a.csv", "k,k\n1,a\n")
        let db = playground.path("db")
        #expect(
            try cairn("rocks", "import", db, file, "--create")
                == Outcome(error: "Error: \(file), line 1: the header names the column 'k' twice.\n", status: 4)
        )
        #expect(try cairn("rocks", "count", db).status == 3)
    }

    @Test func unreadableInputIsAnError() throws {
        let db = try playground.database()
        let missing = playground.path("nothing")
        #expect(
            try cairn("rocks", "import", db, missing)
                == Outcome(error: "Error: \(missing) cannot be opened: No such file or directory.\n", status: 4)
        )
        #expect(try cairn("rocks", "import", db, db) == Outcome(error: "Error: \(db) is a directory, not a file.\n", status: 4))
        let unknown = try playground.file("unknown", "just words\n")
        let hint = "Hint: Give it with --format jsonl, csv, tsv or control.\n"
        #expect(
            try cairn("rocks", "import", db, unknown)
                == Outcome(error: "Error: \(unknown): the format cannot be detected from the name or the first bytes.\n\(hint)", status: 4)
        )
        let latin1 = try playground.file("latin1.csv", Array("k,v\n1,caf".utf8) + [0xE9])
        #expect(
            try cairn("rocks", "import", db, latin1)
                == Outcome(error: "Error: \(latin1), line 2: field 2 is not valid UTF-8.\nHint: No records were imported.\n", status: 4)
        )
    }

    @Test func recordsGoWhereTheySayOrAreTold() throws {
        let file = try playground.file("a.jsonl", #"{"column_family":"songs","key":"a","value":"1"}"#)
        let db = try playground.database()
        #expect(
            try cairn("rocks", "import", db, file)
                == Outcome(
                    error:
                        "Error: '\(db)' has no column family 'songs'.\nHint: It has: default. --create creates it. No records were imported.\n",
                    status: 3
                )
        )
        #expect(try cairn("rocks", "import", db, file, "--create").status == 0)
        #expect(try cairn("rocks", "import", db, file, "-c", "default").status == 0)
        #expect(try playground.content(of: db) == ["default": [[0x61]: [0x31]], "songs": [[0x61]: [0x31]]])
    }
}
