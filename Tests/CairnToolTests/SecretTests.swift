import CairnMapped
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
            let error = "Error: \(path): is not a regular file; '-' reads standard input.\n"
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

    @Test func theyAreShort() throws {
        try MappedStore(path: store).close()
        let long = try playground.file("long", String(repeating: "a", count: 65_537))
        for option in ["--key-file", "--passphrase-file"] {
            let error = "Error: \(long): is longer than 64 KiB.\n"
            #expect(try cairn("mapped", "get", store, "a", option, long) == Outcome(error: error, status: 4))
        }
        let most = try playground.file("most", String(repeating: "a", count: 65_536))
        #expect(try cairn("mapped", "get", store, "a", "--key-file", most).error.contains("does not contain a key"))
    }
}
