import CairnCore
import CairnObjects
import Foundation
import Testing

/// What properties read as whose record cannot be read: nothing of it ends the program.
struct SubstituteTests {
    private func check(_ object: Fragile) {
        #expect(object.date == Date(timeIntervalSinceReferenceDate: 0))
        #expect(object.uuid.uuidString == "00000000-0000-0000-0000-000000000000")
        #expect(object.url.absoluteString == "about:blank")
        #expect(object.kind == .first && object.level == .low)
        #expect(object.count == 0 && object.text == "" && object.withDefault == .two && object.next == nil)
        let nothing = FragilePlace(
            name: "",
            size: .init(width: 0, height: 0),
            side: .left,
            founded: Date(timeIntervalSinceReferenceDate: 0),
            tags: [],
            parts: [],
            notes: [:],
            link: nil
        )
        #expect(object.place == nothing)
    }

    @Test func anObjectThatCannotBeReadHasSubstitutes() throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: [Fragile.self])
        // The last is in another page than the first.
        try store.write { context in for _ in 0..<40 { context.insert(Fragile(nil)) } }
        try store.write { context in
            let last = try #require(try context.object(ObjectID("1/40")!, as: Fragile.self))
            last.next = try context.object(ObjectID("1/1")!, as: Fragile.self)
        }
        var commit = EngineCommit()
        commit.put([9] as [UInt8], for: [0x01, 0, 1, 0, 0, 0, 0, 0, 0] as [UInt8])
        try engine.commit(commit)
        let context = try ObjectStore(engine: engine, classes: [Fragile.self]).makeContext()
        let last = try #require(try context.object(ObjectID("1/40")!, as: Fragile.self))
        let damaged = try #require(last.next)
        check(damaged)
        #expect(context.faultErrors.map(\.code) == [.corruption] && context.faultErrors[0].object == ObjectID("1/1"))
        // What stands for the values is not saved.
        damaged.place.name = "changed"
        damaged.kind = .second
        #expect(damaged.place.name == "changed" && damaged.kind == .second)
        #expect(code { try context.save() } == .corruption)
    }

    @Test func anObjectThatOutlivesItsContextUnreadHasSubstitutes() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: [Fragile.self])
        try store.write { $0.insert(Fragile(Fragile(nil))) }
        let context = try store.makeContext()
        let next = try #require(try context.object(ObjectID("1/1")!, as: Fragile.self)?.next)
        #expect(next.isFault)
        context.close()
        check(next)
    }

    /// They are refused before anything is stored, so that no damage ends the program.
    @Test func typesOfWhichNothingCanStandForAValueNeedADefault() throws {
        let refused: [(any StoredObject.Type, String)] = [(Nameless.self, "Nameless.name"), (Unlisted.self, "Unlisted.unlisted")]
        for (type, property) in refused {
            let engine = MemoryEngine()
            let error = #expect(throws: ObjectStoreError.self) { try ObjectStore(engine: engine, classes: [Fragile.self, type]) }
            #expect(error?.code == .schemaMismatch && error?.message.contains("\(property) of ") == true)
            #expect(try engine.makeView().entries(.all).isEmpty)
        }
        let store = try ObjectStore(engine: MemoryEngine(), classes: [WithDefaults.self])
        try store.write { $0.insert(WithDefaults(name: FragileName("n"), unlisted: .one)) }
        let context = try store.makeContext()
        let object = try #require(try context.object(ObjectID("1/1")!, as: WithDefaults.self))
        context.refresh()
        context.close()
        #expect(object.name == FragileName("default") && object.unlisted == .two && object.other == nil && object.another == nil)
    }
}
