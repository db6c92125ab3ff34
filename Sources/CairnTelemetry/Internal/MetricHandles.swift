#if Telemetry
import CoreMetrics

/// The objects of swift-metrics that a monitor reports a store's metrics to.
struct MetricHandles {
    private enum Handle {
        /// With the value that it has.
        case counter(Counter, Double)
        case gauge(Meter)
    }

    private struct Key: Hashable {
        let name: String
        let dimensions: [StoreMetric.Dimension]
    }

    private let store: String
    private let factory: any MetricsFactory
    private var handles: [Key: Handle] = [:]
    private var isEnded = false

    init(store: String, factory: any MetricsFactory) {
        self.store = store
        self.factory = factory
    }

    /// Reports metrics. Ends the gauges of an earlier report that are missing now: they would keep their last value.
    mutating func report(_ metrics: [StoreMetric]) {
        guard !isEnded else { return }
        let former = handles
        handles = [:]
        for metric in metrics where metric.value.isFinite {
            let key = Key(name: metric.name, dimensions: metric.dimensions)
            switch former[key] ?? make(metric) {
            case .gauge(let gauge):
                gauge.set(metric.value)
                handles[key] = .gauge(gauge)
            case .counter(let counter, let last):
                // Less than before after a reset of RocksDB's statistics.
                let more = metric.value >= last ? metric.value - last : metric.value
                if more > 0 { counter.increment(by: more < 0x1p63 ? Int64(more) : .max) }
                handles[key] = .counter(counter, metric.value)
            }
        }
        for (key, handle) in former where handles[key] == nil {
            if case .gauge = handle { Self.destroy(handle) } else { handles[key] = handle }
        }
    }

    private func make(_ metric: StoreMetric) -> Handle {
        let dimensions = [("store", store)] + metric.dimensions.map { ($0.name, $0.value) }
        switch metric.kind {
        case .counter: return .counter(Counter(label: metric.name, dimensions: dimensions, factory: factory), 0)
        case .gauge: return .gauge(Meter(label: metric.name, dimensions: dimensions, factory: factory))
        }
    }

    /// Ends all metrics of the store, for good.
    mutating func destroy() {
        isEnded = true
        for handle in handles.values { Self.destroy(handle) }
        handles = [:]
    }

    private static func destroy(_ handle: Handle) {
        switch handle {
        case .counter(let counter, _): counter.destroy()
        case .gauge(let gauge): gauge.destroy()
        }
    }
}
#endif
