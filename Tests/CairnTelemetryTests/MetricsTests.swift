#if Telemetry
import CairnCDB
import CairnCore
import CairnGraph
import CairnMapped
import CairnRocks
import CairnRocksGraph
import CairnTelemetry
import CairnTestSupport
import MetricsTestKit
import Testing

/// The numbers of each kind of store, after known operations.
@Suite struct MetricsTests {
    private let directory: TemporaryDirectory
    private let recording = Recording()
    private let monitor: StoreMonitor

    init() throws {
        directory = try TemporaryDirectory()
        monitor = StoreMonitor(logger: recording.logger, metrics: recording.metrics, tracer: recording.tracer)
    }

    @Test func databases() throws {
        var options = DatabaseOptions(createIfMissing: true)
        options.statistics = try Statistics()
        let db = try RocksDB(path: directory.path("index.db"), options: options)
        #expect(db.statistics === options.statistics)
        monitor.add(db, as: "index")
        monitor.report()
        let store = ("store", "index"), family = ("column_family", "default")
        #expect(recording.gauge("cairn_rocks_estimated_keys", [store, family]) == 0)
        #expect(recording.counter("cairn_rocks_bytes_written_total", [store]) == nil)

        for number in 0..<10 { try db.put("value", for: "key \(number)") }
        _ = try db.get("key 1") as String?
        let snapshot = try db.makeSnapshot()
        monitor.report()
        #expect(recording.gauge("cairn_rocks_estimated_keys", [store, family]) == 10)
        #expect(recording.gauge("cairn_rocks_snapshots", [store]) == 1)
        #expect(recording.gauge("cairn_rocks_oldest_snapshot_age_seconds", [store]).map { (0...60).contains($0) } == true)
        #expect(recording.gauge("cairn_rocks_level_files", [store, family, ("level", "0")]) == 0)
        #expect(recording.gauge("cairn_rocks_level_files", [store, family, ("level", "6")]) == 0)
        #expect(recording.gauge("cairn_rocks_writes_stopped", [store]) == 0)
        #expect(recording.counter("cairn_rocks_sequence_number_total", [store]) == 10)
        #expect(recording.counter("cairn_rocks_number_keys_written_total", [store]) == 10)
        #expect(recording.counter("cairn_rocks_memtable_hit_total", [store]) == 1)
        #expect(recording.counter("cairn_rocks_db_write_micros_count", [store]) == 10)
        #expect(recording.gauge("cairn_rocks_bytes_per_read", [store, ("quantile", "0.5")]) == 5)
        let memtable = try #require(recording.gauge("cairn_rocks_memtable_bytes", [store, family]))
        #expect(memtable > 0)

        extendLifetime(snapshot)
        try db.createColumnFamily("songs").put("a", for: "b")
        try db.flush()
        monitor.report()
        #expect(recording.gauge("cairn_rocks_level_files", [store, family, ("level", "0")]) == 1)
        #expect(recording.gauge("cairn_rocks_file_bytes", [store, family]).map { $0 > 0 } == true)
        #expect(recording.gauge("cairn_rocks_estimated_keys", [store, ("column_family", "songs")]) == 1)
        // Counters count on from the last report.
        #expect(recording.counter("cairn_rocks_number_keys_written_total", [store]) == 11)
        monitor.report()
        #expect(recording.counter("cairn_rocks_number_keys_written_total", [store]) == 11)
        // Also after a reset.
        try options.statistics?.reset()
        for number in 0..<3 { try db.put("value", for: "key \(number)") }
        monitor.report()
        #expect(recording.counter("cairn_rocks_number_keys_written_total", [store]) == 14)
    }

    @Test func objectStores() throws {
        let store = try ObjectStore(path: directory.path("Notes.store"), classes: [Note.self])
        monitor.add(store, as: "notes")
        try store.write { context in context.insert(Note(title: "first", text: "1")) }
        let one = try store.makeContext(), other = try store.makeContext()
        let mine = try #require(try one.first(Note.self, where: \.title == "first"))
        let theirs = try #require(try other.first(Note.self, where: \.title == "first"))
        mine.text = "2"
        theirs.text = "3"
        try one.save()
        #expect(throws: ObjectStoreError.self) { try other.save() }
        other.rollback()
        var runs = 0
        try store.write { context in
            runs += 1
            let note = try #require(try context.first(Note.self, where: \.title == "first"))
            if runs == 1 {
                mine.text = "4"
                try one.save()
            }
            note.text += "!"
        }
        #expect(runs == 2)
        monitor.report()

        let name = ("store", "notes")
        #expect(store.activity.saves == 4)
        #expect(recording.counter("cairn_objects_saves_total", [name]) == 4)
        #expect(recording.counter("cairn_objects_conflicts_total", [name]) == 2)
        #expect(recording.counter("cairn_objects_retries_total", [name]) == 1)
        #expect(recording.counter("cairn_objects_save_calls_total", [name]) == 6)
        #expect(recording.counter("cairn_objects_fetch_calls_total", [name]) == 4)
        let time = try #require(recording.counter("cairn_objects_save_nanoseconds_total", [name]))
        #expect(time > 1000 && time < 60_000_000_000)
        #expect(recording.gauge("cairn_objects_contexts", [name]) == 2)
        // RocksDB, below.
        #expect(recording.counter("cairn_rocks_sequence_number_total", [name]).map { $0 > 4 } == true)
        #expect(recording.gauge("cairn_rocks_running_compactions", [name]) != nil)
        // The store is its only user: nobody to lag behind.
        #expect(recording.gauge("cairn_objects_feed_lag_versions", [name]) == nil)
        one.close()
        other.close()
        try store.close()
    }

    @Test func pagesOfObjects() throws {
        let store = try ObjectStore(path: directory.path("Notes.store"), classes: [Note.self])
        monitor.add(store, as: "notes")
        try store.write { context in context.insert(Note(title: "first", text: "1")) }
        for _ in 0..<4 {
            try store.read { context in
                let id = try #require(try context.fetchIDs(Note.self).first)
                #expect(try context.object(id, as: Note.self)?.text == "1")
            }
        }
        let activity = store.activity
        #expect(activity.pageHits > 0)
        #expect(activity.pageMisses > 0)
        monitor.report()
        let name = ("store", "notes")
        #expect(recording.counter("cairn_objects_page_hits_total", [name]) == Int64(activity.pageHits))
        #expect(recording.counter("cairn_objects_page_misses_total", [name]) == Int64(activity.pageMisses))
    }

    @Test(.endsWhenItHangs) func theFeedOfAnotherStore() async throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: [Note.self])
        let other = try ObjectStore(engine: engine, classes: [Note.self])
        #expect(store.activity.feedLag == nil)
        var commits = store.commits().makeAsyncIterator()
        #expect(store.activity.feedLag == 0)
        try other.write { context in context.insert(Note(title: "theirs", text: "")) }
        let commit = await commits.next()
        #expect(commit?.inserted.count == 1)
        monitor.add(store, as: "notes")
        // The version is noted just after the commit is announced.
        while store.activity.feedLag != 0, !Task.isCancelled { await Task.yield() }
        monitor.report()
        #expect(recording.gauge("cairn_objects_feed_lag_versions", [("store", "notes")]) == 0)
    }

    @Test func mappedStores() throws {
        let path = directory.path("settings.map")
        let settings = try MappedStore(path: path)
        monitor.add(settings, as: "settings")
        for number in 0..<5 { try settings.set(number, for: "key \(number)") }
        try settings.set("value", for: "key 0")
        try settings.remove("key 4")
        monitor.report()
        let store = ("store", "settings")
        #expect(recording.gauge("cairn_mapped_entries", [store]) == 4)
        #expect(recording.counter("cairn_mapped_changes_total", [store]) == 7)
        #expect(recording.counter("cairn_mapped_rewrites_total", [store]) == 0)
        #expect(recording.counter("cairn_mapped_lock_waits_total", [store]) == 0)
        let size = try #require(recording.gauge("cairn_mapped_file_bytes", [store]))
        #expect(size == Double(try settings.fileSize.bytes))
        let live = try #require(recording.gauge("cairn_mapped_live_bytes", [store]))
        #expect(recording.gauge("cairn_mapped_unused_bytes", [store]) == size - live)
        try settings.compact()
        monitor.report()
        #expect(recording.counter("cairn_mapped_rewrites_total", [store]) == 1)
    }

    @Test func waitsForTheLockOfAMappedStore() async throws {
        var options = MappedStoreOptions()
        options.busyTimeout = .seconds(600)
        let settings = try MappedStore(path: directory.path("settings.map"), options: options)
        #if os(Linux)
        monitor.add(settings, as: "settings")
        let end = ContinuousClock.now + .seconds(300)
        try await onThreads(2) { number in
            if number == 0 {
                // Holds the lock until the other thread is known to wait for it.
                try settings.transaction { changes in
                    try changes.set(1, for: "a")
                    while settings.counts.waits == 0, ContinuousClock.now < end { _ = try settings.get("b", default: 0) }
                }
            } else {
                while settings.counts.waits == 0, ContinuousClock.now < end { try settings.set(2, for: "b") }
            }
        }
        monitor.report()
        let waits = try #require(recording.counter("cairn_mapped_lock_waits_total", [("store", "settings")]))
        #expect(waits >= 1)
        #endif
    }

    @Test func constantDatabases() throws {
        let path = directory.path("music.cdb")
        let writer = try CDBWriter(path: path)
        try writer.put("Waterloo", for: "abba")
        try writer.finish()
        let reader = try CDBReader(path: path)
        let lengths = try CDBStore(path: directory.path("lengths.cdb"), key: String.self, value: Int.self, codec: .json)
        try lengths.put(1, for: "a")
        try lengths.put(2, for: "b")
        monitor.add(reader, as: "music")
        monitor.add(lengths, as: "lengths")
        monitor.report()
        #expect(recording.gauge("cairn_cdb_file_bytes", [("store", "music")]) == Double(reader.byteCount.bytes))
        #expect(recording.gauge("cairn_cdb_unsaved_changes", [("store", "lengths")]) == 2)
        try lengths.save()
        monitor.report()
        #expect(recording.gauge("cairn_cdb_unsaved_changes", [("store", "lengths")]) == 0)
        #expect(recording.gauge("cairn_cdb_entries", [("store", "lengths")]) == 2)
    }
}
#endif
