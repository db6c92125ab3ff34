import CairnCore
import CairnRocksGraph
import CairnSQLiteGraph
import Foundation
import Testing

/// What `cairn objects` saves of a damaged store.
struct ObjectsDamageTests {
    // Lives as long as the test.
    private let playground: Playground

    private static let count = 6000

    init() throws { playground = try Playground() }

    private func fill(_ store: ObjectStore) throws {
        try store.write { context in for number in 1...Self.count { context.insert(ToolNote(text: "note \(number)")) } }
        try store.close()
    }

    private func change(_ path: String, _ body: (inout Data) throws -> Void) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try body(&bytes)
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test func whatIsBehindADamagedPageOfAFileIsSaved() throws {
        let path = playground.path("notes.sqlite")
        try fill(ObjectStore(sqlite: path, classes: [ToolNote.self]))
        try change(path) { bytes in
            let pageSize = 8192
            let place = try #require(bytes.range(of: Data("note \(Self.count / 2)".utf8))).lowerBound / pageSize * pageSize + 300
            bytes.replaceSubrange(place..<place + 64, with: [UInt8](repeating: 0xFF, count: 64))
        }
        try expectTheRest(of: path)
        let shown = try cairn("objects", "show", path, "1/\(Self.count / 2)")
        #expect(shown.error.contains("restore a backup (a page does not match its checksum)."), "\(shown)")
    }

    @Test func whatIsBehindADamagedBlockOfADirectoryIsSaved() throws {
        let path = playground.path("notes.store")
        try fill(ObjectStore(path: path, classes: [ToolNote.self]))
        #expect(try cairn("objects", "compact", path).status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".sst") }
        try #require(names.count == 1)
        try change(path + "/" + names[0]) { bytes in bytes[bytes.count / 2] ^= 0xFF }
        try expectTheRest(of: path)
    }

    /// A copy of a file without its log lacks the latest commits.
    @Test func theDoctorsCopyOfAFileHasItsLog() throws {
        let path = playground.path("my notes.sqlite")
        try ObjectStore(sqlite: path, classes: [ToolNote.self]).close()
        let engine = try SQLiteEngine(path: path)
        // A large record that nothing refers to.
        var commit = EngineCommit()
        commit.put([1, 2, 3] as [UInt8], for: [2, 0, 1, 0, 0, 0, 0, 0, 99] as [UInt8])
        try engine.commit(commit)
        // Where SQLite keeps the log: the directory may be a symbolic link.
        let file = FileSystem.resolved(path)
        func advice() throws -> [String] {
            let answer = try cairn("doctor", path, "--json")
            let object = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
            return try #require(object?["next"] as? [[String: String]], "\(answer)").map { $0["command"] ?? "" }
        }
        let others = [
            "cairn objects verify '\(path)' --repair", "cp COPY '\(path)' && rm -f '\(file)-wal' '\(file)-shm'",
            "cairn objects export '\(path)'",
        ]
        #expect(try advice() == ["cp '\(path)' '\(path).copy' && cp '\(file)-wal' '\(path).copy-wal'"] + others)
        // Closing moves the log to the file.
        try engine.close()
        #expect(try advice() == ["cp '\(path)' '\(path).copy'"] + others)
    }

    /// Expects `export`, `list` and `find` to print all objects that `verify` can read, and to say how many they left out.
    private func expectTheRest(of path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let verified = try cairn("objects", "verify", path, "--json")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(verified.output.utf8)) as? [String: Any], "\(verified)")
        let pages = try #require((report["problem_counts"] as? [String: Int])?["damagedPage"], "\(verified)")
        let left = try #require((report["classes"] as? [[String: Any]])?.first?["objects"] as? Int, "\(verified)")
        try #require(left > Self.count / 2 && left < Self.count, "\(verified)", sourceLocation: sourceLocation)
        let lost = pages == 1 ? "up to 32 objects cannot be read." : "(and \(pages - 1) more, up to \(pages * 32) objects in all)."

        func expectRest(_ found: Outcome, _ form: (Int) -> String) {
            let lines = found.output.split(separator: "\n")
            #expect(lines.count == left && found.status == 1, "\(lines.count) of \(left), \(found.error)", sourceLocation: sourceLocation)
            #expect(
                lines.first?.hasSuffix(form(1)) == true && lines.last?.hasSuffix(form(Self.count)) == true,
                sourceLocation: sourceLocation
            )
            let hint = "Hint: 'cairn objects verify' shows the damage; everything else was written.\n"
            #expect(
                found.error.hasPrefix("Error: The page with Note ") && found.error.hasSuffix("\(lost)\n\(hint)"),
                "\(found.error)",
                sourceLocation: sourceLocation
            )
        }
        var export = try cairn("objects", "export", path)
        let header = export.output.split(separator: "\n").prefix(2).joined(separator: "\n") + "\n"
        #expect(header.hasPrefix("{\"cairn_objects\":1}\n{\"class\":\"Note\""), "\(header)", sourceLocation: sourceLocation)
        export.output.removeFirst(header.count)
        expectRest(export) { #""values":{"text":"note \#($0)"}}"# }
        expectRest(try cairn("objects", "list", path, "Note")) { "\ttext=\"note \($0)\"" }
        expectRest(try cairn("objects", "find", path, "Note", "--where", "text begins with 'note'")) { "\ttext=\"note \($0)\"" }
        let counted = try cairn("objects", "find", path, "Note", "--where", "text begins with 'note'", "--count")
        #expect(counted.status == 1 && counted.output == "\(left)\n", "\(counted)", sourceLocation: sourceLocation)
    }
}
