import CairnHistoryKit
import CairnObjects
import CairnTestSupport
import Observation
import Synchronization
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

    /// A commit that the results see is in them, even if it was made after the one that they waited for, and before they were computed.
    @Test func aCommitWhileResultsAreComputedIsNotMissed() async throws {
        let engine = MeddlingEngine()
        let (one, two) = (
            try ObjectStore(engine: engine, classes: [Account.self]), try ObjectStore(engine: engine, classes: [Account.self])
        )
        try Self.insert(0..<1000, one)
        let context = try one.makeContext()
        defer { context.close() }
        var live = try context.live(Account.self, sortedBy: \.number).makeAsyncIterator()
        #expect(try await live.next()?.objects.count == 1000)
        func change(_ number: Int) throws {
            try two.write { try $0.first(Account.self, where: \.number == number)?.balance = 7 }
        }
        try change(100)
        let hasMeddled = Mutex(false)
        engine.meddleAfterNextView {
            #expect(throws: Never.self) { try change(900) }
            hasMeddled.withLock { $0 = true }
        }
        #expect(try await live.next()?.changes.updated == [100])
        #expect(hasMeddled.withLock { $0 })
        #expect(try await live.next()?.changes.updated == [900])
        // The first is reported alone, but what is read after it sees both.
        try change(200)
        try change(800)
        #expect(try await live.next()?.changes.updated == [200, 800])
        try change(300)
        #expect(try await live.next()?.changes.updated == [300])
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
        var late = try context.live(Account.self).makeAsyncIterator()
        var lateCount = try context.liveCount(Account.self).makeAsyncIterator()
        #expect(try await live.next() != nil)
        context.close()
        try Self.insert(0..<1, two)
        #expect(try await live.next() == nil)
        #expect(try await live.next() == nil)
        // Results that nobody has seen yet are not taken for none.
        do throws(ObjectStoreError) {
            _ = try await late.next()
            Issue.record("the query of a closed context was run")
        } catch {
            #expect(error.code == .closed)
        }
        do throws(ObjectStoreError) {
            _ = try await lateCount.next()
            Issue.record("the objects of a closed context were counted")
        } catch {
            #expect(error.code == .closed)
        }
        #expect(code { _ = try context.live(Account.self) } == .closed)
    }

    /// What a view shows that applies the differences.
    private struct Shown {
        var numbers: [Int] = []

        mutating func apply(_ results: LiveResults<Account>) {
            let (former, changes) = (numbers, results.changes)
            for place in (changes.removed + changes.moved.map(\.from)).sorted().reversed() { numbers.remove(at: place) }
            let inserted = changes.inserted.map { ($0, results.objects[$0].number) }
            let added = inserted + changes.moved.map { ($0.to, former[$0.from]) }
            for (place, number) in added.sorted(by: { $0.0 < $1.0 }) { numbers.insert(number, at: place) }
        }
    }

    /// Random commits of two stores, beside a query that is run again each time.
    @Test(arguments: 1...20) func liveResultsAreThoseOfFetch(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let stores = [try store(Account.self), try store(Account.self)]
        try Self.insert(0..<random.int(in: 1..<120), stores[0])
        let condition: ObjectCondition<Account>? =
            [nil, \.balance > 5, .matches(\.owner, TextQuery(containing: "waves")), !(\.balance == 3)][random.int(in: 0..<4)]
        let sorts: [ObjectSort<Account>] =
            [
                [], [.ascending(\.balance)], [.descending(\.balance)], [.ascending(\.owner), .descending(\.balance)],
                [.descending(\.owner), .ascending(\.number)],
            ][random.int(in: 0..<5)]
        let limit = [nil, nil, 0, 1, 7, 40][random.int(in: 0..<6)]
        let context = try stores[1].makeContext()
        defer { context.close() }
        var live = try context.live(Account.self, where: condition, sortedBy: sorts, limit: limit).makeAsyncIterator()
        var shown = Shown()
        var before: [[Int]]?
        var number = 1000
        for round in 0..<40 {
            try stores[random.int(in: 0..<2)].write { context in
                let all = try context.allObjects(Account.self)
                let isLarge = random.oneIn(10)
                for account in all where isLarge || random.oneIn(all.count / 3 + 1) {
                    switch random.int(in: 0..<8) {
                    case 0: try context.delete(account)
                    case 1: account.owner = String(repeating: "Katrina and the Waves ", count: random.oneIn(20) ? 300 : 1)
                    case 2: account.owner = "\(random.int(in: 0..<9))"
                    case 3: break
                    default: account.balance = random.int(in: 0..<12)
                    }
                    if !account.isDeleted { account.entries.append(round) }
                }
                for _ in 0..<random.int(in: 0..<3) {
                    let account = Account(number: number)
                    account.balance = random.int(in: 0..<12)
                    number += 1
                    context.insert(account)
                }
            }
            let expected = try stores[0].read { context in
                try context.fetch(Account.self, where: condition, sortedBy: sorts, limit: limit).map {
                    [$0.number, $0.balance] + $0.entries
                }
            }
            if expected == before { continue }
            let results = try #require(try await live.next())
            shown.apply(results)
            let found = results.objects.map { [$0.number, $0.balance] + $0.entries }
            #expect(found == expected && shown.numbers == found.map { $0[0] }, "seed \(seed), round \(round)")
            let updated = Set(results.changes.updated.map { results.objects[$0].number })
            let changed = expected.filter { item in before?.contains { $0[0] == item[0] && $0 != item } ?? false }.map { $0[0] }
            #expect(updated == Set(changed), "seed \(seed), round \(round)")
            before = expected
        }
    }

    @Test func unsavedChangesCountOnceACommitIsMade() async throws {
        let (one, two) = (try store(Account.self), try store(Account.self))
        try Self.insert(0..<100, one)
        let context = try one.makeContext()
        defer { context.close() }
        var live = try context.live(Account.self, where: \.balance > 0).makeAsyncIterator()
        #expect(try await live.next()?.objects.isEmpty == true)
        let own = try #require(try context.first(Account.self, where: \.number == 90))
        own.balance = 9
        try two.write { try $0.first(Account.self, where: \.number == 1)?.balance = 1 }
        #expect(try await live.next()?.objects.map(\.number) == [1, 90])
        context.rollback()
        try two.write { try $0.first(Account.self, where: \.number == 2)?.balance = 2 }
        #expect(try await live.next()?.objects.map(\.number) == [1, 2])
    }

    /// Follows until the third result, which ends the task.
    @Test func viewsTrackTheLatestResults() async throws {
        let store = try store(Account.self)
        let context = try store.makeContext()
        defer { context.close() }
        let accounts = LiveObserved(Three(query: try context.live(Account.self), beforeNext: { try Self.insert($0..<$0 + 1, store) }))
        #expect(accounts.value == nil)
        let changes = Mutex(0)
        withObservationTracking {
            _ = accounts.value
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        try await accounts.follow()
        #expect(accounts.value?.objects.map(\.number) == [0, 1] && changes.withLock { $0 } == 1)
    }
}

/// The first three elements of a live query; before each of the others, something is done.
private struct Three: AsyncSequence {
    let query: LiveQuery<Account>
    let beforeNext: (Int) throws -> Void

    struct AsyncIterator: AsyncIteratorProtocol {
        var live: LiveQuery<Account>.AsyncIterator
        let beforeNext: (Int) throws -> Void
        var count = 0

        mutating func next() async throws -> LiveResults<Account>? { try await next(isolation: #isolation) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> LiveResults<Account>? {
            if count == 3 { return nil }
            if count > 0 { try beforeNext(count - 1) }
            count += 1
            return try await live.next(isolation: actor)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(live: query.makeAsyncIterator(), beforeNext: beforeNext) }
}
