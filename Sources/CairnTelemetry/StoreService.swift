#if Telemetry
import CairnCore
public import Logging
public import ServiceLifecycle

/// Opens stores in the given order, and closes them in reverse order when the program ends.
///
/// ```swift
/// let index = ServedStore("index") { try RocksDB(path: "index.db", options: options) }
/// let music = ServedStore("music") { try ObjectStore(path: "Music.store", classes: [Track.self]) }
/// let stores = StoreService(index, music, monitor: monitor, logger: logger)
/// let group = ServiceGroup(services: [stores, monitor, server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// ```
///
/// A service group shuts its services down from the last to the first, each once the one after it has ended: put this one before those that use the stores.
/// The stores are closed in any case, also if the task is cancelled because another service failed. If a store is still in use, the service waits up to
/// ``closingTimeout`` until it can close it.
public final class StoreService: Service {
    /// How long to wait for a store that is still in use when it is to be closed.
    public let closingTimeout: Duration

    private let stores: [Part]
    private let monitor: StoreMonitor?
    private let logger: Logger

    /// A store without its type.
    private struct Part: Sendable {
        let name: String
        let open: @Sendable () throws -> any MonitoredStore
        let ifOpen: @Sendable () -> (any MonitoredStore)?
        let giveUp: @Sendable (any Error) -> Void
    }

    /// Makes a service of stores.
    ///
    /// - Parameters:
    ///   - stores: The stores, in the order in which they are opened.
    ///   - monitor: Reports each store once it is open. Default: `nil`.
    ///   - closingTimeout: How long to wait for a store that is still in use when it is to be closed. Default: 30 s.
    ///   - logger: Logs which stores were opened and closed, and which could not be closed.
    public init<each Store: MonitoredStore>(
        _ stores: repeat ServedStore<each Store>,
        monitor: StoreMonitor? = nil,
        closingTimeout: Duration = .seconds(30),
        logger: Logger
    ) {
        var parts: [Part] = []
        for store in repeat each stores {
            let (open, ifOpen) = (
                { @Sendable () throws in try store.open() }, { @Sendable () in store.storeIfOpen as (any MonitoredStore)? }
            )
            parts.append(Part(name: store.name, open: open, ifOpen: ifOpen, giveUp: { store.giveUp($0) }))
        }
        self.stores = parts
        self.monitor = monitor
        self.closingTimeout = closingTimeout
        self.logger = logger
    }

    /// Opens the stores, one after the other, waits until the group shuts down or the task is cancelled, and closes them.
    ///
    /// - Throws: The error of opening a store, once those before it are closed; or the first error of closing one, once closing all has been tried,
    ///   such as one with the code `busy` if a store was still in use after ``closingTimeout``.
    public func run() async throws {
        do {
            for part in stores {
                guard !Task.isCancelled, !Task.isShuttingDownGracefully else { throw CancellationError() }
                let store = try await offPool { () throws(any Error) in try part.open() }.get()
                monitor?.add(store, as: part.name)
                logger.info("opened a store", metadata: ["store": "\(part.name)"])
            }
        } catch {
            for part in stores { part.giveUp(error) }
            let failure = await close()
            // Being told to end does not count as a failure.
            guard error is CancellationError else { throw error }
            if let failure { throw failure }
            return
        }
        // Throws if the task is cancelled, which also means to close.
        try? await gracefulShutdown()
        if let error = await close() { throw error }
    }

    /// Closes the open stores, including those that were open before, the last one first; returns the first error.
    private func close() async -> (any Error)? {
        // In a task of its own, which is not cancelled.
        await Task { [self] in
            var first: (any Error)?
            for part in stores.reversed() {
                guard let store = part.ifOpen() else { continue }
                do {
                    try await close(store)
                    logger.info("closed a store", metadata: ["store": "\(part.name)"])
                } catch {
                    logger.error("could not close a store", metadata: ["store": "\(part.name)", "error": "\(safeText(error))"])
                    first = first ?? error
                }
                monitor?.remove(part.name)
            }
            return first
        }.value
    }

    private func close(_ store: any MonitoredStore) async throws {
        let end = ContinuousClock.now + closingTimeout.timeout
        while true {
            do { return try await offPool { () throws(any Error) in try store.closeForGood() }.get() } catch {
                guard error.isBusy, ContinuousClock.now < end else { throw error }
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

extension Error {
    /// Whether a store is in use; all stores have the code.
    fileprivate var isBusy: Bool {
        func isBusy(_ error: some CairnError) -> Bool { "\(error.code)" == "busy" }
        guard let error = self as? any CairnError else { return false }
        return isBusy(error)
    }
}
#endif
