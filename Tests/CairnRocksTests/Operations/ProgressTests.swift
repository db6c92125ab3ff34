import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// How far compactions and restores are, and the wait for compactions that RocksDB begins.
struct ProgressTests {
    let scene = try! Scene()

    private var withoutCompactions: ColumnFamilyOptions {
        var options = ColumnFamilyOptions()
        options.disableAutoCompactions = true
        options["target_file_size_base"] = "65536"
        options["compression"] = "kNoCompression"
        return options
    }

    private func open(events: DatabaseEvents? = DatabaseEvents()) throws -> RocksDB {
        var options = DatabaseOptions(createIfMissing: true)
        options.events = events
        return try scene.open(withoutCompactions, options: options)
    }

    /// Files that overlap.
    private func fill(_ store: some RocksStore) throws {
        for round in 0..<3 {
            for key in 0..<400 { try store.put(String(repeating: "\(round)", count: 1_000), for: "\(key)") }
            try store.flush()
        }
    }

    @Test func compactionsReportProgress() throws {
        let db = try open()
        try fill(db)
        // Nothing is reported about another column family.
        let other = try db.createColumnFamily("other", options: withoutCompactions)
        try fill(other)
        let reported = Box<[CompactionProgress]>([])
        try db.compact { progress in reported.update { $0.append(progress) } }
        let last = try #require(reported.value.last)
        #expect(last.completedSteps == 1 && last.writtenFiles > 3)
        #expect(last.read > .kibibytes(1_000) && last.written > .kibibytes(350) && last.written < .kibibytes(600))
        #expect(try last.written == db.property(.liveSSTFilesSize))
        // File by file.
        #expect(reported.value.map(\.writtenFiles) == Array(1...last.writtenFiles) + [last.writtenFiles])
        #expect(reported.value.dropLast().allSatisfy { $0.completedSteps == 0 && $0.read == .zero })
        try other.compact()
        #expect(reported.value.last == last)
    }

    @Test func compactionsInTheBackgroundReportProgress() async throws {
        let db = try open()
        try fill(db)
        let reported = Box(CompactionProgress?.none)
        try await db.compactInBackground { progress in reported.value = progress }
        #expect(reported.value?.completedSteps == 1)
    }

    @Test func withoutEventsNothingIsReported() throws {
        let db = try open(events: nil)
        try fill(db)
        #expect(code { try db.compact { _ in } } == .invalidArgument)
        #expect(try db.property("rocksdb.num-files-at-level0") == "3")
    }

    @Test func restoringReportsProgress() async throws {
        let db = try open()
        try fill(db)
        let engine = try BackupEngine(path: scene.directory.path("backups"))
        try engine.createBackup(of: db)
        let size = try #require(try engine.backups().first?.size)
        for limit in [ByteCount.zero, .mebibytes(500)] {
            var options = BackupOptions()
            options.restoreRateLimit = limit
            let limited = try BackupEngine(path: scene.directory.path("backups"), options: options)
            let reported = Box<[ByteCount]>([])
            try limited.restore(to: scene.directory.path("restored")) { sum in reported.update { $0.append(sum) } }
            #expect(reported.value == reported.value.sorted() && reported.value.count > 3)
            #expect(reported.value.last == size)
            reported.value = []
            try await limited.restoreInBackground(to: scene.directory.path("restored")) { sum in reported.update { $0.append(sum) } }
            #expect(reported.value.last == size)
        }
        // Using the engine from there would wait for itself.
        let refused = Box(RocksError.Code?.none)
        try engine.restore(to: scene.directory.path("restored")) { [engine] _ in
            do throws(RocksError) { _ = try engine.backups() } catch { refused.value = error.code }
        }
        #expect(refused.value == .invalidArgument)
    }

    @Test func automaticCompactionsAreWaitedFor() async throws {
        var options = ColumnFamilyOptions()
        options["level0_file_num_compaction_trigger"] = "2"
        let db = try scene.open(options)
        func files() throws -> Int { try db.property("rocksdb.num-files-at-level0").flatMap(Int.init) ?? -1 }
        for _ in 0..<5 {
            try fill(db)
            try db.flush(nil, waits: false)
            try db.waitForCompactions()
            #expect(try (0..<2).contains(files()))
            try fill(db)
            try await db.waitForCompactionsInBackground(timeout: .seconds(600))
            #expect(try (0..<2).contains(files()))
        }
        try db.close()
        #expect(code { try db.waitForCompactions() } == .closed)
    }

    /// Added to the time, they would be too long.
    @Test(arguments: [Duration.seconds(1e20), Duration(attoseconds: .max), Duration(attoseconds: .min)])
    func waitsOfAnyLength(_ timeout: Duration) async throws {
        let db = try scene.open()
        try db.waitForCompactions(timeout: timeout)
        try await db.waitForCompactionsInBackground(timeout: timeout)
    }

    @Test func waitsWithoutAnEnd() async throws {
        let options = [
            "compacting": ["disable_auto_compactions": "false"], "idle": ["disable_auto_compactions": "true"],
        ].mapValues { settings in
            var options = ColumnFamilyOptions()
            options["level0_file_num_compaction_trigger"] = "2"
            for (name, value) in settings { options[name] = value }
            return options
        }
        let db = try scene.open(ColumnFamilyOptions(), options, options: .creating)
        // What is not compacted is not waited for.
        try fill(db.columnFamily("idle"))
        try db.waitForCompactions()
        let compacting = try db.columnFamily("compacting")
        try compacting.setColumnFamilyOptions { $0.disableAutoCompactions = true }
        try fill(compacting)
        try db.waitForCompactions()
        try db.withBackgroundWorkPaused {
            try compacting.setColumnFamilyOptions { $0.disableAutoCompactions = false }
            #expect(code { try db.waitForCompactions(timeout: .milliseconds(20)) } == .timedOut)
        }
        try db.waitForCompactions()
        #expect(try compacting.property("rocksdb.num-files-at-level0") == "0")

        // Cancelled, while there is no end in sight.
        try fill(compacting)
        let isPaused = AsyncStream<Void>.makeStream(), goesOn = DispatchSemaphore(value: 0)
        Thread {
            _ = try? db.withBackgroundWorkPaused {
                try? compacting.setColumnFamilyOptions { $0["level0_file_num_compaction_trigger"] = "1" }
                isPaused.continuation.yield()
                goesOn.wait()
            }
            isPaused.continuation.finish()
        }.start()
        var states = isPaused.stream.makeAsyncIterator()
        await states.next()
        let task = Task { () -> RocksError.Code? in
            do throws(RocksError) { try await db.waitForCompactionsInBackground() } catch { return error.code }
            return nil
        }
        task.cancel()
        #expect(await task.value == .incomplete)
        goesOn.signal()
        await states.next()
    }
}
