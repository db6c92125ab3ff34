import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// `cairn shell`: the commands of one store, without its path.
struct ShellTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func shell(_ path: String, _ lines: String..., options: [String] = []) throws -> Outcome {
        return Outcome(
            try runTool(
                "cairn",
                ["shell", path] + options,
                stdin: lines.joined(separator: "\n") + "\n",
                environment: ["CAIRN_HISTORY": ""]
            )
        )
    }

    @Test func linesAreCommandsForADatabase() throws {
        let db = try playground.database("db", ["b": "2"])
        #expect(try shell(db, "put a 1", "", "# not a command", "scan", "delete b", "count") == Outcome("a\t1\nb\t2\n1\n"))
        #expect(try cairn("rocks", "get", db, "a").output == "1")
    }

    @Test func wordsAreQuotedAsInOtherShells() throws {
        let db = try playground.database()
        let outcome = try shell(db, #"put 'a b' "c \"d\" \\ e""#, #"put f\ g '"'"#, "put \"\" empty", "scan --json")
        #expect(
            outcome
                == Outcome(
                    #"""
                    {"key":"","value":"empty"}
                    {"key":"a b","value":"c \"d\" \\ e"}
                    {"key":"f g","value":"\""}

                    """#
                )
        )
        #expect(try shell(db, "get 'a").error == "Error: A quotation mark is not closed: ' is missing.\n")
        #expect(try shell(db, "get a\\").status == 2)
    }

    @Test func aLineThatIsNotUTF8IsRefused() throws {
        let db = try playground.database("db", ["a": "1"])
        let result = try runTool("/bin/sh", ["-c", "printf 'put \\351 2\\n' | '\(try toolPath())' shell '\(db)'"])
        #expect(result.status == 2 && result.standardError.hasPrefix("Error: The line is not UTF-8"))
        #expect(try cairn("rocks", "scan", db).output == "a\t1\n")
    }

    @Test func aFailureEndsAScriptAndANoDoesNot() throws {
        let db = try playground.database("db", ["a": "1"])
        #expect(try shell(db, "get nope", "get a").output == "1\n")
        #expect(try shell(db, "get nope", "get a").status == 1)
        let failed = try shell(db, "gett a", "put b 2")
        #expect(failed.status == 2)
        #expect(failed.error == "Error: There is no command 'gett'.\nHint: Did you mean 'get'?\n")
        #expect(try cairn("rocks", "count", db).output == "1\n")
        #expect(try shell(db, "exit", "put b 2") == Outcome())
        #expect(try cairn("rocks", "count", db).output == "1\n")
    }

    @Test func eachKindOfStoreHasItsCommands() throws {
        let mapped = playground.path("settings.map")
        try MappedStore(path: mapped).set(3, for: "launches")
        #expect(try shell(mapped, "set volume 0.5", "get launches", "mapped get volume") == Outcome("3\n0.5\n"))
        #expect(try shell(mapped, "doctor --json").output.contains(#""kind":"mapped_store""#))

        let words = try playground.file("words.csv", "word,mark\ncairn,1\n")
        let cdb = playground.path("words.cdb")
        #expect(try cairn("cdb", "create", cdb, words, "--key", "word").status == 0)
        #expect(try shell(cdb, "list").output == "cairn\n")

        let objects = playground.path("Music.store")
        let export = try playground.file("music.jsonl", #"{"cairn_objects":1}"# + "\n")
        #expect(try cairn("objects", "import", objects, export, "--create").status == 0)
        // Both kinds of stores have `verify`; the object store's comes first.
        #expect(try shell(objects, "verify --json").output.contains(#""problem_counts":"#))
        #expect(try shell(objects, "rocks verify --json").output.contains(#""column_families":"#))
        #expect(try shell(objects, "column-families").output.contains("default"))
    }

    @Test func theKeyIsGivenOnce() throws {
        let key = try playground.file("key", String(repeating: "0f", count: 32))
        let path = playground.path("secret.map")
        #expect(try cairn("mapped", "set", path, "a", "1", "--create", "--key-file", key).status == 0)
        #expect(try shell(path, "set b 2", "get b", options: ["--key-file", key]) == Outcome("2\n"))
        #expect(try shell(path, "get a").status == 3)
        #expect(try shell(path, options: ["--passphrase-file", "-"]).status == 2)
    }

    /// A store is moved as it is: `move` takes no key.
    @Test func anEncryptedStoreIsMovedFromTheShell() throws {
        let key = try playground.file("key", String(repeating: "0f", count: 32))
        let (path, copy) = (playground.path("Music.store"), playground.path("Music.sqlite"))
        let objects = #"{"cairn_objects":1}"# + "\n"
        #expect(try cairn("objects", "import", path, "--create", "--key-file", key, stdin: objects).status == 0)
        let moved = try shell(path, "move sqlite:\(copy)", "info --json", options: ["--key-file", key])
        #expect(moved.status == 0 && moved.output.hasPrefix("Moved "), "\(moved)")
        #expect(try shell(copy, "verify", options: ["--key-file", key]).status == 0)
        let unlocked = try shell(copy, "verify")
        #expect(unlocked.status == 3 && unlocked.error.contains("is encrypted"), "\(unlocked)")
    }

    @Test func helpListsTheCommandsAndExplainsOne() throws {
        let db = try playground.database()
        let list = try shell(db, "help").output
        #expect(list.contains("\nscan ") && list.contains("\ndoctor ") && !list.contains("restore") && !list.contains("backups "))
        #expect(try shell(db, "help scan").output == cairn("help", "rocks", "scan").output)
        #expect(try shell(db, "help doctor").output == cairn("help", "doctor").output)
        #expect(
            try shell(db, "help nothing")
                == Outcome(error: "Error: There is no command 'nothing'.\nHint: 'help' lists the commands.\n", status: 2)
        )
    }

    @Test func messagesNameTheHelpOfTheShell() throws {
        let db = try playground.database()
        let missing = try shell(db, "get")
        #expect(
            missing.status == 2 && missing.error.contains("\nUsage: get [")
                && missing.error.hasSuffix("\n  See 'help get' for more information.\n")
        )
        let refused = try shell(db, "scan --limit -1").error
        #expect(refused == "Error: --limit cannot be negative.\nUsage: scan [<options>]\n  See 'help scan' for more information.\n")
        #expect(try shell(db, "doctor --nothing").error.hasSuffix("\n  See 'help doctor' for more information.\n"))
        #expect(try shell(db, "rocks gett").error == "Error: There is no command 'rocks gett'.\nHint: Did you mean 'get'?\n")
    }

    /// Not listed, since their first path is not the store.
    @Test func commandsThatTakeAllTheirPathsTakeThem() throws {
        let db = try playground.database("db", ["a": "1"])
        let backups = playground.path("backups")
        #expect(try shell(db, "backup \(backups)", "backups \(backups) --json").output.contains(#""id":1"#))
        #expect(try shell(db, "rocks restore \(backups) \(playground.path("copy"))").status == 0)
        #expect(try cairn("rocks", "scan", playground.path("copy")).output == "a\t1\n")
    }

    @Test func aScriptIsNotTheInputOfItsCommands() throws {
        let db = try playground.database("db", ["a": "1"])
        let error = "Error: standard input: the shell reads its commands from it; give the value, or a file.\n"
        #expect(try shell(db, "put a", "put b 2") == Outcome(error: error, status: 4))
        #expect(try shell(db, "import", "{}") == Outcome(error: error, status: 4))
        #expect(try cairn("rocks", "scan", db).output == "a\t1\n")
        let mapped = playground.path("settings.map")
        try MappedStore(path: mapped).set(3, for: "launches")
        #expect(try shell(mapped, "set launches") == Outcome(error: error, status: 4))
    }

    @Test func whatIsNotAStoreIsRefused() throws {
        let text = try playground.file("notes.txt", "hello\n")
        #expect(
            try shell(text, "list")
                == Outcome(
                    error:
                        "Error: '\(text)' is not a RocksDB database, an object store, a mapped store or a constant database.\nHint: 'cairn doctor' identifies it.\n",
                    status: 3
                )
        )
        #expect(try shell(playground.path("nothing"), "list").error.contains("/nothing' does not exist"))
    }

    #if os(Linux)
    @Test(.enabled(if: terminal != nil, "the program 'script' is not installed"))
    func onATerminalLinesAreCompletedAndRemembered() throws {
        let db = try playground.database("music.db", ["a": "1"])
        let history = playground.path("history")
        let screen = try runTool(
            try #require(terminal),
            ["-qec", "'\(try toolPath())' shell '\(db)'", "/dev/null"],
            stdin: "put b 2\ncou\t\nscan --rev\t\nget nope\nget 'a\nexit\n",
            environment: ["CAIRN_HISTORY": history, "TERM": "xterm", "NO_COLOR": "1"]
        )
        #expect(screen.status == 0)
        #expect(screen.standardOutput.contains("music.db> "))
        #expect(screen.standardOutput.contains("\r\n2\r\n"))
        #expect(screen.standardOutput.contains("\r\nb\t2\r\na\t1\r\n"))
        #expect(screen.standardOutput.contains("Error: A quotation mark is not closed"))
        let remembered = try String(contentsOfFile: history, encoding: .utf8)
        #expect(remembered.contains("count") && remembered.contains("scan\\040--reverse"))
        let mode = try #require(FileManager.default.attributesOfItem(atPath: history)[.posixPermissions] as? NSNumber)
        #expect(mode == 0o600)
    }

    /// It would be waited for forever.
    @Test(.enabled(if: terminal != nil, "the program 'script' is not installed"), .endsWhenItHangs)
    func onATerminalAPipeRemembersNothing() throws {
        let db = try playground.database("music.db", ["a": "1"])
        let pipe = playground.path("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let screen = try runTool(
            try #require(terminal),
            ["-qec", "'\(try toolPath())' shell '\(db)'", "/dev/null"],
            stdin: "count\nexit\n",
            environment: ["CAIRN_HISTORY": pipe, "TERM": "xterm", "NO_COLOR": "1"]
        )
        #expect(screen.status == 0 && screen.standardOutput.contains("\r\n1\r\n"), "\(screen)")
    }

    /// Whatever the environment says of characters, no command is run but the one that was typed.
    @Test(.enabled(if: terminal != nil, "the program 'script' is not installed"), arguments: ["C", "C.UTF-8", "none"])
    func onATerminalNoCharacterIsLost(locale: String) throws {
        let db = try playground.database("music.db", ["caf": "1", "na": "2", "café": "3"])
        var lines = Array("put naïve 日本\nget café\n".utf8)
        for bytes in [[0xE9], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF8, 0x88]] as [[UInt8]] {
            lines += Array("delete caf".utf8) + bytes + Array("\n".utf8)
        }
        let screen = try runTool(
            try #require(terminal),
            ["-qec", "'\(try toolPath())' shell '\(db)'", "/dev/null"],
            stdinBytes: lines + Array("exit\n".utf8),
            environment: ["CAIRN_HISTORY": "", "TERM": "xterm", "NO_COLOR": "1", "LC_ALL": locale]
        )
        #expect(screen.status == 0 && screen.standardOutput.contains("\r\n3\r\n"), "\(screen)")
        #expect(screen.standardOutput.split(separator: "Error: The line is not UTF-8").count == 7, "\(screen)")
        let entries = try cairn("rocks", "scan", db).output
        #expect(entries == "caf\t1\ncafé\t3\nna\t2\nnaïve\t日本\n")
    }
    #endif
}
