import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// What still refers to a column family when it is dropped.
struct DroppedColumnFamilyTests {
    let scene = try! Scene()

    @Test func everyVerbThrows() throws {
        let db = try scene.open()
        let family = try db.createColumnFamily("a", options: .init(mergeOperator: MergeOperator(named: "stringappend")))
        try family.put("1", for: "a")
        let snapshot = try family.makeSnapshot()
        try db.dropColumnFamily("a")

        let verbs: [(String, () throws -> Void)] = [
            ("get", { _ = try family.get("a") }), ("withValue", { _ = try family.withValue(for: "a") { _ in } }),
            ("contains", { _ = try family.contains("a") }), ("multiGet", { _ = try family.multiGet(["a"]) }),
            ("keyMayExist", { _ = try family.keyMayExist("a") }), ("makeCursor", { _ = try family.makeCursor() }),
            ("keys", { _ = try family.keys() }), ("put", { try family.put("2", for: "a") }), ("delete", { try family.delete("a") }),
            ("merge", { try family.merge("2", for: "a") }), ("singleDelete", { try family.singleDelete("a") }),
            ("deleteRange", { try family.deleteRange(from: "a", to: "b") }), ("flush", { try family.flush() }),
            ("property", { _ = try family.property("rocksdb.stats") }),
            ("intProperty", { _ = try family.intProperty("rocksdb.estimate-num-keys") }),
            ("options", { _ = try family.currentColumnFamilyOptions() }), ("snapshot.get", { _ = try snapshot.get("a") }),
            ("snapshot.keys", { _ = try snapshot.keys() }), ("write", { try family.write { $0.put("2", for: "a") } }),
        ]
        for (name, verb) in verbs { #expect(code(verb) == .columnFamilyDropped, "\(name)") }

        // The snapshot is the database's, and so are the batches of others.
        #expect(try snapshot.in(db.defaultColumnFamily).keys().isEmpty)
        try family.write(WriteBatch())
        #expect(family.name == "a" && family.id == 1)
        snapshot.close()
        try db.close()
    }

    @Test func cursorsReadOn() throws {
        let db = try scene.open()
        let family = try db.createColumnFamily("a")
        try family.fill("a", "b")
        try family.flush()
        try family.fill("c")
        var cursor = try family.makeCursor()
        #expect(try cursor.perform(.next) == "a")
        try db.dropColumnFamily("a")
        #expect(try cursor.perform(.next) == "b")
        #expect(try cursor.perform(.last) == "c")
        #expect(try cursor.perform(.previous) == "b")
        cursor.close()
    }

    @Test func lentValuesStay() throws {
        let db = try scene.open()
        let family = try db.createColumnFamily("a")
        try family.put("value", for: "a")
        try family.flush()
        let text = try family.withValue(for: "a") { value in
            try db.dropColumnFamily("a")
            try db.flush()
            return try String(copying: value)
        }
        #expect(text == "value")
    }

    @Test func aBatchThatNamesItIsRefusedWhole() throws {
        let db = try scene.open()
        let family = try db.createColumnFamily("a")
        let batch = db.makeBatch()
        batch.put("1", for: "before")
        batch.in(family).put("1", for: "a")
        batch.put("1", for: "after")
        try db.dropColumnFamily("a")
        #expect(code { try db.write(batch) } == .invalidArgument)
        #expect(try db.keys().isEmpty)
        // Adding to a column family that is gone fails at once, and is kept.
        let late = db.makeBatch()
        late.in(family).put("1", for: "a")
        #expect(late.failure?.code == .columnFamilyDropped)
        #expect(code { try db.write(late) } == .columnFamilyDropped)
        // Other writes still work, now and after opening again.
        try db.put("1", for: "b")
        try db.close()
        #expect(try scene.open().pairTexts() == ["b=1"])
    }

    @Test func aBatchMaySkipIt() throws {
        let db = try scene.open()
        let family = try db.createColumnFamily("a")
        let batch = db.makeBatch()
        batch.in(family).put("1", for: "a")
        batch.put("1", for: "b")
        try db.dropColumnFamily("a")
        var options = WriteOptions()
        options.ignoresMissingColumnFamilies = true
        try db.write(batch, options: options)
        #expect(try db.pairTexts() == ["b=1"])
    }

    @Test func itOutlivesItsDatabaseObject() throws {
        let family: ColumnFamily
        do { family = try scene.open().createColumnFamily("a") }
        // The database stays open as long as its column family is referred to.
        try family.put("1", for: "a")
        #expect(try family.text("a") == "1")
        #expect(code { try scene.open() } == .locked)
    }
}
