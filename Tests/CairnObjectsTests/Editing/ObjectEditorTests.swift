import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// A store with two books, a writer, a rack and remarks.
struct ObjectEditorTests {
    private let engine = MemoryEngine()
    private let store: ObjectStore
    private let book = ObjectID("1/1")!
    private let other = ObjectID("1/2")!
    private let writer = ObjectID("2/1")!
    private let rack = ObjectID("3/1")!

    init() throws {
        let typed = try ObjectStore(engine: engine, classes: editedClasses)
        try typed.write { context in
            let writer = Writer(name: "Ada")
            let (book, other) = (Novel(code: 1, title: "One"), Novel(code: 2, title: "Two"))
            for object in [book, other] { context.insert(object) }
            context.insert(writer)
            book.writer = writer
            book.text = "walking on sunshine"
            book.notes.append(Remark(text: "good"))
            book.notes.append(Remark(text: "very good"))
            let rack = Ledge(name: "Left")
            context.insert(rack)
            rack.books.append(book)
            rack.books.append(other)
            rack.books.append(book)
            rack.byKey[7] = book
        }
        store = try ObjectStore(engine: engine, classes: [])
    }

    private func set(_ id: ObjectID, _ name: String, _ value: ObjectDump.Value) -> ObjectEdit {
        .set(id, ObjectDump.Field(name: name, value: value))
    }

    private func dump(_ id: ObjectID) throws -> ObjectDump? { try store.inspect { try $0.object(id) } }

    private func typed<Value>(_ body: (ObjectContext) throws -> Value) throws -> Value {
        try ObjectStore(engine: engine, classes: editedClasses).read(body)
    }

    private func checkIntact(_ location: SourceLocation = #_sourceLocation) throws {
        let report = try ObjectStore(engine: engine, classes: editedClasses).verify()
        #expect(report.isIntact, "\(report.problems)", sourceLocation: location)
    }

    @Test func aValueIsSetWithItsIndexes() throws {
        let editor = try ObjectEditor(store)
        let edits = [
            set(book, "title", .value(.text("Uno"))), set(book, "text", .value(.text("rain"))), set(book, "code", .value(.signed(9))),
        ]
        let changes = try editor.preview(edits)
        #expect(changes.map(\.id) == [book] && changes[0].kind == .update && changes[0].className == "Novel")
        #expect(changes[0].properties.map(\.name) == ["code", "title", "text"])
        #expect(changes[0].properties[1].before == .value(.text("One")) && changes[0].properties[1].after == .value(.text("Uno")))
        #expect(try dump(book)?["title"] == .value(.text("One")), "a preview changes nothing")
        #expect(try editor.perform(edits) == changes)
        try typed { (context) throws in
            #expect(try context.fetch(Novel.self, where: \Novel.title == "Uno").map(\.code) == [9])
            #expect(try context.fetch(Novel.self, where: \Novel.title == "One").isEmpty)
            let (rain, sunshine) = (try context.search(Novel.self, \.text, "rain"), try context.search(Novel.self, \.text, "sunshine"))
            #expect(rain.count == 1 && sunshine.isEmpty)
            #expect(try context.fetch(Novel.self, where: \Novel.code == 1).isEmpty)
        }
        try checkIntact()
    }

    @Test func everyTypeOfValueIsReadByTheClass() throws {
        let editor = try ObjectEditor(store)
        try editor.perform([
            set(book, "pages", .value(.signed(300))), set(book, "price", .value(.double(1.5))), set(book, "mood", .value(.text("loud"))),
            set(book, "place", .value(.json(#"{"x":3,"y":4}"#))), set(book, "site", .value(.text("https://example.com/a"))),
            set(book, "cost", .value(.decimal("125e-1"))), set(book, "bytes", .value(.bytes([1, 2]))),
            set(book, "words", .value(.list([.text("a"), .text("b")]))),
        ])
        try typed { (context) throws in
            let book = try #require(try context.object(self.book, as: Novel.self))
            #expect(book.pages == 300 && book.price == 1.5 && book.mood == .loud && book.place == Place(x: 3, y: 4))
            #expect(book.site == URL(string: "https://example.com/a") && book.cost == Decimal(string: "12.5"))
            #expect(book.bytes == Data([1, 2]) && book.words == ["a", "b"])
        }
        try editor.perform([set(book, "pages", .value(.null)), set(book, "site", .value(.null))])
        try typed { (context) throws in
            let book = try #require(try context.object(self.book, as: Novel.self))
            #expect(book.pages == nil && book.site == nil)
        }
    }

    @Test func relationshipsChangeOnBothSides() throws {
        let editor = try ObjectEditor(store)
        let changes = try editor.perform([set(other, "writer", .one(writer)), set(rack, "books", .many([other, book]))])
        #expect(Set(changes.map(\.id)) == [other, rack])
        try typed { (context) throws in
            let other = try #require(try context.object(self.other, as: Novel.self))
            #expect(other.writer?.books.count == 2 && other.racks.count == 1)
            #expect(try context.object(self.rack, as: Ledge.self)?.books.map(\.code) == [2, 1])
        }
        // From the side that is derived.
        try editor.perform([set(writer, "books", .many([other])), set(book, "racks", .many([]))])
        try typed { (context) throws in
            #expect(try context.object(self.book, as: Novel.self)?.writer == nil)
            #expect(try context.object(self.rack, as: Ledge.self)?.books.map(\.code) == [2])
        }
        try editor.perform([set(rack, "byKey", .keyed([.init(key: [8], object: other), .init(key: [7], object: book)]))])
        try typed { (context) throws in
            let rack = try #require(try context.object(self.rack, as: Ledge.self))
            #expect(rack.byKey[7]?.code == 1 && rack.byKey[8]?.code == 2 && rack.byKey.count == 2)
        }
        try checkIntact()
    }

    @Test func deletingFollowsTheRules() throws {
        let editor = try ObjectEditor(store)
        #expect(code { try editor.perform([.delete(writer)]) } == .deletionDenied)
        let changes = try editor.preview([.delete(book)])
        #expect(changes.filter { $0.kind == .delete }.map(\.className) == ["Novel", "Remark", "Remark"])
        #expect(changes.filter { $0.kind == .update }.map(\.id) == [rack])
        try editor.perform([.delete(book)])
        try typed { (context) throws in
            #expect(try context.count(Remark.self) == 0 && context.count(Novel.self) == 1)
            #expect(try context.object(self.rack, as: Ledge.self)?.books.map(\.code) == [2])
        }
        try checkIntact()
        try editor.perform([.delete(writer)])
    }

    @Test func whatIsInsertedHasItsIndexes() throws {
        let editor = try ObjectEditor(store)
        let fields = [
            ObjectDump.Field(name: "code", value: .value(.signed(3))), ObjectDump.Field(name: "title", value: .value(.text("Three"))),
        ]
        #expect(code { try editor.perform([.insert(className: "Novel", fields)]) } == .invalidArgument, "defaults are not known")
        let all =
            fields + [
                ObjectDump.Field(name: "text", value: .value(.text("a song"))), ObjectDump.Field(name: "price", value: .value(.double(0))),
                ObjectDump.Field(name: "mood", value: .value(.text("calm"))),
                ObjectDump.Field(name: "place", value: .value(.json(#"{"x":0,"y":0}"#))),
                ObjectDump.Field(name: "cost", value: .value(.decimal("0"))), ObjectDump.Field(name: "bytes", value: .value(.bytes([]))),
                ObjectDump.Field(name: "words", value: .value(.list([]))), ObjectDump.Field(name: "writer", value: .one(writer)),
            ]
        let changes = try editor.perform([.insert(className: "Novel", all)])
        #expect(changes.map(\.kind) == [.insert])
        try typed { (context) throws in
            #expect(try context.fetch(Novel.self, where: \Novel.title == "Three").first?.writer?.name == "Ada")
            #expect(try context.search(Novel.self, \.text, "song").count == 1)
        }
        #expect(code { try editor.perform([.insert(className: "Novel", all)]) } == .notUnique)
        // A preview finds that too, and does not keep the value that it tried.
        let error = #expect(throws: ObjectStoreError.self) { try editor.preview([.insert(className: "Novel", all)]) }
        #expect(error?.code == .notUnique && error?.message.hasPrefix("a new Novel has the same code as Novel ") == true, "\(error as Any)")
        #expect(code { try editor.preview([set(other, "code", .value(.signed(1)))]) } == .notUnique)
        #expect(try typed { try $0.count(Novel.self) } == 3)
        #expect(code { try editor.perform([.insert(className: "Nothing", [])]) } == .unknownClass)
        try checkIntact()
    }

    // MARK: Undo

    @Test func whatWasDoneIsUndoneAndDoneAgain() throws {
        let editor = try ObjectEditor(store)
        let before = try [book, other, writer, rack].map { try dump($0)?.fields }
        #expect(!editor.canUndo && code { try editor.undo() } == .notSupported)
        try editor.perform([set(book, "title", .value(.text("Uno")))], name: "Rename")
        try editor.perform([.delete(book)], name: "Delete")
        #expect(editor.undoName == "Delete" && editor.canUndo && !editor.canRedo)
        let back = try editor.undo()
        #expect(back.filter { $0.kind == .insert }.map(\.className) == ["Novel", "Remark", "Remark"])
        #expect(try typed { try $0.object(self.rack, as: Ledge.self)?.books.map(\.code) } == [1, 2, 1])
        try checkIntact()
        #expect(editor.undoName == "Rename" && editor.redoName == "Delete")
        try editor.undo()
        #expect(try [book, other, writer, rack].map { try dump($0)?.fields } == before)
        try editor.redo()
        #expect(try dump(book)?["title"] == .value(.text("Uno")))
        try editor.redo()
        #expect(try dump(book) == nil && !editor.canRedo)
        try editor.undo()
        try editor.perform([set(other, "title", .value(.text("Due")))])
        #expect(!editor.canRedo)
        try checkIntact()
    }

    /// NaN is a value like others.
    @Test func valuesThatAreNotNumbersAreChanged() throws {
        let editor = try ObjectEditor(store)
        let edit = set(book, "price", .value(.double(.nan)))
        try editor.perform([edit], expecting: try editor.preview([edit]))
        #expect(try editor.preview([edit]).isEmpty)
        // What does not change is not said to.
        let title = set(book, "title", .value(.text("Uno")))
        let changes = try editor.preview([title])
        #expect(changes.flatMap(\.properties).map(\.name) == ["title"])
        try editor.perform([title], expecting: changes)
        try editor.perform([.delete(book)], expecting: try editor.preview([.delete(book)]))
        for _ in 0..<3 { try editor.undo() }
        #expect(try dump(book)?["price"] != .value(.double(.nan)) && dump(book)?["title"] == .value(.text("One")))
        for _ in 0..<3 { try editor.redo() }
        try checkIntact()
    }

    @Test func whatAnotherProgramChangedIsNotUndone() throws {
        let editor = try ObjectEditor(store)
        try editor.perform([set(book, "title", .value(.text("Uno")))])
        try ObjectStore(engine: engine, classes: editedClasses).write { try $0.object(self.book, as: Novel.self)?.title = "Eins" }
        #expect(code { try editor.undo() } == .conflict && editor.canUndo)
        #expect(try dump(book)?["title"] == .value(.text("Eins")))
        // Another property may have changed.
        try editor.perform([set(book, "title", .value(.text("Uno")))])
        try ObjectStore(engine: engine, classes: editedClasses).write { try $0.object(self.book, as: Novel.self)?.price = 3 }
        try editor.undo()
        #expect(try dump(book)?["title"] == .value(.text("Eins")) && dump(book)?["price"] == .value(.double(3)))
        try ObjectStore(engine: engine, classes: editedClasses).write { try $0.object(self.book, as: Novel.self)?.title = "Uno" }
        #expect(code { try editor.redo() } == .conflict && editor.canRedo)
    }

    @Test func whatOthersReferToIsNotUndone() throws {
        let editor = try ObjectEditor(store)
        try editor.perform([set(book, "title", .value(.text("Uno")))])
        let made = try editor.perform([.insert(className: "Writer", [ObjectDump.Field(name: "name", value: .value(.text("Ben")))])])
        let ben = try #require(made.first?.id)
        try ObjectStore(engine: engine, classes: editedClasses).write { context in
            try context.object(self.other, as: Novel.self)?.writer = try context.object(ben, as: Writer.self)
        }
        #expect(code { try editor.undo() } == .conflict)
        #expect(try dump(other)?["writer"] == .one(ben) && dump(ben) != nil)
        try ObjectStore(engine: engine, classes: editedClasses).write { try $0.object(self.other, as: Novel.self)?.writer = nil }
        try editor.undo()
        try editor.undo()
        #expect(try dump(ben) == nil && dump(book)?["title"] == .value(.text("One")))
        try checkIntact()
    }

    @Test func whatIsNotExpectedIsNotDone() throws {
        let editor = try ObjectEditor(store)
        let edit = set(book, "title", .value(.text("Uno")))
        let changes = try editor.preview([edit])
        try ObjectStore(engine: engine, classes: editedClasses).write { try $0.object(self.book, as: Novel.self)?.title = "Eins" }
        #expect(code { try editor.perform([edit], expecting: changes) } == .conflict && !editor.canUndo)
        #expect(try dump(book)?["title"] == .value(.text("Eins")))
        let insert = ObjectEdit.insert(className: "Remark", [ObjectDump.Field(name: "text", value: .value(.text("x")))])
        let shown = try editor.preview([insert])
        try editor.perform([insert])
        #expect(try editor.perform([insert], expecting: shown)[0].id != shown[0].id, "new identities are not compared")
    }

    @Test func whatFailsChangesNothingAndKeepsTheHistory() throws {
        let editor = try ObjectEditor(store)
        try editor.perform([set(book, "title", .value(.text("Uno")))], name: "Rename")
        let before = try dump(other)
        #expect(
            code { try editor.perform([set(other, "title", .value(.text("Due"))), set(other, "code", .value(.signed(1)))]) } == .notUnique
        )
        #expect(code { try editor.perform([set(other, "title", .value(.text("Due"))), .delete(writer)]) } == .deletionDenied)
        #expect(try dump(other) == before && editor.undoName == "Rename")
        try editor.perform([set(other, "price", .value(.double(2)))], name: "Price")
        #expect(try dump(other)?["title"] == .value(.text("Two")), "what failed before is not saved later")
        try editor.undo()
        #expect(code { try editor.perform([.delete(writer)]) } == .deletionDenied && editor.redoName == "Price")
        try editor.undo()
        #expect(try dump(book)?["title"] == .value(.text("One")))
        try checkIntact()
    }

    // MARK: Refusals

    @Test func mistakesAreRefused() throws {
        let editor = try ObjectEditor(store)
        func refusal(_ edits: ObjectEdit...) -> ObjectStoreError.Code? { code { try editor.perform(edits) } }
        #expect(refusal(set(book, "nothing", .value(.null))) == .invalidArgument)
        #expect(refusal(set(ObjectID("1/99")!, "title", .value(.text("")))) == .objectNotFound)
        #expect(refusal(set(ObjectID("9/1")!, "title", .value(.text("")))) == .unknownClass)
        #expect(refusal(set(book, "title", .value(.null))) == .typeMismatch)
        #expect(refusal(set(book, "title", .value(.signed(1)))) == .typeMismatch)
        #expect(refusal(set(book, "title", .one(nil))) == .typeMismatch)
        #expect(refusal(set(book, "code", .value(.signed(Int128(Int64.max) + 1)))) == .typeMismatch)
        #expect(refusal(set(book, "place", .value(.json("{")))) == .typeMismatch)
        #expect(refusal(set(book, "cost", .value(.decimal("much")))) == .typeMismatch)
        #expect(refusal(set(book, "site", .value(.text("http://[")))) == .typeMismatch)
        #expect(refusal(set(book, "writer", .one(other))) == .typeMismatch)
        #expect(refusal(set(book, "writer", .one(ObjectID("2/9")!))) == .objectNotFound)
        #expect(refusal(set(book, "writer", .many([writer]))) == .typeMismatch)
        #expect(refusal(set(rack, "byKey", .keyed([.init(key: ["x"], object: book)]))) == .typeMismatch)
        #expect(refusal(set(rack, "byKey", .keyed([.init(key: [1], object: book), .init(key: [1], object: other)]))) == .invalidArgument)
        #expect(refusal(.delete(ObjectID("1/99")!)) == .objectNotFound)
        let readOnly = try ObjectStore(engine: engine, classes: [], options: ObjectStoreOptions(readOnly: true))
        #expect(code { _ = try ObjectEditor(readOnly) } == .readOnly)
        try checkIntact()
    }

    /// Nothing was saved then, so what came before can still be undone.
    @Test func anInsertionWithoutARowLeavesTheHistory() throws {
        let failing = FailingEngine()
        let typed = try ObjectStore(engine: failing, classes: editedClasses)
        try typed.write { $0.insert(Novel(code: 1, title: "One")) }
        let editor = try ObjectEditor(try ObjectStore(engine: failing, classes: []))
        try editor.perform([set(book, "title", .value(.text("Uno")))])
        failing.fail(after: 0, EngineError(.unavailable, "the server cannot be reached"))
        let error = #expect(throws: ObjectStoreError.self) {
            try editor.perform([.insert(className: "Ledge", [ObjectDump.Field(name: "name", value: .value(.text("Right")))])])
        }
        #expect(error?.code == .unavailable && error?.message.contains("roll") == false, "\(error.map { "\($0)" } ?? "inserted")")
        failing.fail(after: .max)
        #expect(editor.canUndo)
        try editor.undo()
        #expect(try typed.read { try $0.allObjects(Novel.self).map(\.title) } == ["One"])
    }

    @Test(arguments: [true, false]) func onlyAnUnknownOutcomeEndsTheHistory(isOutcomeUnknown: Bool) throws {
        let failing = FailingEngine()
        let typed = try ObjectStore(engine: failing, classes: editedClasses)
        try typed.write { $0.insert(Novel(code: 1, title: "One")) }
        let editor = try ObjectEditor(try ObjectStore(engine: failing, classes: []))
        try editor.perform([set(book, "title", .value(.text("Uno")))])
        failing.fail(after: 0, EngineError(.unavailable, "the server cannot be reached", isOutcomeUnknown: isOutcomeUnknown))
        let error = #expect(throws: ObjectStoreError.self) { try editor.perform([set(book, "title", .value(.text("Due")))]) }
        #expect(error?.isOutcomeUnknown == isOutcomeUnknown)
        failing.fail(after: .max)
        #expect(editor.canUndo != isOutcomeUnknown)
    }

    @Test func theStoreAndItsCatalogAreLeftAsTheyAre() throws {
        let before = store.catalog
        let editor = try ObjectEditor(store)
        try editor.perform([set(book, "title", .value(.text("Uno")))])
        editor.close()
        #expect(try ObjectStore(engine: engine, classes: []).catalog == before)
        #expect(try dump(book) != nil, "the store is still open")
        #expect(code { try editor.perform([.delete(rack)]) } == .closed)
    }
}
