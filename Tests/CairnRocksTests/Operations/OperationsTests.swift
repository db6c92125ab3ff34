import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// Compaction, checkpoints, live options, repair, destruction.
struct OperationsTests {
    let scene = try! Scene()

    private func fill(_ db: RocksDB, _ range: Range<Int>) throws {
        for number in range { try db.put("value \(number)", for: "key \(number)") }
        try db.flush()
    }

    /// Files in level 0, which automatic compaction would empty in its own time.
    private func filesInLevelZero(_ db: RocksDB) throws -> String? { try db.property("rocksdb.num-files-at-level0") }

    private func openWithoutCompaction() throws -> RocksDB {
        var options = ColumnFamilyOptions()
        options.disableAutoCompactions = true
        return try scene.open(options)
    }

    @Test func compactingWithoutBoundsTakesEverything() throws {
        let db = try openWithoutCompaction()
        for start in [0, 100, 200] { try fill(db, start..<start + 150) }
        #expect(try filesInLevelZero(db) == "3")
        try db.compact()
        #expect(try filesInLevelZero(db) == "0")
        #expect(try db.count() == 350)
    }

    @Test(arguments: [
        ScanRange.prefix("key 1"), .from("key 10", to: "key 12"), .from("key 12", to: "key 10").reversed, .keys(KeyRange(prefix: "key 11")),
    ])
    func compactingARangeTakesItsFiles(range: ScanRange) throws {
        let db = try openWithoutCompaction()
        for _ in 0..<3 { try fill(db, 100..<120) }
        try fill(db, 700..<720)
        try db.compact(range)
        #expect(try filesInLevelZero(db) == "1")
        #expect(try db.count() == 40)
    }

    @Test func compactingToALevelThatIsNotThere() throws {
        let db = try openWithoutCompaction()
        try fill(db, 0..<10)
        var options = CompactOptions(bottommostLevel: .force)
        options.changesLevel = true
        options.targetLevel = 3
        try db.compact(options: options)
        #expect(try db.property("rocksdb.num-files-at-level3") == "1")
        options.targetLevel = 100
        #expect(code { try db.compact(options: options) } == .invalidArgument)
        #expect(try db.count() == 10)
    }

    @Test func compactingInTheBackground() async throws {
        let db = try openWithoutCompaction()
        for _ in 0..<3 { try fill(db, 0..<100) }
        try await db.compactInBackground(options: CompactOptions(bottommostLevel: .force))
        #expect(try filesInLevelZero(db) == "0")

        // A task that is cancelled before it begins compacts nothing.
        for _ in 0..<3 { try fill(db, 0..<100) }
        let task = Task { () -> RocksError.Code? in
            while !Task.isCancelled { await Task.yield() }
            do throws(RocksError) { try await db.compactInBackground() } catch { return error.code }
            return nil
        }
        task.cancel()
        #expect(await task.value == .incomplete)
        #expect(try filesInLevelZero(db) == "3")
        #expect(try db.count() == 100)
    }

    @Test func sizes() throws {
        let db = try scene.open()
        #expect(try db.approximateSize(from: "a", to: "z") == .zero)
        var generator = SeededGenerator(seed: 1)
        for number in 100..<200 { try db.put(generator.bytes(10_000), for: "key \(number)") }
        try db.flush()
        let all = try db.approximateSize(from: "key 100", to: "key 200")
        let half = try db.approximateSize(from: "key 100", to: "key 150")
        #expect(all > .kilobytes(900) && all < .kilobytes(1_100))
        #expect(half > .kilobytes(400) && half < .kilobytes(600))
        #expect(try db.approximateSize(from: "key 150", to: "key 100") == .zero)
    }

    @Test func checkpointsKeepTheirMoment() throws {
        let db = try scene.open()
        try db.put("1", for: "a")
        let first = scene.directory.path("first"), second = scene.directory.path("second")
        #expect(try db.makeCheckpoint(at: first) == 1)
        try db.put("2", for: "b")
        try db.makeCheckpoint(at: second, flushAbove: .mebibytes(1))
        try db.put("3", for: "c")
        #expect(code { try db.makeCheckpoint(at: first) } == .invalidArgument)
        #expect(code { try db.makeCheckpoint(at: "x\0y") } == .invalidArgument)
        let files = try FileSystem.system.list(scene.path).sorted()
        for name in ["copy", "copy/", "../db/copy"] {
            let error = failure { try db.makeCheckpoint(at: scene.path + "/" + name) }
            #expect(error?.code == .invalidArgument && error?.message.contains("inside the directory of the database") == true, "\(name)")
        }
        #expect(try FileSystem.system.list(scene.path).sorted() == files)
        #expect(try RocksDB(path: first).keyTexts() == ["a"])
        #expect(try RocksDB(path: second).keyTexts() == ["a", "b"])
        #expect(try db.keyTexts() == ["a", "b", "c"])
    }

    @Test func checkpointInTheBackground() async throws {
        let db = try scene.open()
        try db.put("1", for: "a")
        let path = scene.directory.path("copy")
        try await db.makeCheckpointInBackground(at: path)
        #expect(try RocksDB(path: path).text("a") == "1")
    }

    @Test func flushingTheLog() throws {
        var options = DatabaseOptions(createIfMissing: true)
        options["manual_wal_flush"] = "true"
        let db = try scene.open(options: options)
        try db.put("1", for: "a")
        // Still in this process's memory: a copy of the directory does not have it.
        func copyHasIt(_ name: String) throws -> Bool {
            try FileManager.default.copyItem(atPath: scene.path, toPath: scene.directory.path(name))
            return try RocksDB(path: scene.directory.path(name)).contains("a")
        }
        #expect(try !copyHasIt("before"))
        try db.flushLog()
        #expect(try copyHasIt("after"))
    }

    @Test func destroying() throws {
        var db: RocksDB? = try scene.open()
        try db?.createColumnFamily("songs").put("1", for: "a")
        try db?.flush()
        #expect(code { try RocksDB.destroy(path: scene.path) } == .locked)
        #expect(try db?.columnFamily("songs").text("a") == "1")
        db = nil
        try RocksDB.destroy(path: scene.path)
        #expect(code { try RocksDB(path: scene.path) } == .notFound)
        try RocksDB.destroy(path: scene.path)
    }

    @Test func repairingALostManifest() throws {
        do {
            let db = try scene.open()
            try fill(db, 0..<100)
            try db.put("in the log", for: "last")
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: scene.path) where name.hasPrefix("MANIFEST") || name == "CURRENT" {
            try FileManager.default.removeItem(atPath: scene.path + "/" + name)
        }
        #expect(code { try RocksDB(path: scene.path) } == .corruption)
        try RocksDB.repair(path: scene.path)
        let db = try RocksDB(path: scene.path)
        #expect(try db.count() == 101)
        #expect(try db.text("last") == "in the log")
        #expect(code { try RocksDB.repair(path: scene.path) } == .locked)
    }

    /// Also a column family that is not given, of which RocksDB learns only from a sorted file. Without a manifest, the options file names it.
    @Test(arguments: [true, false]) func repairKeepsWhatIsInTheLogOfOtherColumnFamilies(hasManifest: Bool) throws {
        do {
            let db = try scene.open()
            let songs = try db.createColumnFamily("songs")
            try songs.put("in a file", for: "a")
            try songs.flush()
            try songs.put("in the log", for: "b")
        }
        if !hasManifest {
            for name in try FileManager.default.contentsOfDirectory(atPath: scene.path) where name.hasPrefix("MANIFEST") {
                try FileManager.default.removeItem(atPath: scene.path + "/" + name)
            }
        }
        try RocksDB.repair(path: scene.path)
        let db = try RocksDB(path: scene.path)
        #expect(try db.columnFamily("songs").text("a") == "in a file")
        #expect(try db.columnFamily("songs").text("b") == "in the log")
    }
}
