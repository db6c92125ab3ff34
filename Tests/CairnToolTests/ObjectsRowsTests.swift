import CairnObjects
import CairnTestSupport
import Foundation
import Testing

@Stored(name: "Label") final class RowLabel {
    var name: String
    @Relationship var songs: ObjectSet<RowSong>
    @Relationship var first: ObjectList<RowSong>
}

enum RowGenre: String, StoredValue, CaseIterable { case pop, rock }

@Stored(name: "Song") final class RowSong {
    @Unique var code: String
    @Indexed var title: String
    var seconds: Int16
    var rating: Double?
    var note: String?
    @Indexed var released: Date?
    var genre: RowGenre = RowGenre.pop
    var isLive: Bool
    var cover: [UInt8]
    var tags: [String]
    var place: Place?
    @Relationship(inverse: \RowLabel.songs) var label: RowLabel?
    @Relationship(inverse: \RowLabel.first) var presentedBy: RowLabel?
    @Relationship var original: RowSong?
}

/// `cairn objects import --class`: objects of a class from CSV, TSV and JSON Lines.
struct ObjectsRowsTests {
    // Lives as long as the test.
    private let playground: Playground
    private var path: String { playground.path("music") }

    init() throws {
        playground = try Playground()
        let store = try opened()
        try store.write { context in
            context.insert(RowLabel(name: "Attic"))
            context.insert(
                RowSong(
                    code: "X",
                    title: "First",
                    seconds: 1,
                    rating: nil,
                    note: nil,
                    released: nil,
                    isLive: false,
                    cover: [],
                    tags: [],
                    place: nil
                )
            )
        }
        try store.close()
    }

    private func opened() throws -> ObjectStore { try ObjectStore(path: path, classes: [RowSong.self, RowLabel.self]) }

    private func importing(_ text: String, _ arguments: String..., name: String = "songs.csv") throws -> Outcome {
        let file = try playground.file(name, text)
        let result = try runTool("cairn", ["objects", "import", path, file, "--class", "Song"] + arguments, stdin: "", environment: [:])
        return Outcome(result)
    }

    private func count() throws -> Int {
        let store = try opened()
        defer { try? store.close() }
        return try store.read { try $0.count(RowSong.self, where: .everything) }
    }

    private static let header = "code,title,seconds,rating,note,released,genre,isLive,cover,tags,place,label,original"

    @Test func rowsBecomeObjects() throws {
        let text = """
            \(Self.header)
            A,"Say ""hi"", twice",298,4.5,,2026-01-31,rock,true,00ff,"[""a"",""b""]","{""name"":""Oslo"",""height"":2}",2/1,1/1
            B,"two
            lines",-1,,x,2026-01-31T12:00:00.500Z,pop,false,,[],,,

            """
        #expect(try importing(text) == Outcome("Stored 2 objects.\n"))
        let store = try opened()
        try store.read { context in
            let songs = try context.fetch(RowSong.self, sortedBy: \.code)
            let (one, two) = (songs[0], songs[1])
            #expect(songs.map(\.code) == ["A", "B", "X"] && one.title == "Say \"hi\", twice" && one.seconds == 298 && one.rating == 4.5)
            let day = try Date("2026-01-31T00:00:00Z", strategy: .iso8601)
            #expect(one.note == nil && one.released == day && one.genre == .rock && one.isLive && one.cover == [0, 255])
            #expect(one.tags == ["a", "b"] && one.place == Place(name: "Oslo", height: 2) && one.original === songs[2])
            #expect(one.label?.name == "Attic" && one.label.map { Array($0.songs) } == [one])
            #expect(two.title == "two\nlines" && two.rating == nil && two.note == "x" && two.released == day + 43_200.5 && two.tags == [])
            #expect(two.label == nil && two.cover == [] && two.place == nil && two.presentedBy == nil)
            // By the indexes.
            #expect(try context.fetch(RowSong.self, where: \.title == "two\nlines") == [two])
            #expect(try context.fetch(RowSong.self, where: .isNil(\.released)) == [songs[2]])
            #expect(try context.fetch(RowSong.self, where: \.code == "A") == [one])
        }
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
        try store.write { try $0.delete(try #require(try $0.first(RowLabel.self))) }
        #expect(try store.read { try $0.first(RowSong.self, where: \.code == "A")?.label } == nil)
        try store.close()
    }

    @Test(arguments: [
        ("2026-01-31T12:00:00.255Z", "\"2026-01-31T12:00:00.255Z\""), ("791553600.123456", "\"2026-01-31T12:00:00.123456Z\""),
        ("2026-01-31", "\"2026-01-31T00:00:00.000Z\""), ("1500-03-01T00:00:00Z", "\"1500-03-01T00:00:00.000Z\""),
        ("1e15", "1000000000000000.0"),
    ])
    func datesArePrintedWithAsManyDigitsAsTheyNeed(text: String, printed: String) throws {
        let row = "code,title,seconds,isLive,cover,tags,genre,released\nA,one,1,true,,[],pop,\(text)\n"
        #expect(try importing(row) == Outcome("Stored 1 object.\n"))
        let found = try cairn("objects", "find", path, "Song", "--where", "code = 'A'", "--property", "released")
        #expect(found.output.hasSuffix("\treleased=\(printed)\n"), "\(found)")
        let exported = try cairn("objects", "export", path).output
        #expect(exported.contains("\"released\":\(printed)"))
        let copy = playground.path("copy")
        #expect(try cairn("objects", "import", copy, "--create", stdin: exported).status == 0)
        #expect(try cairn("objects", "export", copy).output.contains("\"released\":\(printed)"))
    }

    @Test func columnsCanHaveOtherNamesAndOrders() throws {
        let text = "Seconds\tNotes\tcode\ttitle\tisLive\tcover\ttags\tgenre\n12\tignored\tA\tone\ttrue\t\t[]\tpop\n"
        #expect(try importing(text, "--columns", "Seconds=seconds,Notes=", name: "songs.tsv") == Outcome("Stored 1 object.\n"))
        let lines =
            #"{"code":"B","title":"two","seconds":3,"isLive":false,"cover":"","tags":[],"genre":"rock","rating":"nan","label":"2/1"}"#
        #expect(
            try importing(lines + "\n\n" + lines.replacing("\"B\"", with: "\"C\""), "--json", name: "songs.jsonl")
                == Outcome("{\"objects\":2,\"names\":0,\"incomplete_indexes\":[]}\n")
        )
        #expect(
            try cairn("objects", "find", path, "Song", "--where", "seconds in (3, 12)", "--property", "code", "--property", "rating").output
                == "1/33\tcode=\"A\"\trating=null\n1/65\tcode=\"B\"\trating=\"nan\"\n1/66\tcode=\"C\"\trating=\"nan\"\n"
        )
        #expect(try cairn("objects", "verify", path).status == 0)
    }

    @Test func whatIsWrongIsNamedWithItsLineAndNothingIsStored() throws {
        let first = "A,one,1,,,,pop,true,,[],,,"
        func rows(_ row: String) -> String { "\(Self.header)\n\(first)\n\(row)\n" }
        for (text, message) in [
            (rows("B,two,x,,,,pop,true,,[],,,"), "line 3: column 'seconds': 'x' is not a valid int16"),
            (rows("B,two,40000,,,,pop,true,,[],,,"), "line 3: column 'seconds': '40000' is not a valid int16"),
            (rows("B,two,,,,,pop,true,,[],,,"), "line 3: column 'seconds' is empty, and 'seconds' cannot be nil"),
            (rows("B,two,1,1e400,,,pop,true,,[],,,"), "line 3: column 'rating': '1e400' is not a valid double"),
            (rows("B,two,1,1e-400,,,pop,true,,[],,,"), "line 3: column 'rating': '1e-400' is not a valid double"),
            (rows("B,two,1,nil,,,pop,true,,[],,,"), "line 3: column 'rating': 'nil' is not a valid double; leave it empty for nil"),
            (
                rows("B,two,1,,,yesterday,pop,true,,[],,,"),
                "line 3: column 'released': 'yesterday' is not a valid date, such as 2026-03-01 or"
            ),
            (rows("B,two,1,,,,pop,yes,,[],,,"), "line 3: column 'isLive': 'yes' is not a valid bool"),
            (rows("B,two,1,,,,pop,true,0,[],,,"), "line 3: column 'cover': '0' is not bytes: write pairs of hexadecimal digits"),
            (rows("B,two,1,,,,pop,true,,\"[1]\",,,"), "line 3: column 'tags': the value of 'tags' is not a valid list of string"),
            (rows("B,two,1,,,,pop,true,,\"[],\"\"x\"\":1\",,,"), "line 3: column 'tags' is not JSON"),
            (rows("B,two,1,,,,pop,true,,[],Oslo,,"), "line 3: column 'place' is not JSON"),
            (rows("B,two,1,,,,pop,true,,[],,Attic,"), "line 3: column 'label': an object is identified by"),
            (rows("B,two,1,,,,pop,true,,[],,2/9,"), "line 3: Song 2.label refers to Label 9, which does not exist"),
            (rows("B,two,1,,,,pop,true,,[],,1/1,"), "line 3: Song 2.label refers to Label objects, but 1/1 is a Song"),
            (rows("A,two,1,,,,pop,true,,[],,,"), "line 3: two objects of Song have the same code"),
            (rows("X,two,1,,,,pop,true,,[],,,"), "line 3: two objects of Song have the same code"),
            (rows("B,two,1"), "line 3, has 3 fields, but the header has 13"),
            (rows("B,\"two,1"), "line 3: a quoted field is not closed"),
            (Self.header + ",lenght\n", "line 1: Song has no property 'lenght'; it has code, title, seconds,"),
            ("code,title\n", "line 1: the header has no column for 'seconds', which cannot be nil"),
            ("code,code\n", "line 1: the header names the column 'code' twice"), ("", "is empty"),
            (
                "\(Self.header),presentedBy\n\(first),2/1\n",
                "line 2: Song 1.presentedBy has the inverse Label.first, which is stored too: only a program with the classes can set it"
            ),
        ] {
            let outcome = try importing(text)
            #expect(outcome.status == 4 && outcome.output.isEmpty && outcome.error.contains("songs.csv"), "\(outcome)")
            #expect(outcome.error.contains(message), "\(message): \(outcome.error)")
            #expect(try count() == 1, "\(message)")
        }
        let object = #"{"code":"A","title":"one","seconds":1,"isLive":true,"cover":"","tags":[],"genre":"pop"}"#
        for (line, message) in [
            (object.replacing("\"title\":\"one\",", with: ""), "line 2: 'title' is missing, but cannot be nil"),
            (object.replacing("1,", with: "\"1\","), "line 2: the value of 'seconds' is not a valid int16"),
            (object.replacing("}", with: ",\"rating\":1e400}"), "line 2: the value of 'rating' is not a valid double"),
            (object.replacing("title", with: "titel"), "line 2: Song has no property 'titel'; it has code,"),
            (object.replacing("\"seconds\":1", with: "\"seconds\":40000"), "line 2: "),
            (object.replacing("}", with: ",\"code\":\"C\"}"), "line 2: 'code' occurs twice"), ("[]", "line 2, is not valid JSON"),
            (object, "line 2: two objects"),
        ] {
            let outcome = try importing(object + "\n" + line + "\n", name: "songs.jsonl")
            #expect(outcome.status == 4 && outcome.output.isEmpty && outcome.error.contains(message), "\(message): \(outcome)")
            #expect(try count() == 1, "\(message)")
        }
        for arguments in [["--create"], ["--format", "control"]] {
            let file = try playground.file("songs.csv", rows(""))
            let outcome = try runTool(
                "cairn",
                ["objects", "import", path, file, "--class", "Song"] + arguments,
                stdin: "",
                environment: [:]
            )
            #expect(outcome.status == 2)
        }
        #expect(try cairn("objects", "import", path, "--format", "csv").status == 2)
        #expect(try cairn("objects", "import", path, "--class", "Sing", "--format", "csv").status == 3)
        #expect(try cairn("objects", "import", playground.path("none"), "--class", "Song", "--format", "csv").status == 3)
        #expect(try importing("x y", name: "songs").status == 4)
        #expect(try importing(Self.header, "--columns", "length=seconds").error.contains("the header has no column 'length'; it has code,"))
    }
}
