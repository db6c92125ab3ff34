import CairnCDB
import CairnMapped
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `cairn inspect`.
@Suite struct InspectTests {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Serves a store while `body` runs, and returns what the command printed.
    private func inspecting(_ arguments: String..., body: (URL) async throws -> Void) async throws {
        let tool = try ChildProcess("cairn", ["inspect", "--json"] + arguments)
        let line = try #require(tool.readLine())
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        #expect(Array(fields.keys) == ["url"])
        let url = try #require(fields["url"].flatMap { URL(string: $0) })
        try await body(url)
        tool.kill()
        #expect(tool.readLine() == nil)
    }

    private func ask(_ url: URL, _ question: String) async throws -> String {
        let address = try #require(URL(string: "api/\(question)", relativeTo: url))
        let (data, response) = try await URLSession.shared.data(from: address)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        return String(decoding: data, as: UTF8.self)
    }

    @Test func aMappedStoreThatAnotherProcessWrites() async throws {
        let path = playground.path("settings.map")
        let store = try MappedStore(path: path)
        try store.set(1, for: "launches")
        try await inspecting(path) { (url) async throws in
            #expect(url.host() == "127.0.0.1")
            #expect(try await ask(url, "entries").contains(#""key":"launches","type":"int""#))
            try store.set("Waterloo", for: "song")
            #expect(try await ask(url, "entries").contains("Waterloo"))
        }
    }

    @Test func theToolEditsIfItIsAskedTo() async throws {
        let path = playground.path("settings.map")
        let store = try MappedStore(path: path)
        try store.set(1, for: "launches")
        func change(_ url: URL, _ command: String, _ body: String) async throws -> (status: Int?, text: String) {
            var request = URLRequest(url: try #require(URL(string: "api/\(command)", relativeTo: url)))
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.setValue("http://127.0.0.1:\(url.port ?? 0)", forHTTPHeaderField: "Origin")
            request.httpBody = Data(body.utf8)
            let (data, response) = try await URLSession.shared.data(for: request)
            return ((response as? HTTPURLResponse)?.statusCode, String(decoding: data, as: UTF8.self))
        }
        let edit = #"{"set": {"key": "launches", "type": "int", "text": "2"}}"#
        try await inspecting(path) { (url) async throws in #expect(try await change(url, "preview", edit).status == 405) }
        #expect(try store.get("launches", as: Int.self) == 1)
        try await inspecting(path, "--edit") { (url) async throws in
            #expect(try await change(url, "preview", edit).text.contains(#""edit":"1""#))
            #expect(try await change(url, "perform", #"{"edit": "1"}"#).status == 200)
        }
        #expect(try store.get("launches", as: Int.self) == 2)
        // A constant database is not edited.
        try CDBWriter(path: playground.path("a.cdb")).finish()
        let refused = try cairn("inspect", "--edit", playground.path("a.cdb"))
        #expect(refused.status != 0 && refused.error.contains("onstant database cannot be changed"))
    }

    @Test func aDatabaseThatAnotherProcessWrites() async throws {
        let path = try playground.database("music.db", ["a": "1"])
        try await inspecting(path) { (url) async throws in
            #expect(try await ask(url, "store").contains(#""kind":"rocks""#))
            #expect(try cairn("rocks", "put", path, "b", "2") == Outcome())
            // What the page asks when it is opened looks at the files.
            #expect(try await ask(url, "store").contains(#""sequence":2"#))
            #expect(try await ask(url, "entries?family=default").contains(#""text":"b""#))
        }
    }

    @Test func objectStoresAndTheirDatabases() async throws {
        let path = playground.path("Music.store")
        try ObjectStore(path: path, classes: [ToolSong.self, ToolAlbum.self]).close()
        try await inspecting(path) { (url) async throws in #expect(try await ask(url, "store").contains(#""kind":"objects""#)) }
        try await inspecting(path, "--database") { (url) async throws in #expect(try await ask(url, "store").contains(#""kind":"rocks""#)) }
    }

    @Test func theAddressIsPrinted() throws {
        let path = playground.path("a.cdb")
        try CDBWriter(path: path).finish()
        let tool = try ChildProcess("cairn", ["inspect", path])
        let line = try #require(tool.readLine())
        #expect(line.hasPrefix("'\(path)' is at http://127.0.0.1:") && line.hasSuffix("/"))
        #expect(tool.readLine() == "Ctrl-C ends it.")
    }

    @Test func whatCannotBeShown() throws {
        let text = try playground.file("notes.txt", "only text\n")
        #expect(
            try cairn("inspect", text)
                == Outcome(
                    error: """
                        Error: '\(text)' is not a RocksDB database, an object store, a mapped store or a constant database.
                        Hint: 'cairn doctor' says what it is.

                        """,
                    status: 3
                )
        )
        let missing = playground.path("none")
        #expect(
            try cairn("inspect", missing)
                == Outcome(error: "Error: There is nothing at '\(missing)'.\nHint: Check the path.\n", status: 3)
        )
        let path = playground.path("b.cdb")
        try CDBWriter(path: path).finish()
        let outcome = try cairn("inspect", path, "--address", "0.0.0.0")
        #expect(outcome.status == 3 && outcome.output.isEmpty && outcome.error.contains("give the host name that browsers use"))
    }
}
