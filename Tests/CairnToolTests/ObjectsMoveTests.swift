import CairnRocksGraph
import CairnSQLiteGraph
import CairnTestSupport
import Foundation
import Testing

/// `cairn objects move`.
struct ObjectsMoveTests {
    // Lives as long as the test.
    private let playground: Playground
    private var directory: String { playground.path("music.store") }
    private var file: String { playground.path("music.sqlite") }
    private let classes: [any StoredObject.Type] = [ToolSong.self, ToolAlbum.self]

    init() throws { playground = try Playground() }

    private func fill(_ numbers: Range<Int>) throws {
        let store = try ObjectStore(path: directory, classes: classes)
        try store.write { context in for number in numbers { context.insert(ToolSong(title: "song \(number)")) } }
        try store.close()
    }

    private func titles(_ store: ObjectStore) throws -> [String] {
        defer { try? store.close() }
        #expect(try store.verify().isIntact)
        return try store.read { try $0.fetch(ToolSong.self).map(\.title) }
    }

    private func move(_ arguments: String...) throws -> ToolResult { try runTool("cairn", ["objects", "move"] + arguments) }

    @Test func toSQLiteAndBack() throws {
        try fill(0..<300)
        let plan = try move(directory, "sqlite:" + file, "--dry-run")
        #expect(plan.status == 0 && plan.standardOutput.contains("Entries"), "\(plan)")
        #expect(!FileManager.default.fileExists(atPath: file))
        let moved = try move(directory, "sqlite:" + file)
        #expect(moved.status == 0 && moved.standardOutput.contains("Moved"), "\(moved)")
        #expect(try titles(ObjectStore(sqlite: file, classes: classes)) == (0..<300).map { "song \($0)" })
        #expect(throws: ObjectStoreError.self) { try ObjectStore(path: directory, classes: classes) }
        // It can still be read, and says where it is.
        let info = try runTool("cairn", ["objects", "list", directory, "Song", "--limit", "1"])
        #expect(info.status == 0 && info.standardOutput.contains("song 0"), "\(info)")
        let imported = try runTool("cairn", ["objects", "import", directory, "--format", "csv", "/dev/null", "--class", "Song"])
        #expect(imported.status != 0 && imported.standardError.contains(file), "\(imported)")
        #expect(try move(directory, "sqlite:" + file).standardOutput.contains("already been moved"))
        #expect(try move(directory, "sqlite:" + file, "--dry-run").standardOutput.contains("already been moved"))
        let other = playground.path("other.sqlite")
        try ObjectStore(sqlite: other, classes: classes).close()
        let refused = try move("sqlite:" + file, "sqlite:" + other, "--dry-run")
        #expect(refused.status == 1 && refused.standardOutput.contains("\nrefused: sqlite:\(other) is not empty"), "\(refused)")

        let store = try ObjectStore(sqlite: file, classes: classes)
        try store.write { $0.insert(ToolSong(title: "new")) }
        try store.close()
        let back = try move("sqlite:" + file, directory)
        #expect(back.status == 0, "\(back)")
        #expect(try titles(ObjectStore(path: directory, classes: classes)).last == "new")
        #expect(throws: ObjectStoreError.self) { try ObjectStore(sqlite: file, classes: classes) }
        let takenBack = try move("sqlite:" + file, "--take-back")
        #expect(takenBack.status == 0 && takenBack.standardOutput.contains("\(directory) can be saved to as well"), "\(takenBack)")
        #expect(try titles(ObjectStore(sqlite: file, classes: classes)).count == 301)
        #expect(try move(directory).status != 0)
        let missing = try move(playground.path("nowhere"), file)
        #expect(missing.status == 3 && missing.standardError.hasPrefix("Error: There is no object store at"), "\(missing)")
    }

    @Test func aStoreThatWasMovedSaysWhere() throws {
        try fill(0..<3)
        let places = [directory, "sqlite:" + file]
        #expect(try runTool("cairn", ["objects", "info", directory, "--json"]).standardOutput.hasSuffix(#","moved_to":null}"# + "\n"))
        #expect(try runTool("cairn", ["objects", "move"] + places).status == 0)
        for arguments in [["objects", "info"], ["doctor"], ["objects", "info", "--json"], ["doctor", "--json"]] {
            let result = try runTool("cairn", arguments + [directory])
            #expect(result.status == 0 && result.standardOutput.contains(places[1]), "\(result)")
        }
        let info = try runTool("cairn", ["objects", "info", directory]).standardOutput
        #expect(info.contains(/\nmoved to +sqlite:.*music.sqlite; nothing can be saved here\n/), "\(info)")
    }

    private func shell(_ text: String) throws -> ToolResult {
        let text = text.replacing("cairn ", with: "'\(try toolPath())' ")
        return try runTool("/bin/sh", ["-c", "cd '\(playground.directory.path)' && " + text])
    }

    /// However its place is written, and wherever the command runs.
    @Test func aStoreThatWasMovedIsNotMovedAgain() throws {
        try fill(0..<3)
        try FileManager.default.createDirectory(atPath: playground.path("inside"), withIntermediateDirectories: false)
        let moved = try shell("cairn objects move ./music.store sqlite:./music.sqlite")
        #expect(moved.status == 0, "\(moved)")
        #expect(try runTool("cairn", ["objects", "info", directory]).standardOutput.contains("sqlite:\(file)"))
        for place in ["sqlite:music.sqlite", "sqlite:\(file)", "music.sqlite", "sqlite:inside/../music.sqlite"] {
            let again = try shell("cairn objects move music.store \(place)")
            #expect(again.status == 0 && again.standardOutput == "The store has already been moved.\n", "\(again)")
        }
        for arguments in ["", " --dry-run"] {
            let elsewhere = try shell("cd inside && cairn objects move ../music.store sqlite:music.sqlite" + arguments)
            #expect(elsewhere.status == (arguments.isEmpty ? 3 : 1), "\(elsewhere)")
            #expect((elsewhere.standardError + elsewhere.standardOutput).contains("was moved to sqlite:\(file)"), "\(elsewhere)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: playground.path("inside")).isEmpty)

        try FileManager.default.removeItem(atPath: file)
        let refused = try shell("cairn objects move music.store sqlite:music.sqlite")
        #expect(refused.status == 3 && refused.standardError.contains("no longer exists"), "\(refused)")
        #expect(refused.standardError.hasSuffix("\nHint: 'cairn objects move music.store --take-back' takes it back.\n"), "\(refused)")
        let plan = try shell("cairn objects move music.store sqlite:music.sqlite --dry-run")
        #expect(plan.status == 1 && plan.standardOutput.contains("\nrefused: the store to move was moved to"), "\(plan)")
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try shell("cairn objects move music.store --take-back").status == 0)
        #expect(try shell("cairn objects move music.store sqlite:music.sqlite").status == 0)
    }

    @Test func theStoreItselfIsRefused() throws {
        try fill(0..<3)
        let copy = playground.path("itself.sqlite")
        try ObjectStore(sqlite: copy, classes: classes).close()
        try FileManager.default.createSymbolicLink(atPath: playground.path("link"), withDestinationPath: directory)
        for places in [
            "music.store music.store", "music.store rocksdb:\(directory)", "./music.store/ link", "itself.sqlite sqlite:./itself.sqlite",
        ] {
            let refused = try shell("cairn objects move " + places)
            #expect(refused.status == 3 && refused.standardError.contains(" is the store itself"), "\(refused)")
            #expect(refused.standardError.hasSuffix(". Nothing was changed.\n"), "\(refused)")
            let plan = try shell("cairn objects move --dry-run " + places)
            #expect(plan.status == 1 && plan.standardOutput.contains(/\nrefused: .* is the store itself/), "\(plan)")
        }
    }

    /// Each would be refused at once; the dry run says so, and nothing is left.
    @Test func aDryRunKnowsWhereNothingCanBeCreated() throws {
        try fill(0..<3)
        for name in ["full", "empty"] {
            try FileManager.default.createDirectory(atPath: playground.path(name), withIntermediateDirectories: false)
        }
        _ = try playground.file("full/file", "hi")
        _ = try playground.file("text", "something else")
        var places = ["full", "text", "sqlite:text", "missing/store", "sqlite:missing/store"]
        #if os(Linux)
        places += ["/proc/store", "sqlite:/proc/store"]
        #endif
        for place in places {
            let plan = try shell("cairn objects move music.store \(place) --dry-run")
            #expect(plan.status == 1 && plan.standardOutput.contains("Entries") && plan.standardError.isEmpty, "\(plan)")
            #expect(plan.standardOutput.split(separator: "\n").count { $0.hasPrefix("refused: ") } == 1, "\(plan)")
            #expect(try shell("cairn objects move music.store \(place)").status == 3, "\(place)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: playground.path("full")) == ["file"])
        #expect(try shell("cairn objects move music.store empty --dry-run").status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: playground.directory.path).sorted()
        #expect(names == ["empty", "full", "music.store", "text"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: playground.path("empty")).isEmpty)
        #expect(try shell("cairn objects move music.store empty").status == 0)
        #expect(try titles(ObjectStore(path: playground.path("empty"), classes: classes)).count == 3)
    }

    /// Its first entries were not copied yet.
    @Test func aCopyWithoutEntriesIsUnfinished() throws {
        let engine = try RocksEngine(path: directory)
        var commit = EngineCommit()
        let mark = #"{"destination":"elsewhere","identity":"6BA7B810-9DAD-11D1-80B4-00C04FD430C8","next":[],"state":"arriving"}"#
        commit.put(Array(mark.utf8), for: [0, 1, 0, 0])
        try engine.commit(commit)
        try engine.close()
        let doctor = try runTool("cairn", ["doctor", directory, "--json"])
        #expect(doctor.status == 1 && doctor.standardOutput.contains(#""kind":"object_store","state":"unfinished""#), "\(doctor)")
    }

    @Test(.limitingFileSizes) func aFailureSaysThatTheMoveCanContinue() throws {
        try fill(0..<5000)
        let failed = try shell("ulimit -f 100; trap '' XFSZ; cairn objects move music.store copy.store")
        #expect(failed.status == 3, "\(failed)")
        #expect(failed.standardError.hasSuffix("\nHint: Once that is fixed, run the move again: it continues.\n"), "\(failed)")
        let rest = try shell("cairn objects move music.store copy.store")
        #expect(rest.status == 0, "\(rest)")
        #expect(try titles(ObjectStore(path: playground.path("copy.store"), classes: classes)).count == 5000)
    }

    /// A move to a file of SQLite, which is cancelled before it ends.
    private func leaveUnfinishedCopy(at path: String) async throws {
        let (source, destination) = (try RocksEngine(path: directory), try SQLiteEngine(path: path))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await ObjectStoreMove(from: source, to: destination, destinationName: "sqlite:\(path)").run()
        }
        task.cancel()
        await #expect(throws: ObjectStoreError.self) { try await task.value }
        try source.close()
        try destination.close()
    }

    /// What is left of a move that cannot be continued.
    @Test func theCopyOfAMoveThatLostCanBeDeleted() async throws {
        try fill(0..<10)
        let other = playground.path("other.sqlite")
        try await leaveUnfinishedCopy(at: other)
        #expect(try move(directory, "sqlite:" + file).status == 0)
        let lost = try move(directory, "sqlite:" + other)
        #expect(lost.status == 3 && lost.standardError.contains("The unfinished copy at sqlite:\(other) can be deleted."), "\(lost)")
        #expect(lost.standardError.hasSuffix("\nHint: To delete it: rm -f \(other) \(other)-wal \(other)-shm\n"), "\(lost)")
    }

    /// They are those of the store, not of the last run.
    @Test func countsAreThoseOfTheStore() throws {
        try fill(0..<300)
        let first = try move(directory, "sqlite:" + file)
        let count = try #require(try /Moved (\d+) entries/.firstMatch(in: first.standardOutput)?.1)
        let back = try move("sqlite:" + file, directory)
        #expect(back.standardOutput.contains("Moved \(count) entries"), "\(back)")
        #expect(!back.standardOutput.contains("1 entries"), "\(back)")
    }

    @Test func resultsAreJSONForPrograms() throws {
        try fill(0..<3)
        let to = "sqlite:" + file
        let plan = try move(directory, to, "--dry-run", "--json")
        let size = #/{"entries":(\d+),"bytes":(\d+)/#
        let found = try #require(try size.prefixMatch(in: plan.standardOutput))
        #expect(plan.standardOutput.hasSuffix(#","moved_before":false,"refused":[]}"# + "\n"), "\(plan)")
        let moved = try move(directory, to, "--json")
        let counts = #""stale_entries":0,"later_keys":0,"moved_before""#
        #expect(
            moved.standardOutput == "{\"entries\":\(found.1),\"bytes\":\(found.2),\(counts):false}\n" && moved.standardError == "",
            "\(moved)"
        )
        #expect(try move(directory, to, "--json").standardOutput == "{\"entries\":0,\"bytes\":0,\(counts):true}\n")
        let again = try move(directory, to, "--dry-run", "--json")
        #expect(again.status == 0 && again.standardOutput.contains(#""moved_before":true,"refused":[]"#), "\(again)")
        let other = "sqlite:" + playground.path("other.sqlite")
        let refused = try move(directory, other, "--dry-run", "--json")
        #expect(refused.status == 1 && refused.standardOutput.contains(#""refused":["the store to move was moved to"#), "\(refused)")
        #expect(try move(directory, "--take-back", "--json").standardOutput == "{\"taken_back\":true,\"destination\":\"\(to)\"}\n")
        #expect(try move(directory, "--take-back", "--json").standardOutput == "{\"taken_back\":false,\"destination\":null}\n")
        #expect(try move(directory, "--take-back").standardOutput.contains("was not moved"))
    }

    @Test func anUnfinishedCopyIsCalledThat() async throws {
        try fill(0..<10)
        try await leaveUnfinishedCopy(at: file)
        let doctor = try runTool("cairn", ["doctor", file])
        #expect(doctor.status == 1 && doctor.standardOutput.contains("run the move again"), "\(doctor)")
        #expect(!doctor.standardOutput.contains("damaged"), "\(doctor)")
        let listed = try runTool("cairn", ["objects", "list", file, "Song"])
        #expect(listed.status == 3 && listed.standardError.contains("it continues"), "\(listed)")
        let takenBack = try move("sqlite:" + file, "--take-back")
        #expect(takenBack.status == 3 && takenBack.standardError.contains("run the move again"), "\(takenBack)")
        #expect(try move(directory, "sqlite:" + file).status == 0)
    }

    /// The command is killed at random, and the store changes before it runs again.
    @Test func aKilledMoveContinues() async throws {
        try await withSeeds("killed moves", count: 1) { generator in
            let count = 5000
            try fill(0..<count)
            var kills = 0
            while true {
                let isToBeKilled = kills < Thorough.count(15, of: 50)
                let time: Duration = isToBeKilled ? .milliseconds(Int.random(in: 30..<250, using: &generator)) : .seconds(300)
                do {
                    let result = try runTool("cairn", ["objects", "move", directory, "sqlite:" + file], timeout: time)
                    #expect(result.status == 0, "\(result)")
                    break
                } catch is ChildProcess.TimedOut {
                    kills += 1
                }
                // It may have been killed when it was done.
                do throws(ObjectStoreError) {
                    let store = try ObjectStore(path: directory, classes: classes)
                    do {
                        try store.write { context in
                            context.insert(ToolSong(title: "song \(count + kills)"))
                            if let first = try context.first(ToolSong.self) { try context.delete(first) }
                        }
                    } catch { Issue.record(error) }
                    try store.close()
                } catch {
                    #expect(error.code == .moved)
                }
            }
            var options = ObjectStoreOptions()
            options.readOnly = true
            let before = try titles(ObjectStore(path: directory, classes: classes, options: options))
            #expect(try titles(ObjectStore(sqlite: file, classes: classes)) == before && before.count == count)
        }
    }
}
