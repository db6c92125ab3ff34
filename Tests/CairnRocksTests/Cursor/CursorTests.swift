import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

struct CursorTests {
    let scene = try! Scene()

    /// A database with `keys`, some in a file and some in memory.
    private func database(_ keys: String...) throws -> RocksDB {
        let db = try scene.open()
        for (index, key) in keys.enumerated() where index.isMultiple(of: 2) { try db.fill(key) }
        try db.flush()
        for (index, key) in keys.enumerated() where !index.isMultiple(of: 2) { try db.fill(key) }
        return db
    }

    @Test func walksInOrder() throws {
        let db = try database("key 1", "key 2", "key 3")
        var cursor = try db.makeCursor()
        var pairs: [String] = []
        while let entry = try cursor.next() {
            pairs.append(try entry.key(as: String.self) + "=" + entry.value(as: String.self))
        }
        #expect(pairs == ["key 1=key 1", "key 2=key 2", "key 3=key 3"])
    }

    @Test func allMoves() throws {
        let db = try database("a", "b", "c")
        #expect(try db.walk(.first, .next, .next, .next) == ["a", "b", "c", nil])
        #expect(try db.walk(.last, .previous, .previous, .previous) == ["c", "b", "a", nil])
        #expect(try db.walk(.last, .first, .last) == ["c", "a", "c"])
        #expect(try db.walk(.next, .next, .previous, .next, .next, .previous) == ["a", "b", "a", "b", "c", "b"])
    }

    /// Where RocksDB ends the process.
    @Test func beyondTheEnds() throws {
        let db = try database("a", "b")
        // A new cursor stands before the first.
        #expect(try db.walk(.previous, .previous, .next) == [nil, nil, "a"])
        #expect(try db.walk(.last, .next, .next, .next, .previous) == ["b", nil, nil, nil, "b"])
        #expect(try db.walk(.first, .previous, .previous, .previous, .next) == ["a", nil, nil, nil, "a"])
        let empty = try Scene(), none = try empty.open()
        #expect(try none.walk(.next, .next, .previous, .previous, .first, .last, .next, .previous) == Array(repeating: nil, count: 8))
        #expect(try none.walk(.seek("a"), .previous, .seekToOrBefore("a"), .next) == [nil, nil, nil, nil])
    }

    @Test func seeks() throws {
        let db = try database("b", "d", "f")
        #expect(try db.walk(.seek("d"), .next) == ["d", "f"])
        #expect(try db.walk(.seek("c"), .previous) == ["d", "b"])
        #expect(try db.walk(.seek("a"), .previous, .next) == ["b", nil, "b"])
        #expect(try db.walk(.seek("g"), .next, .previous) == [nil, nil, "f"])
        #expect(try db.walk(.seek(""), .seek("f"), .seek("b")) == ["b", "f", "b"])
        #expect(try db.walk(.seekToOrBefore("d"), .next) == ["d", "f"])
        #expect(try db.walk(.seekToOrBefore("e"), .previous) == ["d", "b"])
        #expect(try db.walk(.seekToOrBefore("g"), .next, .previous) == ["f", nil, "f"])
        #expect(try db.walk(.seekToOrBefore("a"), .previous, .next) == [nil, nil, "b"])
        #expect(try db.walk(.seekToOrBefore("")) == [nil])
    }

    @Test func seeksInReverse() throws {
        let db = try database("b", "d", "f")
        let down = ScanRange.all.reversed
        // "Behind" is the cursor's own direction.
        #expect(try db.walk(down, .seek("d"), .next) == ["d", "b"])
        #expect(try db.walk(down, .seek("e"), .previous) == ["d", "f"])
        #expect(try db.walk(down, .seek("g"), .previous, .next) == ["f", nil, "f"])
        #expect(try db.walk(down, .seek("a"), .next, .previous) == [nil, nil, "b"])
        #expect(try db.walk(down, .seekToOrBefore("c"), .previous) == ["d", "f"])
        #expect(try db.walk(down, .seekToOrBefore("a")) == ["b"])
        #expect(try db.walk(down, .seekToOrBefore("g"), .previous, .next) == [nil, nil, "f"])
    }

    @Test func seeksStayInTheRange() throws {
        let db = try database("a", "b", "c", "d", "e")
        let middle = ScanRange.from("b", to: "e")
        #expect(try db.walk(middle, .seek("a"), .seek("z"), .seek("d"), .next) == ["b", nil, "d", nil])
        #expect(try db.walk(middle, .seekToOrBefore("z"), .seekToOrBefore("a")) == ["d", nil])
        let down = ScanRange.from("d", to: "a").reversed
        #expect(try db.walk(down, .seek("z"), .seek("a"), .seek("b"), .next) == ["d", nil, "b", nil])
        #expect(try db.walk(down, .seekToOrBefore("a"), .seekToOrBefore("z")) == ["b", nil])
        let prefix = ScanRange.prefix("c")
        #expect(try db.walk(prefix, .seek("a"), .seek("d"), .seekToOrBefore("z"), .next) == ["c", nil, "c", nil])
    }

    @Test func closed() throws {
        let db = try database("a")
        var cursor = try db.makeCursor()
        #expect(try cursor.perform(.next) == "a")
        cursor.close()
        cursor.close()
        for move in [Move.next, .previous, .first, .last, .seek("a"), .seekToOrBefore("a")] {
            #expect(failure { try cursor.perform(move) }?.message.hasSuffix("the cursor is closed") == true)
            #expect(failure { try cursor.perform(move) }?.code == .closed)
        }
        #expect(code { try cursor.nextKey()?.byteCount } == .closed)
        try db.close()
    }

    @Test func seesTheMomentItWasMade() throws {
        let db = try database("a", "b")
        var cursor = try db.makeCursor()
        try db.delete("b")
        try db.put("new", for: "a")
        try db.fill("c")
        try db.flush()
        #expect(try cursor.perform(.next) == "a")
        #expect(try cursor.first()?.value(as: String.self) == "a")
        #expect(try cursor.perform(.next) == "b")
        #expect(try cursor.perform(.next) == nil)
    }

    @Test func keysAlone() throws {
        let db = try database("a", "b")
        var cursor = try db.makeCursor()
        var keys: [[UInt8]] = []
        while let key = try cursor.nextKey() { keys.append([UInt8](copying: key)) }
        #expect(keys == [[97], [98]])
        #expect(try cursor.nextKey() == nil)
        #expect(try cursor.perform(.previous) == "b")
    }

    @Test func entriesThatAreNoText() throws {
        let db = try scene.open()
        try db.put([0xFF], for: [0xFE])
        var cursor = try db.makeCursor()
        #expect(code { try cursor.next()?.key(as: String.self) } == .codec)
        #expect(code { try cursor.first()?.value(as: String.self) } == .codec)
        #expect(code { try db.keys(.all, as: String.self) } == .codec)
        #expect(code { try db.entries(.all, as: ([UInt8].self, String.self)) } == .codec)
        #expect(try db.entries().map { $0.key + $0.value } == [[0xFE, 0xFF]])
    }

    @Test func aCursorKeepsItsDatabase() throws {
        var cursor: Cursor
        do { cursor = try database("a", "b").makeCursor() }
        #expect(try cursor.perform(.next) == "a")
        #expect(code { try scene.open() } == .locked)
        cursor.close()
        #expect(code { _ = try cursor.perform(.next) } == .closed)
    }

    @Test func forEachLends() throws {
        let db = try database("a", "b", "c")
        var seen: [String] = []
        try db.forEach { key, value in seen.append(try String(copying: key) + String(copying: value)) }
        try db.forEachKey(.from("b")) { seen.append(try String(copying: $0)) }
        #expect(seen == ["aa", "bb", "cc", "b", "c"])
        struct Stop: Error {}
        var calls = 0
        #expect(throws: Stop.self) {
            try db.forEach { _, _ in
                calls += 1
                throw Stop()
            }
        }
        #expect(calls == 1)
        // The database may be written to meanwhile.
        try db.forEach { key, _ in try db.delete(key) }
        #expect(try db.keys().isEmpty)
    }

    @Test func limits() throws {
        let db = try database("a", "b", "c")
        #expect(try db.entries(limit: 2).count == 2 && db.keys(limit: 1) == [[97]])
        #expect(try db.entries(limit: 0).isEmpty && db.keys(limit: 0).isEmpty && db.keys(limit: -1).isEmpty)
        #expect(try db.entries(from: "a", to: "c").map(\.key) == [[97], [98]])
        #expect(try db.count() == 3 && db.count(.from("b")) == 2)
    }
}
