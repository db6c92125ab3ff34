import CairnObjects
import CairnTestSupport
import Dispatch
import Synchronization
import Testing

/// Moves a store to another engine.
@Suite(.endsWhenItHangs) struct StoreMoveTests {
    private let source = MemoryEngine()
    private let destination = FailingEngine()

    private func open(_ engine: any StorageEngine, readOnly: Bool = false) throws -> ObjectStore {
        var options = ObjectStoreOptions()
        options.readOnly = readOnly
        return try ObjectStore(engine: engine, classes: musicClasses + [Account.self], options: options)
    }

    private func insert(_ numbers: Range<Int>, _ store: ObjectStore) throws {
        try store.write { context in for number in numbers { context.insert(Account(number: number)) } }
    }

    private static func numbers(_ store: ObjectStore) throws -> [Int] {
        try store.read { try $0.fetch(Account.self, sortedBy: \.number).map(\.number) }
    }

    private var move: ObjectStoreMove { ObjectStoreMove(from: source, to: destination, destinationName: "elsewhere") }

    private static func entries(_ engine: any StorageEngine) throws -> [[[UInt8]]] {
        try engine.makeView().entries().filter { $0.key != [0, 1, 0, 0] }.map { [$0.key, $0.value] }
    }

    @Test func aStoreIsElsewhereAndCannotBeSavedToAnyMore() async throws {
        let store = try open(source)
        try insert(0..<10_000, store)
        let context = try store.makeContext()
        context.insert(Account(number: 20_000))
        let check = try await move.check()
        #expect(try check.problems.isEmpty && check.entries == Self.entries(source).count)
        let parts = Mutex<[Double]>([])
        let report = try await move.run { part in parts.withLock { $0.append(part) } }
        // The copy, and the comparison.
        parts.withLock { #expect($0 == $0.sorted() && $0.contains(0.5) && $0.last == 1, "\($0)") }
        #expect(report.entries == check.entries && report.bytes == check.bytes && report.staleEntries == 0 && !report.isDone)
        let new = try open(destination)
        #expect(try Self.numbers(new) == Array(0..<10_000) && new.verify().isIntact)
        #expect(try Self.entries(source) == Self.entries(destination))

        // The next save of an open store fails, and so does opening it.
        let failure = #expect(throws: ObjectStoreError.self) { try context.save() }
        #expect(failure?.code == .moved && failure?.message.contains("elsewhere") == true)
        #expect(throws: ObjectStoreError.self) { try store.write { $0.insert(Account(number: 1)) } }
        context.close()
        #expect(code { try open(source) } == .moved)
        #expect(try Self.numbers(open(source, readOnly: true)).count == 10_000)

        // Again, which changes nothing; to yet another place; and back.
        try insert(30_000..<30_001, new)
        #expect(try await move.run().isDone)
        let nothing = try await move.check()
        #expect(nothing.isDone && nothing.problems.isEmpty)
        #expect(try open(source, readOnly: true).inspect { try $0.movedTo() } == "elsewhere")
        #expect(try new.inspect { try $0.movedTo() } == nil)
        let third = ObjectStoreMove(from: source, to: MemoryEngine(), destinationName: "third")
        await #expect(throws: ObjectStoreError.self) { try await third.run() }
        let back = try await ObjectStoreMove(from: destination, to: source, destinationName: "back").run()
        #expect(try back.entries == Self.entries(source).count && back.staleEntries > 0 && back.staleEntries < 40)
        #expect(code { try new.write { $0.insert(Account(number: 1)) } } == .moved)
        try insert(30_001..<30_002, store)
        #expect(try Self.numbers(store) == Array(0..<10_000) + [30_000, 30_001])

        // The new place is used again, although it is the older one.
        #expect(try ObjectStoreMove.takeBack(destination) == "back")
        #expect(try ObjectStoreMove.takeBack(destination) == nil)
        try insert(40_000..<40_001, new)
        try new.close()
    }

    /// What is saved while a view of the source is made, and so is newer than the view.
    @Test func whatIsSavedAroundAViewIsMoved() async throws {
        let store = try open(source)
        try insert(0..<10, store)
        let saved = Mutex([Int]())
        let hasty = HastyEngine(source) {
            let number = saved.withLock { 100 + $0.count }
            // Refused once the move ends.
            if number < 130, (try? store.write { $0.insert(Account(number: number)) }) != nil { saved.withLock { $0.append(number) } }
        }
        try await ObjectStoreMove(from: hasty, to: destination, destinationName: "elsewhere").run()
        let numbers = saved.withLock { $0 }
        let new = try open(destination)
        #expect(numbers.count > 3)
        #expect(try Self.numbers(new) == Array(0..<10) + numbers && new.verify().isIntact)
    }

    /// Only one of them can be saved to, unless somebody takes one back.
    @Test func aMoveThatWasCompleteIsNotMadeAgain() async throws {
        try insert(0..<10, open(source))
        try await move.run()
        let third = MemoryEngine()
        try await ObjectStoreMove(from: destination, to: third, destinationName: "third").run()
        let passed = await #expect(throws: ObjectStoreError.self) { try await move.run() }
        #expect(passed?.code == .moved && passed?.message.contains("from there to third") == true)
        #expect(code { try open(destination) } == .moved)

        let empty = ObjectStoreMove(from: source, to: MemoryEngine(), destinationName: "elsewhere")
        let gone = await #expect(throws: ObjectStoreError.self) { try await empty.run() }
        #expect(gone?.code == .moved && gone?.message.contains("take it back") == true)
        #expect(try await empty.check().problems == [gone?.message])
        try ObjectStoreMove.takeBack(source)
        try await empty.run()
        #expect(code { try open(source) } == .moved)
    }

    /// Nobody can look at an unfinished copy.
    @Test func aServerThatIsLostIsNotALostCommit() async throws {
        try insert(0..<10, open(source))
        destination.fail(after: 1, EngineError(.unavailable, "it is unknown whether the commit was performed; read the data to find out"))
        let lost = await #expect(throws: ObjectStoreError.self) { try await move.run() }
        #expect(lost?.code == .unavailable && lost?.message.contains("to elsewhere was interrupted") == true)
        destination.fail(after: .max)
        #expect(try await move.run().entries > 0)
    }

    @Test func aSourceThatCannotBeSavedToIsLeftAlone() async throws {
        let source = FailingEngine()
        try insert(0..<10, open(source))
        source.fail(after: 0, EngineError(.permissionDenied, "no right to write"))
        let move = ObjectStoreMove(from: source, to: destination, destinationName: "elsewhere")
        #expect(try await move.check().problems == ["no right to write"])
        let refused = await #expect(throws: ObjectStoreError.self) { try await move.run() }
        #expect(refused?.code == .permissionDenied)
        #expect(try Self.entries(destination).isEmpty && destination.makeView().entries().isEmpty)
    }

    /// Runs the move, and another one to its end in the middle of it; returns why the former failed.
    private func overtaken(by other: ObjectStoreMove, _ then: @escaping @Sendable () throws -> Void = {}) async -> ObjectStoreError.Code? {
        let isFirst = Mutex(true)
        do throws(ObjectStoreError) {
            try await move.run { _ in
                let isNow = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                guard isNow else { return }
                let done = DispatchSemaphore(value: 0)
                Task.detached {
                    defer { done.signal() }
                    do {
                        try await other.run()
                        try then()
                    } catch {
                        Issue.record(error)
                    }
                }
                done.wait()
            }
            return nil
        } catch {
            return error.code
        }
    }

    /// Such as by a process that was suspended.
    @Test func aMoveThatWasOvertakenLeavesTheStoreAlone() async throws {
        let store = try open(source)
        try insert(0..<10_000, store)
        let new = Mutex<ObjectStore?>(nil)
        let reason = await overtaken(by: move) { [self] in
            let store = try open(destination)
            try insert(20_000..<20_025, store)
            new.withLock { $0 = store }
        }
        #expect(reason == .busy)
        let moved = try #require(new.withLock { $0 })
        #expect(try Self.numbers(moved) == Array(0..<10_000) + Array(20_000..<20_025) && moved.verify().isIntact)
        try insert(30_000..<30_001, moved)
        #expect(code { try open(source) } == .moved)
    }

    @Test func aStoreIsMovedToOnePlace() async throws {
        let store = try open(source)
        try insert(0..<10_000, store)
        let third = MemoryEngine()
        #expect(await overtaken(by: ObjectStoreMove(from: source, to: third, destinationName: "third")) == .moved)
        #expect(code { try open(destination) } == .changeUnfinished)
        #expect(try Self.numbers(open(third)).count == 10_000)
        let copy = await #expect(throws: ObjectStoreError.self) { try await move.run() }
        #expect(copy?.message.hasSuffix("The unfinished copy at elsewhere can be deleted") == true)
        let mark = #expect(throws: ObjectStoreError.self) { try open(source) }
        #expect(mark?.message.contains("third") == true)
    }

    /// Every save that was acknowledged is in the new place; all others failed.
    @Test func programsSaveMeanwhile() async throws {
        try await withSeeds("move", count: 3) { generator in
            let (source, destination) = (MemoryEngine(), MemoryEngine())
            let stores = [try open(source), try open(source)]
            try insert(0..<3000, stores[0])
            let saved = Saved()
            let writers = stores.enumerated().map { index, store in
                let seed = generator.next()
                return Task.detached { try await Self.save(to: store, from: 10_000 * (index + 1), seed, saved) }
            }
            while saved.numbers.withLock({ $0.count }) < 50 { await Task.yield() }
            let report = try await ObjectStoreMove(from: source, to: destination, destinationName: "elsewhere").run()
            for writer in writers { #expect(try await writer.value == .moved) }
            let new = try open(destination)
            let numbers = saved.numbers.withLock { $0.sorted() }
            #expect(try Self.numbers(new).dropFirst(3000) == numbers[...])
            #expect(try new.read { try $0.sum(of: \Account.balance) } == numbers.count, "\(report)")
            #expect(try new.verify().isIntact)
        }
    }

    private final class Saved: Sendable { let numbers = Mutex<[Int]>([]) }

    /// Saves until that fails; returns why.
    private static func save(to store: ObjectStore, from first: Int, _ seed: UInt64, _ saved: Saved) async throws -> ObjectStoreError.Code {
        var generator = SeededGenerator(seed: seed)
        var number = first
        while true {
            let other = Int.random(in: 0..<3000, using: &generator)
            do {
                try store.write { context in
                    context.insert(Account(number: number))
                    try context.first(Account.self, where: \.number == other)?.balance += 1
                }
            } catch let error as ObjectStoreError {
                return error.code
            }
            saved.numbers.withLock { $0.append(number) }
            number += 1
            await Task.yield()
        }
    }

    /// Servers keep old states for a limited time: here, each is gone after one portion, while others save.
    @Test(arguments: [0, 30]) func aMoveOutlastsTheStatesThatItCopies(others: Int) async throws {
        var limits = EngineLimits()
        limits.maximumCommitOperations = 40
        let (here, there) = (ClientData(limits: limits), ClientData(limits: limits))
        let store = try open(ClientEngine(here))
        for number in 0..<300 { try insert(number..<number + 1, store) }
        func move(_ source: ClientEngine, _ destination: ClientEngine, _ store: ObjectStore, from first: Int) async throws
            -> ObjectStoreMove.Report
        {
            let saved = Mutex(0)
            let move = ObjectStoreMove(from: source, to: destination, destinationName: "elsewhere")
            let check = try await move.check { _ in source.expireViews() }
            #expect(try check.problems.isEmpty && check.entries == Self.entries(source).count)
            let report = try await move.run { _ in
                source.expireViews()
                destination.expireViews()
                saved.withLock { count in
                    guard count < others else { return }
                    try? store.write { context in
                        context.insert(Account(number: first + count))
                        try context.first(Account.self, where: \.number == count)?.balance += 1
                    }
                    count += 1
                }
            }
            #expect(saved.withLock { $0 } == others)
            return report
        }
        let forth = try await move(ClientEngine(here), ClientEngine(there), store, from: 1000)
        #expect(forth.laterKeys >= others)
        let new = try open(ClientEngine(there))
        #expect(try Self.numbers(new) == Array(0..<300) + Array(1000..<1000 + others) && new.verify().isIntact)
        #expect(try new.read { try $0.sum(of: \Account.balance) } == others)
        // And back, where the copy is repaired instead.
        for number in 500..<600 { try insert(number..<number + 1, new) }
        let back = try await move(ClientEngine(there), ClientEngine(here), new, from: 2000)
        #expect(back.staleEntries > 100)
        let old = try open(ClientEngine(here))
        #expect(try Self.numbers(old).count == 400 + 2 * others && old.verify().isIntact)
        #expect(try Self.entries(here.engine) == Self.entries(there.engine))
    }

    /// Here, states that the copy catches up with are gone before anything is read from them, at first or always.
    @Test(arguments: [10, Int.max]) func aMoveThatCannotFollowSaysSo(most: Int) async throws {
        var limits = EngineLimits()
        limits.maximumCommitOperations = 40
        let (here, destination) = (ClientData(limits: limits), MemoryEngine(limits: limits))
        let store = try open(ClientEngine(here))
        for number in 0..<300 { try insert(number..<number + 1, store) }
        let client = ClientEngine(here)
        let progress = Mutex((isCopying: false, views: 0, expired: 0))
        let source = HastyEngine(client) {
            let number = progress.withLock { progress in
                progress.views += 1
                // Not the one that is made instead.
                if progress.isCopying, progress.expired < most, !progress.views.isMultiple(of: 2) {
                    client.expireViews()
                    progress.expired += 1
                }
                return progress.views
            }
            try? store.write { $0.insert(Account(number: 1000 + number)) }
        }
        do throws(ObjectStoreError) {
            try await ObjectStoreMove(from: source, to: destination, destinationName: "elsewhere").run { _ in
                progress.withLock { if !$0.isCopying { ($0.isCopying, $0.views) = (true, 0) } }
            }
            #expect(most == 10)
        } catch {
            #expect(most > 10 && error.code == .expired && error.message.contains("keep states for longer"), "\(error)")
            // The store can still be saved to, and be moved once its states last.
            try insert(900..<901, store)
            try await ObjectStoreMove(from: client, to: destination, destinationName: "elsewhere").run()
        }
        let expired = progress.withLock { $0.expired }
        #expect(most == 10 ? expired == 10 : expired > 20)
        let new = try open(destination)
        #expect(try new.verify().isIntact && Self.entries(here.engine) == Self.entries(destination))
    }

    /// After each commit of the copy; the source changes before it continues.
    @Test func anInterruptedMoveContinues() async throws {
        var (interruptions, ends) = (0, 0)
        for commits in 0... {
            let source = MemoryEngine()
            var limits = EngineLimits()
            (limits.maximumCommitOperations, limits.maximumCommitSize) = (200, 64_000)
            let destination = FailingEngine(limits)
            let move = ObjectStoreMove(from: source, to: destination, destinationName: "elsewhere")
            let store = try open(source)
            try insert(0..<300, store)
            destination.fail(after: commits)
            do throws(ObjectStoreError) {
                try await move.run()
                break
            } catch {
                #expect(error.code == .ioError)
                interruptions += 1
            }
            // Only the last commit leaves it open which of the two it is.
            let refusal = code {
                try store.write { context in
                    for account in try context.fetch(Account.self, where: \.number < 5) { account.balance += 1 }
                    if let other = try context.first(Account.self, where: \.number == 299) { try context.delete(other) }
                }
            }
            #expect(refusal == nil || refusal == .moved)
            if refusal == .moved { ends += 1 }
            destination.fail(after: .max)
            if commits > 0 { #expect(code { try open(destination) } == .changeUnfinished) }
            let report = try await move.run()
            #expect(commits <= 1 || refusal != nil || report.staleEntries > 0)
            #expect(try Self.entries(source) == Self.entries(destination))
            let new = try open(destination)
            #expect(try Self.numbers(new) == Array(0..<(refusal == nil ? 299 : 300)) && new.verify().isIntact)
        }
        #expect(interruptions > 3 && ends == 1)
    }

    @Test func aCopyThatDiffersIsNotUsed() async throws {
        let store = try open(source)
        try insert(0..<1000, store)
        // The first commit with objects.
        destination.forgetValue(ofCommit: 2)
        let error = await #expect(throws: ObjectStoreError.self) { try await move.run() }
        #expect(error?.code == .corruption)
        // The source is as it was.
        try insert(2000..<2001, store)
        #expect(try Self.numbers(store).count == 1001)
    }

    @Test func whatCannotBeMovedIsRefused() async throws {
        func refusal(_ source: any StorageEngine, _ destination: any StorageEngine) async -> ObjectStoreError.Code? {
            let move = ObjectStoreMove(from: source, to: destination, destinationName: "elsewhere")
            do throws(ObjectStoreError) { try await move.run() } catch {
                return error.code
            }
            return nil
        }
        #expect(await refusal(source, destination) == .notFound)
        let store = try open(source)
        try store.write { $0.insert(Image(bytes: [UInt8](repeating: 1, count: 5000))) }
        let other = MemoryEngine()
        try insert(0..<1, open(other))
        #expect(await refusal(source, other) == .foreignFile)
        var limits = EngineLimits()
        limits.maximumValueSize = 4000
        let small = FailingEngine(limits)
        let check = try await ObjectStoreMove(from: source, to: small, destinationName: "small").check()
        #expect(check.problems.count == 1 && check.problems[0].contains("4000"))
        #expect(await refusal(source, small) == .tooLarge)
        try insert(0..<1, store)
        // A copy made otherwise, which could be saved to as well.
        let copy = MemoryEngine()
        var commit = EngineCommit()
        for (key, value) in try source.makeView().entries() { commit.put(value, for: key) }
        try copy.commit(commit)
        #expect(await refusal(source, copy) == .foreignFile)
    }
}

/// An engine to which others commit each time that a view was made; its feed returns what is known before it ends.
private final class HastyEngine: StorageEngine {
    private let engine: any StorageEngine
    private let afterView: @Sendable () -> Void

    init(_ engine: any StorageEngine, afterView: @escaping @Sendable () -> Void) {
        self.engine = engine
        self.afterView = afterView
    }

    var limits: EngineLimits { engine.limits }
    var isReadOnly: Bool { false }
    var isShared: Bool { true }
    var latestVersion: EngineVersion { engine.latestVersion }

    func makeView() throws(EngineError) -> any EngineView {
        let view = try engine.makeView()
        afterView()
        return view
    }

    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        try engine.commit(commit, durability: durability)
    }

    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges {
        EngineChanges(after: version ?? latestVersion) { [engine] version throws(EngineError) in
            let following = { () async throws(EngineError) -> EngineChange? in
                var iterator = try engine.changes(after: version).makeAsyncIterator()
                return try await iterator.next()
            }
            guard version < engine.latestVersion else { return try await following() }
            // Not cancelled with the one that waits.
            let next = await Task.detached { () async -> Result<EngineChange?, EngineError> in
                do throws(EngineError) { return .success(try await following()) } catch { return .failure(error) }
            }.value
            return try next.get()
        }
    }

    func close() throws(EngineError) { try engine.close() }
}
