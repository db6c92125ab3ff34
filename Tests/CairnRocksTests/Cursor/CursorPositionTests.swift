import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// Where a cursor is, and moves that read no values.
@Suite struct CursorPositionTests {
    let scene = try! Scene()

    @Test(arguments: [ScanRange.all, .from("a"), .prefix("")]) func theCurrentEntry(range: ScanRange) throws {
        let db = try scene.open()
        try db.put("1", for: "a")
        try db.put("2", for: "b")
        var cursor = try db.makeCursor(range)
        expectIsValid(cursor.isValid, false)
        #expect(try cursor.current?.key(as: String.self) == nil)
        for (key, value) in [("a", "1"), ("b", "2")] {
            _ = try cursor.next()
            try db.put("later", for: key)
            for _ in 0..<2 {
                expectIsValid(cursor.isValid, true)
                #expect(try cursor.current?.key(as: String.self) == key)
                #expect(try cursor.current?.value(as: String.self) == value)
            }
        }
        _ = try cursor.next()
        expectIsValid(cursor.isValid, false)
        #expect(try cursor.current?.key(as: String.self) == nil)
        _ = try cursor.previousKey()
        #expect(try cursor.current?.value(as: String.self) == "2")
        #expect(try cursor.current?.columns.count == 1)
        cursor.close()
        expectIsValid(cursor.isValid, false)
        #expect(code { _ = try cursor.current?.key.byteCount } == .closed)
    }

    @Test func theCurrentEntryOfAHashMemtable() throws {
        var options = ColumnFamilyOptions()
        options.memtableFactory = .hashLinkedList()
        options.prefixExtractor = .fixed(1)
        var database = DatabaseOptions(createIfMissing: true)
        database.allowConcurrentMemtableWrite = false
        let db = try scene.open(options, options: database)
        try db.fill("a")
        var prefix = ReadOptions()
        prefix.seekMode = .prefix
        var cursor = try db.makeCursor(.from("a"), options: prefix)
        _ = try cursor.seek(to: "a")
        expectIsValid(cursor.isValid, true)
        _ = code { try cursor.previous()?.key.byteCount }
        expectIsValid(cursor.isValid, false)
        #expect(code { try cursor.current?.key.byteCount } == .notSupported)
    }

    @Test(arguments: transactionModes) func theCurrentEntryInATransaction(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        try db.fill("a", "b", "c", "d")
        let tx = try db.makeTransaction()
        var cursor = try tx.makeCursor()
        func current() throws -> String? {
            guard let entry = try cursor.current else { return nil }
            return try entry.key(as: String.self) + "=" + entry.value(as: String.self)
        }
        #expect(try current() == nil)
        _ = try cursor.next()
        #expect(try current() == "a=a")
        try tx.put("new", for: "a")
        #expect(try current() == "a=new" && current() == "a=new")
        #expect(try cursor.next()?.key(as: String.self) == "b")
        // Deleted under the cursor, it is the place to continue from, in either direction.
        try tx.delete("b")
        #expect(try current() == nil)
        try tx.put("new", for: "bb")
        #expect(try cursor.next()?.key(as: String.self) == "bb")
        try tx.delete("bb")
        #expect(try current() == nil)
        #expect(try cursor.previous()?.key(as: String.self) == "a")
        try tx.rollback()
        #expect(code { try current() } == .closed)
    }

    @Test func keysInAllDirections() throws {
        let db = try scene.open()
        try db.fill("a", "b", "c", "d")
        for (range, order) in [(ScanRange.all, ["a", "b", "c", "d"]), (.all.reversed, ["d", "c", "b", "a"])] {
            var cursor = try db.makeCursor(range)
            func text(_ key: RawSpan?) throws -> String? {
                guard let key else { return nil }
                return try String(copying: key)
            }
            #expect(try text(cursor.firstKey()) == order[0])
            #expect(try text(cursor.nextKey()) == order[1])
            #expect(try text(cursor.lastKey()) == order[3])
            #expect(try text(cursor.previousKey()) == order[2])
            #expect(try text(cursor.seekKey(to: order[1])) == order[1])
            #expect(try text(cursor.previousKey()) == order[0])
            #expect(try text(cursor.previousKey()) == nil)
            #expect(try text(cursor.seekKey(toOrBefore: order[2] + "x")) == (range.isReversed ? order[1] : order[2]))
            cursor.close()
            #expect(code { _ = try cursor.firstKey()?.byteCount } == .closed)
            #expect(code { _ = try cursor.seekKey(to: "a")?.byteCount } == .closed)
        }
    }

    @Test func ofATable() throws {
        let table = try scene.open().table("numbers", key: Int.self, value: String.self, codec: .utf8)
        for number in 1...4 { try table.put("v\(number)", for: number) }
        var cursor = try table.makeCursor()
        expectIsValid(cursor.isValid, false)
        #expect(try cursor.current == nil)
        #expect(try cursor.nextKey() == 1 && cursor.lastKey() == 4 && cursor.previousKey() == 3 && cursor.firstKey() == 1)
        #expect(try cursor.seekKey(to: 2) == 2 && cursor.seekKey(toOrBefore: 9) == 4)
        expectIsValid(cursor.isValid, true)
        #expect(try cursor.current?.key == 4 && cursor.current?.value == "v4")
        #expect(try cursor.nextKey() == nil)
        #expect(try table.keys(.from(2, through: 3)) == [2, 3])
        #expect(
            try table.keys(.through(2)) == [1, 2] && table.keys(.from(nil, to: 3)) == [1, 2] && table.keys(.from(3, to: nil)) == [3, 4]
        )
        #expect(try table.keys(.from(3, through: 2).reversed) == [3, 2])
    }

    @Test func forEachStops() throws {
        let db = try scene.open()
        try db.fill("a", "b", "c")
        var seen: [String] = []
        try db.forEach { key, _, stop in
            seen.append(try String(copying: key))
            stop = seen.count == 2
        }
        try db.forEachKey(.all.reversed) { key, stop in
            seen.append(try String(copying: key))
            stop = true
        }
        let table = db.table(key: String.self, value: String.self, codec: .utf8)
        try db.put("x", for: "x")
        var count = 0
        try db.columnFamily("default").table(keys: .raw, values: .utf8).forEach { (_: String, _: String, stop) in
            count += 1
            stop = count == 3
        }
        #expect(seen == ["a", "b", "c"] && count == 3)
        #expect(table.space.name == "default")
    }
}

/// A cursor is not copyable, so `#expect` cannot look at it.
private func expectIsValid(_ isValid: Bool, _ expected: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(isValid == expected, sourceLocation: sourceLocation)
}
