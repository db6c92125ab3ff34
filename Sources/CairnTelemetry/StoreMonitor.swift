#if Telemetry
import CairnCore
import CairnGraph
public import CoreMetrics
public import Logging
public import ServiceLifecycle
import Synchronization
public import Tracing

/// Reports what stores do: their numbers to swift-metrics, slow saves and fetches of object stores to swift-log and swift-distributed-tracing.
///
/// ```swift
/// let monitor = StoreMonitor(logger: logger)
/// monitor.add(music, as: "music")
/// let group = ServiceGroup(services: [monitor, server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
///
/// While ``run()`` runs, the metrics of all stores are read every ``Options/interval``; the guide
/// [Cairn in a server](https://github.com/cairn-swift/cairn/blob/main/docs/guides/server.md) lists them. Closed stores are no longer
/// reported. Reports never contain keys or values, but do contain the names of stores, column families and classes.
///
/// The monitor retains its stores until they are closed or removed. May be used from any thread.
public final class StoreMonitor: Service {
    /// How a monitor reports.
    public struct Options: Sendable {
        /// How often metrics are read. Default: 10 s; at least 1 ms.
        public var interval = Duration.seconds(10)
        /// Saves and fetches that take at least this long count as slow: they are logged as warnings, and recorded as spans. With `nil`,
        /// none are, and saves and fetches are neither counted nor timed. Default: 100 ms.
        public var slowCallThreshold: Duration? = .milliseconds(100)

        /// Creates options; arguments that are left out have the defaults stated above.
        public init(interval: Duration = .seconds(10), slowCallThreshold: Duration? = .milliseconds(100)) {
            self.interval = interval
            self.slowCallThreshold = slowCallThreshold
        }
    }

    private let options: Options
    private let logger: Logger
    private let factory: any MetricsFactory
    private let tracer: (any Tracer)?
    private let stores = Mutex<[String: Entry]>([:])
    /// One report at a time.
    private let reporting = Mutex(())

    private struct Entry: Sendable {
        let store: any MonitoredStore
        let calls: StoreCallWatch?
        let handles: Handles
    }

    private final class Handles: Sendable {
        let value: Mutex<MetricHandles>
        init(_ value: sending MetricHandles) { self.value = Mutex(value) }
    }

    /// Makes a monitor without stores.
    ///
    /// - Parameters:
    ///   - options: How it reports.
    ///   - logger: Gets warnings about slow calls, and metrics that cannot be read.
    ///   - metrics: Where metrics go. Default: the factory that `MetricsSystem` was bootstrapped with.
    ///   - tracer: What makes spans. Default: `nil`, the tracer that `InstrumentationSystem` has at the time of the call.
    public init(
        options: Options = Options(),
        logger: Logger,
        metrics: any MetricsFactory = MetricsSystem.factory,
        tracer: (any Tracer)? = nil
    ) {
        self.options = options
        self.logger = logger
        self.factory = metrics
        self.tracer = tracer
        SlowCalls.carryTraces()
    }

    /// Starts reporting a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - name: The value of the dimension `store` of its metrics. Replaces any store with the same name.
    public func add(_ store: any MonitoredStore, as name: String) {
        var calls: StoreCallWatch?
        if let threshold = options.slowCallThreshold, let objects = store as? ObjectStore {
            let slow = SlowCalls(store: name, logger: logger, factory: factory, tracer: tracer)
            calls = objects.watchCalls(slowerThan: threshold) { slow.report($0) }
        }
        let entry = Entry(store: store, calls: calls, handles: Handles(MetricHandles(store: name, factory: factory)))
        let former = stores.withLock { $0.updateValue(entry, forKey: name) }
        former?.handles.value.withLock { $0.destroy() }
    }

    /// Stops reporting a store, and removes its metrics. Does nothing if there is no store of this name.
    public func remove(_ name: String) {
        let former = stores.withLock { $0.removeValue(forKey: name) }
        former?.handles.value.withLock { $0.destroy() }
    }

    /// Reports the metrics of all stores now. Blocks the thread while they are read: usually less than a millisecond per store.
    public func report() {
        reporting.withLock { _ in
            for (name, entry) in stores.withLock({ $0 }) {
                do {
                    guard let metrics = try entry.store.currentMetrics() else {
                        removeClosed(name, entry)
                        continue
                    }
                    entry.handles.value.withLock { $0.report(metrics) }
                } catch {
                    logger.warning("could not read the metrics of a store", metadata: ["store": "\(name)", "error": "\(safeText(error))"])
                }
            }
        }
    }

    private func removeClosed(_ name: String, _ entry: Entry) {
        // Unless another took its place.
        let former = stores.withLock { stores in
            stores[name]?.handles === entry.handles ? stores.removeValue(forKey: name) : nil
        }
        former?.handles.value.withLock { $0.destroy() }
    }

    /// Reports metrics every ``Options/interval`` until the task is cancelled or the service group shuts down, and once more at the end.
    public func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.reportInBackground()
                try? await Task.sleep(for: min(max(self.options.interval, .milliseconds(1)), .seconds(1 << 31)))
            }
        }
        await reportInBackground()
    }

    private func reportInBackground() async {
        let result: Result<Void, Never> = await offPool { self.report() }
        result.get()
    }
}

/// An error without user data, which errors of other libraries may quote.
func safeText(_ error: any Error) -> String { error is any CairnError ? "\(error)" : "\(type(of: error))" }
#endif
