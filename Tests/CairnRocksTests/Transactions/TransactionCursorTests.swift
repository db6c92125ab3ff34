import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// Cursors over the database and a transaction's writes.
@Suite struct TransactionCursorTests {
    let scene = try! Scene()

    @Test(arguments: transactionModes) func `bounds hold for the transaction's own keys`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        try db.fill("b", "d", "f")
        let tx = try db.makeTransaction()
        try tx.fill("a", "c", "e", "g")
        try tx.delete("d")
        #expect(try tx.keyTexts() == ["a", "b", "c", "e", "f", "g"])
        #expect(try tx.keyTexts(.all.reversed) == ["g", "f", "e", "c", "b", "a"])
        #expect(try tx.keyTexts(.from("b", to: "f")) == ["b", "c", "e"])
        #expect(try tx.keyTexts(.from("f", to: "b").reversed) == ["f", "e", "c"])
        #expect(try tx.keyTexts(.from("g")) == ["g"])
        #expect(try tx.keyTexts(.to("b")) == ["a"])
        #expect(try tx.keyTexts(.prefix("g").reversed) == ["g"])
        #expect(
            try tx.walk(.from("b", to: "f"), .last, .next, .previous, .previous, .first, .previous, .next) == [
                "e", nil, "e", "c", "b", nil, "b",
            ]
        )
        #expect(
            try tx.walk(.from("b", to: "f"), .seek("a"), .seek("d"), .seek("z"), .seekToOrBefore("z"), .seekToOrBefore("a")) == [
                "b", "e", nil, "e", nil,
            ]
        )
    }

    @Test(arguments: transactionModes) func `a cursor sees what the transaction writes on its way`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        try db.fill("a", "b", "c", "d")
        let tx = try db.makeTransaction()
        var cursor = try tx.makeCursor()
        #expect(try cursor.next()?.key(as: String.self) == "a")
        try tx.delete("b")
        try tx.put("new", for: "bb")
        #expect(try cursor.next()?.value(as: String.self) == "new")
        try tx.delete("bb")
        #expect(try cursor.next()?.key(as: String.self) == "c")
        try tx.fill("ab")
        #expect(try cursor.previous()?.key(as: String.self) == "ab")
        try tx.setSavePoint()
        try tx.fill("abc")
        #expect(try cursor.next()?.key(as: String.self) == "abc")
        try tx.rollbackToSavePoint()
        #expect(try cursor.next()?.key(as: String.self) == "c")
        // Others' writes are not seen.
        try db.fill("cc")
        #expect(try cursor.next()?.key(as: String.self) == "d")
        #expect(try cursor.next() == nil)
    }

    @Test(arguments: transactionModes) func `what is lent stays while the transaction grows`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        let tx = try db.makeTransaction()
        for number in 0..<50 { try tx.put("value \(number)", for: "key \(number)") }
        var seen = 0
        try tx.forEach { key, value in
            // Each is written again from the very bytes that are lent, which moves the batch again and again.
            guard [UInt8](copying: key).starts(with: Array("key".utf8)) else { return }
            let before = String(decoding: [UInt8](copying: value), as: UTF8.self)
            for _ in 0..<20 { try tx.write(.put, key: key, value: value) }
            #expect(String(decoding: [UInt8](copying: value), as: UTF8.self) == before)
            seen += 1
        }
        #expect(seen == 50)
        try tx.commit()
        #expect(try db.count() == 50)
        #expect(try db.text("key 7") == "value 7")
    }

    @Test func `an order of one's own holds in a transaction`() throws {
        let order = KeyComparator(name: "test.length") { first, second in
            let (a, b) = ([UInt8](copying: first), [UInt8](copying: second))
            if a.count != b.count { return a.count - b.count }
            return a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
        }
        for (mode, comparator) in [(transactionModes[0], order), (transactionModes[1], order), (transactionModes[0], .reverseBytewise)] {
            let scene = try Scene()
            let db = try scene.open(mode, comparator: comparator)
            try db.fill("bb", "c", "aaa")
            let tx = try db.makeTransaction()
            try tx.fill("a", "dd", "bbb")
            let expected = comparator.name == order.name ? ["a", "c", "bb", "dd", "aaa", "bbb"] : ["dd", "c", "bbb", "bb", "aaa", "a"]
            #expect(try tx.keyTexts() == expected)
            #expect(try tx.keyTexts(.all.reversed) == expected.reversed())
            try tx.commit()
            #expect(try db.keyTexts() == expected)
        }
    }

    @Test(arguments: transactionModes) func `reads can see the snapshot`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        try db.fill("a")
        var options = TransactionOptions(snapshot: .atStart)
        options.readsSnapshot = true
        let tx = try db.makeTransaction(options)
        #expect(try tx.status().snapshotSequenceNumber == db.latestSequenceNumber())
        var cursor = try tx.makeCursor()
        try db.put("2", for: "a")
        try db.fill("b")
        try tx.fill("c")
        #expect(try tx.pairTexts() == ["a=a", "c=c"] && tx.multiGet(["a", "b"], as: String.self) == ["a", nil])
        try tx.setSnapshot()
        #expect(try tx.pairTexts() == ["a=2", "b=b", "c=c"])
        #expect(try cursor.next()?.value(as: String.self) == "a")
        try tx.clearSnapshot()
        try db.put("3", for: "a")
        #expect(try tx.text("a") == "3" && cursor.next()?.key(as: String.self) == "c")
        try tx.commit()
    }
}
