import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

struct CloseTests {
    let scene = try! Scene()

    @Test func closedAndOpened() throws {
        let db = try scene.open()
        #expect(!db.isClosed)
        try db.fill("a")
        try db.close()
        #expect(db.isClosed)
        try db.close()
        #expect(db.isClosed)
        #expect(try scene.open().keyTexts() == ["a"])
    }

    @Test func everyVerbThrowsAfterwards() throws {
        let db = try scene.open(ColumnFamilyOptions(mergeOperator: MergeOperator(named: "max")))
        let family = try db.createColumnFamily("a")
        let snapshot = try db.makeSnapshot(), batch = family.makeBatch()
        batch.put("1", for: "a")
        let table = family.table(key: String.self, value: String.self, codec: .utf8)
        snapshot.close()
        try db.close()

        for store in [db.defaultColumnFamily, family] {
            let verbs: [(String, () throws -> Void)] = [
                ("get", { _ = try store.get("a") }), ("get text", { _ = try store.text("a") }),
                ("contains", { _ = try store.contains("a") }),
                ("withValue", { _ = try store.withValue(for: "a") { _ in } }), ("multiGet", { _ = try store.multiGet(["a"]) }),
                ("keyMayExist", { _ = try store.keyMayExist("a") }), ("makeCursor", { _ = try store.makeCursor() }),
                ("forEach", { try store.forEach { _, _ in } }), ("entries", { _ = try store.entries() }),
                ("count", { _ = try store.count() }),
                ("put", { try store.put("1", for: "a") }), ("delete", { try store.delete("a") }),
                ("merge", { try store.merge("1", for: "a") }),
                ("singleDelete", { try store.singleDelete("a") }), ("deleteRange", { try store.deleteRange(from: "a", to: "b") }),
                ("write", { try store.write { $0.put("1", for: "a") } }), ("write batch", { try store.write(batch) }),
                ("empty batch", { try store.write(WriteBatch()) }), ("makeSnapshot", { _ = try store.makeSnapshot() }),
                ("withSnapshot", { try store.withSnapshot { _ in } }), ("flush", { try store.flush() }),
                ("property", { _ = try store.property("rocksdb.stats") }),
                ("intProperty", { _ = try store.intProperty("rocksdb.estimate-num-keys") }),
                ("options", { _ = try store.currentColumnFamilyOptions() }), ("table options", { _ = try store.currentTableOptions() }),
            ]
            for (name, verb) in verbs { #expect(code(verb) == .closed, "\(name)") }
        }
        let others: [(String, () throws -> Void)] = [
            ("create", { try db.createColumnFamily("b") }), ("drop", { try db.dropColumnFamily("a") }),
            ("table", { _ = try db.table("b", key: String.self, value: String.self, codec: .utf8) }),
            ("createdWith", { _ = try db.columnFamily("b", createdWith: .init()) }), ("sequence", { _ = try db.latestSequenceNumber() }),
            ("options", { _ = try db.currentOptions() }), ("verify", { try db.verifyChecksums() }),
            ("snapshot", { _ = try snapshot.get("a") }),
            ("table.get", { _ = try table.get("a") }), ("table.put", { try table.put("1", for: "a") }),
        ]
        for (name, verb) in others { #expect(code(verb) == .closed, "\(name)") }

        // What asks nothing of the engine still answers.
        #expect(db.path == scene.path && db.columnFamilyNames == ["a", "default"] && family.name == "a" && family.id == 1)
        #expect(batch.count == 1 && snapshot.isClosed)
        batch.clear()
        batch.put("2", for: "b")
        #expect(batch.failure?.code == .closed)
    }

    @Test func refusedWhileThingsAreOpen() throws {
        let db = try scene.open()
        try db.fill("a")
        let first = try db.makeSnapshot(), second = try db.makeSnapshot()
        var cursor = try db.makeCursor(), another = try first.makeCursor(), third = try db.makeCursor()
        try db.withValue(for: "a") { _ in
            let error = failure { try db.close() }
            #expect(error?.code == .busy)
            let advice = "close them first, and return from the closure that has the lent value"
            #expect(error?.message == "closing '\(scene.path)': still in use: 3 cursors, 2 snapshots, 1 lent value; \(advice)")
        }
        third.close()
        cursor.close()
        second.close()
        #expect(failure { try db.close() }?.message == "closing '\(scene.path)': still in use: 1 cursor, 1 snapshot; close them first")
        // Still usable.
        try db.fill("b")
        #expect(try db.keyTexts() == ["a", "b"] && another.perform(.next) == "a" && !db.isClosed)
        another.close()
        #expect(failure { try db.close() }?.message == "closing '\(scene.path)': still in use: 1 snapshot; close it first")
        first.close()
        try db.withValue(for: "a") { _ in
            let text = "closing '\(scene.path)': still in use: 1 lent value; return from the closure that has the lent value"
            #expect(failure { try db.close() }?.message == text)
        }
        try db.close()
        #expect(db.isClosed)
    }

    @Test func openTablesAndBatchesAreNoHindrance() throws {
        let db = try scene.open()
        let table = try db.table("songs", key: String.self, value: String.self, codec: .utf8)
        let batch = table.space.makeBatch()
        var cursor = try table.makeCursor()
        #expect(failure { try db.close() }?.message.hasSuffix("1 cursor; close it first") == true)
        cursor.close()
        try db.close()
        #expect(batch.count == 0)
    }

    @Test func fromWithinScans() throws {
        let db = try scene.open()
        try db.fill("a", "b")
        var refusals = 0
        try db.forEach { _, _ in if code({ try db.close() }) == .busy { refusals += 1 } }
        try db.forEachKey { _ in if code({ try db.close() }) == .busy { refusals += 1 } }
        try db.withValues(for: ["a"]) { _, _ in if code({ try db.close() }) == .busy { refusals += 1 } }
        _ = try db.withValue(for: "a") { _ in if code({ try db.close() }) == .busy { refusals += 1 } }
        try db.withSnapshot { _ in if code({ try db.close() }) == .busy { refusals += 1 } }
        #expect(refusals == 7)
        try db.close()
    }

    @Test func fromWithinABatch() throws {
        // Nothing is open while a batch is filled; writing it then fails.
        let db = try scene.open()
        #expect(code { try db.write { _ in try db.close() } } == .closed)
    }

    @Test func fromWithinAComparator() throws {
        let target = Box<RocksDB?>(nil), codes = Box<Set<RocksError.Code>>([])
        let order = KeyComparator(name: "test.closing") { first, second in
            if let db = target.value, let found = code({ try db.close() }) { codes.update { $0.insert(found) } }
            return compareBytes(first, second)
        }
        let db = try scene.open(ColumnFamilyOptions(comparator: order))
        target.value = db
        try db.fill("a", "b", "c")
        #expect(try db.keyTexts() == ["a", "b", "c"])
        #expect(try db.text("b") == "b")
        try db.flush()
        #expect(try db.keyTexts(.from("c", to: "a").reversed) == ["c", "b"])
        #expect(codes.value == [.busy])
        target.value = nil
        try db.close()
    }

    @Test func fromWithinAMergeOperator() throws {
        let target = Box<RocksDB?>(nil), messages = Box<Set<String>>([])
        let reason = "a closure that RocksDB called (a comparator, merge operator, event handler...) is running on this thread"
        let closing = MergeOperator(name: "test.closing") { _, _, operand in
            if let db = target.value, let error = failure({ try db.close() }) { messages.update { $0.insert(error.message) } }
            return [UInt8](copying: operand)
        }
        let db = try scene.open(ColumnFamilyOptions(mergeOperator: closing))
        target.value = db
        try db.merge("1", for: "a")
        try db.merge("2", for: "a")
        #expect(try db.text("a") == "2")
        try db.flush()
        #expect(try db.keyTexts() == ["a"])
        #expect(messages.value == ["closing '\(scene.path)': \(reason)"])
        target.value = nil
        try db.close()
    }

    @Test func whatWentPastTheLogIsKeptByClosing() throws {
        do {
            let db = try scene.open()
            try db.put("1", for: "a", options: .unlogged)
            try db.close()
        }
        #expect(try scene.open().keyTexts() == ["a"])
    }
}
