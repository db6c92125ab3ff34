import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// Batches that are read before they are written.
@Suite struct IndexedBatchTests {
    let scene = try! Scene()
    private let merging = ColumnFamilyOptions(mergeOperator: try! MergeOperator(named: "stringappend"))

    @Test func `the batch alone returns what it has`() throws {
        let db = try scene.open(merging)
        try db.fill("z")
        for overwrites in [true, false] {
            let batch = try db.makeIndexedBatch(overwrites: overwrites)
            batch.put("1", for: "a")
            batch.put("2", for: "a")
            batch.delete("b")
            batch.merge("3", for: "c")
            batch.put("4", for: "d")
            batch.merge("5", for: "d")
            batch.delete("e")
            batch.merge("6", for: "e")
            batch.put("7", for: "f")
            batch.singleDelete("f")
            batch.put("", for: "g")
            #expect(try batch.get("a") == .value(Array("2".utf8)) && batch.get("a").text == "2")
            #expect(try batch.get("b") == .deleted && batch.get("c") == .mergeInProgress && batch.get("z") == .notInBatch)
            #expect(try batch.get("d").text == "4,5" && batch.get("e").text == "6" && batch.get("f") == .deleted)
            #expect(try batch.get("g") == .value([]) && batch.get("").text == nil)
            #expect(batch.count == 11 && batch.dataSize == .bytes(Int64(batch.data.count)))
        }
    }

    @Test func `it is read over the database and written`() throws {
        let db = try scene.open(merging)
        let songs = try db.createColumnFamily("songs", options: merging)
        try db.fill("a", "b", "c")
        try songs.fill("s")
        let batch = try db.makeIndexedBatch()
        batch.put("1", for: "a")
        batch.delete("b")
        batch.merge("2", for: "c")
        batch.put("3", for: "d")
        batch.in(songs).put("4", for: "t")
        let view = batch.over(db)
        #expect(try view.pairTexts() == ["a=1", "c=c,2", "d=3"])
        #expect(try view.pairTexts(.from("d", to: "a").reversed) == ["d=3", "c=c,2"])
        #expect(try view.multiGet(["a", "b", "c", "z"], as: String.self) == ["1", nil, "c,2", nil])
        #expect(try view.text("c") == "c,2" && view.text("b") == nil && view.keyMayExist("d") && view.count() == 3)
        #expect(try view.in(songs).pairTexts() == ["s=s", "t=4"] && batch.over(songs).pairTexts() == ["s=s", "t=4"])
        #expect(try db.pairTexts() == ["a=a", "b=b", "c=c"])
        try db.write(batch)
        #expect(try db.pairTexts() == ["a=1", "c=c,2", "d=3"] && songs.pairTexts() == ["s=s", "t=4"])
        // Its data are a batch as any.
        let elsewhere = try Scene()
        let other = try elsewhere.open(
            merging,
            ["songs": merging],
            options: {
                var options = DatabaseOptions(createIfMissing: true)
                options.createMissingColumnFamilies = true
                return options
            }()
        )
        try other.write(WriteBatch(data: batch.data))
        #expect(try other.pairTexts() == ["a=1", "c=2", "d=3"])
    }

    @Test func `it is read over a snapshot and typed tables`() throws {
        let db = try scene.open()
        let table = try db.table("numbers", key: String.self, value: Int.self, codec: .littleEndian)
        try db.fill("a")
        try table.put(1, for: "one")
        let snapshot = try db.makeSnapshot()
        try db.fill("b")
        try table.put(2, for: "two")
        let batch = try db.makeIndexedBatch()
        batch.put("c", for: "c")
        try batch.in(table).put(3, for: "three")
        #expect(try batch.over(snapshot).keyTexts() == ["a", "c"])
        #expect(try batch.over(snapshot).get("b") == nil && batch.over(snapshot).in(table).get("two") == nil)
        #expect(try batch.over(table).get("three") == 3 && batch.over(table).get("two") == 2)
        #expect(try batch.over(snapshot).in(table).get("three") == 3)
        snapshot.close()
        let closed = try batch.over(snapshot)
        #expect(code { try closed.get("a") } == .closed)
        let elsewhere = try Scene()
        let foreign = try elsewhere.open().makeSnapshot()
        #expect(code { try batch.over(foreign) } == .invalidArgument)
    }

    @Test func `its entries are listed in order, its operations as they came`() throws {
        let db = try scene.open(merging)
        let songs = try db.createColumnFamily("songs", options: merging)
        func fill(_ batch: IndexedWriteBatch) {
            batch.put("1", for: "b")
            batch.putLogData("note")
            batch.put("2", for: "a")
            batch.put("3", for: "b")
            batch.merge("4", for: "c")
            batch.in(songs).singleDelete("s")
            batch.delete("a")
        }
        func text(_ entries: [BatchOperation]) -> [String] {
            entries.map { entry in
                let key = String(decoding: entry.key, as: UTF8.self), value = String(decoding: entry.value, as: UTF8.self)
                return "\(entry.columnFamilyID) \(entry.kind) \(key)\(value.isEmpty ? "" : "=\(value)")"
            }
        }
        let batch = try db.makeIndexedBatch()
        fill(batch)
        #expect(try text(batch.entries()) == ["0 delete a", "0 put b=3", "0 merge c=4"])
        #expect(try text(batch.entries(reversed: true, from: "b")) == ["0 put b=3", "0 delete a"])
        #expect(try text(batch.entries(from: "bb")) == ["0 merge c=4"])
        #expect(try text(batch.in(songs).entries()) == ["1 singleDelete s"])
        #expect(
            try text(batch.operations()) == [
                "0 put b=1", "0 logData =note", "0 put a=2", "0 put b=3", "0 merge c=4", "1 singleDelete s", "0 delete a",
            ]
        )
        let all = try db.makeIndexedBatch(overwrites: false)
        fill(all)
        #expect(try text(all.entries()) == ["0 put a=2", "0 delete a", "0 put b=1", "0 put b=3", "0 merge c=4"])
        #expect(code { try all.over(db).makeCursor() } == .notSupported)
        #expect(try all.over(db).text("b") == "3")
    }

    @Test func `save points and clearing`() throws {
        let db = try scene.open()
        let batch = try db.makeIndexedBatch(limit: .kibibytes(1))
        #expect(code { try batch.rollbackToSavePoint() } == .notFound)
        #expect(code { try batch.popSavePoint() } == .notFound)
        batch.put("1", for: "a")
        batch.setSavePoint()
        batch.put("2", for: "a")
        batch.deleteRange(from: "a", to: "b")
        #expect(batch.failure?.code == .notSupported)
        #expect(code { try db.write(batch) } == .notSupported)
        try batch.rollbackToSavePoint()
        #expect(try batch.failure == nil && batch.get("a").text == "1")
        batch.setSavePoint()
        batch.put("3", for: "b")
        try batch.popSavePoint()
        batch.put([UInt8](repeating: 0, count: 2_000), for: "large")
        #expect(batch.failure?.subcode == .memoryLimit)
        batch.clear()
        #expect(try batch.count == 0 && batch.failure == nil && batch.get("a") == .notInBatch)
        batch.put("4", for: "a")
        try db.write(batch)
        #expect(try db.pairTexts() == ["a=4"])
    }

    // ObjectiveRocks compared the keys of every batch by their bytes.
    @Test func `each column family keeps its own order`() throws {
        let backwards = ColumnFamilyOptions(comparator: .reverseBytewise)
        let lengths = ColumnFamilyOptions(
            comparator: KeyComparator(name: "test.length") { first, second in first.byteCount - second.byteCount }
        )
        let db = try scene.open()
        let down = try db.createColumnFamily("down", options: backwards), byLength = try db.createColumnFamily("length", options: lengths)
        let batch = try db.makeIndexedBatch()
        for family in [db.defaultColumnFamily, down, byLength] { try batch.in(family).fill("a", "bbb", "cc") }
        // The same key, in that order.
        batch.in(byLength).put("other", for: "zz")
        func keys(_ family: ColumnFamily) throws -> [String] {
            try batch.in(family).entries().map { String(decoding: $0.key, as: UTF8.self) }
        }
        #expect(try keys(db.defaultColumnFamily) == ["a", "bbb", "cc"] && keys(down) == ["cc", "bbb", "a"])
        #expect(try keys(byLength) == ["a", "zz", "bbb"] && batch.in(byLength).get("xx").text == "other")
        #expect(try batch.over(down).keyTexts(.from("bbb")) == ["bbb", "a"])
        #expect(try batch.over(byLength).keyTexts(.all.reversed) == ["bbb", "zz", "a"])
        try db.write(batch)
        #expect(try down.keyTexts() == ["cc", "bbb", "a"] && byLength.text("xx") == "other")
    }

    @Test func `what does not belong to it is refused`() throws {
        let elsewhere = try Scene()
        let db = try scene.open(), other = try elsewhere.open()
        let family = try db.createColumnFamily("gone")
        let batch = try db.makeIndexedBatch()
        batch.in(other.defaultColumnFamily).put("1", for: "a")
        #expect(batch.failure?.code == .invalidArgument)
        #expect(code { try batch.in(other.defaultColumnFamily).get("a") } == .invalidArgument)
        #expect(code { try batch.over(other).get("a") } == .invalidArgument)
        batch.clear()
        #expect(code { try other.write(batch) } == .invalidArgument)
        batch.merge("1", for: "a")
        #expect(batch.failure?.code == .notSupported)
        batch.clear()
        batch.in(family).put("1", for: "a")
        try db.dropColumnFamily("gone")
        #expect(code { try db.write(batch) } == .invalidArgument)
        #expect(code { try batch.in(family).get("a") } == .columnFamilyDropped)
        batch.clear()
        var cursor = try batch.over(db).makeCursor()
        #expect(code { try db.close() } == .busy)
        cursor.close()
        try db.close()
        batch.put("1", for: "a")
        #expect(batch.failure?.code == .closed)
        #expect(code { try batch.over(db).get("a") } == .closed)
        #expect(code { try batch.get("a") } == .closed)
    }

    @Test func `batches go into databases that lock`() throws {
        for mode in transactionModes {
            let scene = try Scene()
            let db = try scene.open(mode)
            let batch = try db.makeIndexedBatch()
            batch.put("1", for: "a")
            batch.merge("2", for: "a")
            #expect(try batch.over(db).pairTexts() == ["a=1,2"])
            try db.write(batch)
            #expect(try db.text("a") == "1,2")
        }
    }
}
