import CairnObjects
import CairnTestSupport
import Foundation
import Synchronization
import Testing

/// The same class in the store before and after it got its indexes.
enum Old {
    @Stored(name: "Item") final class Item {
        var label: String
        var number: Int
    }
}

enum New {
    @Stored(name: "Item", indexes: [["number", "label"]]) final class Item {
        @Unique var label: String
        @Indexed var number: Int
    }
}

enum Narrow {
    @Stored(name: "Item") final class Item {
        var label: String
        @Indexed var number: Float
    }
}

enum Newer {
    @Stored(name: "Item") final class Item {
        var label: String
        @Indexed var number: Double
    }
}

struct IndexBuildingTests {
    private static func fill(_ engine: any StorageEngine, _ count: Int = 5000) throws {
        let store = try ObjectStore(engine: engine, classes: [Old.Item.self])
        try store.write { context in for number in 0..<count { context.insert(Old.Item(label: "item \(number)", number: number % 100)) } }
    }

    /// Whether every index has an entry for each object, and no other.
    private static func check(_ store: ObjectStore, _ comment: Comment? = nil) throws {
        try store.read { context in
            let all = try context.allObjects(New.Item.self)
            let byNumber = Dictionary(grouping: all, by: \.number)
            for number in Set(byNumber.keys).union([-1, 1000]) {
                let wanted = (byNumber[number] ?? []).map(\.objectID)
                let found = try context.fetch(where: \New.Item.number == number).map(\.objectID)
                #expect(found == wanted, comment)
            }
            let labels = try context.fetchIDs(New.Item.self, sortedBy: \.label, limit: .max)
            let sorted = all.map { (label: $0.label, id: $0.objectID) }.sorted { $0.label.utf8.lexicographicallyPrecedes($1.label.utf8) }
            #expect(labels == sorted.compactMap(\.id), comment)
            let pairs = try context.count(where: \New.Item.number >= 0 && .hasPrefix(\.label, "item"))
            let expected = all.count { $0.number >= 0 && $0.label.hasPrefix("item") }
            #expect(pairs == expected, comment)
        }
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems.prefix(3))")
    }

    @Test func anIndexDeclaredLaterIsUsedOnceItIsBuilt() throws {
        let engine = MemoryEngine()
        try Self.fill(engine)
        let store = try ObjectStore(engine: engine, classes: [New.Item.self])
        #expect(store.incompleteIndexes == ["Item (label)", "Item (number)", "Item (number, label)"])
        let context = try store.makeContext()
        #expect(try context.explain(where: \New.Item.number == 3).access == "all Item")
        #expect(try context.count(where: \New.Item.number == 3) == 50)
        try store.read { pinned in
            var parts: [Double] = []
            try store.buildIndexes { parts.append($0) }
            #expect(parts.count > 3 && parts == parts.sorted() && parts.last == 1)
            // What was seen before has no such entries.
            #expect(try pinned.explain(where: \New.Item.number == 3).access == "all Item")
            #expect(try pinned.count(where: \New.Item.number == 3) == 50)
        }
        #expect(store.incompleteIndexes.isEmpty)
        #expect(try context.explain(where: \New.Item.number == 3).access == "index (number): number = 3")
        try Self.check(store)
        context.close()
        let again = try ObjectStore(engine: engine, classes: [New.Item.self])
        #expect(again.incompleteIndexes.isEmpty)
        try Self.check(again)
        try again.rebuildIndexes()
        try Self.check(again, "rebuilt")
    }

    @Test func openingCanBuildIndexes() throws {
        let engine = MemoryEngine()
        try Self.fill(engine)
        let parts = Mutex<[Double]>([])
        var options = ObjectStoreOptions(readOnly: true, buildsIndexes: true) { step, part in
            #expect(step == .indexes)
            parts.withLock { $0.append(part) }
        }
        #expect(try ObjectStore(engine: engine, classes: [Old.Item.self], options: options).incompleteIndexes.isEmpty)
        options.readOnly = false
        let store = try ObjectStore(engine: engine, classes: [New.Item.self], options: options)
        #expect(store.incompleteIndexes.isEmpty)
        #expect(parts.withLock { $0.count > 3 && $0 == $0.sorted() && $0.last == 1 })
        try Self.check(store)
    }

    @Test func anEmptyClassHasItsIndexesAtOnce() throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 0)
        #expect(try ObjectStore(engine: engine, classes: [New.Item.self]).incompleteIndexes.isEmpty)
    }

    @Test func savesGoOnWhileIndexesAreBuilt() async throws {
        try await withSeeds("saves beside building", count: Thorough.count(1, of: 3)) { generator in
            let engine = MemoryEngine()
            try Self.fill(engine, 3000)
            let store = try ObjectStore(engine: engine, classes: [New.Item.self])
            let seed = generator.next()
            let isDone = Atomic(false)
            try await onThreads(3) { thread in
                if thread == 0 {
                    defer { isDone.store(true, ordering: .releasing) }
                    // Somebody saves between any two steps.
                    return try store.buildIndexes { _ in try? Self.change(store, seed &+ UInt64(store.incompleteIndexes.count), 99) }
                }
                var round: UInt64 = 0
                repeat {
                    try Self.change(store, seed &+ round &* 3, thread)
                    round += 1
                } while !isDone.load(ordering: .acquiring)
            }
            #expect(store.incompleteIndexes.isEmpty)
            try Self.check(store)
        }
    }

    /// Changes, removes and adds items.
    private static func change(_ store: ObjectStore, _ seed: UInt64, _ thread: Int) throws {
        var generator = SeededGenerator(seed: seed &+ UInt64(thread) << 32)
        do {
            try store.write { context in
                for _ in 0..<5 {
                    let number = generator.int(in: 0..<100)
                    if let item = try context.fetch(where: \New.Item.number == number, limit: 5).randomElement(using: &generator) {
                        if generator.oneIn(4) { try context.delete(item) } else { item.number = generator.int(in: 0..<100) }
                        if !item.isDeleted, generator.oneIn(3) { item.label = "item \(thread) \(generator.next())" }
                    }
                    context.insert(New.Item(label: "item \(thread) \(generator.next())", number: generator.int(in: 0..<100)))
                }
            }
        } catch {
            // Another was faster.
            guard (error as? ObjectStoreError)?.code == .conflict else { throw error }
        }
    }

    @Test func whatWasCancelledGoesOnWhereItWas() async throws {
        let engine = MemoryEngine()
        try Self.fill(engine)
        let store = try ObjectStore(engine: engine, classes: [New.Item.self])
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await store.buildIndexesInBackground()
        }
        task.cancel()
        let failure = await #expect(throws: ObjectStoreError.self) { try await task.value }
        #expect(failure?.code == .cancelled)
        // A step was done before that was noticed.
        #expect(store.incompleteIndexes.count == 3)
        try Self.check(store, "while not complete")
        let reopened = try ObjectStore(engine: engine, classes: [New.Item.self])
        var parts: [Double] = []
        try reopened.buildIndexes { parts.append($0) }
        #expect(parts.count < 5, "it started over: \(parts)")
        try Self.check(reopened)
    }

    @Test func objectsThatAreNotUniqueAreNamed() throws {
        for distance in [1, 4000] {
            let engine = MemoryEngine()
            try Self.fill(engine)
            try ObjectStore(engine: engine, classes: [Old.Item.self]).write { context in
                let items = try context.allObjects(Old.Item.self)
                items[10 + distance].label = items[10].label
            }
            let store = try ObjectStore(engine: engine, classes: [New.Item.self])
            do throws(ObjectStoreError) {
                try store.buildIndexes()
                Issue.record("nothing was thrown")
            } catch {
                #expect(error.code == .notUnique && error.message.contains("Item 11 and Item \(11 + distance) "), "\(error)")
            }
            #expect(store.incompleteIndexes.contains("Item (label)"))
            try store.write { context in
                let item = try #require(try context.fetch(where: \New.Item.label == "item 10").last)
                item.label = "another"
            }
            try store.buildIndexes()
            #expect(store.incompleteIndexes.isEmpty)
            try Self.check(store)
        }
    }

    /// The entry of an object that is in the index must not go with another that was not found to be its double yet.
    @Test func whoGivesUpADoubleTakesNoEntryWithIt() throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 5000)
        try ObjectStore(engine: engine, classes: [Old.Item.self]).write { context in
            let items = try context.allObjects(Old.Item.self)
            items[4500].label = items[5].label
        }
        let store = try ObjectStore(engine: engine, classes: [New.Item.self])
        var isChanged = false
        try store.buildIndexes { part in
            guard !isChanged else { return }
            isChanged = true
            // Item 6 is in the index by now, and item 4501 is not.
            try? store.write { context in
                let double = try #require(try context.fetch(where: \New.Item.label == "item 5").last)
                double.label = "another"
            }
        }
        #expect(isChanged)
        try Self.check(store)
        try store.read { context in
            let found = try context.fetch(where: \New.Item.label == "item 5").map { $0.objectID?.row }
            let access = try context.explain(where: \New.Item.label == "item 5").access
            #expect(found == [6] && access.hasPrefix("index"))
        }
    }

    @Test func indexesThatNobodyDeclaresGo() throws {
        for engine in [
            MemoryEngine(),
            MemoryEngine(
                limits: {
                    var limits = EngineLimits(); limits.deletesRanges = false; return limits
                }()
            ),
        ] {
            try ObjectStore(engine: engine, classes: [New.Item.self]).write { context in
                for number in 0..<1500 { context.insert(New.Item(label: "item \(number)", number: number)) }
            }
            let before = try engine.makeView().entries(KeyRange(prefix: [0x03])).count
            #expect(before == 4500)
            let store = try ObjectStore(engine: engine, classes: [Old.Item.self])
            try store.buildIndexes()
            #expect(try engine.makeView().entries(KeyRange(prefix: [0x03])).isEmpty)
            #expect(try store.read { try $0.count(where: \Old.Item.number < 10) } == 10)
            let again = try ObjectStore(engine: engine, classes: [New.Item.self])
            #expect(again.incompleteIndexes.count == 3)
            try again.buildIndexes()
            try Self.check(again)
        }
    }

    /// Keys of another type have other bytes.
    @Test func anIndexOverAnotherTypeIsBuiltAnew() throws {
        let engine = MemoryEngine()
        try ObjectStore(engine: engine, classes: [Narrow.Item.self]).write { context in
            for number in 0..<100 { context.insert(Narrow.Item(label: "item \(number)", number: Float(number))) }
        }
        let store = try ObjectStore(engine: engine, classes: [Newer.Item.self])
        #expect(store.incompleteIndexes == ["Item (number)"])
        #expect(try store.read { try $0.count(where: \Newer.Item.number < 3) } == 3)
        try store.buildIndexes()
        #expect(try store.read { try $0.explain(where: \Newer.Item.number == 3).access }.hasPrefix("index"))
        #expect(try store.read { try $0.count(where: \Newer.Item.number < 3) } == 3)
    }

    @Test func aDamagedIndexIsMadeAnew() throws {
        let engine = MemoryEngine()
        try ObjectStore(engine: engine, classes: [New.Item.self]).write { context in
            for number in 0..<300 { context.insert(New.Item(label: "item \(number)", number: number % 10)) }
        }
        var commit = EngineCommit()
        let entries = try engine.makeView().entries(KeyRange(prefix: [0x03]))
        for entry in entries.enumerated() where entry.offset.isMultiple(of: 3) { commit.delete(entry.element.key) }
        // And others that lead nowhere.
        for number in 2...3 {
            let last = try #require(entries.last { $0.key[4] == number }).key
            commit.put([], for: last.dropLast() + [0xEE])
        }
        try engine.commit(commit)
        let store = try ObjectStore(engine: engine, classes: [New.Item.self])
        #expect(code { try store.read { try $0.fetch(where: \New.Item.number == 9) } } == .corruption)
        try store.rebuildIndexes()
        try Self.check(store)
        #expect(try engine.makeView().entries(KeyRange(prefix: [0x03])).count == 900)
    }

    @Test func aStoreThatIsReadIsNotBuilt() throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 10)
        var options = ObjectStoreOptions()
        options.readOnly = true
        let store = try ObjectStore(engine: engine, classes: [New.Item.self], options: options)
        #expect(store.incompleteIndexes.count == 3)
        #expect(code { try store.buildIndexes() } == .readOnly)
        #expect(try store.read { try $0.count(where: \New.Item.number == 3) } == 1)
        try store.close()
        #expect(code { try store.buildIndexes() } == .closed)
    }

    /// Several threads rebuild the indexes at once, and one saves meanwhile: each continues what it finds.
    @Test func rebuildsAtTheSameTime() async throws {
        for _ in 0..<Thorough.count(1, of: 2) {
            let engine = MemoryEngine()
            try Self.fill(engine, 3000)
            let store = try ObjectStore(engine: engine, classes: [New.Item.self])
            try store.buildIndexes()
            try await onThreads(4) { thread in
                if thread > 0 { return try store.rebuildIndexes() }
                for number in 0..<20 {
                    try store.write { context in
                        let label = "item \(number)"
                        // Before and behind the place up to which an index is built.
                        try context.upsert(\New.Item.label, label, make: { New.Item(label: label, number: 0) }) { $0.number = 500 }
                        context.insert(New.Item(label: "new \(number)", number: number))
                    }
                }
            }
            #expect(store.incompleteIndexes.isEmpty)
            #expect(try store.read { try $0.count(New.Item.self) } == 3020)
            try Self.check(store, "rebuilt by three threads")
        }
    }

    /// If a process is killed while it builds and others save, the next one can continue.
    @Test func aKilledProcessLeavesIndexesThatTheNextFinishes() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("store")
        try ObjectStore(path: path, classes: [Old.Item.self]).write { context in
            for number in 0..<5000 { context.insert(Old.Item(label: "item \(number)", number: number % 100)) }
        }
        try await withSeeds("killed while building", count: 1) { random in
            for _ in 0..<3 {
                let seed = random.next()
                let steps = random.int(in: 1..<6)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, seed = seed as UInt64, steps = steps as Int] in
                    let store = try ObjectStore(path: path, classes: [New.Item.self])
                    if store.incompleteIndexes.isEmpty { try IndexBuildingTests.beginAnew(store) }
                    var left = steps
                    try store.buildIndexes { _ in
                        try? IndexBuildingTests.change(store, seed &+ UInt64(left), 1)
                        left -= 1
                        if left <= 0 { kill(getpid(), SIGKILL) }
                    }
                    kill(getpid(), SIGKILL)
                }
                let store = try ObjectStore(path: path, classes: [New.Item.self])
                try Self.check(store, "after the kill")
                if random.oneIn(2) {
                    try store.buildIndexes()
                    #expect(store.incompleteIndexes.isEmpty)
                    try Self.check(store, "built to the end")
                }
                try store.close()
            }
        }
    }

    /// Has indexes that were complete be built again.
    fileprivate static func beginAnew(_ store: ObjectStore) throws {
        var isFirst = true
        try store.rebuildIndexes { _ in
            guard isFirst else { return }
            isFirst = false
            kill(getpid(), SIGKILL)
        }
    }
}
