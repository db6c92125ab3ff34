import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// What each way to write makes the disk confirm: exactly these files and directories, no fewer and no more; and RocksDB counts as many syncs of its
/// log.
@Suite(.enabled(if: Syncs.areRecorded, "only on Linux can tests see which files are synced")) struct SyncTests {
    private let scene: Scene
    private let statistics: Statistics

    init() throws {
        scene = try Scene()
        statistics = try Statistics()
    }

    private var options: DatabaseOptions {
        var options = DatabaseOptions(createIfMissing: true)
        options.createMissingColumnFamilies = true
        options.statistics = statistics
        return options
    }

    /// Which files `body` has synced. Those of the log are counted by RocksDB too.
    private func syncs(_ body: () throws -> Void) throws -> [String] {
        let before = try #require(statistics.count(of: .walFileSynced))
        let syncs = try Syncs.made(below: scene.directory.path, during: body)
        #expect(statistics.count(of: .walFileSynced) == before + UInt64(syncs.count { $0.hasSuffix(".log") }), "\(syncs)")
        return syncs
    }

    /// Of a write with one of the durabilities, the log is synced once, or nothing.
    private func check(_ durability: Durability, _ ways: [(name: String, write: () throws -> Void)]) throws {
        for (name, write) in ways { #expect(try syncs(write) == (durability == .synced ? ["db/*.log"] : []), "\(name)") }
    }

    @Test(arguments: Durability.allCases) func eachWayToWrite(durability: Durability) throws {
        let merging = ColumnFamilyOptions(mergeOperator: try MergeOperator(named: "stringappend"))
        let db = try scene.open(merging, ["other": ColumnFamilyOptions()], options: options)
        let table = try db.table("typed", key: String.self, value: Int.self, codec: .littleEndian)
        let wanted = WriteOptions(durability: durability)
        let other = try db.columnFamily("other"), always = other.with(writeOptions: wanted)
        // What a database creates, it syncs; from here on, only the log is.
        try db.put("1", for: "a", options: .synced)
        try check(
            durability,
            [
                ("put", { try db.put("1", for: "a", options: wanted) }),
                ("delete", { try db.delete("a", options: wanted) }),
                ("singleDelete", { try db.singleDelete("once", options: wanted) }),
                ("deleteRange", { try db.deleteRange(from: "a", to: "b", options: wanted) }),
                ("merge", { try db.merge("1", for: "m", options: wanted) }),
                ("putEntity", { try other.putEntity(["column": "1"], for: "e", options: wanted) }),
                ("column family", { try other.put("1", for: "a", options: wanted) }),
                ("column family with options", { try always.put("1", for: "a") }),
                ("table", { try table.put(1, for: "a", options: wanted) }),
                ("table with options", { try table.with(writeOptions: wanted).delete("a") }),
                (
                    "batch of several column families",
                    {
                        let batch = db.makeBatch()
                        for key in ["a", "b", "c"] { batch.put("1", for: key) }
                        batch.in(other).put("2", for: "a")
                        try db.write(batch, options: wanted)
                    }
                ),
                ("batch in a closure", { try db.write(options: wanted) { $0.put("1", for: "a") } }),
                (
                    "indexed batch",
                    {
                        let batch = try db.makeIndexedBatch()
                        batch.put("1", for: "a")
                        try db.write(batch, options: wanted)
                    }
                ),
                (
                    "batch from elsewhere",
                    {
                        let batch = WriteBatch()
                        batch.put("1", for: "a")
                        try db.write(WriteBatch(data: batch.data), options: wanted)
                    }
                ),
            ]
        )
        // Reading waits for nothing.
        #expect(try syncs { _ = try (db.get("a"), other.keys(), db.makeSnapshot().get("a")) } == [])
    }

    @Test(arguments: 0..<2, Durability.allCases) func transactions(mode: Int, durability: Durability) throws {
        let db = try scene.open(transactionModes[mode], options: options)
        let wanted = WriteOptions(durability: durability)
        try db.put("1", for: "a", options: .synced)
        try check(
            durability,
            [
                ("put", { try db.put("1", for: "a", options: wanted) }),
                (
                    "transaction",
                    {
                        let transaction = try db.makeTransaction(writeOptions: wanted)
                        for key in ["a", "b", "c"] { try transaction.put("2", for: key) }
                        try transaction.commit()
                    }
                ),
                ("transaction in a closure", { try db.withTransaction(writeOptions: wanted) { try $0.put("3", for: "a") } }),
                (
                    "database with options",
                    { try db.defaultColumnFamily.with(writeOptions: wanted).withTransaction { try $0.put("3", for: "a") } }
                ),
            ]
        )
        #expect(
            try syncs {
                let transaction = try db.makeTransaction(writeOptions: wanted)
                try transaction.put("4", for: "a")
                try transaction.rollback()
            } == []
        )
    }

    /// Both phases are on the disk when their calls return.
    @Test(arguments: [Durability.synced, .buffered]) func twoPhases(durability: Durability) throws {
        let db = try scene.open(.transactions(), options: options)
        try db.put("1", for: "a", options: .synced)
        let transaction = try db.makeTransaction(writeOptions: WriteOptions(durability: durability))
        try transaction.setName("first")
        try transaction.put("2", for: "a")
        try check(durability, [("prepare", { try transaction.prepare() }), ("commit", { try transaction.commit() })])
    }

    @Test func theLogOnRequest() throws {
        let db = try scene.open(options: options)
        try db.put("1", for: "a", options: .synced)
        try db.put("2", for: "a")
        #expect(try syncs { try db.flushLog(syncs: false) } == [])
        #expect(try syncs { try db.flushLog() } == ["db/*.log"])
        #expect(try syncs { try db.close() } == [])
    }

    /// Files are on the disk before the list of files, or the database, names them.
    @Test func files() throws {
        let db = try scene.open(options: options)
        try db.fill("a", "c")
        #expect(try syncs { try db.flush() } == ["db/*.sst", "db", "db/MANIFEST-*"])
        try db.fill("b")
        try db.flush()
        let compacted = try syncs { try db.compact() }
        #expect(compacted == ["db/*.sst", "db", "db/MANIFEST-*"])
        let file = scene.directory.path("new.sst")
        let written = try syncs {
            let writer = try SSTFileWriter(path: file)
            try writer.put("1", for: "d")
            try writer.finish()
        }
        #expect(written == ["new.sst"])
        // RocksDB first notes the number that the file gets.
        #expect(try syncs { try db.ingest([file]) } == ["db/MANIFEST-*", "db/*.sst", "db", "db/MANIFEST-*"])
        let family = ["db/MANIFEST-*", "db/OPTIONS-*.dbtmp", "db"]
        #expect(try syncs { try db.createColumnFamily("x") } == family)
        #expect(try syncs { try db.dropColumnFamily("x") } == family)
    }

    /// A checkpoint is on the disk, under its name, when the call returns.
    @Test func checkpoints() throws {
        let db = try scene.open(options: options)
        try db.put("1", for: "a")
        let syncs = try syncs { try db.makeCheckpoint(at: scene.directory.path("checkpoint")) }
            .map { $0.replacing(#/^checkpoint\.[^/]+/new(\.tmp)?/#, with: "new") }
        #expect(syncs == ["db/*.sst", "db", "db/MANIFEST-*", "new/MANIFEST-*", "new/CURRENT", "new", "."])
    }

    /// Each file of a backup is on the disk before the backup is listed. Before a restore deletes the files of a database, the disk confirms that it
    /// cannot be opened any more.
    @Test(arguments: [true, false]) func backups(syncs isSynced: Bool) throws {
        let db = try scene.open(options: options)
        for key in ["a", "b", "c"] {
            try db.put("1", for: key)
            try db.flush()
        }
        var options = BackupOptions()
        options.syncs = isSynced
        let engine = try BackupEngine(path: scene.directory.path("backups"), options: options)
        let made = try syncs { try engine.createBackup(of: db) }
        #expect(made.count { $0.hasSuffix(".sst.tmp") } == (isSynced ? 3 : 0))
        let others = made.filter { !$0.hasSuffix(".sst.tmp") }
        let files = ["private/*/MANIFEST-*", "private/*/CURRENT", "private/*/OPTIONS-*", "meta/.*.tmp"]
        let directories = ["private/*", "private", "meta", "shared_checksum"]
        #expect(others == (isSynced ? (files + directories).map { "backups/" + $0 } + ["backups"] : []))

        let tables = [String](repeating: "restored/*.sst", count: 3)
        let all = tables + ["restored/MANIFEST-*", "restored/CURRENT.tmp", "restored/OPTIONS-*", "restored", "restored"]
        func restore() throws -> [String] { try syncs { try engine.restore(to: scene.directory.path("restored")) } }
        #expect(try restore() == (isSynced ? all : []))
        #expect(try restore() == ["restored"] + (isSynced ? all : []))
        #expect(try RocksDB(path: scene.directory.path("restored")).keyTexts() == ["a", "b", "c"])
    }
}
