import CairnObjects
import CairnTestSupport
import Foundation
import Observation
import Synchronization
import Testing

enum First {
    @Stored(name: "Part") final class Part {
        @Indexed var weight: Int
        var name: String
    }
}

enum Second {
    /// Weights are in grams now.
    @Stored(name: "Part", version: 2) final class Part {
        @Indexed var weight: Int
        var name: String

        func migrate(from version: UInt8) { weight *= 1000 }
    }
}

struct QueryBehaviourTests {
    private func store(_ engine: any StorageEngine = MemoryEngine(), _ count: Int = 100) throws -> ObjectStore {
        let store = try ObjectStore(engine: engine, classes: [First.Part.self])
        try store.write { context in for number in 0..<count { context.insert(First.Part(weight: number % 10, name: "\(number)")) } }
        return store
    }

    @Test func whatMigrationMakesOfValuesIsFound() throws {
        let engine = MemoryEngine()
        _ = try store(engine)
        let store = try ObjectStore(engine: engine, classes: [Second.Part.self])
        func check() throws {
            try store.read { context in
                let wanted = try context.allObjects(Second.Part.self).filter { $0.weight == 3000 }.map(\.objectID)
                let found = try context.fetch(where: \Second.Part.weight == 3000).map(\.objectID)
                #expect(found == wanted)
                let none = try context.count(where: \Second.Part.weight == 3)
                #expect(none == 0)
            }
        }
        // The entries of the former version tell of other values.
        #expect(store.incompleteIndexes == ["Part (weight)"])
        try check()
        try store.buildIndexes()
        try check()
        #expect(try store.read { try $0.count(where: \Second.Part.weight == 3000) } == 10)
        // Records of the former version, in an index of the new one.
        try store.write { context in
            let parts = try context.fetch(where: \Second.Part.weight == 3000)
            parts[0].weight = 5
            parts[1].name = "renamed"
            try context.delete(parts[2])
        }
        try check()
        #expect(try store.read { try $0.count(where: \Second.Part.weight == 3000) } == 8)
        #expect(try store.read { try $0.count(where: \Second.Part.weight == 5) } == 1)
        let entries = try engine.makeView().entries(KeyRange(prefix: [0x03])).count
        #expect(entries == 99)
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
    }

    @Test func queriesAreNotObserved() throws {
        let context = try store().makeContext()
        let parts = try context.allObjects(First.Part.self)
        let isNotified = Atomic(false)
        withObservationTracking {
            _ = try? context.fetch(First.Part.self, where: .contains(\.name, "7") && \.weight > 3, sortedBy: \.name)
            _ = try? context.fetch(First.Part.self, where: #Predicate { $0.weight * 2 > 3 })
        } onChange: {
            isNotified.store(true, ordering: .relaxed)
        }
        for part in parts { (part.weight, part.name) = (7, "7") }
        let wasNotified = isNotified.load(ordering: .relaxed)
        #expect(!wasNotified)
        // But the objects can be observed as before.
        withObservationTracking {
            _ = parts[0].name
        } onChange: {
            isNotified.store(true, ordering: .relaxed)
        }
        parts[0].name = "8"
        let isNotifiedNow = isNotified.load(ordering: .relaxed)
        #expect(isNotifiedNow)
    }

    @Test func aDamagedObjectIsNamedAndOthersAreFound() throws {
        let engine = MemoryEngine()
        let store = try store(engine)
        try store.write { context in
            try #require(try context.first(First.Part.self, where: \.name == "17")).name = String(repeating: "long", count: 1000)
        }
        let large = try #require(try engine.makeView().entries(KeyRange(prefix: [0x02])).first).key
        var commit = EngineCommit()
        commit.put([1], for: large)
        try engine.commit(commit)
        let context = try store.makeContext()
        do throws(ObjectStoreError) {
            _ = try context.fetch(First.Part.self, where: \.weight == 7)
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.code == .corruption && error.object?.row == 18, "\(error)")
        }
        #expect(try context.fetch(First.Part.self, where: \.weight == 8).count == 10)
        #expect(try context.count(where: \First.Part.weight == 7) == 10)
    }

    @Test func identityIsKept() throws {
        let context = try store().makeContext()
        let part = try #require(try context.first(First.Part.self, where: \.name == "5"))
        #expect(try context.first(First.Part.self, where: \.weight == 5) === part)
        #expect(try context.fetch(First.Part.self, sortedBy: \.name).contains { $0 === part })
        #expect(part.objectContext === context && !part.hasUnsavedChanges)
    }

    @Test func whatQueriesDoNotKeepGoes() throws {
        let context = try store().makeContext()
        weak var seen: First.Part?
        func look() throws { seen = try context.first(First.Part.self, where: .contains(\.name, "42")) }
        try look()
        #expect(seen == nil)
        let again = try #require(try context.first(First.Part.self, where: .contains(\.name, "42")))
        again.weight = 77
        try context.save()
        #expect(try context.fetch(First.Part.self, where: \.weight == 77).first === again)
    }

    /// Two contexts that insert beside each other share a page, and who saves first may have the later rows.
    @Test func rowsOfTwoContextsOnOnePageAreKept() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: [First.Part.self])
        try store.write { context in for number in 1..<32 { context.insert(First.Part(weight: number, name: "")) } }
        let (one, other) = (try store.makeContext(), try store.makeContext())
        one.insert(First.Part(weight: 100, name: "one"))
        other.insert(First.Part(weight: 200, name: "other"))
        try other.save()
        try one.save()
        #expect(try store.read { try $0.fetch(First.Part.self, where: \.weight >= 100).map(\.weight) } == [100, 200])
        #expect(try store.read { try $0.count(First.Part.self) } == 33)
    }

    @Test func closedContextsRefuse() throws {
        let context = try store().makeContext()
        context.close()
        #expect(code { try context.fetch(First.Part.self, where: \.weight == 1) } == .closed)
        let other = try store().makeContext()
        #expect(code { try other.fetch(Disc.self) } == .unknownClass)
    }
}
