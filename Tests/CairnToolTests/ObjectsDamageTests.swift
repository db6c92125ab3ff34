import CairnCore
import CairnRocksGraph
import CairnSQLiteGraph
import CairnTestSupport
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

    /// - Parameter needle: What the page contains: in an index, a zero in a text takes two bytes.
    @Test(arguments: [(isIndex: true, needle: Array("song\0".utf8) + [0xFF] + Array("103".utf8)), (false, Array("song\u{0}103".utf8))])
    func anIndexedSearchFindsWhatIsNotDamaged(isIndex: Bool, needle: [UInt8]) throws {
        let path = playground.path("songs.sqlite")
        let store = try ObjectStore(sqlite: path, classes: [ToolSong.self, ToolAlbum.self])
        try store.write { context in
            for number in 1...Self.count { context.insert(ToolSong(title: "song\u{0}\(100_000 + number)", seconds: number)) }
        }
        try store.close()
        try change(path) { bytes in
            let pageSize = 8192
            // A leaf of the table of entries; the table of commits has the keys, too.
            let place = try #require(
                stride(from: pageSize, to: bytes.count, by: pageSize).first { page in
                    bytes[page] == 0x0A && bytes.range(of: Data(needle), in: page..<page + pageSize) != nil
                }
            )
            bytes.replaceSubrange(place + 300..<place + 364, with: [UInt8](repeating: 0xFF, count: 64))
        }
        let listed = try cairn("objects", "list", path, "Song")
        let left = listed.output.split(separator: "\n").count
        try #require(isIndex ? left == Self.count && listed.status == 0 : left > Self.count / 2 && left < Self.count, "\(listed.error)")
        let message =
            isIndex ? "An index that finds objects of Song is damaged, so all of them were read: " : "Song [0-9]+ cannot be read: "

        func expect(_ found: Outcome, _ numbers: [Int], sourceLocation: SourceLocation = #_sourceLocation) throws {
            #expect(found.status == 1, "\(found.error)", sourceLocation: sourceLocation)
            let reason = "(a page does not match its checksum|the file is damaged)"
            let error = try Regex("Error: \(message).*\(reason).*\nHint: 'cairn objects verify' .*\n")
            #expect(try error.wholeMatch(in: found.error) != nil, "\(found.error)", sourceLocation: sourceLocation)
            let lines = found.output.split(separator: "\n")
            let seconds = lines.map { line in line.firstMatch(of: /\tseconds=([0-9]+)/).flatMap { Int($0.1) } }
            #expect(seconds == numbers, "\(seconds.count) of \(numbers.count)", sourceLocation: sourceLocation)
        }
        let numbers = listed.output.split(separator: "\n").compactMap { $0.firstMatch(of: /\tseconds=([0-9]+)/).flatMap { Int($0.1) } }
        let condition = ["objects", "find", path, "Song", "--where", "title begins with 'song'"]
        try expect(Outcome(try runTool("cairn", condition)), numbers)
        try expect(try cairn("objects", "find", path, "Song", "--sort", "-title", "--limit", "\(Self.count)"), numbers.reversed())
        let counted = Outcome(try runTool("cairn", condition + ["--count"]))
        // The entries of an index are counted without reading the objects.
        #expect(counted.output == "\(Self.count)\n" && counted.status == (isIndex ? 1 : 0), "\(counted)")
        try expectInfo(of: path, left, isIndex ? "Entries of an index of Song cannot be read: " : "The page with Song ", isIndex: isIndex)
    }

    /// Expects `info` to show how many objects are left, and to report what it cannot read.
    private func expectInfo(
        of path: String,
        _ left: Int,
        _ message: String,
        isIndex: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let info = try cairn("objects", "info", path, "--json")
        #expect(info.status == 1 && info.error.hasPrefix("Error: \(message)"), "\(info)", sourceLocation: sourceLocation)
        let shown = try #require(try JSONSerialization.jsonObject(with: Data(info.output.utf8)) as? [String: Any], "\(info)")
        let classes = try #require(shown["classes"] as? [[String: Any]], "\(info)")
        #expect(classes.first?["objects"] as? Int == left, "\(info)", sourceLocation: sourceLocation)
        if isIndex {
            let entries = try #require((classes.first?["indexes"] as? [[String: Any]])?.first?["entries"] as? Int, "\(info)")
            #expect(entries > Self.count / 2 && entries < Self.count, "\(info)", sourceLocation: sourceLocation)
        }
        for arguments in [[], [classes.first?["class"] as? String ?? ""]] {
            let text = Outcome(try runTool("cairn", ["objects", "info", path] + arguments))
            #expect(text.status == 1 && !text.output.isEmpty && text.error == info.error, "\(text)", sourceLocation: sourceLocation)
        }
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
        try expectInfo(of: path, left, "The page with Note ", sourceLocation: sourceLocation)
    }
}
