#if Telemetry
import CairnCore
import CairnGraph
import CairnRocks
import CairnRocksEngine
import CairnRocksGraph
import CairnTestSupport
import Dispatch
import Logging
import MetricsTestKit
import Synchronization
import Testing

@testable import CairnTelemetry

/// What of RocksDB's reports goes to a logger.
@Suite struct LogTests {
    private let directory: TemporaryDirectory
    private let recording = Recording()

    init() throws { directory = try TemporaryDirectory() }

    /// The lines, once those that were sent are logged.
    private func lines(_ message: String) -> [RecordedLog.Line] {
        RocksLog.queue.sync {}
        return recording.log.lines(message)
    }

    @Test func levels() throws {
        #expect(RocksLog.level(.warn) == .warning)
        #expect(RocksLog.level(.error) == .error)
        #expect(RocksLog.level(.fatal) == .critical)
        for level in [InfoLogLevel.debug, .info, .header] { #expect(RocksLog.level(level) == nil) }

        let passed = Mutex<[String]>([])
        var options = DatabaseOptions()
        options.logHandler = { _, text in passed.withLock { $0.append(text) } }
        options.log(to: recording.logger, as: "index")
        let handler = try #require(options.logHandler)
        handler(.info, "some key")
        handler(.warn, "slow")
        #expect(passed.withLock { $0 } == ["some key", "slow"])
        #expect(lines("slow").map(\.level) == [.warning])
        #expect(lines("slow").first?.metadata["store"] == "index")
        #expect(lines("some key").isEmpty)
    }

    @Test func flushesAndCompactions() throws {
        var options = DatabaseOptions(createIfMissing: true)
        let own = Atomic(0)
        options.events = DatabaseEvents { event in if case .flushCompleted = event { own.wrappingAdd(1, ordering: .relaxed) } }
        options.log(to: recording.logger, as: "index")
        let db = try RocksDB(path: directory.path("index.db"), options: options)
        try db.put("1", for: "a")
        try db.flush()
        try db.put("2", for: "a")
        try db.flush()
        try db.compact()
        try db.close()
        let flushes = lines("flushed a memtable")
        #expect(flushes.map(\.level) == [.debug, .debug])
        #expect(flushes.first?.metadata["entries"] == "1")
        #expect(flushes.first?.metadata["column_family"] == "default")
        let compaction = try #require(lines("compacted").last)
        #expect(compaction.metadata["store"] == "index")
        #expect(compaction.metadata["read_bytes"] != nil)
        // Those who listened before still do.
        let heard = own.load(ordering: .relaxed)
        #expect(heard == 2)
    }

    @Test func stalls() throws {
        var options = DatabaseOptions(createIfMissing: true)
        options.log(to: recording.logger, as: "index")
        // Files heap up that nothing compacts.
        var family = ColumnFamilyOptions()
        family.compactionStyle = .none
        family.level0FileCountCompactionTrigger = 2
        family.level0SlowdownWritesTrigger = 2
        family.level0StopWritesTrigger = 3
        let db = try RocksDB(path: directory.path("index.db"), options: options, columnFamilyOptions: family)
        for number in 0..<3 {
            try db.put("1", for: "\(number)")
            try db.flush(nil, allowsWriteStall: true)
        }
        try db.setColumnFamilyOptions { family in
            family.level0SlowdownWritesTrigger = 100
            family.level0StopWritesTrigger = 100
        }
        try db.close()
        #expect(lines("writes are slowed down").first?.level == .warning)
        #expect(lines("writes are stopped").first?.level == .warning)
        #expect(lines("writes are no longer delayed").last?.level == .notice)
    }

    /// A merge that fails makes a flush fail.
    @Test func failures() throws {
        var options = DatabaseOptions(createIfMissing: true)
        options.log(to: recording.logger, as: "index")
        let bad = MergeOperator(name: "test.failing") { _, _, _ in nil }
        let family = ColumnFamilyOptions(mergeOperator: bad)
        let db = try RocksDB(path: directory.path("index.db"), options: options, columnFamilyOptions: family)
        try db.put("m4rk3r", for: "m4rk3r")
        try db.merge("m4rk3r", for: "m4rk3r")
        #expect(throws: RocksError.self) { try db.flush() }
        try db.close()
        let line = try #require(lines("background work failed").first)
        #expect(line.level == .error)
        #expect(line.metadata["store"] == "index")
        #expect(line.metadata["reason"] == "kFlushNoWAL")
        #expect(!recording.texts.contains { $0.contains("m4rk3r") })
    }

    @Test func aLoggerThatWantsLessIsAskedNothing() throws {
        var logger = recording.logger
        logger.logLevel = .error
        var options = DatabaseOptions(createIfMissing: true)
        options.log(to: logger, as: "index")
        let db = try RocksDB(path: directory.path("index.db"), options: options)
        try db.put("1", for: "a")
        try db.flush()
        try db.close()
        RocksLog.queue.sync {}
        #expect(recording.log.lines.isEmpty)
    }

    @Test func objectStores() throws {
        var options = RocksEngineOptions()
        options.statistics = try Statistics()
        options.log(to: recording.logger, as: "notes")
        let engine = try RocksEngine(path: directory.path("Notes.store"), options: options)
        let store = try ObjectStore(engine: engine, classes: [Note.self])
        try store.write { context in context.insert(Note(title: "a", text: "1")) }
        try engine.removeFormerData(in: .all)
        let monitor = StoreMonitor(logger: recording.logger, metrics: recording.metrics)
        monitor.add(store, as: "notes")
        monitor.report()
        #expect(recording.counter("cairn_rocks_number_keys_written_total", [("store", "notes")]).map { $0 > 0 } == true)
        try store.close()
        #expect(lines("flushed a memtable").first?.metadata["store"] == "notes")
    }

    /// Keys and values of all stores, in everything that is reported while they work.
    @Test func nothingQuotesKeysAndValues() throws {
        let marker = "m4rk3r", hex = marker.utf8.map { String($0, radix: 16) }.joined()
        let monitor = StoreMonitor(
            options: .init(slowCallThreshold: .zero),
            logger: recording.logger,
            metrics: recording.metrics,
            tracer: recording.tracer
        )
        let quoted = Mutex(false)
        var options = DatabaseOptions(createIfMissing: true)
        options.statistics = try Statistics()
        options.logHandler = { _, text in
            if text.contains(marker) || text.lowercased().contains(hex) { quoted.withLock { $0 = true } }
        }
        options.log(to: recording.logger, as: "index")
        let db = try RocksDB(path: directory.path("index.db"), options: options)
        monitor.add(db, as: "index")
        let store = try ObjectStore(path: directory.path("Notes.store"), classes: [Note.self])
        monitor.add(store, as: "notes")
        for number in 0..<3 {
            for letter in ["a", "b"] { try db.put(marker + letter, for: marker + letter + "\(number)") }
            try db.flush()
        }
        try db.compact(.from(marker + "a", to: marker + "b1"))
        try store.write { context in context.insert(Note(title: marker, text: marker)) }
        _ = try? store.write { context in context.insert(Note(title: marker, text: marker)) }
        _ = try store.read { context in try context.fetch(Note.self, where: \.title == marker) }
        monitor.report()
        try store.close()
        try db.close()
        RocksLog.queue.sync {}
        #expect(recording.texts.count > 100)
        #expect(!recording.texts.contains { $0.contains(marker) || $0.lowercased().contains(hex) })
        // RocksDB's own log does: this is why its messages of level info stay in their file.
        #expect(quoted.withLock { $0 })
    }
}
#endif
