import CairnCore
import CairnObjects
import Testing

@Stored private final class Envelope {
    var address: String = ""
    @Relationship(onDelete: .cascade) var letter: LetterByHand?
}

@Stored private final class Stamp {
    var value: Int
    @Relationship(onDelete: .deny) var any: ObjectList<any StoredObject>
}

@Stored private final class Coin {
    var value: Int
    @Indexed var rates: [Int] = []
}

@Stored private final class Pin: HandCodedObject {
    @Relationship var held: Note?

    func read(from record: inout RecordReader) throws(RecordError) {}
    func write(to record: inout RecordWriter) {}
}

@Stored private final class Note {
    var text: String
}

@Stored(name: "Note", version: 2) private final class NewerNote {
    var text: String
    var length: Int = 7
}

/// Its values have another meaning, which records do not show.
@Stored(name: "Note", version: 2) private final class ShoutedNote {
    var text: String
}

@Stored(name: "Note") private final class LongerNote {
    var text: String
    @Indexed var length: Int = 7
}

@Stored(name: "Note") private final class TwoTexts {
    var text: String
    var other: String = ""
}

@Stored(name: "Note") private final class OtherText {
    var other: String = ""
}

@Stored(name: "Note") private final class RenamedText {
    @Stored(originalName: "other") var text: String = ""
}

/// What only a program with the classes can change.
struct EditorRefusalTests {
    private let engine = MemoryEngine()

    private func editor(_ classes: [any StoredObject.Type], _ fill: (ObjectContext) throws -> Void) throws -> ObjectEditor {
        try ObjectStore(engine: engine, classes: classes).write(fill)
        return try ObjectEditor(try ObjectStore(engine: engine, classes: []))
    }

    private func set(_ id: String, _ name: String, _ value: RecordValue) -> ObjectEdit {
        .set(ObjectID(id)!, ObjectDump.Field(name: name, value: .value(value)))
    }

    @Test func classesThatOnlyTheirProgramKnowsAreLeftAlone() throws {
        let editor = try editor([LetterByHand.self, Envelope.self, Stamp.self, Coin.self, Note.self]) { context in
            let letter = LetterByHand(text: "hello")
            let envelope = Envelope()
            envelope.letter = letter
            for object in [letter, envelope, Stamp(value: 1), Coin(value: 2), Note(text: "a")] as [any StoredObject] {
                context.insert(object)
            }
        }
        #expect(editor.obstacle(toClass: "Letter") == "Letter writes its values by hand")
        #expect(editor.obstacle(toClass: "Envelope")?.contains("Envelope.letter refers to") == true)
        #expect(editor.obstacle(toClass: "Stamp")?.contains("Stamp.any may refer to") == true)
        #expect(editor.obstacle(toClass: "Coin")?.contains("index of Coin.rates") == true)
        #expect(editor.obstacle(toClass: "Note") == nil)
        for edit in [
            set("1/1", "text", .text("")), set("2/1", "address", .text("")), set("3/1", "value", .signed(3)), .delete(ObjectID("4/1")!),
        ] {
            #expect(code { try editor.perform([edit]) } == .notSupported)
        }
        try editor.perform([set("5/1", "text", .text("b"))])
    }

    @Test func recordsOfOlderVersionsAreLeftAlone() throws {
        try ObjectStore(engine: engine, classes: [Note.self]).write { $0.insert(Note(text: "a")) }
        let editor = try editor([NewerNote.self]) { $0.insert(NewerNote(text: "b")) }
        #expect(code { try editor.perform([set("1/1", "text", .text("c"))]) } == .notSupported)
        #expect(code { try editor.perform([.delete(ObjectID("1/1")!)]) } == .notSupported)
        try editor.perform([set("1/2", "text", .text("c"))])
    }

    @Test func recordsOfOlderVersionsWithTheSameValuesAreLeftAlone() throws {
        try ObjectStore(engine: engine, classes: [Note.self]).write { $0.insert(Note(text: "a")) }
        let editor = try editor([ShoutedNote.self]) { $0.insert(ShoutedNote(text: "B")) }
        for edit in [set("1/1", "text", .text("C")), .delete(ObjectID("1/1")!)] {
            #expect(code { _ = try editor.preview([edit]) } == .notSupported)
            #expect(code { try editor.perform([edit]) } == .notSupported)
        }
        try editor.perform([set("1/2", "text", .text("C"))])
    }

    /// As if an earlier version of Cairn had added the properties of the first class.
    private func forgetInitialValues() throws {
        let catalog: [UInt8] = [0, 1, 0, 1]
        let entry = String(decoding: try #require(try engine.makeView().get(catalog)), as: UTF8.self)
        let changed = entry.replacing(/"initial":"[^"]*",/, with: "")
        #expect(changed != entry)
        var commit = EngineCommit()
        commit.put(changed, for: catalog)
        try engine.commit(commit)
    }

    @Test func valuesThatRecordsLackAreThoseOfTheCatalog() throws {
        try ObjectStore(engine: engine, classes: [Note.self]).write { $0.insert(Note(text: "a")) }
        let editor = try editor([LongerNote.self]) { $0.insert(LongerNote(text: "b")) }
        let change = try editor.preview([set("1/1", "length", .signed(8))])
        #expect(change.first?.properties.map { [$0.before, $0.after] } == [[.value(.signed(7)), .value(.signed(8))]])
        try editor.perform([set("1/1", "length", .signed(8)), set("1/1", "text", .text("c"))])
        let store = try ObjectStore(engine: engine, classes: [LongerNote.self])
        #expect(try store.read { try $0.fetch(LongerNote.self, where: \.length == 8).map(\.text) } == ["c"])
        #expect(try store.verify().isIntact)
    }

    @Test func valuesThatRecordsLackAreNotGuessed() throws {
        try ObjectStore(engine: engine, classes: [Note.self]).write { $0.insert(Note(text: "a")) }
        try ObjectStore(engine: engine, classes: [LongerNote.self]).write { $0.insert(LongerNote(text: "b")) }
        try forgetInitialValues()
        let editor = try ObjectEditor(try ObjectStore(engine: engine, classes: []))
        #expect(code { try editor.perform([set("1/1", "text", .text("c"))]) } == .notSupported)
        try editor.perform([set("1/2", "text", .text("c"))])
        // An index may have the default.
        #expect(code { try editor.perform([set("1/1", "length", .signed(8))]) } == .notSupported)
        #expect(try ObjectStore(engine: engine, classes: [LongerNote.self]).verify().isIntact)
    }

    @Test func whatAnUnknownClassLeadsToIsNotDeleted() throws {
        let editor = try editor([LetterByHand.self, Pin.self, Note.self]) { context in
            let note = Note(text: "a")
            context.insert(note)
            context.insert(Pin(held: note))
        }
        #expect(editor.obstacle(toClass: "Pin") != nil && editor.obstacle(toClass: "Note") == nil)
        #expect(code { try editor.perform([.delete(ObjectID("3/1")!)]) } == .unknownClass)
        try editor.perform([set("3/1", "text", .text("b"))])
    }

    /// A property that was removed has the name of the one that took its place.
    @Test func removedPropertiesAreNotTakenForOthers() throws {
        try ObjectStore(engine: engine, classes: [Note.self]).write { $0.insert(Note(text: "old")) }
        let two = try ObjectStore(engine: engine, classes: [TwoTexts.self])
        try two.write { try $0.fetch(TwoTexts.self).first?.other = "new" }
        _ = try ObjectStore(engine: engine, classes: [OtherText.self])
        let editor = try editor([RenamedText.self]) { _ in }
        let change = try editor.preview([set("1/1", "text", .text("old"))])
        #expect(change.first?.properties.map { [$0.before, $0.after] } == [[.value(.text("new")), .value(.text("old"))]])
        try editor.perform([set("1/1", "text", .text("third"))])
        try editor.undo()
        try editor.redo()
        #expect(
            try ObjectStore(engine: engine, classes: [RenamedText.self]).read { try $0.fetch(RenamedText.self).map(\.text) } == ["third"]
        )
    }

    @Test func classesThatChangedMeanwhileAreNoticed() throws {
        let editor = try editor([Note.self]) { $0.insert(Note(text: "a")) }
        _ = try ObjectStore(engine: engine, classes: [LongerNote.self])
        #expect(code { try editor.perform([set("1/1", "text", .text("c"))]) } == .schemaMismatch)
        try forgetInitialValues()
        #expect(
            code { try ObjectEditor(try ObjectStore(engine: engine, classes: [])).preview([set("1/1", "text", .text("c"))]) }
                == .notSupported
        )
    }
}
