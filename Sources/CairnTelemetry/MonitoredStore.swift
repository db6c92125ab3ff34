#if Telemetry
/// A store that a ``StoreMonitor`` reports, and a ``StoreService`` closes: `RocksDB`, `ObjectStore`, `MappedStore`, `CDBReader` and `CDBStore` are.
///
/// A type of yours that keeps its data in one of these can be one too.
public protocol MonitoredStore: Sendable {
    /// The metrics of the store as it is now; `nil` once it is closed. Called from time to time, on a thread that may wait for the disk.
    ///
    /// - Throws: What prevents reading them; the monitor logs it, and tries again.
    func currentMetrics() throws -> [StoreMetric]?

    /// Closes the store for good.
    ///
    /// - Throws: An error of the code `busy` if it is in use, and will be able to close later.
    func closeForGood() throws
}
#endif
