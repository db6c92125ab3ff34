#if Telemetry
import CairnCore
import CairnGraph
import CairnRocksGraph
import CairnTelemetry
import CairnTestSupport
import InMemoryTracing
import Logging
import MetricsTestKit
import Testing
import Tracing

/// Slow saves and fetches: spans, warnings, timers. A threshold of zero makes all calls slow, one of an hour none.
@Suite struct SlowCallTests {
    private let directory: TemporaryDirectory
    private let recording = Recording()
    private let store: ObjectStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try ObjectStore(path: directory.path("Notes.store"), classes: [Note.self])
    }

    private func watch(_ threshold: Duration?) -> StoreMonitor {
        let options = StoreMonitor.Options(slowCallThreshold: threshold)
        let monitor = StoreMonitor(options: options, logger: recording.logger, metrics: recording.metrics, tracer: recording.tracer)
        monitor.add(store, as: "notes")
        return monitor
    }

    @Test func aSlowSaveAndAFetchAreSpans() throws {
        let monitor = watch(.zero)
        let start = DefaultTracerClock.now.nanosecondsSinceEpoch
        let before = ContinuousClock.now
        try store.write { context in
            context.insert(Note(title: "a", text: "1"))
            context.insert(Note(title: "b", text: "2"))
        }
        let elapsed = before.duration(to: .now)
        let end = DefaultTracerClock.now.nanosecondsSinceEpoch
        let found = try store.read { context in try context.fetch(Note.self, where: \.title > "").count }
        #expect(found == 2)

        let spans = recording.tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["cairn.save", "cairn.fetch"])
        let save = try #require(spans.first)
        #expect(save.startInstant.nanosecondsSinceEpoch >= start)
        #expect(save.endInstant.nanosecondsSinceEpoch <= end)
        let length = save.endInstant.nanosecondsSinceEpoch - save.startInstant.nanosecondsSinceEpoch
        #expect(length > 1000)
        #expect(Duration.nanoseconds(Int64(length)) <= elapsed)
        #expect(save.attributes.get("db.namespace") == .string("notes"))
        #expect(save.attributes.get("db.operation.name") == .string("save"))
        #expect(save.attributes.get("cairn.objects") == .int64(2))
        #expect(save.status == nil)
        #expect(spans[1].attributes.get("db.collection.name") == .string("Note"))
        #expect(spans[1].attributes.get("cairn.objects") == .int64(2))

        let line = try #require(recording.log.lines("slow save").first)
        #expect(line.level == .warning)
        #expect(line.metadata["store"] == "notes")
        #expect(line.metadata["objects"] == "2")
        #expect(recording.log.lines("slow fetch").first?.metadata["class"] == "Note")
        let timer = try recording.metrics.expectTimer("cairn_objects_slow_call_duration", [("store", "notes"), ("call", "save")])
        #expect(timer.values == [Int64(length)])
        monitor.remove("notes")
    }

    @Test(arguments: [Duration.seconds(3600), nil]) func aFastOneIsNone(threshold: Duration?) throws {
        let monitor = watch(threshold)
        try store.write { context in context.insert(Note(title: "a", text: "1")) }
        _ = try store.read { context in try context.count(Note.self, where: \.title == "a") }
        #expect(recording.tracer.finishedSpans.isEmpty)
        #expect(recording.log.lines.isEmpty)
        #expect(recording.metrics.timers.isEmpty)
        monitor.report()
        // Without a threshold, nothing is measured.
        let expected: Int64 = threshold == nil ? 0 : 1
        #expect(recording.counter("cairn_objects_save_calls_total", [("store", "notes")]) ?? 0 == expected)
        #expect(recording.counter("cairn_objects_fetch_calls_total", [("store", "notes")]) ?? 0 == expected)
    }

    @Test func eachMonitorHasItsThreshold() throws {
        let other = Recording()
        let patient = StoreMonitor(options: .init(slowCallThreshold: .seconds(3600)), logger: other.logger, tracer: other.tracer)
        patient.add(store, as: "patient")
        let monitor = watch(.zero)
        try store.write { context in context.insert(Note(title: "a", text: "1")) }
        #expect(recording.tracer.finishedSpans.count == 1)
        #expect(other.tracer.finishedSpans.isEmpty)
        #expect(other.log.lines.isEmpty)
        monitor.remove("notes")
        patient.remove("patient")
    }

    @Test func nothingIsMeasuredOnceTheStoreIsRemoved() throws {
        let monitor = watch(.zero)
        monitor.remove("notes")
        try store.write { context in context.insert(Note(title: "a", text: "1")) }
        #expect(recording.tracer.finishedSpans.isEmpty)
        #expect(store.activity.saves == 1)
    }

    @Test func everyWayOfFetching() throws {
        try store.write { context in context.insert(Note(title: "a", text: "1")) }
        let monitor = watch(.zero)
        try store.read { context in
            _ = try context.fetch(Note.self)
            _ = try context.fetchIDs(Note.self, where: \.title == "a")
            _ = try context.first(Note.self)
            _ = try context.count(Note.self, where: \.title == "a")
            _ = try context.fetchPage(Note.self, limit: 1)
            _ = try context.min(of: \Note.title)
        }
        #expect(recording.tracer.finishedSpans.map(\.operationName) == Array(repeating: "cairn.fetch", count: 6))
        monitor.remove("notes")
    }

    @Test func failures() throws {
        try store.write { context in context.insert(Note(title: "marker", text: "1")) }
        let monitor = watch(.zero)
        let error = #expect(throws: ObjectStoreError.self) {
            try store.write { context in context.insert(Note(title: "marker", text: "2")) }
        }
        #expect(error?.code == .notUnique)
        let span = try #require(recording.tracer.finishedSpans.last)
        #expect(span.operationName == "cairn.save")
        #expect(span.status?.code == .error)
        #expect(span.attributes.get("error.type") == .string("notUnique"))
        #expect(recording.log.lines("slow save").last?.metadata["error"] == "notUnique")
        #expect(!recording.texts.contains { $0.contains("marker") })
        monitor.remove("notes")
    }

    @Test func theSpanOfTheTaskIsTheParent() async throws {
        let monitor = watch(.zero)
        let (tracer, store) = (recording.tracer, store)
        try await tracer.withSpan("request") { span in
            try store.write { context in context.insert(Note(title: "a", text: "1")) }
            // On another thread.
            try await store.writeInBackground { context in context.insert(Note(title: "b", text: "1")) }
            let spans = tracer.finishedSpans
            #expect(spans.map(\.operationName) == ["cairn.save", "cairn.save"])
            #expect(spans.map(\.parentSpanID) == [span.spanID, span.spanID])
        }
        try await store.writeInBackground { context in context.insert(Note(title: "c", text: "1")) }
        #expect(tracer.finishedSpans.last?.parentSpanID == nil)
        monitor.remove("notes")
    }

    /// It was wrapped once more by each call, until the stack overflowed.
    @Test func whatTasksCarryDoesNotGrow() {
        let monitor = watch(.zero)
        let carried = (0..<200_000).count { _ in TaskContext.runner != nil }
        #expect(carried == 0)
        monitor.remove("notes")
    }
}
#endif
