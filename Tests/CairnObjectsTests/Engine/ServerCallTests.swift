import CairnObjects
import CairnTestSupport
import Foundation
import Observation
import Synchronization
import Testing

/// Calls of an engine on a server are made where they block no thread that all tasks share.
@Suite(.endsWhenItHangs) struct ServerCallTests {
    private let base = MemoryEngine()
    private let engine: WatchedEngine

    init() { engine = WatchedEngine(base) }

    private static func open(_ engine: any StorageEngine) throws -> ObjectStore {
        try ObjectStore(engine: engine, classes: [Account.self])
    }

    @Test func liveQueriesWaitElsewhere() async throws {
        let (one, two) = (try Self.open(engine), try Self.open(base))
        try two.write { $0.insert(Account(number: 1)) }
        let context = try one.makeContext()
        defer { context.close() }
        engine.reset()
        var live = try context.live(Account.self, where: \.number < 5).makeAsyncIterator()
        var counts = try context.liveCount(Account.self).makeAsyncIterator()
        #expect(try await live.next()?.objects.map(\.number) == [1])
        #expect(try await counts.next() == 1)
        try two.write { $0.insert(Account(number: 2)) }
        #expect(try await live.next()?.objects.map(\.number) == [1, 2])
        try two.write { $0.insert(Account(number: 3)) }
        #expect(try await counts.next() == 3)
        #expect(engine.calls > 0 && engine.callsInTasks == 0)
    }

    @MainActor @Test func followingWaitsElsewhere() async throws {
        let (one, two) = (try Self.open(engine), try Self.open(base))
        try two.write { $0.insert(Account(number: 1)) }
        let context = try one.makeContext()
        defer { context.close() }
        let account = try #require(try context.fetch(Account.self).first)
        engine.reset()
        let following = Task { try await context.follow() }
        for balance in 1...2 {
            let (changes, change) = AsyncStream.makeStream(of: Void.self)
            withObservationTracking {
                _ = account.balance
            } onChange: {
                change.yield()
            }
            try two.write { try $0.first(Account.self)?.balance = balance }
            for await _ in changes { break }
            #expect(account.balance == balance)
        }
        following.cancel()
        try await following.value
        #expect(engine.calls > 0 && engine.callsInTasks == 0)
    }

    /// Finding out what others have changed asks the server, and is left to the attempt whose error is thrown.
    @Test func attemptsAfterConflictsAskForNothingMore() throws {
        let (one, two) = (try Self.open(engine), try Self.open(base))
        try two.write { $0.insert(Account(number: 1)) }
        func calls(conflicts: Int) throws -> Int {
            engine.reset()
            var left = conflicts
            try one.write { context in
                let account = try context.fetch(Account.self).first
                if left > 0 {
                    left -= 1
                    try two.write { try $0.fetch(Account.self).first?.balance += 1 }
                }
                account?.balance += 1
            }
            return engine.calls
        }
        let once = try calls(conflicts: 0)
        let repeated = try calls(conflicts: 3)
        #expect(repeated == 4 * once, "\(repeated) calls, \(once) without conflicts")
        #expect(try two.read { try $0.fetch(Account.self).map(\.balance) } == [5])
    }

    /// A save is built on the state that was read, for which no view has to be made, unless others have changed what the save reads besides.
    @Test func aSaveIsBuiltOnWhatWasRead() throws {
        let (one, two) = (try Self.open(engine), try Self.open(base))
        try two.write { context in for number in 0..<200 { context.insert(Account(number: number, owner: "owner \(number)")) } }
        let ids = try two.read { try $0.fetchIDs(Account.self) }
        func account(_ index: Int, _ context: ObjectContext) throws -> Account {
            try #require(try context.object(ids[index], as: Account.self))
        }
        func calls(_ body: (ObjectContext) throws -> Void) throws -> Int {
            engine.reset()
            try one.write(body)
            return engine.calls
        }
        #expect(try calls { try account(0, $0).balance += 1 } == 2)
        var runs = 0
        // On another page, so the conflict is in the block of the text index.
        let repeated = try calls { context in
            runs += 1
            try account(0, context).owner = "Katrina"
            try two.write { try account(150, $0).owner = "Kim \(runs)" }
        }
        #expect(runs == 1 && repeated == 4, "\(runs) runs, \(repeated) calls")
        let context = try one.makeContext()
        defer { context.close() }
        try account(1, context).balance += 1
        engine.reset()
        try context.save()
        #expect(engine.calls == 1)
        // The commits of others are known: the save is built on a later state.
        try account(1, context).balance += 1
        try two.write { try account(100, $0).balance += 1 }
        engine.reset()
        try context.save()
        #expect(engine.calls == 2)
        #expect(try two.verify().problems.isEmpty)
        #expect(try two.read { try account(1, $0).balance } == 2)
    }

    /// The task that waits for the view continues on an actor that closes the store instead.
    @MainActor @Test func aStoreIsClosedWhileAViewIsOnItsWay() async throws {
        let store = try Self.open(engine)
        let context = try store.makeContext()
        engine.reset()
        var hasBegun = false
        let following = Task {
            hasBegun = true
            try await context.follow()
        }
        while !hasBegun { await Task.yield() }
        while engine.calls == 0 { usleep(1000) }
        context.close()
        try store.close()
        try await following.value
    }

    @Test func movesWorkElsewhere() async throws {
        let destination = WatchedEngine()
        let store = try Self.open(engine)
        defer { withExtendedLifetime(store) {} }
        try store.write { context in for number in 0..<1000 { context.insert(Account(number: number)) } }
        engine.reset()
        let report = try await ObjectStoreMove(from: engine, to: destination, destinationName: "elsewhere").run()
        #expect(report.entries > 0)
        for engine in [engine, destination] {
            #expect(engine.calls > 0 && engine.callsInTasks == 0 && engine.readsInTasks == 0)
        }
    }

    /// A move whose task is cancelled once saves have stopped takes that back, or is completed if there is nothing left to copy.
    @Test(arguments: [true, false]) func aCancelledMoveLeavesAStoreThatCanBeSavedTo(hasMore: Bool) async throws {
        let destination = WatchedEngine()
        let store = try Self.open(engine)
        defer { withExtendedLifetime(store) {} }
        try store.write { context in for number in 0..<1000 { context.insert(Account(number: number)) } }
        engine.reset()
        let task = Mutex<Task<ObjectStoreMove.Report, any Error>?>(nil)
        // The first finds out whether the store can be saved to.
        engine.afterCommit(2) { [engine, base] version in
            if hasMore {
                var commit = EngineCommit()
                commit.put("value", for: [0x7F])
                #expect(throws: Never.self) { try base.commit(commit) }
            } else {
                while engine.reported < version { usleep(1000) }
            }
            task.withLock { $0?.cancel() }
        }
        let move = ObjectStoreMove(from: engine, to: destination, destinationName: "elsewhere")
        let running = task.withLock { task in
            let running = Task { try await move.run() }
            task = running
            return running
        }
        if hasMore {
            await #expect { try await running.value } throws: { ($0 as? ObjectStoreError)?.code == .cancelled }
            try store.write { $0.insert(Account(number: 1000)) }
            #expect(try store.read { try $0.count(Account.self) } == 1001)
        } else {
            #expect(try await running.value.isDone == false)
            #expect(try Self.open(destination).read { try $0.count(Account.self) } == 1000)
        }
    }
}
