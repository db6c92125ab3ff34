#if Telemetry
import CairnCore
import CairnGraph
import CairnMapped
import CairnRocks
import CairnRocksGraph
import CairnTelemetry
import CairnTestSupport
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization
import Testing

/// Opening and closing in order, whatever happens.
@Suite(.endsWhenItHangs) struct ServiceTests {
    private let directory: TemporaryDirectory
    private let recording = Recording()
    private let events = Events()

    init() throws { directory = try TemporaryDirectory() }

    /// What happened to stores, in order.
    private final class Events: Sendable {
        private let all = Mutex<[String]>([])
        var list: [String] { all.withLock { $0 } }
        func note(_ event: String) { all.withLock { $0.append(event) } }
    }

    private func store(_ name: String) -> ServedStore<ScriptedStore> {
        ServedStore(name) { [events] in
            events.note("open \(name)")
            return ScriptedStore({ [] }, close: { events.note("close \(name)") })
        }
    }

    @Test func aGroupOpensInOrderAndClosesInReverse() async throws {
        let a = store("a"), b = store("b"), c = store("c")
        let monitor = StoreMonitor(logger: recording.logger, metrics: recording.metrics)
        let stores = StoreService(a, b, c, monitor: monitor, logger: recording.logger)
        let user = User(store: c, events: events)
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: stores), .init(service: monitor), .init(service: user, successTerminationBehavior: .gracefullyShutdownGroup),
            ],
            logger: recording.logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(600)
        try await ServiceGroup(configuration: configuration).run()
        #expect(events.list == ["open a", "open b", "open c", "use", "close c", "close b", "close a"])
        #expect(recording.log.lines("opened a store").map { $0.metadata["store"] } == ["a", "b", "c"])
        #expect(recording.log.lines("closed a store").map { $0.metadata["store"] } == ["c", "b", "a"])
    }

    /// What uses a store, and ends.
    private struct User: Service {
        let store: ServedStore<ScriptedStore>
        let events: Events

        func run() async throws {
            _ = try await store.store
            events.note("use")
        }
    }

    @Test func cancellingTheTaskCloses() async throws {
        let db = ServedStore("db") { [directory] in
            try RocksDB(path: directory.path("a.db"), options: .init(createIfMissing: true))
        }
        let settings = try MappedStore(path: directory.path("a.map"))
        let service = StoreService(db, ServedStore("settings", settings), logger: recording.logger)
        let running = Task { try await service.run() }
        let open = try await db.store
        try open.put("1", for: "a")
        running.cancel()
        try await running.value
        #expect(open.isClosed)
        #expect(throws: MappedStoreError.self) { try settings.get("a", default: 0) }
    }

    @Test func aStoreInUseIsClosedOnceItIsNot() async throws {
        let db = try RocksDB(path: directory.path("a.db"), options: .init(createIfMissing: true))
        let snapshots = Held(try db.makeSnapshot())
        let asked = Atomic(0)
        let watched = ScriptedStore({ [] }) {
            // The last use ends meanwhile.
            if asked.wrappingAdd(1, ordering: .relaxed).newValue == 2 { snapshots.release() }
            try db.close()
        }
        // Added to the time, it would be too long.
        let service = StoreService(ServedStore("index", watched), closingTimeout: Duration(attoseconds: .max), logger: recording.logger)
        let running = Task { try await service.run() }
        running.cancel()
        try await running.value
        let count = asked.load(ordering: .relaxed)
        #expect(count == 2)
        #expect(db.isClosed)
    }

    private final class Held: Sendable {
        private let snapshot: Mutex<Snapshot?>
        init(_ snapshot: Snapshot) { self.snapshot = Mutex(snapshot) }
        func release() { snapshot.withLock { $0 = nil } }
    }

    @Test func aStoreThatStaysInUseIsAnErrorAndTheOthersAreClosed() async throws {
        let notes = try ObjectStore(path: directory.path("Notes.store"), classes: [Note.self])
        let context = try notes.makeContext()
        let a = store("a")
        let service = StoreService(a, ServedStore("notes", notes), closingTimeout: .zero, logger: recording.logger)
        let running = Task { try await service.run() }
        _ = try await a.store
        running.cancel()
        let error = await #expect(throws: ObjectStoreError.self) { try await running.value }
        #expect(error?.code == .busy)
        let line = try #require(recording.log.lines("could not close a store").first)
        #expect(line.level == .error)
        #expect(line.metadata["store"] == "notes")
        #expect(events.list == ["open a", "close a"])
        context.close()
        try notes.close()
    }

    @Test func aStoreThatCannotBeOpened() async throws {
        let a = store("a"), c = store("c")
        let b = ServedStore("b") { [directory] in try RocksDB(path: directory.path("none.db")) }
        async let waiting = c.store
        let service = StoreService(a, b, c, logger: recording.logger)
        let error = await #expect(throws: RocksError.self) { try await service.run() }
        #expect(error?.code == .notFound)
        #expect(events.list == ["open a", "close a"])
        // Those who wait for it, or one after it, learn why.
        do {
            _ = try await waiting
            Issue.record("the store was not opened")
        } catch {
            #expect(error is RocksError)
        }
        await #expect(throws: RocksError.self) { _ = try await b.store }
        #expect(b.storeIfOpen == nil)
    }

    @Test func anEndBeforeTheBeginning() async throws {
        let a = store("a")
        let service = StoreService(a, logger: recording.logger)
        let running = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await service.run()
        }
        try await running.value
        #expect(events.list.isEmpty)
        await #expect(throws: CancellationError.self) { _ = try await a.store }
    }

    @Test func waitingForAStoreCanBeCancelled() async throws {
        let a = store("a")
        let waiting = Task { _ = try await a.store }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        // Others still get it.
        let other = Task { try await a.store }
        let service = StoreService(a, logger: recording.logger)
        let running = Task { try await service.run() }
        _ = try await other.value
        running.cancel()
        try await running.value
        #expect(events.list == ["open a", "close a"])
    }
}
#endif
