import CairnMapped
import CairnRocksGraph
import CairnSQLiteGraph
import CairnTestSupport
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files with keys and passphrases, and what is not a regular file.
struct SecretTests {
    // Lives as long as the test.
    private let playground: Playground
    private var store: String { playground.path("a.map") }

    init() throws { playground = try Playground() }

    /// Reading a device would not end, and opening a pipe that nobody writes to would wait.
    @Test func onlyRegularFilesHoldThem() throws {
        let pipe = playground.path("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        try MappedStore(path: store).close()
        for path in ["/dev/zero", pipe] {
            let error = "Error: \(path) is not a regular file; '-' reads standard input.\n"
            for option in ["--key-file", "--passphrase-file"] {
                #expect(try cairn("mapped", "get", store, "a", option, path) == Outcome(error: error, status: 4))
            }
            let outcome = try cairn("mapped", "import", store, playground.file("other", "x"), "--format", "mmkv", "--mmkv-key-file", path)
            #expect(outcome.error == error && outcome.status == 4)
        }
    }

    /// They would be waited for forever.
    @Test(.endsWhenItHangs) func pipesAreNotStores() throws {
        let pipe = playground.path("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        for arguments in [["cdb", "query", pipe, "a"], ["cdb", "-q", pipe, "a"], ["cdb", "verify", pipe], ["mapped", "get", pipe, "a"]] {
            #expect(try runTool("cairn", arguments, stdin: "", environment: [:]).standardError.contains("not a"), "\(arguments)")
        }
        for format in ["json", "plist", "goose", "mmkv"] {
            let arguments = ["mapped", "import", store, pipe, "--create", "--format", format]
            #expect(try runTool("cairn", arguments, stdin: "", environment: [:]).status != 0, "\(arguments)")
        }
    }

    @Test(.endsWhenItHangs, arguments: ["CURRENT", "IDENTITY", "000099.log"]) func pipesInDatabasesAreRefused(name: String) throws {
        let path = try playground.database("music.db", ["a": "1"])
        let pipe = path + "/" + name
        try? FileManager.default.removeItem(atPath: pipe)
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        for arguments in [["rocks", "scan", path], ["rocks", "put", path, "b", "2"], ["doctor", path]] {
            let outcome = try runTool("cairn", arguments, stdin: "", environment: [:])
            #expect((outcome.standardError + outcome.standardOutput).contains("\(name)' is a pipe, a device or a socket"), "\(outcome)")
        }
    }

    @Test(.endsWhenItHangs) func aPipeIsNotIngested() throws {
        let path = try playground.database("music.db", ["a": "1"])
        let pipe = playground.path("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let error = "Error: '\(pipe)' is a pipe, a device or a socket, not a file.\n"
        #expect(try cairn("rocks", "ingest", path, pipe) == Outcome(error: error, status: 4))
    }

    @Test(.endsWhenItHangs, arguments: ["CURRENT", "IDENTITY", "000099.log"]) func pipesInObjectStoresAreRefused(name: String) throws {
        let path = playground.path("music.store")
        try ObjectStore(path: path, classes: [ToolNote.self]).close()
        let pipe = path + "/" + name
        try? FileManager.default.removeItem(atPath: pipe)
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let error = "Error: Opening the store at '\(path)': '\(pipe)' is a pipe, a device or a socket, not a file.\n"
        for arguments in [["info", path], ["verify", path], ["export", path], ["compact", path]] {
            let outcome = try runTool("cairn", ["objects"] + arguments, stdin: "", environment: [:])
            #expect(Outcome(outcome) == Outcome(error: error, status: 3), "\(arguments)")
        }
    }

    @Test(.endsWhenItHangs, arguments: ["-journal", "-wal", "-shm"]) func pipesBesideObjectStoresAreRefused(suffix: String) throws {
        let path = playground.path("music.sqlite")
        try ObjectStore(sqlite: path, classes: [ToolNote.self]).close()
        #expect(unsafe mkfifo(path + suffix, 0o600) == 0)
        for arguments in [["objects", "info", path], ["objects", "verify", path], ["objects", "compact", path], ["doctor", path]] {
            let outcome = try runTool("cairn", arguments, stdin: "", environment: [:])
            #expect(outcome.standardError.contains("\(suffix)' is a pipe, a device or a socket"), "\(arguments) \(outcome)")
            #expect(outcome.status == 3, "\(arguments)")
        }
    }

    @Test(.endsWhenItHangs) func pipesInBackupsAreRefused() throws {
        let (path, backups) = (try playground.database("music.db", ["a": "1"]), playground.path("backups"))
        #expect(try cairn("rocks", "backup", path, backups).status == 0)
        let pipe = backups + "/meta/1"
        try FileManager.default.removeItem(atPath: pipe)
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let error = "Error: Opening the backups at '\(backups)': '\(pipe)' is a pipe, a device or a socket, not a file.\n"
        for arguments in [["backups", backups], ["restore", backups, playground.path("copy")], ["backup", path, backups]] {
            let outcome = try runTool("cairn", ["rocks"] + arguments, stdin: "", environment: [:])
            #expect(Outcome(outcome) == Outcome(error: error, status: 3), "\(arguments)")
        }
        let doctor = try runTool("cairn", ["doctor", backups], stdin: "", environment: [:])
        #expect(doctor.standardOutput.contains("'\(pipe)' is a pipe, a device or a socket") && doctor.status == 1, "\(doctor)")
    }

    @Test func theyAreShort() throws {
        try MappedStore(path: store).close()
        let long = try playground.file("long", String(repeating: "a", count: 65_537))
        for option in ["--key-file", "--passphrase-file"] {
            let error = "Error: \(long) is longer than 64 KiB.\n"
            #expect(try cairn("mapped", "get", store, "a", option, long) == Outcome(error: error, status: 4))
        }
        let most = try playground.file("most", String(repeating: "a", count: 65_536))
        #expect(try cairn("mapped", "get", store, "a", "--key-file", most).error.contains("does not contain a key"))
    }
}
