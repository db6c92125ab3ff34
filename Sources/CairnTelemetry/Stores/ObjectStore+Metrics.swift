#if Telemetry
public import CairnGraph
import CairnRocksEngine

extension ObjectStore: MonitoredStore {
    public func currentMetrics() throws -> [StoreMetric]? {
        guard !isClosed else { return nil }
        let activity = activity, calls = callTotals
        var metrics: [StoreMetric] = [
            .counter("cairn_objects_saves_total", activity.saves),
            .counter("cairn_objects_conflicts_total", activity.conflicts),
            .counter("cairn_objects_retries_total", activity.retries),
            .counter("cairn_objects_page_hits_total", activity.pageHits),
            .counter("cairn_objects_page_misses_total", activity.pageMisses),
            .counter("cairn_objects_save_calls_total", calls.saves),
            .counter("cairn_objects_save_nanoseconds_total", calls.saveNanoseconds),
            .counter("cairn_objects_fetch_calls_total", calls.fetches),
            .counter("cairn_objects_fetch_nanoseconds_total", calls.fetchNanoseconds),
            .gauge("cairn_objects_contexts", activity.openContexts),
        ]
        if let lag = activity.feedLag { metrics.append(.gauge("cairn_objects_feed_lag_versions", lag)) }
        if let engine = storageEngine as? RocksEngine { metrics += try engine.database.currentMetrics() ?? [] }
        return metrics
    }

    public func closeForGood() throws { try close() }
}
#endif
