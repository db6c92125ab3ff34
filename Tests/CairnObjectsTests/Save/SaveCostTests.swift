import CairnCore
import CairnObjects
import Testing

@Stored final class Ware {
    var title: String
    var price: Int
}

@Stored final class SearchedWare {
    @Searchable var title: String
}

/// What a save asks of the engine: counts that do not depend on the clock, and must not grow. What an engine makes of a commit is counted by
/// `make bench-gates`.
@Suite struct SaveCostTests {
    private let engine = CountingEngine()

    private func store(_ durability: Durability = .buffered) throws -> ObjectStore {
        var options = ObjectStoreOptions()
        options.durability = durability
        return try ObjectStore(engine: engine, classes: [Ware.self, SearchedWare.self], options: options)
    }

    /// A store that has leased rows, which is a commit of its own.
    private func storeWithRows(_ durability: Durability = .buffered) throws -> ObjectStore {
        let store = try store(durability)
        try store.write { context in
            context.insert(Ware(title: "a ware!!", price: 0))
            context.insert(SearchedWare(title: "a title"))
        }
        return store
    }

    @Test(arguments: Durability.allCases)
    func aSaveIsOneCommitOfTheDurabilityThatWasAskedFor(_ durability: Durability) throws {
        let context = try storeWithRows(durability).makeContext()
        let commits = try engine.commits {
            for price in 0..<50 {
                context.insert(Ware(title: "a ware", price: price))
                try context.save()
            }
        }
        #expect(commits.count == 50)
        #expect(commits.allSatisfy { $0.durability == durability })
    }

    @Test func nothingIsCommittedForNothing() throws {
        let context = try store().makeContext()
        let commits = try engine.commits {
            try context.save()
            _ = try context.allObjects(Ware.self)
            try context.save()
        }
        #expect(commits.isEmpty)
    }

    /// 16 bytes of fields each. A page holds 32 objects, so that keys cost little.
    @Test func manyObjectsAreWrittenInFewBytes() throws {
        let context = try storeWithRows().makeContext()
        let commits = try engine.commits {
            for price in 0..<3_200 { context.insert(Ware(title: "a ware!!", price: price)) }
            try context.save()
        }
        let writes = try #require(commits.first?.writes)
        #expect(commits.count == 1)
        #expect(writes.count == 3_200 / 32 + 1)
        #expect(Double(writes.byteCount) <= 1.03 * 3_200 * 16)
    }

    /// Only the page that contains the object is rewritten.
    @Test func aChangeWritesAPage() throws {
        let context = try store().makeContext()
        let wares = (0..<3_200).map { Ware(title: "a ware!!", price: $0) }
        for ware in wares { context.insert(ware) }
        try context.save()
        let commits = try engine.commits {
            wares[1_600].price = 7
            try context.save()
        }
        let writes = try #require(commits.first?.writes)
        #expect(commits.count == 1)
        #expect(writes.count == 1)
        #expect(writes.byteCount <= 530)
    }

    /// The page of the object; the last recent texts, and how many there are.
    @Test(arguments: ["abc", "a longer title"])
    func textCostsTwoValues(_ title: String) throws {
        let context = try store().makeContext()
        for _ in 0..<40 {
            context.insert(SearchedWare(title: "another title, so that there are many"))
            try context.save()
        }
        let ware = SearchedWare(title: title)
        for changed in [title, "changed"] {
            var commits: [(writes: EngineWrites, durability: Durability)] = []
            let reads = try engine.count {
                commits = try engine.commits {
                    if changed == title { context.insert(ware) } else { ware.title = changed }
                    try context.save()
                }
            }
            let writes = try #require(commits.first?.writes)
            #expect(commits.count == 1)
            #expect(writes.count == 3)
            #expect(writes.byteCount <= 2_500)
            // The page; how many recent texts there are, and the last of them.
            #expect(reads.values <= 4 && reads.entries == 0)
        }
    }

    /// Many small saves move their texts into blocks together.
    @Test func textIsMovedIntoBlocksManyTogether() throws {
        let context = try store().makeContext()
        let commits = try engine.commits {
            for number in 0..<2_000 {
                context.insert(SearchedWare(title: "a title with the number \(number)"))
                try context.save()
            }
        }
        let blocks = commits.map { commit in (0..<commit.writes.count).count { commit.writes.key(at: $0).byteCount == 13 } }
        #expect(blocks.count { $0 > 0 } <= 2_000 / 256)
        #expect(blocks.reduce(0, +) <= 2 * 2_000)
    }
}
