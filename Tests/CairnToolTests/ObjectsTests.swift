import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// `cairn objects`, as a user sees it, on stores without Swift classes.
struct ObjectsTests {
    // Lives as long as the test.
    private let playground: Playground
    private var path: String { playground.path("music") }

    init() throws { playground = try Playground() }

    private static let text = """
        {"cairn_objects":1}
        {"class":"Song","number":1,"version":1,"properties":[{"name":"title","type":"string"},{"name":"seconds","type":"int64"},{"name":"rating","type":"optional(double)"},{"name":"album","type":"one","target":"Album","inverse":"songs","on_delete":"nullify"}],"indexes":[{"properties":["title"],"unique":false}]}
        {"class":"Album","number":2,"version":2,"properties":[{"name":"code","type":"string"},{"name":"songs","type":"list","target":"Song","inverse":"album","on_delete":"cascade"}],"indexes":[{"properties":["code"],"unique":true}]}
        {"object":"1/1","class":"Song","version":1,"values":{"title":"one\\ttab","seconds":298,"rating":4.5,"album":"2/7"}}
        {"object":"1/2","class":"Song","version":1,"values":{"title":"two","seconds":-1,"rating":null,"album":"2/7"}}
        {"object":"1/40","class":"Song","version":1,"values":{"title":"three","seconds":0,"rating":null,"album":null}}
        {"object":"2/7","class":"Album","version":2,"values":{"code":"A","songs":["1/2","1/1"]}}
        {"name":"all","objects":["1/1","1/40"]}
        {"name":"by letter","keyed":[["o","1/1"],[{"hex":"1505"},"1/2"]]}
        {"name":"favourite","object":"1/2"}
        {"name":"launches","record":"090e"}

        """

    /// Makes a store of the text and returns its path.
    @discardableResult
    private func store() throws -> String {
        let outcome = try cairn("objects", "import", path, "--create", stdin: Self.text)
        #expect(outcome == Outcome("Stored 4 objects and 4 names.\n"))
        return path
    }

    private func change(_ body: (inout EngineCommit) throws -> Void) throws {
        let engine = try RocksEngine(path: path)
        var commit = EngineCommit()
        try body(&commit)
        try engine.commit(commit)
        try engine.close()
    }

    /// Entries that are not its own would be damage.
    @Test func entriesAreNotWrittenIntoObjectStores() throws {
        try store()
        let records = playground.path("records.jsonl")
        try #"{"key":"x","value":"y"}"#.write(toFile: records, atomically: true, encoding: .utf8)
        for arguments in [["put", path, "x", "y"], ["delete", path, "x"], ["import", path, records], ["ingest", path, records]] {
            let outcome = try runTool("cairn", ["rocks"] + arguments, stdin: "", environment: [:])
            #expect(outcome.status == 3 && outcome.standardError.contains("is an object store"), "\(outcome)")
        }
        #expect(try cairn("objects", "verify", path).status == 0)
        #expect(try cairn("rocks", "compact", path).status == 0)
        #expect(try cairn("objects", "compact", path).output.hasSuffix(" after.\n"))
        #expect(try cairn("objects", "compact", playground.path("nothing")).status == 3)
        #expect(try cairn("objects", "verify", path).status == 0)
    }

    /// Only what says that it is an object store is taken for one.
    @Test func databasesWithKeysLikeThoseOfObjectStoresAreWrittenTo() throws {
        let path = playground.path("other.db")
        #expect(try cairn("rocks", "put", "--create", "--hex", path, "0004", "78").status == 0)
        #expect(try cairn("rocks", "put", path, "a", "b") == Outcome(""))
        #expect(try cairn("rocks", "delete", "--hex", path, "0004") == Outcome(""))
        #expect(try cairn("rocks", "count", path) == Outcome("1\n"))
    }

    @Test func whatIsImportedIsExported() throws {
        try store()
        #expect(try cairn("objects", "export", path) == Outcome(Self.text))
        let songs =
            Self.text.split(separator: "\n").filter { !$0.hasPrefix("{\"name") && !$0.hasPrefix("{\"object\":\"2") }.joined(separator: "\n")
            + "\n"
        #expect(try cairn("objects", "export", path, "Song") == Outcome(songs))
        let outcome = try cairn("objects", "verify", path)
        #expect(
            outcome
                == Outcome(
                    """
                    class  objects  damaged  index entries
                    Song         3        0              3
                    Album        1        0              1
                    4 objects, 4 references, 4 names read, no damage found.

                    """
                )
        )
    }

    @Test func aProgramWithTheClassesReadsWhatIsImported() throws {
        try store()
        let store = try ObjectStore(path: path, classes: [ToolSong.self, ToolAlbum.self])
        let report = try store.verify()
        #expect(report.isIntact && report.classes.allSatisfy { $0.isKnown }, "\(report.problems)")
        try store.write { context in
            let album = try context.allObjects(ToolAlbum.self)[0]
            #expect(album.code == "A" && album.songs.map(\.title) == ["two", "one\ttab"] && album.songs[1].rating == 4.5)
            #expect(album.songs.allSatisfy { $0.album === album })
            let favourite = try context.named("favourite", as: ToolSong.self)
            let launches = try context.named("launches", as: Int.self)
            #expect(favourite?.title == "two" && launches == 7)
            context.insert(ToolAlbum(code: "B"))
            context.insert(ToolSong(title: "four"))
        }
        try store.close()
        let added = try cairn("objects", "list", path, "Song", "--from", "3").output
        #expect(
            added
                == "1/40\ttitle=\"three\"\tseconds=0\trating=null\talbum=null\n1/41\ttitle=\"four\"\tseconds=0\talbum=null\n",
            "\(added)"
        )
    }

    @Test func whatIsThereIsKeptByAnImport() throws {
        try store()
        let again = try cairn("objects", "import", path, stdin: Self.text)
        #expect(again.status == 4 && again.error.contains("line 7") && again.error.contains("the same code"), "\(again)")
        let other = Self.text.replacing("\"code\":\"A\"", with: "\"code\":\"B\"")
        #expect(
            try cairn("objects", "import", path, "--json", stdin: other)
                == Outcome("{\"objects\":4,\"names\":4,\"incomplete_indexes\":[]}\n")
        )
        #expect(
            try cairn("objects", "list", path, "Album").output
                == "2/7\tcode=\"A\"\tsongs=[\"1/2\",\"1/1\"]\n2/39\tcode=\"B\"\tsongs=[\"1/66\",\"1/65\"]\n"
        )
        #expect(try cairn("objects", "names", path).output.hasSuffix("favourite\t\"1/66\"\nlaunches\t14 unsigned, 7 signed\n"))
        #expect(try cairn("objects", "verify", path).status == 0)
    }

    @Test func listShowAndNames() throws {
        try store()
        #expect(
            try cairn("objects", "list", path, "Song", "--limit", "2", "--property", "title", "--property", "album")
                == Outcome("1/1\ttitle=\"one\\ttab\"\talbum=\"2/7\"\n1/2\ttitle=\"two\"\talbum=\"2/7\"\n")
        )
        #expect(
            try cairn("objects", "list", path, "Album", "--json")
                == Outcome(
                    "{\"object\":\"2/7\",\"class\":\"Album\",\"version\":2,\"values\":{\"code\":\"A\",\"songs\":[\"1/2\",\"1/1\"]}}\n"
                )
        )
        let shown = """
            Song 1 (1/1), version 1, saved 1 time, 26 bytes

            property  type                  value
            title     string                "one\\ttab"
            seconds   int                   298
            rating    double?               4.5
            album     Album, inverse songs  "2/7"

            referred to by  property  times
            Album 7         songs         1

            """
        #expect(try cairn("objects", "show", path, "Song", "1").output == shown)
        #expect(try cairn("objects", "show", path, "1/1").output == cairn("objects", "show", path, "Song", "1").output)
        #expect(
            try cairn("objects", "names", path)
                == Outcome(
                    "all\t[\"1/1\",\"1/40\"]\nby letter\t[[\"o\",\"1/1\"],[{\"hex\":\"1505\"},\"1/2\"]]\nfavourite\t\"1/2\"\nlaunches\t14 unsigned, 7 signed\n"
                )
        )
        #expect(try cairn("objects", "show", path, "Song", "3") == Outcome(error: "Error: There is no Song 3 in '\(path)'.\n", status: 1))
        #expect(try cairn("objects", "show", path, "Song").status == 2)
        #expect(
            try cairn("objects", "list", path, "Sing")
                == Outcome(error: "Error: The store has no class 'Sing'.\nHint: It has: Song, Album.\n", status: 3)
        )
        #expect(try cairn("objects", "list", path, "Song", "--property", "x").status == 2)
    }

    /// A store does not know their types.
    @Test func namedNumbersArePrintedAsEachTypeThatTheyMayHave() throws {
        let store = try ObjectStore(path: path, classes: [])
        try store.write { context in
            try context.setNamed("since", to: Date(timeIntervalSinceReferenceDate: 86400.5))
            try context.setNamed("gain", to: Float(0.25))
            try context.setNamed("balance", to: -3)
            try context.setNamed("on", to: true)
            try context.setNamed("title", to: "Waterloo\nand more")
            try context.setNamed("id", to: UUID(uuidString: "9E107D9D-372B-46D1-A0F4-0A0B0C0D0E0F")!)
            try context.setNamed("bytes", to: [1, 2, 255] as [UInt8])
            try context.setNamed("numbers", to: [3, -1])
            try context.setNamed("words", to: ["a", "b"])
            try context.setNamed("off", to: false)
        }
        try store.close()
        let expected = """
            balance\t5 unsigned, -3 signed
            bytes\t"0102ff" bytes
            gain\t1048576000 unsigned, 0.25 float
            id\t20011376718273602913455697244450525342 unsigned, 20011376718273602913455697244450525342 signed, "9E107D9D-372B-46D1-A0F4-0A0B0C0D0E0F" uuid
            numbers\t"010601" bytes, [3,-1] list of signed
            off\t0 unsigned, 0 signed, false bool
            on\t1 unsigned, -1 signed, true bool
            since\t4680673810360303616 unsigned, 86400.5 double, 2001-01-02T00:00:00.500Z date
            title\t"Waterloo\\nand more"
            words\t"0401610162" bytes, ["a","b"] list of text

            """
        let names = try cairn("objects", "names", path)
        #expect(names == Outcome(expected), "\(names.output)\(names.error)")
    }

    /// They are part of an export, but nobody gave them a name.
    @Test func recordsOfMigrationsAreNotNames() throws {
        let step = ObjectMigration("step") { context in try context.setNamed("mine", to: "x") }
        try ObjectStore(path: path, classes: [], options: ObjectStoreOptions(migrations: [step])).close()
        #expect(try cairn("objects", "names", path) == Outcome("mine\t\"x\"\n"))
        #expect(try cairn("objects", "info", path).output.contains("\nnames       1, "))
        #expect(try cairn("objects", "verify", path).output.hasSuffix("0 objects, 0 references, 1 name read, no damage found.\n"))
        #expect(try cairn("objects", "export", path).output.contains("cairn.migration.step"))
    }

    @Test func infoExplainAndUpgrade() throws {
        try store()
        let info = try cairn("objects", "info", path)
        #expect(info.output.hasPrefix("classes     2\nobjects     4\nreferences  4, 80 B\n") && info.status == 0, "\(info.output)")
        #expect(info.output.contains("\nclass  version  objects  pages  large"))
        let json = try cairn("objects", "info", path, "--json").output
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect((object["classes"] as? [[String: Any]])?.map { $0["objects"] as? Int } == [3, 1])
        #expect(
            try cairn("objects", "info", path, "Album")
                == Outcome(
                    """
                    property  type
                    code      string
                    songs     list of Song, inverse album

                    index  entries  size
                    code         1  16 B  unique

                    """
                )
        )
        #expect(try cairn("objects", "explain", path, "Song").output.hasPrefix("index  entries  size\ntitle        3  "))
        #expect(try cairn("objects", "upgrade", path) == Outcome("The format of the store needs no upgrade.\n"))
        _ = try ObjectStore(path: path, classes: [NewerSong.self])
        let upgrade = try cairn("objects", "upgrade", path)
        #expect(
            upgrade.output.hasSuffix("\nSong: 3 objects are of a version older than 3; programs with the class migrate them.\n"),
            "\(upgrade)"
        )
    }

    @Test func verifyFindsAndRepairsDamage() throws {
        try store()
        let note: [UInt8] = [5, 0, 2, 0, 0, 0, 0, 0, 7, 0, 1, 0, 4, 0, 0, 0, 0, 0, 1]
        try change { $0.delete(note) }
        let found = try cairn("objects", "verify", path)
        #expect(
            found
                == Outcome(
                    """
                    class  objects  damaged  index entries
                    Song         3        0              3
                    Album        1        0              1
                    damage: Song 1.album refers to Album 7, whose back reference is missing
                    4 objects, 4 references, 4 names read, 1 problem found.

                    """,
                    error: "Error: '\(path)' is damaged.\nHint: --repair fixes some of it.\n",
                    status: 1
                )
        )
        let damage = """
            {"what":"Song 1.album refers to Album 7, whose back reference is missing","where":"Song 1.album","kind":"missingBackReference",\
            "class":"Song","object":"1/1","property":"album","target":"2/7"}
            """
        let classes = """
            [{"class":"Song","objects":3,"damaged":0,"shredded":0,"index_entries":3},\
            {"class":"Album","objects":1,"damaged":0,"shredded":0,"index_entries":1}]
            """
        let json = """
            {"ok":false,"path":"\(path)","damage":[\(damage)],"classes":\(classes),"references":4,"names":4,"names_of_nothing":[],\
            "former_index_entries":0,"problem_counts":{"missingBackReference":1}}

            """
        #expect(try cairn("objects", "check", path, "--json") == Outcome(json, error: found.error, status: 1))
        let repaired = try cairn("objects", "verify", path, "--repair")
        #expect(repaired.status == 0 && repaired.output.contains("\nnote: 1 problem was repaired\n4 objects,"), "\(repaired)")
        #expect(try cairn("objects", "verify", path, "--json").output.hasPrefix("{\"ok\":true,"))

        try change { $0.put([9] as [UInt8], for: [1, 0, 2, 0, 0, 0, 0, 0, 0] as [UInt8]) }
        #expect(try cairn("objects", "verify", path).output.contains("\ndamage: the page of Album 1 to 31 is damaged"))
        let list = try cairn("objects", "list", path, "Album")
        #expect(list.output.isEmpty && list.status == 1 && list.error.contains("'cairn objects verify'"), "\(list)")
        let export = try cairn("objects", "export", path)
        #expect(export.status == 1 && export.output.contains("\"object\":\"1/40\"") && !export.output.contains("\"object\":\"2/7\""))
        #expect(try cairn("objects", "list", path, "Song").status == 0)
    }

    @Test func whatCannotBeReadIsRefusedWithItsLine() throws {
        let lines = Self.text.split(separator: "\n").map(String.init)
        func importing(_ lines: [String]) throws -> Outcome {
            try cairn("objects", "import", path, "--create", stdin: lines.joined(separator: "\n"))
        }
        for (place, line, word) in [
            (0, "{\"cairn_objects\":2}", "format 2"), (0, "{}", "not an export"), (1, lines[1].replacing("int64", with: "int65"), "int65"),
            (3, lines[3].replacing("298", with: "\"x\""), "seconds"),
            (3, lines[3].replacing("298", with: "9223372036854775808"), "seconds"),
            (3, lines[3].replacing("title", with: "titel"), "titel"), (4, lines[3], "twice"), (3, lines[6], "Album 7 appears twice"),
            (3, lines[3].replacing("1/1", with: "1/0"), "row 0"), (3, "{", "JSON"),
            (6, lines[6].replacing("1/2", with: "1/3"), "Song 3"), (6, lines[6].replacing("1/2", with: "9/3"), "9/3"),
        ] {
            var changed = lines
            changed[place] = line
            let outcome = try importing(changed)
            #expect(outcome.status == 3 || outcome.status == 4, "\(outcome)")
            #expect(outcome.output.isEmpty && outcome.error.contains(word), "\(word): \(outcome.error)")
            #expect(!FileManager.default.fileExists(atPath: path), "what an import created is removed")
        }
        #expect(try cairn("objects", "import", playground.path("none"), stdin: Self.text).status == 3)
        for text in ["title,seconds\none,1\n", "{\"title\":\"one\"}\n"] {
            let rows = try cairn("objects", "import", path, "--create", stdin: text)
            #expect(rows.status == 4 && rows.error.hasPrefix("Error: standard input, line 1, is not "))
            #expect(rows.error.hasSuffix("\nHint: With --class CLASS, objects of a class are imported from CSV, TSV or JSON Lines.\n"))
        }
        #expect(try cairn("objects", "info", playground.path("none")).status == 3)
        let file = try playground.file("no store", "x")
        #expect(try cairn("objects", "info", file).status == 3)
    }

    /// Objects of all types and references at random come out as they went in.
    @Test func randomGraphsComeBack() async throws {
        try await withSeeds("object exports", count: Thorough.count(1, of: 3)) { generator in
            let playground = try Playground()
            let (first, second) = (playground.path("first"), playground.path("second"))
            try makeGraph(at: first, &generator)
            let text = try cairn("objects", "export", first)
            #expect(text.status == 0)
            let made = try cairn("objects", "import", second, "--create", stdin: text.output)
            #expect(made.status == 0, "\(made.error)")
            #expect(try cairn("objects", "export", second).output == text.output)
            let options = ObjectStoreOptions()
            let store = try ObjectStore(path: second, classes: [Everything.self], options: options)
            let report = try store.verify()
            #expect(report.isIntact, "\(report.problems.prefix(3))")
            let (one, two) = (try values(ObjectStore(path: first, classes: [Everything.self])), try values(store))
            #expect(one == two && !one.isEmpty)
        }
    }

    private func values(_ store: ObjectStore) throws -> [String] {
        try store.read { context in try context.allObjects(Everything.self).map(\.description) }
    }

    private func makeGraph(at path: String, _ generator: inout SeededGenerator) throws {
        let store = try ObjectStore(path: path, classes: [Everything.self])
        let context = try store.makeContext()
        var objects: [Everything] = []
        for _ in 0..<generator.int(in: 1..<101) {
            let object = Everything(&generator)
            context.insert(object)
            objects.append(object)
        }
        for object in objects {
            if generator.oneIn(2) { object.one = generator.pick(objects) }
            for _ in 0..<generator.int(in: 0..<6) { object.list.append(generator.pick(objects)) }
            for _ in 0..<generator.int(in: 0..<6) { object.others.insert(generator.pick(objects)) }
            for _ in 0..<generator.int(in: 0..<4) { object.byNumber[generator.int(in: -1000..<1001)] = generator.pick(objects) }
        }
        try context.setNamed("some", to: Array(objects.prefix(5)))
        try context.save()
        for _ in 0..<objects.count / 4 {
            let object = generator.pick(objects)
            if !object.isDeleted { try context.delete(object) }
        }
        try context.save()
        context.close()
        try store.close()
    }
}
