import CairnObjects
import CairnTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

/// Moves to a server that takes only small commits, which are sent several at once.
@Suite(.endsWhenItHangs) struct MoveAtOnceTests {
    private let source = MemoryEngine()
    private let destination = SmallServer()

    private func open(_ engine: any StorageEngine) throws -> ObjectStore { try ObjectStore(engine: engine, classes: [Account.self]) }

    private func openFilled() throws -> ObjectStore {
        let store = try open(source)
        try store.write { context in for number in 0..<2000 { context.insert(Account(number: number)) } }
        return store
    }

    private var move: ObjectStoreMove { ObjectStoreMove(from: source, to: destination, destinationName: "elsewhere") }

    private static func entries(_ engine: any StorageEngine) throws -> [[[UInt8]]] {
        try engine.makeView().entries().filter { $0.key != SmallServer.mark }.map { [$0.key, $0.value] }
    }

    private func expectSame() throws {
        #expect(try Self.entries(source) == Self.entries(destination))
        #expect(try open(destination).verify().isIntact)
    }

    @Test func eightCommitsAreUnderWayAtOnce() async throws {
        _ = try openFilled()
        let meeting = Meeting(of: 8)
        destination.beforeEach { number in if number < 8 { meeting.join() } }
        try await move.run()
        try expectSame()
    }

    /// One of several commits fails, and the others are performed. Then the source changes, and the move continues.
    @Test(arguments: [0, 3, 7, 12, 20]) func theMarkPassesNothingThatIsMissing(failing: Int) async throws {
        let store = try openFilled()
        destination.beforeEach { number throws(EngineError) in
            if number == failing { throw EngineError(.ioError, "the server has failed") }
        }
        let failure = await #expect(throws: ObjectStoreError.self) { try await move.run() }
        #expect(failure?.code == .ioError)
        let next = try destination.next()
        let copied = try Self.entries(destination)
        let before = try Self.entries(source).filter { $0[0].lexicographicallyPrecedes(next) }
        #expect(copied.starts(with: before) && copied.count > before.count && before.isEmpty == (failing < 8))

        destination.beforeEach { _ in }
        try store.write { context in
            for account in try context.fetch(Account.self, where: \.number < 5) { account.balance += 1 }
            for account in try context.fetch(Account.self, where: \.number >= 1800) { try context.delete(account) }
        }
        try await move.run()
        try expectSame()
    }

    /// While commits are under way, another run completes the move.
    @Test func commitsThatWereOvertakenAreNotPerformed() async throws {
        let store = try openFilled()
        let new = NewStore()
        destination.beforeEach { [self] number in
            guard number == 10 else { return }
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                defer { done.signal() }
                do {
                    try await move.run()
                    let store = try open(destination)
                    for start in stride(from: 0, to: 1000, by: 5) {
                        try store.write { context in
                            let some = try context.fetch(Account.self, where: \.number >= start && \.number < start + 5)
                            for account in some { try context.delete(account) }
                        }
                    }
                    new.store.withLock { $0 = store }
                } catch {
                    Issue.record(error)
                }
            }
            done.wait()
        }
        let failure = await #expect(throws: ObjectStoreError.self) { try await move.run() }
        #expect(failure?.code == .busy)
        let moved = try #require(new.store.withLock { $0 })
        #expect(try moved.read { try $0.fetch(Account.self).count } == 1000 && moved.verify().isIntact)
        #expect(code { try store.write { $0.insert(Account(number: 5000)) } } == .moved)
    }
}

/// The store at the destination of a move, once another run has completed it.
private final class NewStore: Sendable { let store = Mutex<ObjectStore?>(nil) }

/// An engine in memory that takes only small commits. Counts those that do not write the mark of a move, from 0 on.
private final class SmallServer: StorageEngine {
    static let mark: [UInt8] = [0, 1, 0, 0]

    typealias Hook = @Sendable (_ number: Int) throws(EngineError) -> Void

    let limits: EngineLimits
    private let engine: MemoryEngine
    private let count = Atomic(0)
    private let hook = Mutex<Hook>({ _ in })

    init() {
        var limits = EngineLimits()
        limits.maximumCommitOperations = 40
        limits.maximumCommitReads = 1 << 20
        self.limits = limits
        engine = MemoryEngine(limits: limits)
    }

    var isReadOnly: Bool { false }
    var isRemote: Bool { true }
    var latestVersion: EngineVersion { engine.latestVersion }

    func beforeEach(_ hook: @escaping Hook) { self.hook.withLock { $0 = hook } }

    /// All entries before this key were copied.
    func next() throws -> [UInt8] {
        struct Mark: Decodable { let next: [UInt8] }
        let bytes = try #require(try makeView().get(Self.mark))
        return try JSONDecoder().decode(Mark.self, from: Data(bytes)).next
    }

    func makeView() throws(EngineError) -> any EngineView { try engine.makeView() }

    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        let writes = commit.ordered()
        let keys = (0..<writes.count).map { [UInt8](copying: writes.key(at: $0)) }
        if !keys.contains(Self.mark) {
            let hook = hook.withLock { $0 }
            try hook(count.add(1, ordering: .relaxed).oldValue)
        }
        return try engine.commit(commit, durability: durability)
    }

    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges { try engine.changes(after: version) }
    func close() throws(EngineError) { try engine.close() }
}

/// Threads that wait until all of them are there.
private final class Meeting: Sendable {
    private let size: Int
    private let state = Mutex((arrived: 0, hasFailed: false))
    private let isComplete = DispatchSemaphore(value: 0)

    init(of size: Int) { self.size = size }

    func join() {
        let (number, hasFailed) = state.withLock { state in
            state.arrived += 1
            return state
        }
        guard number < size else { return (1..<size).forEach { _ in isComplete.signal() } }
        guard !hasFailed, isComplete.wait(timeout: .now() + 60) == .timedOut else { return }
        state.withLock { $0.hasFailed = true }
        Issue.record("only \(number) of \(size) are there")
    }
}
