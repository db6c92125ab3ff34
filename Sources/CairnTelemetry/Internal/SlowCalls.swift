#if Telemetry
import CairnCore
import CairnGraph
import CoreMetrics
import Logging
import Tracing

/// Reports slow calls of a store: as a warning, a timer and a span.
struct SlowCalls: Sendable {
    let store: String
    let logger: Logger
    let factory: any MetricsFactory
    let tracer: (any Tracer)?

    func report(_ call: StoreCall) {
        let end = DefaultTracerClock.now.nanosecondsSinceEpoch
        let duration = call.duration.wholeNanoseconds
        var metadata: Logger.Metadata = [
            "store": "\(store)", "objects": "\(call.objectCount)", "milliseconds": "\(duration / 1_000_000)",
        ]
        if let name = call.className { metadata["class"] = "\(name)" }
        if let error = call.error { metadata["error"] = "\(error)" }
        logger.warning("slow \(call.kind.rawValue)", metadata: metadata)

        let dimensions = [("store", store), ("call", call.kind.rawValue)]
        let timer = Timer(label: "cairn_objects_slow_call_duration", dimensions: dimensions, factory: factory)
        timer.recordNanoseconds(duration)

        addSpan(call, from: end >= duration ? end - duration : 0, to: end)
    }

    /// A span that has ended already. The call ran in the task, so the task's span is its parent.
    private func addSpan(_ call: StoreCall, from start: UInt64, to end: UInt64) {
        let tracer = tracer ?? InstrumentationSystem.tracer
        let span = tracer.startSpan(
            "cairn.\(call.kind.rawValue)",
            context: .current ?? .topLevel,
            ofKind: .internal,
            at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: start)
        )
        span.updateAttributes { attributes in
            attributes["db.system.name"] = "cairn"
            attributes["db.namespace"] = store
            attributes["db.operation.name"] = call.kind.rawValue
            attributes["db.collection.name"] = call.className
            attributes["cairn.objects"] = call.objectCount
            attributes["error.type"] = call.error.map { "\($0)" }
        }
        if let error = call.error { span.setStatus(SpanStatus(code: .error, message: "\(error)")) }
        span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: end))
    }

    /// From now on, what object stores do in the background belongs to the span of the task that waits for it.
    static func carryTraces() { _ = isCarrying }

    private static let isCarrying: Bool = {
        TaskContext.carry {
            guard let context = ServiceContext.current else { return nil }
            return { body in ServiceContext.withValue(context, operation: body) }
        }
        return true
    }()
}

extension Duration {
    /// Not negative.
    var wholeNanoseconds: UInt64 { UInt64(clamping: clampedNanoseconds) }
}
#endif
