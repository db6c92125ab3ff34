import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

struct BatchTests {
    let scene = try! Scene()

    @Test func anAbsurdReservationIsNoTrap() throws {
        let db = try scene.open()
        let batch = WriteBatch(reserved: .bytes(.max))
        batch.put("1", for: "a")
        try db.write(batch)
        #expect(try db.text("a") == "1")
        #expect(db.makeBatch(reserved: .bytes(-1)).count == 0)
    }

    @Test func puts() throws {
        let db = try scene.open()
        let returned = try db.write { batch in
            batch.put("value 1", for: "key 1")
            batch.put("value 2", for: "key 2")
            return batch.count
        }
        #expect(returned == 2)
        #expect(try db.pairTexts() == ["key 1=value 1", "key 2=value 2"])
    }

    @Test func deletes() throws {
        let db = try scene.open()
        try db.fill("a", "b", "c", "d", "e")
        try db.write { batch in
            batch.delete("a")
            batch.put("new", for: "f")
            batch.singleDelete("b")
            batch.deleteRange(from: "c", to: "e")
        }
        #expect(try db.pairTexts() == ["e=e", "f=new"])
    }

    @Test func clearForgets() throws {
        let db = try scene.open()
        try db.fill("a")
        try db.write { batch in
            batch.delete("a")
            batch.put("2", for: "b")
            batch.clear()
            #expect(batch.count == 0)
            batch.put("3", for: "c")
        }
        #expect(try db.pairTexts() == ["a=a", "c=3"])
    }

    @Test func madeAndWrittenLater() throws {
        let db = try scene.open()
        let batch = db.makeBatch(reserved: .kibibytes(4))
        batch.put("1", for: "a")
        #expect(try db.keys().isEmpty)
        try db.write(batch)
        batch.put("2", for: "b")
        batch.delete("a")
        try db.write(batch, options: .synced)
        #expect(try db.pairTexts() == ["b=2"])
        try db.write(WriteBatch())
    }

    @Test func merges() throws {
        let db = try scene.open(ColumnFamilyOptions(mergeOperator: MergeOperator(named: "stringappend")))
        let batch = db.makeBatch()
        batch.put("value 2", for: "a")
        batch.merge("value 2 new", for: "a")
        try db.write(batch)
        #expect(try db.text("a") == "value 2,value 2 new")
    }

    @Test func counts() throws {
        let batch = WriteBatch()
        #expect(batch.count == 0)
        batch.delete("key 1")
        #expect(batch.count == 1)
        batch.put("value 1", for: "key 1")
        batch.put("value 2", for: "key 2")
        #expect(batch.count == 3)
        batch.clear()
        #expect(batch.count == 0)
        batch.put("value 3", for: "key 3")
        batch.put("value 4", for: "key 3")
        #expect(batch.count == 2)
        batch.deleteRange(from: "a", to: "b")
        #expect(batch.count == 3)
        let size = batch.dataSize
        batch.putLogData("for those who read the log")
        #expect(batch.count == 3 && batch.dataSize > size)
        #expect(ByteCount(bytes: Int64(batch.data.count)) == batch.dataSize)
    }

    @Test func anErrorInTheBodyWritesNothing() throws {
        struct Own: Error {}
        let db = try scene.open()
        #expect(throws: Own.self) {
            try db.write { batch in
                batch.put("1", for: "a")
                throw Own()
            }
        }
        #expect(try db.keys().isEmpty)
    }

    @Test func dataIsTheBatch() throws {
        let db = try scene.open()
        let batch = db.makeBatch()
        batch.put("1", for: "a")
        batch.putLogData("note")
        batch.delete("b")
        let copy = try WriteBatch(data: batch.data)
        #expect(copy.count == 2 && copy.data == batch.data)
        copy.put("2", for: "c")
        try db.write(copy)
        #expect(try db.pairTexts() == ["a=1", "c=2"])
    }

    @Test func savePoints() throws {
        let db = try scene.open()
        let batch = db.makeBatch()
        batch.put("1", for: "a")
        batch.setSavePoint()
        batch.put("2", for: "b")
        batch.setSavePoint()
        batch.delete("a")
        try batch.rollbackToSavePoint()
        #expect(batch.count == 2)
        try batch.popSavePoint()
        #expect(batch.count == 2)
        #expect(code { try batch.rollbackToSavePoint() } == .notFound)
        #expect(code { try batch.popSavePoint() } == .notFound)
        batch.setSavePoint()
        batch.clear()
        #expect(code { try batch.popSavePoint() } == .notFound)
        #expect(batch.failure == nil)
        batch.put("1", for: "a")
        try db.write(batch)
        #expect(try db.pairTexts() == ["a=1"])
    }

    @Test func aFailureIsKeptForTheWriting() throws {
        let db = try scene.open()
        let batch = WriteBatch(limit: .bytes(40))
        batch.put("1", for: "a")
        batch.setSavePoint()
        batch.put([UInt8](repeating: 0, count: 100), for: "b")
        #expect(batch.failure?.code == .aborted && batch.failure?.subcode == .memoryLimit)
        #expect(code { try db.write(batch) } == .aborted)
        #expect(try db.keys().isEmpty)
        try batch.rollbackToSavePoint()
        #expect(batch.failure == nil && batch.count == 1)
        try db.write(batch)
        #expect(try db.pairTexts() == ["a=1"])
        batch.put([UInt8](repeating: 0, count: 100), for: "b")
        batch.clear()
        #expect(batch.failure == nil)
    }

    @Test func oddSizes() throws {
        for size in [ByteCount.bytes(-1), .zero, .bytes(.min)] {
            let batch = WriteBatch(reserved: size, limit: size)
            batch.put("1", for: "a")
            #expect(batch.count == 1 && batch.failure == nil)
        }
    }

    @Test func ofAnotherDatabase() throws {
        let other = try Scene(), db = try scene.open(), stranger = try other.open()
        let batch = try stranger.createColumnFamily("a").makeBatch()
        batch.put("1", for: "a")
        #expect(code { try db.write(batch) } == .invalidArgument)
        // Column families of two databases in one batch.
        batch.in(db.defaultColumnFamily).put("1", for: "b")
        #expect(batch.failure?.code == .invalidArgument)
        #expect(code { try stranger.write(batch) } == .invalidArgument)
        batch.clear()
        batch.in(db.defaultColumnFamily).put("1", for: "b")
        try db.write(batch)
        // One that names none can be written to any.
        let free = WriteBatch()
        free.put("2", for: "c")
        for store in [db, stranger] { try store.write(free) }
        #expect(try db.pairTexts() == ["b=1", "c=2"] && stranger.pairTexts() == ["c=2"])
    }

    @Test func ofADatabaseOpenedBefore() throws {
        let batch: WriteBatch
        do {
            let db = try scene.open()
            batch = try db.createColumnFamily("a").makeBatch()
            batch.put("1", for: "a")
            batch.deleteRange(from: "x", to: "y")
            try db.close()
        }
        #expect(
            code {
                batch.put("1", for: "b"); if let failure = batch.failure { throw failure }
            } == .closed
        )
        let db = try scene.open()
        #expect(code { try db.write(batch) } != nil)
        // Its data, though, can be: numbers of column families last.
        let whole = try WriteBatch(data: batch.data)
        try db.write(whole)
        #expect(try db.columnFamily("a").pairTexts() == ["a=1"])
    }

    @Test func largeBatches() throws {
        let db = try scene.open()
        try db.write { batch in
            for number in 0..<100_000 { batch.put("", for: "\(number)") }
            batch.put([UInt8](repeating: 1, count: 16 << 20), for: "large")
        }
        #expect(try db.count() == 100_001)
    }
}
