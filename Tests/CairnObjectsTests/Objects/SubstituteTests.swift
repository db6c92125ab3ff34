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

    @Test func typesOfWhichNothingCanStandForAValueSayWhatToDo() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = try ObjectStore(engine: MemoryEngine(), classes: [MoreFragile.self])
            try store.write { $0.insert(MoreFragile(name: FragileName("n"), unlisted: .two)) }
            let context = try store.makeContext()
            let object = try #require(try context.object(ObjectID("1/1")!, as: MoreFragile.self))
            context.refresh()
            context.close()
            _ = object.name
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("MoreFragile.name has no value") && message.contains("Declare a default or make it optional"))
    }
}
