import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

struct DatabaseEventsTests {
    let scene = try! Scene()

    private func options(_ events: DatabaseEvents) -> DatabaseOptions {
        var options = DatabaseOptions(createIfMissing: true)
        options.events = events
        return options
    }

    /// Everything that is left in a stream which has ended.
    private func all(_ stream: DatabaseEventStream) async -> [DatabaseEvent] {
        var events: [DatabaseEvent] = []
        for await event in stream { events.append(event) }
        return events
    }

    /// The events of a database's life, from a stream that was made before.
    private func story(
        fileOperations: Bool = false,
        _ families: ColumnFamilyOptions = ColumnFamilyOptions(),
        _ body: (RocksDB) throws -> Void
    ) async throws -> [DatabaseEvent] {
        let events = DatabaseEvents(includesFileOperations: fileOperations)
        let stream = events.stream(limit: 100_000)
        let db = try scene.open(families, options: options(events))
        try body(db)
        try db.close()
        return await all(stream)
    }

    @Test func flushesAndCompactions() async throws {
        let events = try await story { db in
            let family = try db.createColumnFamily("songs")
            for round in 0..<2 {
                for number in 0..<100 { try family.put("\(round)", for: "\(number)") }
                try family.delete("nobody")
                try family.flush()
            }
            try family.compact()
        }
        var kinds: [String] = []
        for event in events {
            switch event {
            case .memtableSealed(let memtable):
                kinds.append("sealed")
                #expect(memtable.columnFamily == "songs" && memtable.entryCount == 101 && memtable.deletionCount == 1)
            case .flushBegan(let flush):
                kinds.append("flush")
                #expect(flush.columnFamily == "songs" && flush.reason == "kManualFlush")
            case .tableFileCreationBegan(let file):
                kinds.append("file")
                #expect(file.columnFamily == "songs" && file.size == .zero)
            case .tableFileCreated(let file):
                kinds.append("created")
                #expect(file.columnFamily == "songs" && file.error == nil && file.size > .zero && file.path.hasSuffix(".sst"))
                #expect(["kFlush", "kCompaction"].contains(file.reason) && file.entryCount == (file.reason == "kFlush" ? 101 : 100))
            case .flushCompleted(let flush):
                kinds.append("flushed")
                #expect(flush.columnFamily == "songs" && flush.columnFamilyID == 1 && flush.path.hasSuffix(".sst"))
                #expect(flush.sequenceNumbers.count == 101 && flush.entryCount == 101 && flush.deletionCount == 1)
                #expect(!flush.slowsWrites && !flush.stopsWrites && flush.threadID != 0)
            case .compactionBegan(let compaction):
                kinds.append("compaction")
                #expect(compaction.inputs.count == 2 && compaction.inputs.allSatisfy { $0.level == 0 })
            case .subcompactionBegan: kinds.append("part")
            case .subcompactionCompleted(let part):
                kinds.append("parted")
                #expect(part.error == nil)
            case .compactionCompleted(let compaction):
                kinds.append("compacted")
                #expect(compaction.columnFamily == "songs" && compaction.reason == "kManualCompaction" && compaction.isManual)
                #expect(compaction.inputs.count == 2 && compaction.outputs.count == 1 && compaction.error == nil)
                #expect(compaction.inputLevel == 0 && compaction.outputLevel == compaction.outputs.first?.level)
                #expect(compaction.inputEntryCount == 202 && compaction.outputEntryCount == 100 && compaction.inputDeletionCount == 2)
                #expect(compaction.inputSize > compaction.outputSize && compaction.outputSize > .zero && compaction.duration > .zero)
            case .tableFileDeleted(let file):
                kinds.append("deleted")
                #expect(file.error == nil && file.path.hasSuffix(".sst"))
            case .columnFamilyReleased(let name, let id):
                kinds.append("released")
                #expect([("songs", 1), ("default", 0)].contains { $0 == (name, Int(id)) })
            case .stallChanged: break
            default: Issue.record("unexpected: \(event)")
            }
        }
        let flush = ["sealed", "flush", "file", "created", "flushed"]
        #expect(
            kinds.filter { !["deleted", "part", "parted", "released"].contains($0) } == flush + flush + [
                "compaction", "file", "created", "compacted",
            ]
        )
        #expect(kinds.filter { $0 == "deleted" }.count == 2 && kinds.contains("released"))
    }

    @Test func blobFiles() async throws {
        var families = ColumnFamilyOptions()
        families.enableBlobFiles = true
        families.enableBlobGarbageCollection = true
        families.blobGarbageCollectionAgeCutoff = 1
        let events = try await story(families) { db in
            try db.put([UInt8](repeating: 1, count: 10_000), for: "a")
            try db.flush()
            try db.put([UInt8](repeating: 2, count: 10_000), for: "a")
            try db.flush()
            try db.compact(options: .init(bottommostLevel: .force))
        }
        let began = events.filter { if case .blobFileCreationBegan = $0 { true } else { false } }
        let created = events.compactMap { if case .blobFileCreated(let file) = $0 { file } else { nil } }
        let deleted = events.compactMap { if case .blobFileDeleted(let file) = $0 { file } else { nil } }
        #expect(created.count >= 2 && began.count == created.count && created.allSatisfy { $0.error == nil && $0.path.hasSuffix(".blob") })
        #expect(created.first?.entryCount == 1 && created.first.map { $0.size > .kibibytes(9) } == true)
        #expect(deleted.contains { $0.path == created.first?.path })
    }

    @Test func fileOperationsOnDemand() async throws {
        let work: (RocksDB) throws -> Void = { db in
            try db.fill("a", "b")
            try db.flush()
            #expect(try db.text("a") == "a")
        }
        func operations(_ events: [DatabaseEvent]) -> [DatabaseEvent.FileOperation] {
            events.compactMap { if case .fileOperation(let operation) = $0 { operation } else { nil } }
        }
        #expect(operations(try await story(.init(), work)).isEmpty)
        let reported = operations(try await story(fileOperations: true, .init(), work))
        #expect(reported.allSatisfy { $0.error == nil && $0.path.hasPrefix(scene.path) })
        #expect(Set(reported.map(\.operation)).isSuperset(of: ["kRead", "kWrite", "kSync", "kClose"]))
        #expect(reported.contains { $0.operation == "kWrite" && $0.path.hasSuffix(".sst") && $0.size > .zero })
    }

    /// Files heap up that nothing compacts.
    @Test func stalls() throws {
        let stalls = Box<[DatabaseEvent.Stall]>([])
        let events = DatabaseEvents { event in
            if case .stallChanged(let stall) = event { stalls.update { $0.append(stall) } }
        }
        var families = ColumnFamilyOptions()
        families.compactionStyle = .none
        families.level0FileCountCompactionTrigger = 2
        families.level0SlowdownWritesTrigger = 2
        families.level0StopWritesTrigger = 1_000
        let db = try scene.open(families, options: options(events))
        for number in 0..<3 {
            try db.put("value", for: "\(number)")
            try db.flush(nil, allowsWriteStall: true)
        }
        // Waits for the threads that report.
        try db.close()
        #expect(stalls.value.first.map { $0.columnFamily == "default" && $0.previous == .normal && $0.current == .delayed } == true)
    }

    /// A merge that fails makes a flush fail.
    @Test func backgroundErrors() async throws {
        let bad = MergeOperator(name: "test.failing") { _, _, _ in nil }
        let events = try await story(ColumnFamilyOptions(mergeOperator: bad)) { db in
            try db.put("1", for: "a")
            try db.merge("2", for: "a")
            #expect(code { try db.flush() } == .corruption)
        }
        let errors = events.compactMap { if case .backgroundError(let error) = $0 { error } else { nil } }
        #expect(errors.first?.reason == "kFlushNoWAL" && errors.first?.error.code == .corruption)
        #expect(errors.first.map { $0.error.severity != .none } == true)
    }

    @Test func aClosure() throws {
        let kinds = Box<[String]>([])
        let events = DatabaseEvents { event in
            if case .flushCompleted(let flush) = event { kinds.update { $0.append(flush.columnFamily) } }
        }
        let db = try scene.open(options: options(events))
        try db.fill("a")
        try db.flush()
        #expect(kinds.value == ["default"])
    }

    @Test func closingFromWithin() throws {
        let target = Box<RocksDB?>(nil), codes = Box<Set<RocksError.Code>>([])
        let events = DatabaseEvents { _ in
            if let db = target.value, let code = code({ try db.close() }) { codes.update { $0.insert(code) } }
        }
        let db = try scene.open(options: options(events))
        target.value = db
        try db.fill("a")
        try db.flush()
        #expect(codes.value == [.busy] && !db.isClosed)
        target.value = nil
        try db.close()
    }

    /// A reader that does not read costs no more memory than it asked for, and holds nothing up.
    @Test func theOldestAreDropped() async throws {
        let events = DatabaseEvents()
        let few = events.stream(limit: 3), many = events.stream(limit: 10_000)
        let db = try scene.open(options: options(events))
        for number in 0..<20 {
            try db.put("1", for: "\(number)")
            try db.flush()
        }
        try db.close()
        let kept = await all(few), everything = await all(many)
        #expect(kept.count == 3 && few.droppedCount == everything.count - 3 && many.droppedCount == 0)
        // The last are the ones kept.
        #expect(kept.map { "\($0)" } == everything.suffix(3).map { "\($0)" })
        #expect(await all(events.stream(limit: -5).cancelledAtOnce()).isEmpty)
    }

    @Test func endings() async throws {
        let events = DatabaseEvents()
        // The last reference closes, too.
        let first = events.stream()
        do { _ = try scene.open(options: options(events)) }
        _ = await all(first)
        // A database that cannot be opened.
        let second = events.stream()
        var refused = options(events)
        refused["no_such_option"] = "1"
        #expect(code { try scene.open(options: refused) } == .invalidOption)
        #expect(await all(second).isEmpty)
        refused = options(events)
        refused.errorIfExists = true
        let third = events.stream()
        #expect(code { try scene.open(options: refused) } == .invalidArgument)
        _ = await all(third)
        // Two databases: the last one ends it.
        let other = try Scene(), shared = events.stream()
        let one = try scene.open(options: options(events)), two = try other.open(options: options(events))
        try one.close()
        try two.fill("a")
        try two.flush()
        try two.close()
        #expect(await all(shared).contains { if case .flushCompleted = $0 { true } else { false } })
    }

    /// A reader in a task of its own that is cancelled, or goes away, harms nobody.
    @Test func readersThatLeave() async throws {
        let events = DatabaseEvents()
        let db = try scene.open(options: options(events))
        let stream = events.stream()
        let reader = Task { () -> Int in
            var count = 0
            for await _ in stream { count += 1 }
            return count
        }
        reader.cancel()
        #expect(await reader.value >= 0)
        do { _ = events.stream() }
        for number in 0..<5 {
            try db.put("1", for: "\(number)")
            try db.flush()
        }
        try db.close()
    }

    @Test func retention() throws {
        weak var weakly: DatabaseEvents?
        var db: RocksDB?
        do {
            let events = DatabaseEvents()
            weakly = events
            db = try scene.open(options: options(events))
        }
        try db?.fill("a")
        #expect(weakly != nil)
        db = nil
        #expect(weakly == nil)
    }

    @Test func readOnlyAndManyThreads() async throws {
        do { try scene.open().fill("a") }
        let events = DatabaseEvents(), stream = events.stream(limit: 10_000)
        var options = options(events)
        do {
            let db = try RocksDB(path: scene.path, options: options, mode: .readOnly)
            #expect(try db.text("a") == "a")
        }
        _ = await all(stream)
        let second = events.stream(limit: 10_000)
        options.maxBackgroundJobs = 4
        var families = ColumnFamilyOptions()
        families.writeBufferSize = .kibibytes(64)
        let db = try scene.open(families, options: options)
        try await onThreads(4) { thread in
            for number in 0..<500 { try db.put([UInt8](repeating: 1, count: 200), for: "\(thread) \(number)") }
        }
        try db.close()
        #expect(await all(second).contains { if case .flushCompleted = $0 { true } else { false } })
    }
}

extension DatabaseEventStream {
    /// Ended without a database.
    fileprivate func cancelledAtOnce() async -> DatabaseEventStream {
        let task = Task { for await _ in self {} }
        task.cancel()
        await task.value
        return self
    }
}
