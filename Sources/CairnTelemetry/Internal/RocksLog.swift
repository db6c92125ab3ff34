#if Telemetry
import CairnCore
import CairnRocks
import Dispatch
import Logging

/// Logs what RocksDB reports, on a queue: RocksDB calls with locks held.
struct RocksLog: Sendable {
    private let logger: Logger
    private let name: String
    /// One for all, so that little is lost if the process ends.
    static let queue = DispatchQueue(label: "cairn.telemetry.log")

    init(_ logger: Logger, _ name: String) {
        self.logger = logger
        self.name = name
    }

    /// Receives a database's log messages and events, before the handlers that were set already.
    func attach(to handler: inout CairnRocks.LogHandler?, _ events: inout DatabaseEvents?) {
        handler = self.handler(before: handler)
        let observed = events ?? DatabaseEvents()
        observed.observe { note($0) }
        events = observed
    }

    private func log(_ level: Logger.Level, _ message: @autoclosure () -> String, _ metadata: Logger.Metadata = [:]) {
        guard logger.logLevel <= level else { return }
        let text = message()
        let all = metadata.merging(["store": "\(name)"]) { own, _ in own }
        Self.queue.async { [logger] in logger.log(level: level, "\(text)", metadata: all, source: "CairnTelemetry") }
    }

    // MARK: The text log

    private func handler(before next: CairnRocks.LogHandler?) -> CairnRocks.LogHandler {
        { level, text in
            // RocksDB reports the missing directory of a new database as an error.
            if let level = Self.level(level), !text.hasPrefix("Error when reading ") || !text.contains(" dir NotFound") { log(level, text) }
            next?(level, text)
        }
    }

    /// The level of a message; `nil` for those that stay in the file.
    static func level(_ level: InfoLogLevel) -> Logger.Level? {
        switch level {
        case .warn: .warning
        case .error: .error
        case .fatal: .critical
        default: nil
        }
    }

    // MARK: Events

    private func note(_ event: DatabaseEvent) {
        switch event {
        case .flushCompleted(let flush):
            log(
                .debug,
                "flushed a memtable",
                ["column_family": "\(flush.columnFamily)", "reason": "\(flush.reason)", "entries": "\(flush.entryCount)"]
            )
        case .compactionCompleted(let compaction): note(compaction)
        case .stallChanged(let stall): note(stall)
        case .backgroundError(let failure):
            log(
                .error,
                "background work failed",
                ["reason": "\(failure.reason)", "error": "\(failure.error)", "severity": "\(failure.error.severity)"]
            )
        case .recoveryBegan(let failure): log(.notice, "recovering from a failure", ["error": "\(failure.error)"])
        case .recoveryEnded(let recovery):
            if let error = recovery.newError {
                log(.error, "did not recover from a failure", ["error": "\(error)"])
            } else {
                log(.notice, "recovered from a failure", ["error": "\(recovery.oldError)"])
            }
        case .tableFileCreated(let file), .blobFileCreated(let file):
            if let error = file.error { log(.error, "could not write a file", ["path": "\(file.path)", "error": "\(error)"]) }
        case .externalFileIngested(let file):
            log(.debug, "ingested a file", ["column_family": "\(file.columnFamily)", "entries": "\(file.entryCount)"])
        default: break
        }
    }

    private func note(_ compaction: DatabaseEvent.Compaction) {
        var metadata: Logger.Metadata = [
            "column_family": "\(compaction.columnFamily)", "reason": "\(compaction.reason)",
            "levels": "\(compaction.inputLevel)-\(compaction.outputLevel)",
            "read_bytes": "\(compaction.inputSize.bytes)", "written_bytes": "\(compaction.outputSize.bytes)",
            "milliseconds": "\(compaction.duration.wholeNanoseconds / 1_000_000)",
        ]
        guard let error = compaction.error else { return log(.debug, "compacted", metadata) }
        metadata["error"] = "\(error)"
        log(.error, "a compaction failed", metadata)
    }

    private func note(_ stall: DatabaseEvent.Stall) {
        let metadata: Logger.Metadata = ["column_family": "\(stall.columnFamily)"]
        switch stall.current {
        case .normal: log(.notice, "writes are no longer delayed", metadata)
        case .delayed: log(.warning, "writes are slowed down", metadata)
        case .stopped: log(.warning, "writes are stopped", metadata)
        }
    }
}
#endif
