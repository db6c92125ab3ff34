#if Telemetry
/// A store that a ``StoreMonitor`` reports on, and a ``StoreService`` closes. `RocksDB`, `ObjectStore`, `MappedStore`, `CDBReader` and
/// `CDBStore` conform.
///
/// Your own types that keep their data in one of these can conform, too.
public protocol MonitoredStore: Sendable {
    /// The metrics of the store as it is now; `nil` once it is closed. Called from time to time, on a thread that may wait for the disk.
    ///
    /// - Throws: What prevents reading them; the monitor logs it, and tries again.
    func currentMetrics() throws -> [StoreMetric]?

    /// Closes the store for good.
    ///
    /// - Throws: An error with the code `busy` if the store is in use, so that closing it can be tried again later.
    func closeForGood() throws
}
#endif
