import CairnRocksGraph
import CairnSQLiteGraph
import CairnTestSupport
import Foundation
import Testing

#if canImport(SQLite3)
import SQLite3
#else
import CSQLite
#endif

/// `cairn objects` with stores in files of SQLite.
struct ObjectsSQLiteTests {
    // Lives as long as the test.
    private let playground: Playground
    private var path: String { playground.path("music.sqlite") }

    init() throws { playground = try Playground() }

    private func opened() throws -> ObjectStore { try ObjectStore(sqlite: path, classes: [ToolSong.self, ToolAlbum.self]) }

    private func lines(_ numbers: Range<Int>) -> String { numbers.map { #"{"title":"song \#($0)","seconds":\#($0)}"# + "\n" }.joined() }

    @Test func eachCommandTakesAFile() throws {
        let store = try opened()
        try store.write { $0.insert(ToolSong(title: "first")) }
        // With the prefix or without, beside a program that has it open.
        for location in [path, "sqlite:" + path, "sqlite://" + path, "SQLite://" + path] {
            for arguments in [["doctor", location], [location]] {
                let doctor = try runTool("cairn", arguments)
                #expect(
                    doctor.status == 0 && doctor.standardOutput.hasPrefix("\(location) is an object store in an SQLite file."),
                    "\(doctor)"
                )
            }
            let shell = try runTool("cairn", ["shell", location], stdin: "find Song --count\n")
            #expect(shell.status == 0 && shell.standardOutput.hasSuffix("\n"), "\(shell)")
            let info = try runTool("cairn", ["objects", "info", location, "--json"])
            #expect(info.status == 0 && info.standardOutput.contains(#""Song""#), "\(info)")
            let found = try runTool("cairn", ["objects", "find", location, "Song", "--where", "title == 'first'", "--count"])
            #expect(found.status == 0 && found.standardOutput == "1\n", "\(found)")
            let verified = try runTool("cairn", ["objects", "verify", location])
            #expect(verified.status == 0, "\(verified)")
        }
        try Data(lines(0..<3).utf8).write(to: URL(fileURLWithPath: playground.path("rows.jsonl")))
        let imported = try runTool("cairn", ["objects", "import", path, playground.path("rows.jsonl"), "--class", "Song"])
        #expect(imported.status == 0, "\(imported)")
        #expect(try store.read { try $0.count(ToolSong.self) } == 4)
        let shell = try runTool("cairn", ["shell", path], stdin: "find Song --count\n")
        #expect(shell.status == 0 && shell.standardOutput.contains("4"), "\(shell)")
        let rekeyed = try runTool("cairn", ["objects", "rekey", path, "--new-key-file", playground.path("rows.jsonl")])
        #expect(rekeyed.status != 0, "\(rekeyed)")
        try store.close()
    }

    @Test func compactShrinksAFileThatAProgramHasOpen() throws {
        let store = try ObjectStore(sqlite: path, classes: [ToolNote.self])
        try store.write { context in
            for number in 0..<2000 { context.insert(ToolNote(text: String(repeating: "note \(number) ", count: 80))) }
        }
        try store.write { context in for note in try context.allObjects(ToolNote.self).dropFirst(10) { try context.delete(note) } }
        let compacted = try cairn("objects", "compact", path, "--json")
        let sizes = try #require(JSONSerialization.jsonObject(with: Data(compacted.output.utf8)) as? [String: Int], "\(compacted)")
        let (before, after) = (try #require(sizes["bytes_before"]), try #require(sizes["bytes_after"]))
        #expect(after > 0 && after < before / 10, "\(sizes)")
        #expect(try store.read { try $0.count(ToolNote.self) } == 10)
        #expect(try store.verify().problems.isEmpty)
        try store.close()
        let again = try cairn("objects", "compact", path)
        #expect(again.status == 0 && again.output.contains(" before, ") && again.output.hasSuffix(" after.\n"), "\(again)")
    }

    @Test func anImportThatFailsCreatesNothing() throws {
        let store = try opened()
        try store.write { $0.insert(ToolSong(title: "first")) }
        try store.close()
        let export = try runTool("cairn", ["objects", "export", path]).standardOutput
        let before = try FileManager.default.contentsOfDirectory(atPath: playground.directory.path)
        for text in [export + "{\n", "{}\n"] {
            let refused = try runTool("cairn", ["objects", "import", "sqlite:" + path + "2", "--create"], stdin: text)
            #expect(refused.status == 4, "\(refused)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: playground.directory.path) == before)
        }
    }

    @Test func placesOfDirectoriesHaveAPrefixToo() throws {
        let directory = playground.path("music.store")
        try ObjectStore(path: directory, classes: [ToolSong.self, ToolAlbum.self]).close()
        for arguments in [["doctor", "rocksdb:" + directory], ["rocksdb:" + directory]] {
            let doctor = try runTool("cairn", arguments)
            #expect(doctor.status == 0 && doctor.standardOutput.hasPrefix("rocksdb:\(directory) is an object store.\n"), "\(doctor)")
            // The commands of `rocks` take paths only.
            #expect(doctor.standardOutput.contains("cairn objects info \(directory)\n"), "\(doctor)")
        }
        let shell = try runTool("cairn", ["shell", "rocksdb:" + directory], stdin: "info\nrocks count\ndoctor\n")
        #expect(shell.status == 0, "\(shell)")
        let missing = try runTool("cairn", ["sqlite:nothing"])
        #expect(missing.status == 3 && missing.standardError.contains("'nothing' does not exist"), "\(missing)")
    }

    @Test func anExportIsImportedByManyProcessesAtOnce() async throws {
        do {
            let store = try opened()
            try store.write { context in for number in 0..<50 { context.insert(ToolSong(title: "song \(number)")) } }
            try store.close()
        }
        let export = try runTool("cairn", ["objects", "export", path])
        try Data(export.standardOutput.utf8).write(to: URL(fileURLWithPath: playground.path("songs.jsonl")))
        let (target, file) = ("sqlite:" + playground.path("all.sqlite"), playground.path("songs.jsonl"))
        try await onThreads(4) { thread in
            // Half of them from standard input, which cannot be read again.
            let input = thread % 2 == 0 ? file : "-"
            for _ in 0..<3 {
                let result = try runTool("cairn", ["objects", "import", target, input, "--create"], stdin: export.standardOutput)
                guard result.status == 0 else { throw Mismatch("\(result)") }
            }
        }
        let store = try ObjectStore(sqlite: playground.path("all.sqlite"), classes: [ToolSong.self, ToolAlbum.self])
        #expect(try store.read { try $0.count(ToolSong.self) } == 4 * 3 * 50)
        #expect(try store.verify().problems.isEmpty)
        try store.close()
    }

    /// A pipe cannot be read again; what has come so far is kept.
    @Test(.endsWhenItHangs, arguments: [[], ["--class", "Song", "--format", "jsonl"]])
    func anImportFromAPipeStartsAgainIfOthersSave(options: [String]) throws {
        let store = try opened()
        try store.write { $0.insert(ToolSong(title: "first")) }
        let count = 1000
        // Together more than the pipe and the tool's buffer hold: once they are written, the import has begun.
        let padding = String(repeating: " ", count: 1000)
        let importer = try ChildProcess("cairn", ["objects", "import", path, "-"] + options)
        if options.isEmpty {
            let export = try cairn("objects", "export", path).output.split(separator: "\n")
            for line in export { try importer.writeLine(String(line)) }
            for number in 1..<count { try importer.writeLine(#"{"name":"name \#(number)","record":"090e"}\#(padding)"#) }
        } else {
            for number in 1..<count { try importer.writeLine(#"{"title":"song \#(number)","seconds":\#(number)}\#(padding)"#) }
        }
        // Takes the row that the import would have given its first object.
        try store.write { $0.insert(ToolSong(title: "second")) }
        if !options.isEmpty { try importer.writeLine(#"{"title":"last","seconds":0}"#) }
        try importer.closeInput()
        let stored = options.isEmpty ? "Stored 1 object and 999 names." : "Stored 1,000 objects."
        #expect(importer.readLine() == stored)
        #expect(try importer.waitForEnd() == .exited(0))
        #expect(try store.read { try $0.count(ToolSong.self) } == (options.isEmpty ? 3 : 2 + count))
        #expect(try store.verify().problems.isEmpty)
        try store.close()
    }

    /// Rows to import into the store, whose classes are there, and a connection that keeps the file locked.
    private func lockedByAnother() throws -> (rows: String, connection: OpaquePointer?) {
        let store = try opened()
        try store.write { $0.insert(ToolSong(title: "first")) }
        try store.close()
        var connection: OpaquePointer?
        try unsafe #require(sqlite3_open(path, &connection) == SQLITE_OK)
        try unsafe #require(sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
        return unsafe (try playground.file("rows.jsonl", lines(0..<3)), connection)
    }

    @Test(.endsWhenItHangs) func howLongToWaitForALockedFileIsAnOption() throws {
        let (rows, other) = try unsafe lockedByAnother()
        defer { unsafe sqlite3_close(other) }
        for (seconds, phrase) in [("0", "another process has the file locked;"), ("0.25", "kept the file locked for 0.25 seconds;")] {
            let refused = try cairn("objects", "import", path, rows, "--class", "Song", "--busy-timeout", seconds)
            #expect(refused.status == 3 && refused.error.contains(phrase), "\(refused)")
            let deleted = try cairn("objects", "delete", "sqlite:" + path, "1/1", "--busy-timeout", seconds)
            #expect(deleted.status == 3 && deleted.error.contains(phrase), "\(deleted)")
        }
        try unsafe #require(sqlite3_exec(other, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
        #expect(try cairn("objects", "import", path, rows, "--class", "Song", "--busy-timeout", "0") == Outcome("Stored 3 objects.\n"))
        let moved = try cairn("objects", "move", path, "rocksdb:" + playground.path("moved"), "--busy-timeout", "0")
        #expect(moved.status == 0, "\(moved)")
        for seconds in ["-1", "86401", "nan", "soon"] {
            #expect(try cairn("objects", "info", path, "--busy-timeout", seconds).status == 2)
        }
        let error = """
            Error: --busy-timeout is for stores in SQLite files.
            Hint: The place of such a store that does not exist yet is sqlite:PATH.

            """
        for place in [playground.path("moved"), "postgresql://user@host/database#store", "etcd://host:2379/store"] {
            #expect(try cairn("objects", "info", place, "--busy-timeout", "1") == Outcome(error: error, status: 2))
        }
    }

    /// Each of the attempts waits for as long as the engine does. The classes are there, so that only the objects have to be written.
    @Test(.thorough, .endsWhenItHangs) func anImportGivesUpWhereAFileStaysLocked() throws {
        let (rows, other) = try unsafe lockedByAnother()
        defer { unsafe sqlite3_close(other) }
        var refused: Outcome?
        let time = try ContinuousClock().measure { refused = try cairn("objects", "import", path, rows, "--class", "Song") }
        #expect(refused?.status == 3 && refused?.error.contains("5.0 seconds") == true, "\(String(describing: refused))")
        // Three attempts.
        #expect(time >= .seconds(15), "\(time)")
        try unsafe #require(sqlite3_exec(other, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
        #expect(try cairn("objects", "import", path, rows, "--class", "Song") == Outcome("Stored 3 objects.\n"))
    }

    @Test func filesOfOtherProgramsAreRefused() throws {
        try Data("SQLite format 3\0 and then something else".utf8).write(to: URL(fileURLWithPath: path))
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(try runTool("cairn", ["objects", "info", path]).status != 0)
        let doctor = try runTool("cairn", ["doctor", path])
        #expect(doctor.standardOutput.contains("SQLite"), "\(doctor)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        let missing = try runTool("cairn", ["objects", "info", "sqlite:" + playground.path("nowhere")])
        #expect(missing.status != 0 && missing.standardError.contains("no object store"), "\(missing)")
    }
}
