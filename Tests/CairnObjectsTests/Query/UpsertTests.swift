import CairnObjects
import CairnTestSupport
import Foundation
import Testing

struct UpsertTests {
    private func item(_ label: String) -> New.Item { New.Item(label: label, number: 0) }

    @Test func whatIsThereIsChangedAndWhatIsNotIsMade() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: [New.Item.self])
        let context = try store.makeContext()
        let first = try context.upsert(\New.Item.label, "a", make: { item("a") }) { $0.number += 1 }
        // Not saved, and found all the same.
        let second = try context.upsert(\New.Item.label, "a", make: { item("a") }) { $0.number += 1 }
        #expect(first === second && first.number == 2)
        try context.save()
        try store.upsert(\New.Item.label, "a", make: { item("a") }) { $0.number += 1 }
        #expect(try context.fetch(New.Item.self).map(\.number) == [3])
        first.label = "b"
        let third = try context.upsert(\New.Item.label, "a", make: { item("a") })
        #expect(third !== first)
        try context.save()
        #expect(try context.fetch(New.Item.self, sortedBy: \.label).map(\.label) == ["a", "b"])
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: [New.Item.self])
        let context = try store.makeContext()
        #expect(code { try context.upsert(\New.Item.number, 1, make: { item("a") }) } == .invalidPredicate)
        #expect(code { try context.upsert(\New.Item.label, "a", make: { item("b") }) } == .invalidPredicate)
        #expect(!context.hasChanges)
    }

    @Test func aRaceBetweenContextsIsRefusedAtTheSave() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: [New.Item.self])
        let (one, other) = (try store.makeContext(), try store.makeContext())
        try one.upsert(\New.Item.label, "a", make: { item("a") }) { $0.number = 1 }
        try other.upsert(\New.Item.label, "a", make: { item("a") }) { $0.number = 2 }
        try one.save()
        #expect(code { try other.save() } == .notUnique)
        other.rollback()
        try other.upsert(\New.Item.label, "a", make: { item("a") }) { $0.number = 2 }
        try other.save()
        #expect(try one.fetch(New.Item.self).map(\.number) == [2])
    }

    @Test func upsertsOfManyThreadsAllCount() async throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: [New.Item.self])
        try await onThreads(4) { thread in
            for round in 0..<50 {
                let label = "item \((round + thread) % 7)"
                try store.upsert(\New.Item.label, label, make: { New.Item(label: label, number: 0) }) { $0.number += 1 }
            }
        }
        try store.read { context in
            let items = try context.fetch(New.Item.self, sortedBy: \.label)
            #expect(items.map(\.label) == (0..<7).map { "item \($0)" })
            #expect(items.reduce(0) { $0 + $1.number } == 200)
        }
    }
}
