import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// Preparing, then committing; and what a process leaves that dies between.
@Suite struct TwoPhaseTests {
    let scene = try! Scene()

    private func prepared(_ db: RocksDB, _ name: String, _ body: (Transaction) throws -> Void) throws -> Transaction {
        let tx = try db.makeTransaction()
        try tx.setName(name)
        try body(tx)
        try tx.prepare()
        return tx
    }

    @Test func `a prepared transaction is committed or rolled back`() throws {
        let db = try scene.open(.transactions(.impatient))
        try db.fill("a", "b")
        let first = try prepared(db, "first") { try $0.put("1", for: "a") }
        #expect(first.isPrepared && first.name == "first" && !first.isOver)
        #expect(try first.text("a") == "1" && db.text("a") == "a")
        #expect(failure { try db.put("2", for: "a") }?.subcode == .lockTimeout)
        try first.commit()
        #expect(try db.text("a") == "1")
        #expect(!first.isPrepared && first.isOver)
        let second = try prepared(db, "first") { try $0.delete("b") }
        try second.rollback()
        #expect(try db.pairTexts() == ["a=1", "b=b"])
        let empty = try prepared(db, "empty") { _ in }
        try empty.commit()
        try db.close()
        let again = try scene.open(.transactions())
        #expect(try again.pairTexts() == ["a=1", "b=b"] && again.preparedTransactions().isEmpty)
    }

    @Test func `prepared it takes nothing more`() throws {
        let db = try scene.open(.transactions())
        let tx = try prepared(db, "x") { try $0.put("1", for: "a") }
        let verbs: [(String, () throws -> Void)] = [
            ("put", { try tx.put("2", for: "a") }), ("untracked", { try tx.untracked.delete("a") }),
            ("merge", { try tx.merge("2", for: "a") }),
            ("getForUpdate", { _ = try tx.getForUpdate("b") }), ("lock", { try tx.lock("b") }), ("unlock", { try tx.unlock("a") }),
            ("log data", { try tx.putLogData("x") }), ("save point", { try tx.setSavePoint() }), ("back", { try tx.rollbackToSavePoint() }),
            ("pop", { try tx.popSavePoint() }), ("name", { try tx.setName("y") }), ("prepare", { try tx.prepare() }),
            ("snapshot", { try tx.setSnapshot() }),
        ]
        for (name, verb) in verbs { #expect(code(verb) == .invalidArgument, "\(name)") }
        #expect(try tx.pairTexts() == ["a=1"])
        try tx.commit()
        #expect(try db.pairTexts() == ["a=1"])
    }

    @Test func `preparing what cannot be prepared fails, and the transaction can still be used`() throws {
        let db = try scene.open(.transactions())
        let nameless = try db.makeTransaction()
        #expect(code { try nameless.prepare() } == .invalidArgument)
        try nameless.put("1", for: "a")
        try nameless.commit()
        var options = TransactionOptions()
        options.expiration = .seconds(3600)
        let expiring = try db.makeTransaction(options)
        try expiring.setName("expiring")
        #expect(code { try expiring.prepare() } == .invalidArgument)
        let unlogged = try db.makeTransaction(writeOptions: .unlogged)
        try unlogged.setName("unlogged")
        #expect(code { try unlogged.prepare() } == .invalidArgument)
        var strict = TransactionOptions()
        strict.mustBePrepared = true
        let tx = try db.makeTransaction(strict)
        let error = failure { try tx.commit() }
        #expect(error?.code == .invalidArgument && error?.subcode == .transactionNotPrepared)
        try tx.setName("strict")
        try tx.put("2", for: "a")
        try tx.prepare()
        try tx.commit()
        #expect(try db.text("a") == "2")
    }

    @Test func `names are given once`() async throws {
        let db = try scene.open(.transactions())
        let first = try db.makeTransaction(), second = try db.makeTransaction()
        try first.setName("x")
        #expect(code { try second.setName("x") } == .invalidArgument)
        #expect(code { try first.setName("y") } == .invalidArgument)
        #expect(code { try second.setName("") } == .invalidArgument)
        #expect(code { try second.setName(String(repeating: "x", count: 513)) } == .invalidArgument)
        #expect(second.name == nil)
        try first.rollback()
        try second.setName("x")
        try second.commit()
        #expect(second.name == "x")
        // On many threads, one gets it.
        for round in 0..<20 {
            let named = Box(0)
            try await onThreads(4) { _ in
                let tx = try db.makeTransaction()
                if failure({ try tx.setName("race \(round)") }) == nil { named.update { $0 += 1 } }
                waitUntil { named.value > 0 }
                withExtendedLifetime(tx) {}
            }
            #expect(named.value >= 1)
        }
    }

    @Test func `what was prepared is found again`() throws {
        var db: RocksDB? = try scene.open(.transactions())
        let songs = try db!.createColumnFamily("songs")
        try db!.fill("a", "b")
        var kept: [Transaction] = []
        kept.append(try prepared(db!, "kept") { try $0.put("1", for: "a") })
        kept.append(
            try prepared(db!, "songs") {
                try $0.setSnapshot()
                try $0.setSavePoint()
                try $0.in(songs).put("2", for: "c")
                try $0.merge("x", for: "b")
            }
        )
        #expect(try db!.preparedTransactions().isEmpty)
        #expect(code { try db!.close() } == .busy)
        #expect(code { try db!.dropColumnFamily("songs") } == .busy)
        kept = []
        // Let go they are not rolled back: they are had again, and keep their locks.
        #expect(try db!.locks().count == 3)
        #expect(try db!.preparedTransactions().map(\.name) == ["kept", "songs"])
        #expect(code { try db!.dropColumnFamily("songs") } == .busy)
        try db!.close()
        db = nil

        // Opened in other ways it shows what is committed, and keeps what is prepared.
        #expect(try RocksDB(path: scene.path, mode: .readOnly).pairTexts() == ["a=a", "b=b"])
        for mode in [RocksDB.OpenMode.readWrite, .optimisticTransactions()] {
            let plain = try scene.open(mode)
            try plain.put("plain", for: "p")
            try plain.flush()
            #expect(try plain.pairTexts() == ["a=a", "b=b", "p=plain"])
            try plain.delete("p")
            try plain.close()
        }
        let again = try scene.open(.transactions())
        #expect(try again.pairTexts() == ["a=a", "b=b"])
        #expect(code { try again.dropColumnFamily("songs") } == .busy)
        let found = try again.preparedTransactions()
        #expect(found.map(\.name) == ["kept", "songs"] && found.allSatisfy { $0.isPrepared })
        #expect(try again.preparedTransactions().isEmpty)
        #expect(code { try again.close() } == .busy)
        #expect(try found[1].in(again.columnFamily("songs")).text("c") == "2")
        #expect(try found[1].pairTexts() == ["a=a", "b=b,x"])
        try found[1].commit()
        try found[0].rollback()
        #expect(code { try found[1].commit() } == .closed)
        #expect(try again.pairTexts() == ["a=a", "b=b,x"] && again.columnFamily("songs").pairTexts() == ["c=2"])
        try again.dropColumnFamily("songs")
        try again.close()
        let last = try scene.open(.transactions())
        #expect(try last.preparedTransactions().isEmpty && last.pairTexts() == ["a=a", "b=b,x"])
    }

    @Test func `a pipelined log prepares nothing`() throws {
        var options = DatabaseOptions(createIfMissing: true)
        options.enablePipelinedWrite = true
        let db = try scene.open(.transactions(), options: options)
        let tx = try db.makeTransaction()
        try tx.setName("x")
        #expect(code { try tx.prepare() } == .notSupported)
        try tx.put("1", for: "a")
        try tx.commit()
        #expect(try db.text("a") == "1")
    }

    @Test func `writes out of order are refused with transactions`() throws {
        var options = DatabaseOptions(createIfMissing: true)
        options.unorderedWrite = true
        for mode in transactionModes { #expect(code { try scene.open(mode, options: options) } == .notSupported) }
    }

    @Test func `two queues of writers prepare and recover`() throws {
        var options = DatabaseOptions(createIfMissing: true)
        options.twoWriteQueues = true
        do {
            let db = try scene.open(.transactions(), options: options)
            try prepared(db, "done") { try $0.put("1", for: "a") }.commit()
            _ = try prepared(db, "open") { try $0.put("2", for: "b") }
            try db.close()
        }
        let db = try scene.open(.transactions(), options: options)
        for tx in try db.preparedTransactions() { try tx.commit() }
        #expect(try db.pairTexts() == ["a=1", "b=2"])
    }
}
