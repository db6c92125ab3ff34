import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// What both kinds of transaction do.
@Suite struct TransactionTests {
    let scene = try! Scene()

    @Test(arguments: transactionModes) func `a transaction is committed whole, and seen by nobody before`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        #expect(db.mode == mode)
        try db.fill("a", "b")
        let songs = try db.createColumnFamily("songs")
        let tx = try db.makeTransaction()
        try tx.put("1", for: "a")
        try tx.delete("b")
        try tx.in(songs).put("2", for: "c")
        #expect(try tx.text("a") == "1" && tx.text("b") == nil && tx.in(songs).text("c") == "2")
        #expect(try tx.multiGet(["a", "b", "z"], as: String.self) == ["1", nil, nil])
        #expect(try tx.multiGet(["a"], as: String.self) == ["1"])
        #expect(try tx.keyMayExist("a") && tx.pairTexts() == ["a=1"] && tx.in(songs).pairTexts() == ["c=2"])
        #expect(try db.pairTexts() == ["a=a", "b=b"] && songs.pairTexts() == [])
        try tx.commit()
        #expect(tx.isOver)
        #expect(try db.pairTexts() == ["a=1"] && songs.pairTexts() == ["c=2"])
        try db.close()
        #expect(try scene.open(mode).pairTexts() == ["a=1"])
    }

    @Test(arguments: transactionModes) func `it is rolled back by word, by an error, and by being let go`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        try db.fill("a")
        var tx: Transaction? = try db.makeTransaction()
        try tx!.put("1", for: "a")
        try tx!.rollback()
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try db.withTransaction { tx in
                try tx.put("2", for: "a")
                throw Stop()
            }
        }
        tx = try db.makeTransaction()
        try tx!.put("3", for: "a")
        tx = nil
        #expect(try db.text("a") == "a")
        // No lock is left.
        try db.put("4", for: "a")
        try db.close()
    }

    @Test(arguments: transactionModes) func `withTransaction commits, and leaves alone what is over`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        let length = try db.withTransaction { tx in
            try tx.put("1", for: "a")
            return try tx.text("a")?.count
        }
        #expect(try length == 1 && db.text("a") == "1")
        try db.withTransaction { tx in
            try tx.put("2", for: "a")
            try tx.rollback()
        }
        #expect(try db.text("a") == "1")
        try db.withTransaction { tx in
            try tx.put("3", for: "a")
            try tx.commit()
        }
        #expect(try db.text("a") == "3")
    }

    @Test(arguments: transactionModes) func `afterwards every verb throws closed and says why`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        try db.fill("a", "b")
        for commits in [true, false] {
            let tx = try db.makeTransaction()
            var cursor = try tx.makeCursor()
            #expect(try cursor.next() != nil)
            commits ? try tx.commit() : try tx.rollback()
            let verbs: [(String, () throws -> Void)] = [
                ("get", { _ = try tx.get("a") }), ("getForUpdate", { _ = try tx.getForUpdate("a") }), ("lock", { try tx.lock("a") }),
                ("unlock", { try tx.unlock("a") }), ("multiGet", { _ = try tx.multiGet(["a"]) }), ("entries", { _ = try tx.entries() }),
                ("keyMayExist", { _ = try tx.keyMayExist("a") }), ("put", { try tx.put("1", for: "a") }),
                ("untracked", { try tx.untracked.put("1", for: "a") }), ("merge", { try tx.merge("1", for: "a") }),
                ("delete", { try tx.delete("a") }), ("singleDelete", { try tx.singleDelete("a") }),
                ("deleteRange", { try tx.deleteRange(from: "a", to: "b") }), ("log data", { try tx.putLogData("1") }),
                ("save point", { try tx.setSavePoint() }), ("back", { try tx.rollbackToSavePoint() }), ("pop", { try tx.popSavePoint() }),
                ("snapshot", { try tx.setSnapshot() }), ("clear", { try tx.clearSnapshot() }), ("indexing", { try tx.setIndexing(false) }),
                ("timeout", { try tx.setLockTimeout(.zero) }), ("name", { try tx.setName("x") }), ("prepare", { try tx.prepare() }),
                ("status", { _ = try tx.status() }), ("commit", { try tx.commit() }), ("rollback", { try tx.rollback() }),
            ]
            for (name, verb) in verbs {
                let error = failure(verb)
                #expect(error?.code == .closed, "\(name)")
                #expect(error?.message.contains(commits ? "was committed" : "was rolled back") == true, "\(name)")
            }
            #expect(code { _ = try cursor.next() } == .closed)
            #expect(code { _ = try cursor.first() } == .closed)
            #expect(tx.isOver && !tx.isPrepared)
        }
        try db.close()
    }

    @Test(arguments: transactionModes) func `the database is not closed under a transaction`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        let tx = try db.makeTransaction()
        let error = failure { try db.close() }
        #expect(error?.code == .busy && error?.message.contains("1 transaction") == true)
        try tx.put("1", for: "a")
        try tx.commit()
        try db.close()
        #expect(code { try db.makeTransaction() } == .closed)
        #expect(code { try tx.get("a") } == .closed)
    }

    @Test(arguments: transactionModes) func `a transaction keeps its database alive`(mode: RocksDB.OpenMode) throws {
        var db: RocksDB? = try scene.open(mode)
        var tx: Transaction? = try db!.makeTransaction()
        try tx!.put("1", for: "a")
        db = nil
        try tx!.commit()
        tx = nil
        #expect(try scene.open(mode).text("a") == "1")
    }

    @Test(arguments: transactionModes) func `save points nest`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        let tx = try db.makeTransaction()
        #expect(code { try tx.rollbackToSavePoint() } == .notFound)
        #expect(code { try tx.popSavePoint() } == .notFound)
        for error in [failure { try tx.rollbackToSavePoint() }, failure { try tx.popSavePoint() }] {
            #expect(error?.message.hasSuffix(": there is no save point") == true, "\(String(describing: error))")
        }
        try tx.put("1", for: "a")
        try tx.setSavePoint()
        try tx.put("2", for: "a")
        try tx.setSavePoint()
        try tx.put("3", for: "b")
        try tx.rollbackToSavePoint()
        #expect(try tx.pairTexts() == ["a=2"])
        try tx.setSavePoint()
        try tx.put("4", for: "c")
        try tx.popSavePoint()
        #expect(try tx.pairTexts() == ["a=2", "c=4"])
        try tx.rollbackToSavePoint()
        #expect(try tx.pairTexts() == ["a=1"])
        try tx.commit()
        #expect(try db.pairTexts() == ["a=1"])
    }

    @Test(arguments: transactionModes) func `merges, typed tables and log data`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        let table = try db.table("numbers", key: String.self, value: Int.self, codec: .littleEndian)
        try db.put("1", for: "a")
        try db.withTransaction { tx in
            try tx.merge("2", for: "a")
            try tx.merge("3", for: "b")
            #expect(try tx.text("a") == "1,2" && tx.pairTexts() == ["a=1,2", "b=3"])
            try tx.merge("4", for: "a")
            #expect(try tx.pairTexts(.all.reversed) == ["b=3", "a=1,2,4"])
            try tx.in(table).put(7, for: "seven")
            #expect(try tx.in(table).get("seven") == 7 && table.get("seven") == nil)
            try tx.putLogData("note")
            try tx.put("x", for: "s")
            try tx.singleDelete("s")
            let status = try tx.status()
            #expect((status.puts, status.deletes, status.merges) == (2, 1, 3))
            #expect(status.keys == 4 && status.size > .bytes(20) && status.snapshotSequenceNumber == nil && status.elapsed < .seconds(3600))
        }
        #expect(try db.pairTexts() == ["a=1,2,4", "b=3"] && table.get("seven") == 7)
    }

    @Test(arguments: transactionModes) func `what transactions do not have is refused`(mode: RocksDB.OpenMode) throws {
        let db = try RocksDB(path: scene.path, options: .init(createIfMissing: true), mode: mode)
        let tx = try db.makeTransaction()
        #expect(code { try tx.deleteRange(from: "a", to: "b") } == .notSupported)
        #expect(code { try tx.merge("1", for: "a") } == .notSupported)
        #expect(code { try db.deleteRange(from: "a", to: "b") } == .notSupported)
        #expect(code { try db.write { $0.deleteRange(from: "a", to: "b") } } == .notSupported)
        let elsewhere = try Scene()
        let other = try elsewhere.open(.transactions())
        #expect(code { try tx.in(other.defaultColumnFamily).put("1", for: "a") } == .invalidArgument)
        #expect(code { try tx.in(other.defaultColumnFamily).get("a") } == .invalidArgument)
        #expect(code { try tx.in(other.defaultColumnFamily).entries() } == .invalidArgument)
        var options = ReadOptions()
        options.tailing = true
        #expect(code { try tx.makeCursor(.all, options: options) } == .invalidArgument)
    }

    @Test func `a database opened plainly has no transactions`() throws {
        let db = try scene.open()
        #expect(code { try db.makeTransaction() } == .notSupported)
        #expect(code { try db.preparedTransactions() } == .notSupported)
        #expect(code { try db.locks() } == .notSupported)
        try db.close()
        let optimistic = try scene.open(.optimisticTransactions())
        let verbs: [() throws -> Void] = [
            { _ = try optimistic.preparedTransactions() }, { _ = try optimistic.locks() }, { _ = try optimistic.waitingTransactions() },
            { _ = try optimistic.latestDeadlocks() },
        ]
        for verb in verbs { #expect(code(verb) == .notSupported) }
        let tx = try optimistic.makeTransaction()
        #expect(code { try tx.setName("x") } == .invalidArgument)
        #expect(code { try tx.prepare() } == .notSupported)
        #expect(tx.name == nil && tx.id == 0)
    }

    @Test(arguments: transactionModes) func `a transaction has room for what it may hold`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        var options = TransactionOptions()
        options.maximumSize = .bytes(60)
        let tx = try db.makeTransaction(options)
        try tx.put("1", for: "a")
        let large = [UInt8](repeating: 1, count: 100)
        #expect(failure { try tx.put(large, for: "b") }?.subcode == .memoryLimit)
        #expect(failure { try tx.putLogData(large) }?.subcode == .memoryLimit)
        try tx.commit()
        #expect(try db.pairTexts() == ["a=1"])
    }

    @Test(arguments: transactionModes) func `writes without an index are committed too`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        try db.withTransaction { tx in
            try tx.setIndexing(false)
            try tx.put("1", for: "a")
            #expect(try tx.entries().isEmpty)
            try tx.setIndexing(true)
            try tx.put("2", for: "b")
            #expect(try tx.pairTexts() == ["b=2"])
        }
        #expect(try db.pairTexts() == ["a=1", "b=2"])
    }

    @Test(arguments: transactionModes) func `a column family in use is not dropped`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        let songs = try db.createColumnFamily("songs")
        let tx = try db.makeTransaction()
        try tx.in(songs).put("1", for: "a")
        #expect(code { try db.dropColumnFamily("songs") } == .busy)
        try tx.commit()
        try db.dropColumnFamily("songs")
        let next = try db.makeTransaction()
        #expect(code { try next.in(songs).put("1", for: "a") } == .columnFamilyDropped)
        #expect(code { try next.in(songs).get("a") } == .columnFamilyDropped)
        try next.put("2", for: "a")
        try next.commit()
        #expect(try db.text("a") == "2")
    }

    @Test(arguments: transactionModes) func `durability and protection hold for transactions and batches`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        var protected = WriteOptions(durability: .synced)
        protected.protectsMemory = true
        try db.withTransaction(writeOptions: protected) { try $0.put("1", for: "a") }
        try db.put("2", for: "b", options: protected)
        let batch = db.makeBatch()
        batch.put("3", for: "c")
        try db.write(batch, options: protected)
        let indexed = try db.makeIndexedBatch()
        indexed.put("4", for: "d")
        try db.write(indexed, options: protected)
        try db.withTransaction(writeOptions: .unlogged) { try $0.put("5", for: "e") }
        #expect(try db.pairTexts() == ["a=1", "b=2", "c=3", "d=4", "e=5"])
        try db.close()
        #expect(try scene.open(mode).text("e") == "5")
    }
}
