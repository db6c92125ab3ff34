import CairnObjects
import CairnObjectsBNR
import CairnTestSupport
import Foundation
import Testing

@Suite struct LayoutTests {
    private static let json = """
        {"versioned": true, "classes": [
          {"class": "Song", "as": "Track", "number": 2, "ignoresRest": true, "fields": [
            {"type": "string", "property": "title"}, {"type": "uint32", "property": "seconds", "as": "int64"},
            {"type": "float64", "property": "rating", "as": "optional(double)", "since": 1}, {"type": "data", "since": 1, "until": 3}]},
          {"class": "Playlist", "fields": [
            {"type": "array", "of": "Song", "property": "songs"}, {"type": "reference", "of": "Song", "property": "favourite"},
            {"type": "anyArray", "property": "all"}, {"type": "uint8"}, {"type": "float32"}, {"type": "date"}, {"type": "anyReference"}]}],
         "names": [{"name": "favourite", "type": "reference", "of": "Song"}, {"prefix": "count:", "type": "uint32", "as": "int64"}]}
        """

    @Test func json() throws {
        let layout = try BNRLayout(json: Array(Self.json.utf8))
        #expect(
            layout.isVersioned && layout.classes.map(\.name) == ["Song", "Playlist"]
                && layout.classes.map(\.storedName) == ["Track", "Playlist"]
        )
        #expect(layout.classes[0].number == 2 && layout.classes[0].ignoresRest && !layout.classes[1].ignoresRest)
        guard case .fields(let fields) = layout.classes[0].content, case .fields(let others) = layout.classes[1].content else {
            Issue.record("a class is read by a closure")
            return
        }
        #expect(
            fields == [
                BNRField(.string, "title"), BNRField(.uint32, "seconds", as: .integer(bits: 64, isSigned: true)),
                BNRField(.float64, "rating", as: .optional(.double), versions: 1...255), BNRField(.data, nil, versions: 1...3),
            ]
        )
        #expect(others.map(\.kind) == [.array(of: "Song"), .reference(of: "Song"), .anyArray, .uint8, .float32, .date, .anyReference])
        #expect(
            layout.names == [
                BNRNameLayout(.name("favourite"), .reference(of: "Song")),
                BNRNameLayout(.prefix("count:"), .uint32, as: .integer(bits: 64, isSigned: true)),
            ]
        )
    }

    @Test(arguments: [
        ("{", "the layout is not valid JSON"),
        ("{}", "the layout has no member \"classes\""),
        (
            #"{"classes": [{"class": "A", "fields": [], "field": 1}]}"#,
            "the layout.classes[0].field is unknown; the members are: as, class, fields, ignoresRest, number"
        ),
        (#"{"classes": [{"class": "A", "fields": [{"type": "int"}]}]}"#, "the layout.classes[0].fields[0].type is not a field type"),
        (#"{"classes": [{"class": "A", "fields": [{"type": "array"}]}]}"#, "the layout.classes[0].fields[0] has no member \"of\""),
        (
            #"{"classes": [{"class": "A", "fields": [{"type": "string", "of": "A"}]}]}"#,
            "the layout.classes[0].fields[0].of cannot be combined with \"string\""
        ),
        (
            #"{"classes": [{"class": "A", "fields": [{"type": "string", "as": "text"}]}]}"#,
            "the layout.classes[0].fields[0].as is not an object store type"
        ),
        (
            #"{"classes": [{"class": "A", "fields": [{"type": "string", "since": 2, "until": 1}]}]}"#,
            "the layout.classes[0].fields[0].until is before"
        ),
        (
            #"{"classes": [{"class": "A", "number": 300, "fields": []}]}"#,
            "the layout.classes[0].number is not a whole number from 0 to 255"
        ),
        (#"{"classes": [{"class": "A", "number": -1, "fields": []}]}"#, "the layout.classes[0].number is not a whole number from 0 to 255"),
        (#"{"classes": [{"class": 1, "fields": []}]}"#, "the layout.classes[0].class does not have the expected type"),
        (#"{"classes": [], "names": [{"name": "a", "prefix": "a", "type": "data"}]}"#, "the layout.names[0].name cannot be combined with"),
        (#"{"classes": [{"class": "A", "fields": []}, {"class": "A", "fields": []}]}"#, "the layout has the class A twice"),
        (#"{"classes": [{"class": "A", "fields": []}, {"class": "B", "as": "A", "fields": []}]}"#, "A and B both become A"),
        (
            #"{"classes": [{"class": "A", "fields": [{"type": "reference", "of": "B", "property": "b"}]}]}"#,
            "A.b refers to B, which is not a class of the layout"
        ),
    ]) func whatMakesNoSense(json: String, message: String) throws {
        do throws(BNRError) {
            _ = try BNRLayout(json: Array(json.utf8))
            Issue.record("\(json) was read")
        } catch {
            #expect(error.code == .invalidLayout && error.message.hasPrefix(message), "\(error.message)")
        }
    }

    private static func refusal(_ fields: [BNRField], for name: String = "Song") -> String? {
        do throws(BNRError) {
            let layout = BNRLayout(classes: [BNRClassLayout("Song", as: name, fields: fields)])
            let store = try? makeStore([OldSong.self, OldPlaylist.self])
            _ = try BNRImporter(path: Golden.path("Music.bnr"), layout: layout).check(for: store?.catalog ?? ObjectCatalog(classes: []))
        } catch { return error.code == .invalidLayout ? error.message : "\(error)" }
        return nil
    }

    @Test func whatDoesNotGoWithTheStore() {
        #expect(Self.refusal([BNRField(.string, "name")]) == "Song has no property name for a field of Song")
        #expect(Self.refusal([], for: "Track") == "the store has no class Track for the objects of Song")
        let mismatch = "which does not match the field"
        #expect(Self.refusal([BNRField(.reference(of: "Song"), "title")]) == "Song.title has the type string, \(mismatch)")
        #expect(Self.refusal([BNRField(.string, "songs")], for: "Playlist") == "Playlist.songs has the type list, \(mismatch)")
    }

    /// A value goes into a property that can hold it; where it cannot, the object counts as damaged.
    @Test func conversions() throws {
        func value(_ value: BNRValue, as type: String) throws -> RecordValue? {
            let read = BNRClassLayout("A", ignoresRest: true) { _ in ["a": value] }
            let store = try ObjectStore(
                engine: MemoryEngine(),
                catalog: ObjectCatalog(classes: [.init(number: 1, name: "A", properties: [.init(name: "a", typeText: type)])])
            )
            let old = try OldStore(["A": OldClass(1, [2: OldBuffer()])])
            let report = try BNRImporter(path: old.path, layout: BNRLayout(classes: [read])).importObjects(into: store, salvaging: true)
            guard report.isWhole else { return nil }
            let id = try #require(ObjectID("1/2"))
            let object = try store.inspect { inspector in try inspector.object(id) }
            guard case .value(let stored)? = object?["a"] else { return nil }
            return stored
        }
        let date = Date(timeIntervalSinceReferenceDate: 7)
        let uuid = UUID()
        let expected: [(BNRValue, String, RecordValue?)] = [
            (.unsigned(3), "bool", .bool(true)), (.unsigned(0), "bool", .bool(false)), (.unsigned(127), "int8", .signed(127)),
            (.unsigned(128), "int8", nil), (.unsigned(255), "uint8", .unsigned(255)), (.unsigned(256), "uint8", nil),
            (.unsigned(.max), "int32", nil), (.unsigned(.max), "int64", .signed(4_294_967_295)),
            (.unsigned(.max), "uint32", .unsigned(4_294_967_295)),
            (.unsigned(.max), "int128", .signed(4_294_967_295)), (.unsigned(7), "double", .double(7)),
            (.unsigned(16_777_217), "float", nil),
            (.unsigned(2), "raw(int64, \"Kind\")", .signed(2)), (.unsigned(0), "optional(int64)", .signed(0)),
            (.unsigned(1), "string", nil),
            (.float(0.5), "double", .double(0.5)), (.double(0.5), "float", .float(0.5)), (.double(0.1), "float", nil),
            (.text("a"), "string", .text("a")), (.text(""), "optional(string)", .null), (.text(""), "string", .text("")),
            (.text("a"), "bytes", .bytes([97])), (.text("https://a.b"), "url", .text("https://a.b")),
            (.text(uuid.uuidString), "uuid", .uuid(uuid)),
            (.text("a"), "uuid", nil), (.text("a"), "raw(string, \"Kind\")", .text("a")), (.bytes([1]), "bytes", .bytes([1])),
            (.bytes([]), "optional(bytes)", .null), (.bytes([97]), "string", .text("a")), (.bytes([0xFF]), "string", nil),
            (.date(date), "date", .date(date)), (.date(nil), "date", .date(Date(timeIntervalSinceReferenceDate: 0))),
            (.date(nil), "optional(date)", .null),
            (.date(date), "double", .double(7)), (.double(7), "date", .date(date)),
        ]
        for (old, type, stored) in expected { #expect(try value(old, as: type) == stored, "\(old) as \(type)") }
    }
}
