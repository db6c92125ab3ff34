import CairnCDB
import CairnMapped
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// `cairn inspect`.
@Suite struct InspectTests {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Serves a store while `body` runs, and returns what the command printed.
    private func inspecting(_ arguments: String..., body: (URL) throws -> Void) throws {
        let tool = try ChildProcess("cairn", ["inspect", "--json"] + arguments)
        let line = try #require(tool.readLine())
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        #expect(Array(fields.keys) == ["url"])
        let url = try #require(fields["url"].flatMap { URL(string: $0) })
        try body(url)
        tool.kill()
        #expect(tool.readLine() == nil)
    }

    private func ask(_ url: URL, _ question: String) throws -> String {
        let answer = try answer(url, "GET", question)
        #expect(answer.status == 200)
        return answer.text
    }

    private func answer(_ url: URL, _ method: String, _ question: String, _ body: String = "") throws -> Answer {
        let port = try #require(url.port)
        let client = try Client(port: UInt16(port))
        let head = "\(method) \(url.path(percentEncoded: true))api/\(question) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        let content = "Origin: http://127.0.0.1:\(port)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        client.send("\(head)\(body.isEmpty ? "" : content)\r\n\(body)".utf8)
        return try Answer(client.receiveAll())
    }

    @Test func aMappedStoreThatAnotherProcessWrites() throws {
        let path = playground.path("settings.map")
        let store = try MappedStore(path: path)
        try store.set(1, for: "launches")
        try inspecting(path) { (url) throws in
            #expect(url.host() == "127.0.0.1")
            #expect(try ask(url, "entries").contains(#""key":{"text":"launches"},"type":"int""#))
            try store.set("Waterloo", for: "song")
            #expect(try ask(url, "entries").contains("Waterloo"))
        }
    }

    @Test func theToolEditsIfItIsAskedTo() throws {
        let path = playground.path("settings.map")
        let store = try MappedStore(path: path)
        try store.set(1, for: "launches")
        func change(_ url: URL, _ command: String, _ body: String) throws -> Answer { try answer(url, "POST", command, body) }
        let edit = #"{"set": {"key": "launches", "type": "int", "text": "2"}}"#
        try inspecting(path) { (url) throws in #expect(try change(url, "preview", edit).status == 405) }
        #expect(try store.get("launches", as: Int.self) == 1)
        try inspecting(path, "--edit") { (url) throws in
            #expect(try change(url, "preview", edit).text.contains(#""edit":"1""#))
            #expect(try change(url, "perform", #"{"edit": "1"}"#).status == 200)
        }
        #expect(try store.get("launches", as: Int.self) == 2)
        // A constant database is not edited.
        try CDBWriter(path: playground.path("a.cdb")).finish()
        let refused = try cairn("inspect", "--edit", playground.path("a.cdb"))
        #expect(refused.status != 0 && refused.error.contains("onstant database cannot be changed"))
    }

    @Test func aDatabaseThatAnotherProcessWrites() throws {
        let path = try playground.database("music.db", ["a": "1"])
        try inspecting(path) { (url) throws in
            #expect(try ask(url, "store").contains(#""kind":"rocks""#))
            #expect(try cairn("rocks", "put", path, "b", "2") == Outcome())
            // What the page asks when it is opened looks at the files.
            #expect(try ask(url, "store").contains(#""sequence":2"#))
            #expect(try ask(url, "entries?family=default").contains(#""text":"b""#))
        }
    }

    @Test func objectStoresAndTheirDatabases() throws {
        let path = playground.path("Music.store")
        try ObjectStore(path: path, classes: [ToolSong.self, ToolAlbum.self]).close()
        try inspecting(path) { (url) throws in #expect(try ask(url, "store").contains(#""kind":"objects""#)) }
        try inspecting(path, "--database") { (url) throws in #expect(try ask(url, "store").contains(#""kind":"rocks""#)) }
    }

    @Test func theAddressIsPrinted() throws {
        let path = playground.path("a.cdb")
        try CDBWriter(path: path).finish()
        let tool = try ChildProcess("cairn", ["inspect", path])
        let line = try #require(tool.readLine())
        #expect(line.hasPrefix("'\(path)' is at http://127.0.0.1:") && line.hasSuffix("/"))
        #expect(tool.readLine() == "Press Ctrl-C to stop.")
    }

    @Test func whatCannotBeShown() throws {
        let text = try playground.file("notes.txt", "only text\n")
        #expect(
            try cairn("inspect", text)
                == Outcome(
                    error: """
                        Error: '\(text)' is not a RocksDB database, an object store, a mapped store or a constant database.
                        Hint: 'cairn doctor' identifies it.

                        """,
                    status: 3
                )
        )
        let missing = playground.path("none")
        #expect(
            try cairn("inspect", missing)
                == Outcome(error: "Error: '\(missing)' does not exist.\nHint: Check the path.\n", status: 3)
        )
        let path = playground.path("b.cdb")
        try CDBWriter(path: path).finish()
        let outcome = try cairn("inspect", path, "--address", "0.0.0.0")
        #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.error.contains("give the host name that browsers use"))
        let elsewhere = try cairn("inspect", path, "--address", "192.0.2.1", "--host-name", "example.org")
        #expect(
            elsewhere.status == 2 && elsewhere.error.hasPrefix("Error: This machine does not have the address 192.0.2.1 (bind: "),
            "\(elsewhere)"
        )
    }

    @Test func optionsThatMeanNothingAreRefused() throws {
        let constant = playground.path("c.cdb"), mapped = playground.path("settings.map")
        try CDBWriter(path: constant).finish()
        try MappedStore(path: mapped).set(1, for: "a")
        let database = try playground.database("music.db", ["a": "1"]), key = try playground.file("key", String(repeating: "0", count: 64))
        for (arguments, message) in [
            ([constant, "--database"], "--database is for object stores in RocksDB"),
            ([mapped, "--order", "unicode"], "--order is for RocksDB databases"),
            ([mapped, "--dialect", "go64"], "--dialect is for constant databases"),
            ([constant, "--key-file", key], "A key is for encrypted"),
            ([database, "--key-file", key], "A key is for encrypted"),
            ([database, "--order", "unicode", "--edit"], "--order is for reading"),
            ([constant, "--edit"], "A constant database cannot be changed"), (["rocksdb:" + mapped], "is not a RocksDB database"),
            (["sqlite:" + database], "is not an SQLite file"),
            ([constant, "--address", "0.0.0.0", "--host-name", ""], "is not the name of a host"),
            ([constant, "--host-name", "http://x/"], "is not the name of a host"),
        ] {
            let outcome = Outcome(try runTool("cairn", ["inspect"] + arguments))
            #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.error.contains(message), "\(arguments): \(outcome)")
        }
    }
}
