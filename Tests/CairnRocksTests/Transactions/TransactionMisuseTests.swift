import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// What would end the process, or worse, in RocksDB: each in a process of its own, which must live on.
@Suite struct TransactionMisuseTests {
    // PointLockManager::UnLockKey: `lock_cnt > 0`, where two hold a shared lock.
    @Test func `shared locks with a limit`() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            var options = TransactionDatabaseOptions.impatient
            options.maximumLocks = 5
            let db = try scene.open(.transactions(options))
            let first = try db.makeTransaction(), second = try db.makeTransaction()
            _ = try? first.getForUpdate("a", lock: .shared)
            _ = try? second.getForUpdate("a", lock: .shared)
            try first.rollback()
            try second.rollback()
        }
    }

    /// What RocksDB would write past the locks, or could not write at all.
    @Test func `entities and imported column families in a database that locks`() throws {
        let scene = try Scene()
        let source = try RocksDB(path: scene.directory.path("source"), options: DatabaseOptions(createIfMissing: true))
        try source.createColumnFamily("songs").fill("a")
        try source.exportColumnFamily("songs", to: scene.directory.path("export"))
        // Without a merge operator, which is a reason of its own to refuse entities.
        let db = try RocksDB(path: scene.path, options: DatabaseOptions(createIfMissing: true), mode: .transactions(.impatient))
        try db.fill("a")
        let tx = try db.makeTransaction()
        #expect(try tx.getForUpdate("a", as: String.self) == "a")
        #expect(code { try db.putEntity(["title": "x"], for: "a") } == .notSupported)
        try tx.put("b", for: "a")
        try tx.commit()
        #expect(try db.pairTexts() == ["a=b"])
        #expect(code { _ = try db.importColumnFamily("songs", from: scene.directory.path("export")) } == .notSupported)
        #expect(db.columnFamilyNames == ["default"])
    }

    @Test(arguments: transactionModes) func `resuming and the history of statistics`(mode: RocksDB.OpenMode) throws {
        let db = try Scene().open(mode)
        try db.resume()
        #expect(try db.statisticsHistory().isEmpty)
    }

    // PessimisticTransaction::TryStealingLocks: `IsExpired()`, where a prepared transaction holds a lock beyond its time.
    @Test func `a prepared transaction that expires`() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            let db = try scene.open(.transactions(.impatient))
            var options = TransactionOptions()
            options.expiration = .milliseconds(200)
            let tx = try db.makeTransaction(options)
            try tx.setName("x")
            try tx.put("1", for: "a")
            try? tx.prepare()
            waitUntil { (try? db.put("2", for: "a")) != nil }
        }
    }

    // DBImpl::WriteImpl: the protection of the batch is that of the options.
    @Test func `a protected batch in a database that locks`() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            let db = try scene.open(.transactions())
            var options = WriteOptions()
            options.protectsMemory = true
            let batch = db.makeBatch()
            batch.put("1", for: "a")
            try db.write(batch, options: options)
            let tx = try db.makeTransaction(writeOptions: options)
            try tx.setName("x")
            try tx.put("2", for: "a")
            try tx.prepare()
            try tx.commit()
            must(try db.text("a") == "2")
        }
    }

    // TransactionBaseImpl::PutLogData: `s.ok()`.
    @Test func `log data beyond the limit`() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            for mode in transactionModes {
                let db = try RocksDB(path: scene.path + "\(mode == transactionModes[0])", options: .init(createIfMissing: true), mode: mode)
                var options = TransactionOptions()
                options.maximumSize = .bytes(20)
                let tx = try db.makeTransaction(options)
                must(failure { try tx.putLogData([UInt8](repeating: 0, count: 100)) }?.subcode == .memoryLimit)
                try tx.commit()
            }
        }
    }

    // PessimisticTransactionDB::UnregisterTransaction: `it != transactions_.end()`, after a failed commit.
    @Test func `a named transaction whose commit fails`() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            let db = try scene.open(.transactions())
            var options = WriteOptions(durability: .none)
            options.rateLimiterPriority = .user  // which RocksDB refuses together
            var tx: Transaction? = try db.makeTransaction(writeOptions: options)
            try tx!.setName("x")
            try tx!.put("1", for: "a")
            must(code { try tx!.commit() } == .invalidArgument)
            must(code { try tx!.commit() } == .closed)
            tx = nil
            let next = try db.makeTransaction()
            try next.setName("x")
            try next.put("2", for: "a")
            try next.commit()
            must(try db.text("a") == "2")
        }
    }

    // PointLockManager gives no lock back of the column families behind one that is gone.
    @Test func `a column family is dropped under a transaction`() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            let db = try scene.open(.transactions(.impatient))
            let families = try (0..<4).map { try db.createColumnFamily("\($0)") }
            let tx = try db.makeTransaction()
            for family in families { try tx.in(family).put("1", for: "a") }
            try? db.dropColumnFamily("0")
            try tx.rollback()
            for family in families.dropFirst() { try family.put("2", for: "a") }
        }
    }

    @Test func `a transaction is used within callbacks and on many threads`() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            let inside = Box<(@Sendable () -> Void)?>(nil)
            let spoilt = MergeOperator(name: "test.inside") { _, existing, operand in
                inside.value?()
                return [UInt8](copying: operand)
            }
            var family = ColumnFamilyOptions(mergeOperator: spoilt)
            family["write_buffer_size"] = "1048576"
            let db = try RocksDB(
                path: scene.path,
                options: .init(createIfMissing: true),
                columnFamilyOptions: family,
                mode: .transactions()
            )
            let smuggled = Smuggled(try db.makeTransaction())
            let tx = smuggled.value
            let refused = Box<[RocksError.Code?]>([])
            inside.value = {
                let tx = smuggled.value
                let found = [
                    code { try tx.put("1", for: "b") }, code { try tx.commit() }, code { try tx.get("a") },
                    code { try db.makeTransaction() },
                ]
                refused.update { $0 += found }
            }
            try tx.merge("1", for: "a")
            must(try tx.text("a") == "1")
            must(!refused.value.isEmpty && refused.value.allSatisfy { $0 == .invalidArgument })
            inside.value = nil
            // Against its thread rule: calls follow one another.
            try await onThreads(4) { thread in
                let tx = smuggled.value
                for number in 0..<200 {
                    try tx.put("\(number)", for: "\(thread) \(number % 7)")
                    _ = try tx.text("\(number % 3) \(number % 7)")
                    if number % 50 == 0 { _ = try tx.keyTexts() }
                }
            }
            try tx.commit()
            must(try db.count() == 29)
        }
    }

    @Test func `transactions end while their cursors and database go in any order`() async {
        await #expect(processExitsWith: .success) {
            for mode in transactionModes {
                let scene = try Scene()
                var db: RocksDB? = try scene.open(mode)
                try db!.fill("a", "b")
                var options = TransactionOptions(snapshot: .atStart)
                options.readsSnapshot = true
                var tx: Transaction? = try db!.makeTransaction(options)
                try tx!.fill("c")
                try tx!.setSavePoint()
                do {
                    var cursor = try tx!.makeCursor(.all.reversed)
                    must(try cursor.next() != nil)
                    must(code { try db!.close() } == .busy)
                    try tx!.commit()
                    tx = nil
                    must(code { _ = try cursor.next() } == .closed)
                    must(code { try db!.close() } == .busy)
                    db = nil
                    must(code { _ = try cursor.first() } == .closed)
                    cursor.close()
                }
                must(try scene.open(mode).count() == 3)
            }
        }
    }
}
