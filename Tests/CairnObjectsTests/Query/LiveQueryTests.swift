import CairnObjects
import CairnTestSupport
import Testing

@Suite struct LiveQueryTests {
    private let engine = MemoryEngine()

    private func store(_ classes: any StoredObject.Type...) throws -> ObjectStore { try ObjectStore(engine: engine, classes: classes) }

    private static func insert(_ numbers: Range<Int>, _ store: ObjectStore) throws {
        try store.write { context in for number in numbers { context.insert(Account(number: number)) } }
    }

    @Test func resultsFollowTheCommitsOfAnotherStore() async throws {
        let (one, two) = (try store(Account.self), try store(Account.self))
        try Self.insert(0..<4, one)
        let context = try one.makeContext()
        defer { context.close() }
        var live = try context.live(Account.self, where: \.number < 6, sortedBy: [.descending(\.balance), .ascending(\.number)])
            .makeAsyncIterator()
        var results = try #require(try await live.next())
        #expect(results.objects.map(\.number) == [0, 1, 2, 3] && results.changes.inserted == [0, 1, 2, 3])
        #expect(results.changes.removed.isEmpty && results.changes.moved.isEmpty && results.changes.updated.isEmpty)
        let held = results.objects

        // Another order.
        try two.write { try $0.first(Account.self, where: \.number == 2)?.balance = 7 }
        results = try #require(try await live.next())
        #expect(results.objects.map(\.number) == [2, 0, 1, 3])
        #expect(results.changes.moved.map { [$0.from, $0.to] } == [[2, 0]] && results.changes.updated == [0])
        #expect(results.objects[0] === held[2] && held[2].balance == 7)

        // One more, one less, and one that does not belong to the results: no element of its own.
        try Self.insert(9..<10, two)
        try two.write { context in
            if let account = try context.first(Account.self, where: \.number == 0) { try context.delete(account) }
            context.insert(Account(number: 5))
        }
        results = try #require(try await live.next())
        #expect(results.objects.map(\.number) == [2, 1, 3, 5])
        #expect(results.changes.removed == [1] && results.changes.inserted == [3] && results.changes.moved.isEmpty)
        #expect(results.changes.updated.isEmpty)
    }

    @Test func ownSavesAndOtherClasses() async throws {
        let store = try ObjectStore(engine: engine, classes: musicClasses + [Account.self])
        let context = try store.makeContext()
        defer { context.close() }
        var live = try context.live(Account.self).makeAsyncIterator()
        var counts = try context.liveCount(Account.self, where: \.balance > 0).makeAsyncIterator()
        #expect(try await live.next()?.objects.isEmpty == true)
        #expect(try await counts.next() == 0)
        try store.write { $0.insert(Song("other")) }
        context.insert(Account(number: 1))
        try context.save()
        #expect(try await live.next()?.changes.inserted == [0])
        try store.write { try $0.first(Account.self)?.balance = 3 }
        #expect(try await live.next()?.changes.updated == [0])
        #expect(try await counts.next() == 1)
    }

    @Test func textSearchIsLive() async throws {
        let store = try store(Account.self)
        try Self.insert(0..<3, store)
        let context = try store.makeContext()
        defer { context.close() }
        var live = try context.live(Account.self, where: .matches(\.owner, TextQuery(containing: "waves"))).makeAsyncIterator()
        #expect(try await live.next()?.objects.isEmpty == true)
        try store.write { try $0.first(Account.self, where: \.number == 1)?.owner = "Katrina and the Waves" }
        #expect(try await live.next()?.objects.map(\.number) == [1])
    }

    @Test func theSequenceEndsWithItsContext() async throws {
        let (one, two) = (try store(Account.self), try store(Account.self))
        let context = try one.makeContext()
        var live = try context.live(Account.self).makeAsyncIterator()
        #expect(try await live.next() != nil)
        context.close()
        try Self.insert(0..<1, two)
        #expect(try await live.next() == nil)
        #expect(code { _ = try context.live(Account.self) } == .closed)
    }

    /// Differences of random lists, applied as views apply them.
    @Test(arguments: 1...5) func differencesLeadFromOneToTheNext(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = try store(Account.self)
        let context = try store.makeContext()
        defer { context.close() }
        try Self.insert(0..<40, store)
        var live = try context.live(Account.self, where: \.balance >= 0, sortedBy: [.ascending(\.balance), .ascending(\.number)])
            .makeAsyncIterator()
        var shown = try #require(try await live.next()).objects.map(\.number)
        for round in 0..<50 {
            let changed = (0..<Int.random(in: 1...4, using: &random)).map { _ in Int.random(in: 0..<40, using: &random) }
            let balances = changed.map { _ in Int.random(in: -3..<20, using: &random) }
            let before = try context.fetch(Account.self, where: \.balance >= 0).count
            try store.write { context in
                for (number, balance) in zip(changed, balances) {
                    try context.first(Account.self, where: \.number == number)?.balance = balance
                }
                // So that there is always a difference to wait for.
                try context.first(Account.self, where: \.balance >= 0)?.entries.append(round)
            }
            if before == 0, try context.fetch(Account.self, where: \.balance >= 0).isEmpty { continue }
            let results = try #require(try await live.next())
            let former = shown
            for place in (results.changes.removed + results.changes.moved.map(\.from)).sorted().reversed() { shown.remove(at: place) }
            let added =
                results.changes.inserted.map { ($0, results.objects[$0].number) }
                + results.changes.moved.map { ($0.to, former[$0.from]) }
            for (place, number) in added.sorted(by: { $0.0 < $1.0 }) { shown.insert(number, at: place) }
            #expect(shown == results.objects.map(\.number), "seed \(seed), round \(round)")
        }
    }
}
