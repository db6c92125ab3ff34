import CairnObjects
import CairnTestSupport
import Observation
import Testing

/// Closing, or letting go, frees everything, although objects lead to each other in circles.
@Suite struct LifetimeTests {
    /// What must be gone in the end.
    private struct Witnesses {
        weak var store: ObjectStore?
        weak var engine: MemoryEngine?
        weak var context: ObjectContext?
        weak var undo: ObjectUndo?
        weak var hub: ModelHub?
        weak var part: ModelPart?
        weak var line: ModelLine?
        weak var unsaved: ModelHub?

        var left: [String] {
            let all: [(String, AnyObject?)] = [
                ("store", store), ("engine", engine), ("context", context), ("undo", undo), ("hub", hub), ("part", part), ("line", line),
                ("unsaved", unsaved),
            ]
            return all.filter { $0.1 != nil }.map(\.0)
        }
    }

    /// A context with circles of every kind: saved, changed, inserted, deleted and undone objects, observed ones among them.
    private func fill(_ context: ObjectContext, _ witnesses: inout Witnesses) throws {
        context.undo.isEnabled = true
        let (hub, next, part, line, tag) = (
            ModelHub(number: 1), ModelHub(number: 2), ModelPart(number: 1), ModelLine(number: 1), ModelTag(number: 1)
        )
        hub.parts.append(contentsOf: [part, part])
        hub.next = next
        hub.byKey[1] = part
        hub.tags.insert(tag)
        line.items.append(part)
        line.things.append(hub)
        line.tag = tag
        context.insert(hub)
        context.insert(line)
        next.next = hub
        hub.friend = next
        #expect(part.hub === hub && tag.line === line && part.lines.contains(line) && tag.hubs.contains(hub))
        try context.save()
        withObservationTracking {
            _ = (hub.number, hub.parts.count)
        } onChange: {
        }
        hub.number = 5
        part.number = 5
        let unsaved = ModelHub(number: 3)
        unsaved.friend = hub
        unsaved.next = unsaved
        context.insert(unsaved)
        try context.undo.group { try context.delete(tag) }
        try context.undo.undo()
        (witnesses.hub, witnesses.part, witnesses.line, witnesses.unsaved) = (hub, part, line, unsaved)
        (witnesses.context, witnesses.undo) = (context, context.undo)
    }

    @Test(arguments: [true, false])
    func `nothing is left of a store with circles`(_ closes: Bool) throws {
        var witnesses = Witnesses()
        func use() throws {
            let engine = MemoryEngine()
            let store = try ObjectStore(engine: engine, classes: modelClasses)
            (witnesses.engine, witnesses.store) = (engine, store)
            let context = try store.makeContext()
            try fill(context, &witnesses)
            #expect(witnesses.left.count == 8)
            if closes {
                context.close()
                #expect(witnesses.unsaved == nil && witnesses.hub == nil)
                try store.close()
            }
        }
        try use()
        #expect(witnesses.left == [])
    }

    @Test func `an object that is kept keeps no other, and outlives its context`() throws {
        var witnesses = Witnesses()
        func use() throws -> ModelHub {
            let store = try ObjectStore(engine: MemoryEngine(), classes: modelClasses)
            witnesses.store = store
            let context = try store.makeContext()
            try fill(context, &witnesses)
            return try #require(witnesses.hub)
        }
        var kept: ModelHub? = try use()
        #expect(kept?.number == 5 && kept?.objectContext == nil && kept?.parts.count == 2)
        #expect(witnesses.context == nil && witnesses.part == nil && witnesses.line == nil && witnesses.unsaved == nil)
        kept = nil
        #expect(witnesses.left == [])
    }

    @Test func `scoped contexts leave nothing behind`() throws {
        var witnesses = Witnesses()
        func use() throws {
            let store = try ObjectStore(engine: MemoryEngine(), classes: modelClasses)
            witnesses.store = store
            try store.write { try fill($0, &witnesses) }
            #expect(witnesses.hub == nil && witnesses.context == nil)
            try store.read { (context) throws in
                let hub = try context.allObjects(ModelHub.self)[0]
                witnesses.hub = hub
                #expect(hub.parts[0].hub === hub)
            }
            #expect(witnesses.hub == nil)
            try store.close()
        }
        try use()
        #expect(witnesses.left == [])
    }
}
