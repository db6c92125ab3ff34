#if Telemetry
import InMemoryTracing
import Logging
import MetricsTestKit
import ServiceLifecycle
import Synchronization
import Testing
import Tracing

/// Everything that is reported during a test.
struct Recording {
    let metrics = TestMetrics()
    let log = RecordedLog()
    let tracer = InMemoryTracer()
    let logger: Logger

    init() {
        logger = Logger(label: "test") { [log] _ in RecordingLogHandler(log: log) }
    }

    /// The total of a counter; `nil` if it was not reported.
    func counter(_ name: String, _ dimensions: [(String, String)]) -> Int64? {
        (try? metrics.expectCounter(name, dimensions))?.totalValue
    }

    /// The last value of a gauge; `nil` if it was not reported.
    func gauge(_ name: String, _ dimensions: [(String, String)]) -> Double? {
        (try? metrics.expectMeter(name, dimensions))?.lastValue
    }

    /// All texts that were recorded, of metrics, logs and spans.
    var texts: [String] {
        var texts: [String] = []
        for counter in metrics.counters { texts += [counter.label] + counter.dimensions.flatMap { [$0.0, $0.1] } }
        for meter in metrics.meters { texts += [meter.label] + meter.dimensions.flatMap { [$0.0, $0.1] } }
        for timer in metrics.timers { texts += [timer.label] + timer.dimensions.flatMap { [$0.0, $0.1] } }
        for line in log.lines { texts += [line.message] + line.metadata.flatMap { [$0.key, "\($0.value)"] } }
        for span in tracer.finishedSpans {
            texts += [span.operationName, "\(span.status?.message ?? "")", "\(span.errors)", "\(span.events)"]
            span.attributes.forEach { texts += [$0, "\($1)"] }
        }
        return texts
    }
}

/// The lines that were logged.
final class RecordedLog: Sendable {
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: Logger.Metadata
    }

    private let all = Mutex<[Line]>([])
    var lines: [Line] { all.withLock { $0 } }
    func add(_ line: Line) { all.withLock { $0.append(line) } }
    func lines(_ message: String) -> [Line] { lines.filter { $0.message == message } }
}

struct RecordingLogHandler: LogHandler {
    let log: RecordedLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(log: RecordedLog) { self.log = log }

    func log(event: LogEvent) {
        log.add(RecordedLog.Line(level: event.level, message: "\(event.message)", metadata: event.metadata ?? [:]))
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}
#endif
