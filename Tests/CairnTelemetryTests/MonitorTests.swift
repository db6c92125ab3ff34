#if Telemetry
import CairnCore
import CairnGraph
import CairnMapped
import CairnRocks
import CairnRocksGraph
import CairnTelemetry
import CairnTestSupport
import Logging
import MetricsTestKit
import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization
import Testing

/// Which stores a monitor reports, and when.
@Suite struct MonitorTests {
    private let directory: TemporaryDirectory
    private let recording = Recording()

    init() throws { directory = try TemporaryDirectory() }

    private func monitor(_ options: StoreMonitor.Options = .init()) -> StoreMonitor {
        StoreMonitor(options: options, logger: recording.logger, metrics: recording.metrics, tracer: recording.tracer)
    }

    @Test func closedStoresAreReportedNoLonger() throws {
        let monitor = monitor()
        let db = try RocksDB(path: directory.path("a.db"), options: .init(createIfMissing: true))
        let settings = try MappedStore(path: directory.path("a.map"))
        let notes = try ObjectStore(path: directory.path("a.store"), classes: [Note.self])
        monitor.add(db, as: "db")
        monitor.add(settings, as: "map")
        monitor.add(notes, as: "notes")
        monitor.report()
        #expect(Set(recording.metrics.meters.flatMap { $0.dimensions.filter { $0.0 == "store" }.map(\.1) }) == ["db", "map", "notes"])
        try db.close()
        try settings.close()
        try notes.close()
        monitor.report()
        #expect(recording.metrics.meters.isEmpty)
        #expect(recording.metrics.counters.isEmpty)
        #expect(recording.log.lines.isEmpty)
        monitor.report()
    }

    @Test func removedStoresAreReleased() throws {
        let monitor = monitor()
        weak var released: MappedStore?
        do {
            let settings = try MappedStore(path: directory.path("a.map"))
            released = settings
            monitor.add(settings, as: "map")
            monitor.report()
            monitor.remove("map")
            monitor.remove("map")
        }
        #expect(released == nil)
        #expect(recording.metrics.meters.isEmpty)
    }

    @Test func aStoreTakesTheNameOfAnother() throws {
        let monitor = monitor()
        monitor.add(ScriptedStore { [StoreMetric(.gauge, "first", 1)] }, as: "a")
        monitor.report()
        monitor.add(ScriptedStore { [StoreMetric(.gauge, "second", 2)] }, as: "a")
        monitor.report()
        #expect(recording.gauge("first", [("store", "a")]) == nil)
        #expect(recording.gauge("second", [("store", "a")]) == 2)
    }

    @Test func gaugesThatAreNotReportedAnyMoreEnd() throws {
        let reports = Atomic(0)
        let monitor = monitor()
        let store = ScriptedStore {
            let number = reports.wrappingAdd(1, ordering: .relaxed).newValue
            return number == 2 ? [] : [StoreMetric(.gauge, "lag", 5), StoreMetric(.counter, "calls_total", Double(number))]
        }
        monitor.add(store, as: "a")
        monitor.report()
        #expect(recording.gauge("lag", [("store", "a")]) == 5)
        monitor.report()
        #expect(recording.gauge("lag", [("store", "a")]) == nil)
        #expect(recording.counter("calls_total", [("store", "a")]) == 1)
        monitor.report()
        #expect(recording.gauge("lag", [("store", "a")]) == 5)
        #expect(recording.counter("calls_total", [("store", "a")]) == 3)
    }

    @Test func aRemovedStoreIsNotReportedByAReportThatIsRunning() throws {
        let monitor = monitor()
        monitor.add(
            ScriptedStore {
                monitor.remove("a")
                return [StoreMetric(.gauge, "size", 1)]
            },
            as: "a"
        )
        monitor.report()
        #expect(recording.metrics.meters.isEmpty)
    }

    @Test func errorsAreLoggedAndTriedAgain() throws {
        struct Failure: Error { let secret = "marker" }
        let calls = Atomic(0)
        let monitor = monitor()
        let store = ScriptedStore {
            if calls.wrappingAdd(1, ordering: .relaxed).newValue == 1 { throw Failure() }
            return [StoreMetric(.counter, "cairn_test_total", 7)]
        }
        monitor.add(store, as: "a")
        monitor.report()
        let line = try #require(recording.log.lines("could not read the metrics of a store").first)
        #expect(line.level == .warning)
        #expect(line.metadata["store"] == "a")
        #expect(!recording.texts.contains { $0.contains("marker") })
        monitor.report()
        #expect(recording.counter("cairn_test_total", [("store", "a")]) == 7)
    }

    @Test func valuesThatAreNoNumbersAreLeftOut() {
        let monitor = monitor()
        monitor.add(
            ScriptedStore { [StoreMetric(.gauge, "a", .nan), StoreMetric(.counter, "b", .infinity), StoreMetric(.counter, "c", 1e300)] },
            as: "s"
        )
        monitor.report()
        monitor.report()
        #expect(recording.metrics.meters.isEmpty)
        #expect(recording.counter("b", [("store", "s")]) == nil)
        #expect(recording.counter("c", [("store", "s")]) == .max)
    }

    @Test(.endsWhenItHangs) func aServiceReportsUntilShutdown() async {
        let (reports, continuation) = AsyncStream.makeStream(of: Int.self)
        let count = Atomic(0)
        let monitor = monitor(.init(interval: .milliseconds(1)))
        let store = ScriptedStore {
            continuation.yield(count.wrappingAdd(1, ordering: .relaxed).newValue)
            return []
        }
        monitor.add(store, as: "a")
        await testGracefulShutdown { trigger in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await monitor.run() }
                for await number in reports where number == 3 { break }
                trigger.triggerGracefulShutdown()
            }
        }
        let atEnd = count.load(ordering: .relaxed)
        #expect(atEnd >= 4)
    }
}

/// A store whose metrics a test makes up.
final class ScriptedStore: MonitoredStore {
    private let metrics: @Sendable () throws -> [StoreMetric]?
    private let close: @Sendable () throws -> Void

    init(_ metrics: @escaping @Sendable () throws -> [StoreMetric]?, close: @escaping @Sendable () throws -> Void = {}) {
        self.metrics = metrics
        self.close = close
    }

    func currentMetrics() throws -> [StoreMetric]? { try metrics() }
    func closeForGood() throws { try close() }
}
#endif
