#if Telemetry
public import CairnCDB

extension CDBReader: MonitoredStore {
    public func currentMetrics() throws -> [StoreMetric]? { [.gauge("cairn_cdb_file_bytes", byteCount.bytes)] }

    /// Does nothing: a reader closes when its last reference is released.
    public func closeForGood() throws {}
}

extension CDBStore: MonitoredStore {
    public func currentMetrics() throws -> [StoreMetric]? {
        do throws(CDBError) {
            return [
                .gauge("cairn_cdb_entries", try count),
                .gauge("cairn_cdb_unsaved_changes", try changedKeys().count),
            ]
        } catch {
            guard error.code != .closed else { return nil }
            throw error
        }
    }

    /// Saves unsaved changes, and closes.
    public func closeForGood() throws { try close() }
}
#endif
