import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

// What the tests of ObjectiveRocks 0.11 assert, asserted here: one test for each of its tests, class by class.

@Suite struct ParityBasicsTests {
    let scene: Scene
    init() throws { scene = try Scene() }

    @Test func `opening an existing database with errorIfExists fails`() throws {
        try scene.open().close()
        var options = DatabaseOptions(createIfMissing: true)
        options.errorIfExists = true
        #expect(code { try scene.open(options: options) } == .invalidArgument)
    }

    @Test func `a database says whether it is closed`() throws {
        let db = try scene.open()
        #expect(!db.isClosed)
        try db.close()
        #expect(db.isClosed)
    }

    @Test func `put, get and delete with default read and write options`() throws {
        var readOptions = ReadOptions()
        readOptions.fillCache = true
        readOptions.verifyChecksums = true
        let db = try RocksDB(
            path: scene.path,
            options: .init(createIfMissing: true),
            readOptions: readOptions,
            writeOptions: .synced
        )
        for number in 1...3 { try db.put("value \(number)", for: "key \(number)") }
        for number in 1...3 { #expect(try db.text("key \(number)") == "value \(number)") }
        try db.delete("key 2")
        #expect(try db.text("key 2") == nil)
        try db.delete("key 2")
        #expect(db.defaultColumnFamily.writeOptions == .synced)
    }
}

@Suite struct ParityReadOnlyTests {
    let scene: Scene
    init() throws { scene = try Scene() }

    @Test func `opening a missing database for reading only fails`() {
        #expect(code { try RocksDB(path: scene.path, options: .init(createIfMissing: true), mode: .readOnly) } == .notFound)
    }

    @Test func `an existing database opens for reading only`() throws {
        try scene.open().close()
        #expect(throws: Never.self) { try RocksDB(path: scene.path, mode: .readOnly) }
    }

    @Test func `a read-only database is read and refuses put, delete and merge`() throws {
        let writer = try scene.open()
        try writer.put("data", for: "key")
        try writer.close()
        var options = ColumnFamilyOptions()
        options.mergeOperator = try MergeOperator(named: "put")
        let db = try RocksDB(path: scene.path, columnFamilyOptions: options, mode: .readOnly)
        #expect(try db.text("key") == "data")
        #expect(code { try db.put("data", for: "key") } == .readOnly)
        #expect(code { try db.delete("key") } == .readOnly)
        #expect(code { try db.merge("data", for: "key") } == .readOnly)
    }
}

@Suite struct ParityWriteBatchTests {
    let scene: Scene
    let db: RocksDB
    init() throws {
        scene = try Scene()
        var options = ColumnFamilyOptions()
        options.mergeOperator = try MergeOperator(named: "stringappend")
        db = try scene.open(options)
        try db.put("value 1", for: "key 1")
    }

    /// What a batch is filled with, and what is there afterwards.
    struct Recipe: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fill: @Sendable (WriteBatch) -> Void
        let result: [String]
    }

    static let recipes = [
        Recipe(
            testDescription: "puts",
            fill: {
                $0.put("value 2", for: "key 2"); $0.put("value 3", for: "key 3")
            },
            result: ["key 1=value 1", "key 2=value 2", "key 3=value 3"]
        ),
        Recipe(
            testDescription: "deletions",
            fill: {
                $0.delete("key 1"); $0.put("value 2", for: "key 2"); $0.put("value 3", for: "key 3")
            },
            result: ["key 2=value 2", "key 3=value 3"]
        ),
        Recipe(
            testDescription: "clear",
            fill: {
                $0.delete("key 1")
                $0.put("value 2", for: "key 2")
                $0.clear()
                $0.put("value 4", for: "key 4")
            },
            result: ["key 1=value 1", "key 4=value 4"]
        ),
    ]

    @Test(arguments: recipes) func `a batch filled in a closure is written whole`(recipe: Recipe) throws {
        try db.write { recipe.fill($0) }
        #expect(try db.pairTexts() == recipe.result)
    }

    @Test(arguments: recipes) func `a batch of its own is written whole`(recipe: Recipe) throws {
        let batch = db.makeBatch()
        recipe.fill(batch)
        try db.write(batch)
        #expect(try db.pairTexts() == recipe.result)
    }

    @Test func `a batch merges`() throws {
        let batch = db.makeBatch()
        batch.delete("key 1")
        batch.put("value 2", for: "key 2")
        batch.merge("value 2 new", for: "key 2")
        try db.write(batch)
        #expect(try db.pairTexts() == ["key 2=value 2,value 2 new"])
    }

    @Test func `a batch counts each operation, the same twice too`() {
        let batch = db.makeBatch()
        batch.delete("key 1")
        #expect(batch.count == 1)
        batch.put("value 2", for: "key 2")
        batch.put("value 3", for: "key 3")
        #expect(batch.count == 3)
        batch.clear()
        #expect(batch.count == 0)
        batch.put("value 2", for: "key 3")
        batch.put("value 3", for: "key 3")
        #expect(batch.count == 2)
        batch.delete("key 3")
        #expect(batch.count == 3)
    }
}

@Suite struct ParitySnapshotTests {
    let scene: Scene
    let db: RocksDB
    init() throws {
        scene = try Scene()
        db = try scene.open()
        try db.fill("1", "2", "3")
    }

    @Test func `a snapshot keeps what is deleted and misses what is new; closed, it throws instead of reading live data`() throws {
        let snapshot = try db.makeSnapshot()
        try db.delete("1")
        try db.put("4", for: "4")
        #expect(try snapshot.text("1") == "1")
        #expect(try snapshot.text("4") == nil)
        snapshot.close()
        #expect(code { try snapshot.get("1") } == .closed)
        #expect(try db.text("1") == nil)
        #expect(try db.text("4") == "4")
    }

    @Test func `a walk over a snapshot sees the old keys; closed, it throws`() throws {
        let snapshot = try db.makeSnapshot()
        try db.delete("1")
        try db.put("4", for: "4")
        #expect(try snapshot.keyTexts() == ["1", "2", "3"])
        snapshot.close()
        #expect(code { try snapshot.keys() } == .closed)
        #expect(try db.keyTexts() == ["2", "3", "4"])
    }

    @Test func `snapshots tell the number of the last write`() throws {
        let fresh = try Scene()
        let db = try fresh.open()
        for number in 1...3 {
            try db.put("value", for: "key \(number)")
            #expect(try db.makeSnapshot().sequenceNumber == UInt64(number))
        }
    }

    @Test func `checkpoints hold what was there when they were made`() throws {
        let fresh = try Scene()
        let db = try fresh.open()
        let (first, second) = (fresh.directory.path("first"), fresh.directory.path("second"))
        try db.put("value 1", for: "key 1")
        try db.makeCheckpoint(at: first)
        try db.put("value 2", for: "key 2")
        try db.makeCheckpoint(at: second)
        try db.close()
        #expect(try RocksDB(path: first).pairTexts() == ["key 1=value 1"])
        #expect(try RocksDB(path: second).pairTexts() == ["key 1=value 1", "key 2=value 2"])
    }
}
