import CairnObjects
import CairnTestSupport
import Foundation
import Testing

@Stored(name: "Track") final class EditedTrack {
    @Unique var title: String
    var year: Int?
    var tags: [String] = []
    @Relationship(inverse: \EditedDisc.tracks) var disc: EditedDisc?
}

@Stored(name: "Disc") final class EditedDisc {
    var title: String
    @Relationship(onDelete: .cascade) var tracks: ObjectList<EditedTrack>
}

/// `cairn objects set`, `add` and `delete`, on stores whose classes it does not have.
struct ObjectsEditTests {
    private let playground: Playground
    private var path: String { playground.path("music") }

    init() throws {
        playground = try Playground()
        let store = try open()
        try store.write { context in
            let disc = EditedDisc(title: "One")
            context.insert(disc)
            disc.tracks.append(EditedTrack(title: "Rain", year: 1966))
        }
        try store.close()
    }

    private func open() throws -> ObjectStore { try ObjectStore(path: path, classes: [EditedTrack.self, EditedDisc.self]) }

    private func tracks() throws -> [String] {
        let store = try open()
        defer { try? store.close() }
        return try store.read { context in
            try context.fetch(EditedTrack.self, sortedBy: [.ascending(\.title)]).map {
                "\($0.title) \($0.year.map(String.init) ?? "nil") \($0.tags) \($0.disc?.title ?? "nil")"
            }
        }
    }

    @Test func valuesAreSet() throws {
        let arguments = ["objects", "set", path, "1/1", "title=Sun=shine", "year=", #"tags=["a","b"]"#]
        let trial = try Outcome(runTool("cairn", arguments + ["--dry-run"], stdin: "", environment: [:]))
        #expect(trial == Outcome("Track 1\tchanged\ttitle=\"Rain\" → \"Sun=shine\"\tyear=1966 → null\ttags=[] → [\"a\",\"b\"]\n"))
        #expect(try tracks() == ["Rain 1966 [] One"])
        #expect(try Outcome(runTool("cairn", arguments, stdin: "", environment: [:])) == trial)
        #expect(try tracks() == [#"Sun=shine nil ["a", "b"] One"#])
    }

    @Test func valuesArePrintedAsListsHaveThem() throws {
        let text = "a\"b\\c\nd\te ü"
        let json = #""a\"b\\c\nd\te ü""#
        #expect(try cairn("objects", "set", path, "1/1", "title=" + text) == Outcome("Track 1\tchanged\ttitle=\"Rain\" → \(json)\n"))
        #expect(try cairn("objects", "list", path, "Track", "--property", "title") == Outcome("1/1\ttitle=\(json)\n"))
        #expect(try cairn("objects", "delete", path, "1/1", "--dry-run").output.contains("\ttitle=\(json)"))
    }

    @Test func aListWithoutItsLastObjectIsEmpty() throws {
        let text = try cairn("objects", "delete", path, "1/1", "--dry-run").output
        #expect(text.contains("Disc 1\tchanged\ttracks=[\"1/1\"] → []\n"), "\(text)")
        let json = try cairn("objects", "delete", path, "1/1", "--json").output
        #expect(json.contains(#""properties":{"tracks":{"before":["1/1"],"after":[]}}"#), "\(json)")
    }

    @Test func argumentsThatAreInvalid() throws {
        func refusal(_ arguments: String...) throws -> Outcome {
            Outcome(try runTool("cairn", ["objects"] + arguments, stdin: "", environment: [:]))
        }
        for (outcome, message) in [
            (try refusal("set", path, "1/1", "disc=1/1"), "Track.disc refers to objects of Disc, but 1/1 is of class Track."),
            (try refusal("set", path, "1/1", "disc=9/1"), "has no class 9."),
            (try refusal("add", path, "Track", "title=Sun"), "A new Track needs a value for tags."),
            (try refusal("set", path, "7/1", "title=Sun"), "Error: The store has no class 7."),
            (try refusal("delete", path, "7/1"), "Error: The store has no class 7."),
            (try refusal("set", path, "1/1", "year=nil"), "The value of 'year' 'nil' is not a valid int; leave it empty for nil."),
        ] {
            #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.error.hasSuffix(message + "\n"), "\(outcome)")
        }
        #expect(try tracks() == ["Rain 1966 [] One"])
    }

    @Test func objectsAreAddedAndDeleted() throws {
        let added = try cairn("objects", "add", path, "Track", "title=Sun", "tags=[]", "disc=2/1", "--json")
        #expect(added.status == 0 && added.output.contains(#""change":"insert""#) && added.output.contains(#""class":"Disc""#))
        #expect(try tracks() == ["Rain 1966 [] One", "Sun nil [] One"])
        let trial = try cairn("objects", "delete", path, "2/1", "--dry-run")
        #expect(
            trial.output.split(separator: "\n").map { $0.split(separator: "\t")[..<2].joined(separator: " ") }.sorted() == [
                "Disc 1 deleted", "Track 1 deleted", "Track 2 deleted",
            ]
        )
        #expect(try tracks().count == 2)
        #expect(try cairn("objects", "delete", path, "2/1").status == 0)
        #expect(try tracks().isEmpty)
    }

    @Test func mistakesChangeNothing() throws {
        func refusal(_ arguments: String...) throws -> String {
            let outcome = try Outcome(runTool("cairn", ["objects"] + arguments, stdin: "", environment: [:]))
            #expect(outcome.status != 0 && outcome.output.isEmpty, "\(arguments)")
            return outcome.error
        }
        #expect(try refusal("set", path, "1/1", "title").contains("NAME=VALUE"))
        #expect(try refusal("set", path, "1/1", "name=x").contains("It has: title, year, tags, disc."))
        #expect(try refusal("set", path, "1/1", "year=old").contains("The value of 'year'"))
        #expect(try refusal("set", path, "1/1", "disc=2/9").contains("There is no Disc 9 in '\(path)'"))
        #expect(try refusal("set", path, "Track", "year=1").contains("is not an object"))
        // As 'show' says it.
        let missing = try cairn("objects", "show", path, "1/9")
        #expect(missing.status == 1)
        #expect(try cairn("objects", "set", path, "1/9", "year=1") == missing)
        #expect(try cairn("objects", "set", path, "1/9", "year=1", "--dry-run") == missing)
        #expect(try refusal("add", path, "Track", "title=Sun").contains("needs a value for tags"))
        #expect(try refusal("add", path, "Track", "title=Rain", "tags=[]").contains("unique"))
        #expect(try refusal("add", path, "Song").contains("no class 'Song'"))
        #expect(try cairn("objects", "delete", path, "1/1", "1/9") == missing)
        #expect(try tracks() == ["Rain 1966 [] One"])
    }
}
