#if Telemetry
public import CairnRocks
import Dispatch
public import Logging

extension DatabaseOptions {
    /// Sends what RocksDB reports to a logger: warnings and errors of its text log, and events. The text log is still written, and an
    /// `events` object or a `logHandler` that was set before still receives everything.
    ///
    /// | level | what |
    /// | --- | --- |
    /// | `critical` | fatal messages of the text log |
    /// | `error` | errors of the text log; flushes, compactions and background work that failed, recoveries that did not succeed |
    /// | `warning` | warnings of the text log; writes that are slowed down or stopped |
    /// | `notice` | writes that are admitted again; recoveries |
    /// | `debug` | flushes and compactions that ended, files that were ingested |
    ///
    /// Other messages of the text log go only to its file: there are many of them, and some quote keys. Lines are logged in order on a
    /// separate thread, so RocksDB does not wait for the logger.
    ///
    /// - Parameters:
    ///   - logger: Where messages go.
    ///   - name: The store's name in the metadata.
    public mutating func log(to logger: Logger, as name: String) {
        RocksLog(logger, name).attach(to: &logHandler, &events)
    }
}
#endif
