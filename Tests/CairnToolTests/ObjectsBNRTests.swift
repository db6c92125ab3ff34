import CairnTestSupport
import Foundation
import Testing

/// `cairn objects import-bnr`, on directories that the real Tokyo Cabinet wrote.
struct ObjectsBNRTests {
    // Lives as long as the test.
    private let playground: Playground
    private var path: String { playground.path("music") }

    init() throws { playground = try Playground() }

    private static func golden(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../CairnObjectsBNRTests/Golden/\(name)")
            .standardizedFileURL.path
    }

    private static let songFields = """
        {"type": "string", "property": "title"}, {"type": "uint32", "property": "seconds", "as": "int64"}
        """

    private func layout() throws -> String {
        try playground.file(
            "layout.json",
            """
            {"classes": [
              {"class": "Song", "fields": [\(Self.songFields), {"type": "float64", "since": 1}, {"type": "date", "since": 1}, {"type": "data", "since": 1}]},
              {"class": "Playlist", "as": "List", "fields": [
                {"type": "string", "property": "title"}, {"type": "array", "of": "Song", "property": "songs"},
                {"type": "reference", "of": "Song", "property": "favourite"}, {"type": "anyReference"}, {"type": "anyArray"}]}],
             "names": [{"name": "favourite", "type": "reference", "of": "Song"}, {"prefix": "count:", "type": "uint32", "as": "int64"}]}
            """
        )
    }

    private static let report = """
        Song: 26 of 26 objects
        Playlist as List: 2 of 2 objects
        names: 3 of 3
        references to missing objects: 1
          Playlist 2.songs refers to Song 5, which does not exist

        """

    @Test func imports() throws {
        let layout = try layout()
        let arguments = [Self.golden("Music.bnr"), path, "--layout", layout]
        let missing = try cairn("objects", "import-bnr", arguments[0], arguments[1], "--layout", layout)
        #expect(missing.status == 3 && missing.error.contains("There is no object store at"))
        let tried = try cairn("objects", "import-bnr", arguments[0], path, "--layout", layout, "--dry-run")
        #expect(tried == Outcome(Self.report + "Nothing was stored; 28 objects and 3 names can be read.\n"))
        #expect(!FileManager.default.fileExists(atPath: path))
        let stored = try cairn("objects", "import-bnr", arguments[0], path, "--layout", layout, "--create")
        #expect(stored == Outcome(Self.report + "Stored 28 objects and 3 names.\n"))
        let again = try cairn("objects", "import-bnr", arguments[0], path, "--layout", layout)
        #expect(again.status == 3 && again.output == "" && again.error.contains("'\(path)' already has objects of the class Song."))

        let list = try cairn("objects", "list", path, "List", "--json")
        #expect(
            list.output == """
                {"object":"2/2","class":"List","version":1,"values":{"title":"Été","songs":["1/4","1/2","1/4"],"favourite":"1/8"}}
                {"object":"2/3","class":"List","version":1,"values":{"title":"","songs":[],"favourite":null}}

                """
        )
        let song = try cairn("objects", "list", path, "Song", "--limit", "1", "--json")
        #expect(song.output == "{\"object\":\"1/2\",\"class\":\"Song\",\"version\":1,\"values\":{\"title\":\"Song 2\",\"seconds\":20}}\n")
        #expect(try cairn("objects", "verify", path).status == 0)
    }

    @Test func namesAreNotImportedTwice() throws {
        let layout = try playground.file(
            "layout.json",
            #"{"classes": [], "names": [{"prefix": "count:", "type": "uint32", "as": "int64"}]}"#
        )
        let arguments = ["objects", "import-bnr", Self.golden("Music.bnr"), path, "--layout", layout]
        #expect(try runTool("cairn", arguments + ["--create"]).status == 0)
        let again = try runTool("cairn", arguments)
        #expect(again.status == 3 && again.standardError.hasPrefix("Error: '\(path)' already has named values.\nHint: "), "\(again)")
        #expect(try runTool("cairn", arguments + ["--append"]).status == 0)
    }

    @Test func encrypted() throws {
        let layout = try playground.file("layout.json", "{\"classes\": [{\"class\": \"Song\", \"fields\": [\(Self.songFields)]}]}")
        let passphrase = try playground.file("passphrase", "open sesame\n")
        let wrong = try playground.file("wrong", "open")
        let directory = Self.golden("Secret.bnr")
        let stored = try cairn(
            "objects",
            "import-bnr",
            directory,
            path,
            "--layout",
            layout,
            "--create",
            "--passphrase-file",
            passphrase,
            "--json"
        )
        #expect(
            stored.status == 0
                && stored.output.hasPrefix(
                    "{\"stored\":true,\"objects\":3,\"names\":0,\"classes\":[{\"class\":\"Song\",\"stored_as\":\"Song\",\"claimed\":3,\"objects\":3,\"failed\":0,\"encrypted\":2,\"damage\":[]}]"
                )
        )
        // One object is plain: it is what can be read with a wrong passphrase.
        let refused = try cairn(
            "objects",
            "import-bnr",
            directory,
            playground.path("other"),
            "--layout",
            layout,
            "--create",
            "--passphrase-file",
            wrong
        )
        #expect(refused.status == 1 && refused.output.hasSuffix("Nothing was stored; 1 object and 0 names can be read.\n"))
        #expect(!FileManager.default.fileExists(atPath: playground.path("other")))
    }

    /// A truncated file: what could be read is reported, and stored only on request.
    @Test func cut() throws {
        let layout = try playground.file(
            "layout.json",
            """
            {"classes": [{"class": "Song", "fields": [\(Self.songFields), {"type": "float64", "since": 1}, {"type": "date", "since": 1}, {"type": "data", "since": 1}]}]}
            """
        )
        let directory = playground.path("Cut.bnr")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.golden("Music.bnr/Song")))
        try bytes.prefix(1500).write(to: URL(fileURLWithPath: directory + "/Song"))
        let refused = try cairn("objects", "import-bnr", directory, path, "--layout", layout, "--create")
        #expect(refused.status == 1 && refused.output.contains("Song is damaged: the file has 1500 bytes, but should have 2560\n"))
        #expect(refused.output.hasSuffix("objects and 0 names can be read.\n") && refused.output.contains("Nothing was stored; "))
        let salvaged = try cairn("objects", "import-bnr", directory, path, "--layout", layout, "--create", "--salvage")
        #expect(salvaged.status == 1 && salvaged.output.contains("\nStored "))
        #expect(try cairn("objects", "verify", path).status == 0)
    }

    /// A class whose file is lost does not keep the others out.
    @Test func salvagingWithoutAFile() throws {
        let song = "{\"class\": \"Song\", \"fields\": [\(Self.songFields)], \"ignoresRest\": true}"
        let layout = try playground.file("layout.json", "{\"classes\": [\(song), {\"class\": \"Ghost\", \"fields\": []}]}")
        let directory = Self.golden("Music.bnr")
        let refused = try cairn("objects", "import-bnr", directory, path, "--layout", layout, "--create")
        #expect(refused.status == 4 && refused.output == "" && !FileManager.default.fileExists(atPath: path))
        let salvaged = try cairn("objects", "import-bnr", directory, path, "--layout", layout, "--create", "--salvage")
        #expect(salvaged.status == 1)
        #expect(salvaged.output.contains("\nGhost is damaged: \(directory) has no file for the class Ghost; it has: Playlist, Song\n"))
        #expect(salvaged.output.contains("\nStored 26 objects and "))
        #expect(try cairn("objects", "verify", path).status == 0)

        // A second import, but wanted.
        let more = try cairn("objects", "import-bnr", directory, path, "--layout", layout, "--salvage", "--append")
        #expect(more.output.contains("\nStored 26 objects and "))
        #expect(try cairn("objects", "list", path, "Song").output.split(separator: "\n").count == 52)
    }

    @Test func whatMakesNoSense() throws {
        let layout = try playground.file("layout.json", "{\"classes\": [{\"class\": \"Song\", \"field\": []}]}")
        let outcome = try cairn("objects", "import-bnr", Self.golden("Music.bnr"), path, "--layout", layout, "--create")
        #expect(outcome.status == 4 && outcome.error.contains("layout.json: the layout.classes[0].field is unknown"))
        let other = try playground.file("other.json", "{\"classes\": [{\"class\": \"Songs\", \"fields\": []}]}")
        let missing = try cairn("objects", "import-bnr", Self.golden("Music.bnr"), path, "--layout", other, "--create")
        #expect(missing.status == 4 && missing.error.contains("has no file for the class Songs; it has: Playlist, Song"))
        let nothing = try cairn("objects", "import-bnr", playground.directory.path, path, "--layout", other, "--create")
        #expect(nothing.status == 4 && nothing.error.contains("is not a BNRPersistence store"))
    }
}
