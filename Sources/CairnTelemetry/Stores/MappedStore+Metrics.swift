#if Telemetry
public import CairnMapped

extension MappedStore: MonitoredStore {
    public func currentMetrics() throws -> [StoreMetric]? {
        do throws(MappedStoreError) {
            let (file, live) = (try fileSize.bytes, try liveSize.bytes)
            return [
                .gauge("cairn_mapped_entries", try entryCount),
                .gauge("cairn_mapped_file_bytes", file),
                .gauge("cairn_mapped_live_bytes", live),
                .gauge("cairn_mapped_unused_bytes", max(0, file - live)),
                .counter("cairn_mapped_changes_total", try changeCount),
                .counter("cairn_mapped_rewrites_total", counts.rewrites),
                .counter("cairn_mapped_lock_waits_total", counts.waits),
            ]
        } catch {
            guard error.code != .closed else { return nil }
            throw error
        }
    }

    public func closeForGood() throws { try close() }
}
#endif
