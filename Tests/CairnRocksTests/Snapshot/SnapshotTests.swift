import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

struct SnapshotTests {
    let scene = try! Scene()

    @Test func doesNotMove() throws {
        let db = try scene.open()
        for number in 1...3 { try db.put("value \(number)", for: "key \(number)") }
        let snapshot = try db.makeSnapshot()
        try db.delete("key 1")
        try db.put("new", for: "key 2")
        try db.put("value 4", for: "key 4")
        try db.flush()
        #expect(try snapshot.pairTexts() == ["key 1=value 1", "key 2=value 2", "key 3=value 3"])
        #expect(try snapshot.get("key 4") == nil)
        #expect(try snapshot.multiGet(["key 1", "key 4"], as: String.self) == ["value 1", nil])
        #expect(try snapshot.withValue(for: "key 2") { try String(copying: $0) } == "value 2")
        #expect(try snapshot.contains("key 1") && snapshot.keyMayExist("key 1"))
        #expect(try snapshot.walk(.last, .previous) == ["key 3", "key 2"])
        #expect(try snapshot.keyTexts(.from("key 2").reversed) == ["key 2", "key 1"])
        #expect(try snapshot.get("key 1", options: ReadOptions(fillCache: false)) != nil)
        #expect(try db.pairTexts() == ["key 2=new", "key 3=value 3", "key 4=value 4"])
    }

    /// It never reads live data, as others do after closing.
    @Test func closedThrows() throws {
        let db = try scene.open()
        try db.fill("a")
        let snapshot = try db.makeSnapshot()
        #expect(!snapshot.isClosed)
        var cursor = try snapshot.makeCursor()
        snapshot.close()
        snapshot.close()
        #expect(snapshot.isClosed)
        #expect(code { try snapshot.get("a") } == .closed)
        #expect(code { try snapshot.get("a", options: ReadOptions()) } == .closed)
        #expect(code { try snapshot.multiGet(["a"]) } == .closed)
        #expect(code { try snapshot.makeCursor() } == .closed)
        #expect(code { try snapshot.keys(options: .scan) } == .closed)
        #expect(code { try snapshot.keyMayExist("a") } == .closed)
        #expect(failure { try snapshot.in(db.defaultColumnFamily).get("a") }?.message.hasSuffix("the snapshot is closed") == true)
        #expect(snapshot.sequenceNumber == 1)
        // A cursor that is open continues.
        try db.delete("a")
        #expect(try cursor.perform(.next) == "a")
        cursor.close()
        try db.close()
    }

    @Test func sequenceNumbers() throws {
        let db = try scene.open()
        for number in 1...3 {
            try db.put("1", for: "\(number)")
            #expect(try db.makeSnapshot().sequenceNumber == UInt64(number))
        }
    }

    @Test func scoped() throws {
        let db = try scene.open()
        try db.fill("a")
        var kept: Snapshot?
        let value = try db.withSnapshot { snapshot in
            kept = snapshot
            try db.delete("a")
            return try snapshot.text("a")
        }
        #expect(value == "a")
        #expect(kept?.isClosed == true)
        #expect(code { try kept?.get("a") } == .closed)
        struct Own: Error {}
        #expect(throws: Own.self) { try db.withSnapshot { _ in throw Own() } }
        try db.close()
    }

    @Test func allColumnFamilies() throws {
        let db = try scene.open(), family = try db.createColumnFamily("a")
        try family.put("1", for: "a")
        let snapshot = try db.makeSnapshot()
        let there = snapshot.in(family)
        try family.put("2", for: "a")
        #expect(try there.text("a") == "1" && snapshot.get("a") == nil)
        #expect(try family.makeSnapshot().text("a") == "2")
        // One that is made later is empty at the snapshot's moment.
        let later = try db.createColumnFamily("b")
        try later.fill("b")
        #expect(try snapshot.in(later).keys().isEmpty)
        // Closing one closes both.
        there.close()
        #expect(snapshot.isClosed)
    }

    @Test func ofAnotherDatabase() throws {
        let elsewhere = try Scene(), db = try scene.open(), other = try elsewhere.open()
        try db.fill("a")
        try other.fill("b")
        let snapshot = try db.makeSnapshot().in(other.defaultColumnFamily)
        for read in [{ _ = try snapshot.get("b") }, { _ = try snapshot.makeCursor() }, { _ = try snapshot.multiGet(["b"]) }] {
            let error = failure(read)
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains("another database") == true)
        }
    }

    @Test func surviveCompaction() throws {
        let db = try scene.open()
        for round in 0..<6 {
            for number in 0..<100 { try db.put("\(round)", for: "\(number)") }
            try db.flush()
        }
        let snapshot = try db.makeSnapshot()
        try db.deleteRange(from: "", to: "z")
        for _ in 0..<6 {
            try db.put("new", for: "0")
            try db.flush()
        }
        #expect(try snapshot.count() == 100)
        #expect(try snapshot.text("0") == "5")
        #expect(try db.pairTexts() == ["0=new"])
    }

    @Test func aSnapshotKeepsItsDatabase() throws {
        let snapshot: Snapshot
        do {
            let db = try scene.open()
            try db.fill("a")
            snapshot = try db.makeSnapshot()
        }
        #expect(try snapshot.text("a") == "a")
        #expect(code { try scene.open() } == .locked)
    }

    @Test func closingWhileOthersRead() async throws {
        let db = try scene.open()
        try db.fill("a")
        for _ in 0..<50 {
            let snapshot = try db.makeSnapshot()
            try await onThreads(3) { thread in
                if thread == 0 { return snapshot.close() }
                for number in 0..<20 {
                    do {
                        if try snapshot.get("a", options: number.isMultiple(of: 2) ? nil : ReadOptions()) == nil {
                            throw Mismatch("missing")
                        }
                    } catch let error as RocksError where error.code == .closed {}
                }
            }
        }
        try db.close()
    }
}
