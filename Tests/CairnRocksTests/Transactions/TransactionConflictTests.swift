import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// Transactions that stand in each other's way.
@Suite struct TransactionConflictTests {
    let scene = try! Scene()

    @Test func `a lock holds others off, in transactions and outside`() throws {
        let db = try scene.open(.transactions(.impatient))
        try db.fill("a", "b")
        let first = try db.makeTransaction(), second = try db.makeTransaction()
        #expect(try first.getForUpdate("a", as: String.self) == "a")
        let error = failure { try second.put("2", for: "a") }
        #expect(error?.code == .timedOut && error?.subcode == .lockTimeout && error?.isConflict == true)
        #expect(error?.message.contains("retry") == true)
        #expect(failure { try db.put("3", for: "a") }?.subcode == .lockTimeout)
        #expect(failure { try db.write { $0.put("3", for: "a") } }?.subcode == .lockTimeout)
        #expect(failure { try second.lock("a") }?.subcode == .lockTimeout)
        // Reading is free, and so are other keys.
        #expect(try second.text("a") == "a")
        try second.put("4", for: "b")
        try first.commit()
        try second.put("5", for: "a")
        try second.commit()
        #expect(try db.pairTexts() == ["a=5", "b=4"])
    }

    @Test func `shared locks are shared, and become exclusive`() throws {
        let db = try scene.open(.transactions(.impatient))
        let first = try db.makeTransaction(), second = try db.makeTransaction()
        #expect(try first.getForUpdate("a", lock: .shared) == nil)
        #expect(try second.getForUpdate("a", lock: .shared) == nil)
        let locks = try db.locks()
        #expect(locks.count == 1 && locks[0].key == Array("a".utf8) && !locks[0].isExclusive && locks[0].columnFamilyID == 0)
        #expect(Set(locks[0].transactions) == [first.id, second.id])
        #expect(failure { try first.put("1", for: "a") }?.subcode == .lockTimeout)
        try second.unlock("a")
        try first.put("1", for: "a")
        #expect(try db.locks().map(\.isExclusive) == [true])
        try first.commit()
        #expect(try db.locks().isEmpty)
        #expect(code { try second.getForUpdate("b", lock: .shared, validates: false) } == .invalidArgument)
    }

    @Test func `an optimistic transaction finds at its commit that somebody wrote`() throws {
        for validation in [OptimisticTransactionDatabaseOptions.Validation.parallel, .serial] {
            let scene = try Scene()
            var options = OptimisticTransactionDatabaseOptions()
            options.validation = validation
            options.lockBuckets = 16
            let db = try scene.open(.optimisticTransactions(options))
            try db.fill("a", "b")
            let first = try db.makeTransaction(), second = try db.makeTransaction()
            #expect(try first.getForUpdate("a", as: String.self) == "a")
            try first.put("1", for: "b")
            try second.put("2", for: "a")
            try second.commit()
            let error = failure { try first.commit() }
            #expect(error?.code == .busy && error?.isConflict == true && error?.message.contains("retry") == true)
            #expect(first.isOver)
            #expect(try db.pairTexts() == ["a=2", "b=b"])
            // Untracked writes and keys that were only read are not looked at.
            let third = try db.makeTransaction()
            try third.untracked.put("3", for: "a")
            #expect(try third.text("b") == "b")
            try db.fill("a", "b")
            try third.commit()
            #expect(try db.text("a") == "3")
        }
    }

    @Test(arguments: transactionModes) func `a snapshot finds what was written before the first write`(mode: RocksDB.OpenMode) throws {
        let db = try scene.open(mode)
        func conflicts(_ time: TransactionOptions.SnapshotTime, untracked: Bool = false) throws -> Bool {
            let tx = try db.makeTransaction(TransactionOptions(snapshot: time))
            try db.put("other", for: "a")
            let error = failure {
                if untracked { try tx.untracked.put("1", for: "a") } else { try tx.put("1", for: "a") }
                try tx.commit()
            }
            if let error { #expect(error.code == .busy && error.subcode == .none) }
            return error != nil
        }
        #expect(try conflicts(.atStart))
        #expect(try !conflicts(.atFirstOperation))
        #expect(try !conflicts(.never))
        #expect(try !conflicts(.atStart, untracked: true))
        // One that was never made does not stand in the commit's way.
        let tx = try db.makeTransaction(TransactionOptions(snapshot: .atFirstOperation))
        try tx.commit()
        let late = try db.makeTransaction()
        try late.put("2", for: "a")
        try late.setSnapshotOnNextOperation()
        try late.commit()
        #expect(try db.text("a") == "2")
    }

    @Test func `a phantom is not kept off`() throws {
        let db = try scene.open(.transactions(.impatient))
        try db.fill("a", "b")
        let tx = try db.makeTransaction()
        for key in try tx.keyTexts() { try tx.lock(key) }
        try db.fill("c")  // no lock is on it
        #expect(try tx.count() == 3)
        try tx.put("2", for: "total")
        try tx.commit()
    }

    @Test func `a deadlock is found and remembered`() async throws {
        let db = try scene.open(.transactions(.patient))
        var options = TransactionOptions()
        options.detectsDeadlocks = true
        let ids = Box<[UInt64]>([0, 0])
        let ready = Box(0), refused = Box<[RocksError]>([])
        try await onThreads(2) { [options] index in
            let tx = try db.makeTransaction(options)
            ids.update { $0[index] = tx.id }
            try tx.lock(index == 0 ? "a" : "b")
            ready.update { $0 += 1 }
            waitUntil { ready.value == 2 }
            do throws(RocksError) { try tx.lock(index == 0 ? "b" : "a") } catch { refused.update { $0.append(error) } }
            try tx.rollback()
        }
        #expect(refused.value.count == 1)
        #expect(refused.value.allSatisfy { $0.code == .busy && $0.subcode == .deadlock && $0.message.contains("roll this one back") })
        let deadlocks = try db.latestDeadlocks()
        #expect(deadlocks.count == 1 && deadlocks[0].path.count == 2 && !deadlocks[0].exceedsDepth && deadlocks[0].time > 1_600_000_000)
        #expect(Set(deadlocks[0].path.map(\.transaction)) == Set(ids.value))
        #expect(Set(deadlocks[0].path.map(\.wants.key)) == [Array("a".utf8), Array("b".utf8)])
    }

    @Test func `who waits for whom can be asked`() throws {
        let db = try scene.open(.transactions(.patient))
        let holder = try db.makeTransaction()
        try holder.put("1", for: "a")
        let waiter = Box<UInt64>(0)
        let done = Box(false)
        let thread = Thread {
            do {
                let tx = try db.makeTransaction()
                waiter.value = tx.id
                try tx.put("2", for: "a")
                try tx.commit()
            } catch {
                Issue.record(error)
            }
            done.value = true
        }
        thread.start()
        try waitUntil { try !db.waitingTransactions().isEmpty }
        let waits = try db.waitingTransactions()
        #expect(waits.count == 1 && waits[0].id == waiter.value)
        #expect(waits[0].wants.transactions == [holder.id] && waits[0].wants.key == Array("a".utf8))
        try holder.commit()
        waitUntil { done.value }
        #expect(try db.text("a") == "2" && db.waitingTransactions().isEmpty)
    }

    @Test func `an expired transaction loses its locks`() throws {
        let db = try scene.open(.transactions(.patient))
        var options = TransactionOptions()
        options.expiration = .zero
        let tx = try db.makeTransaction(options)
        try tx.put("1", for: "a")
        try db.put("2", for: "a")
        let error = failure { try tx.commit() }
        #expect(error?.code == .expired && error?.isConflict == true)
        #expect(tx.isOver)
        #expect(try db.text("a") == "2" && db.locks().isEmpty)
        let second = try db.makeTransaction(options)
        try second.put("3", for: "a")
        try db.put("4", for: "a")
        try second.rollback()
        #expect(try db.text("a") == "4" && db.locks().isEmpty)
    }

    @Test(arguments: [Duration.seconds(1e20), Duration(attoseconds: .max)]) func `times may be of any length`(_ time: Duration) throws {
        var patient = TransactionDatabaseOptions()
        patient.lockTimeout = time
        patient.writeLockTimeout = time
        let db = try scene.open(.transactions(patient))
        var options = TransactionOptions()
        options.lockTimeout = time
        options.expiration = time
        let tx = try db.makeTransaction(options)
        try tx.put("1", for: "a")
        try tx.setLockTimeout(time)
        try tx.put("2", for: "b")
        try tx.commit()
        try db.put("3", for: "c")
        #expect(try db.keyTexts() == ["a", "b", "c"])
    }

    @Test func `negative times are zero`() throws {
        let db = try scene.open(.transactions(.patient))
        let holder = try db.makeTransaction()
        try holder.put("1", for: "a")
        let tx = try db.makeTransaction()
        for time in [Duration.zero, .seconds(-1), .seconds(-1e20), Duration(attoseconds: .min)] {
            try tx.setLockTimeout(time)
            #expect(code { try tx.put("2", for: "a") } == .timedOut, "\(time)")
        }
    }

    @Test func `locks are limited in number`() throws {
        var limited = TransactionDatabaseOptions.impatient
        limited.maximumLocks = 2
        let db = try scene.open(.transactions(limited))
        let tx = try db.makeTransaction()
        try tx.fill("a", "b")
        let error = failure { try tx.fill("c") }
        #expect(error?.code == .busy && error?.subcode == .lockLimit)
        #expect(code { try tx.getForUpdate("a", lock: .shared) } == .invalidArgument)
        try tx.commit()
        try db.fill("c")
    }

    @Test func `a transaction is repeated where others stand in its way`() throws {
        let db = try scene.open(.optimisticTransactions())
        try db.put("0", for: "n")
        var runs = 0
        try db.withTransaction(attempts: 3) { tx in
            runs += 1
            let n = try tx.getForUpdate("n", as: String.self)!
            if runs < 3 { try db.put("\(runs * 10)", for: "n") }
            try tx.put(n + "!", for: "n")
        }
        #expect(try runs == 3 && db.text("n") == "20!")
        runs = 0
        let error = failure {
            try db.withTransaction(attempts: 2) { tx in
                runs += 1
                try tx.lock("n")
                try db.put("\(runs)", for: "n")
            }
        }
        #expect(error?.code == .busy && runs == 2)
        // Once at least.
        for attempts in [0, -1, .min] {
            runs = 0
            let error = failure {
                try db.withTransaction(attempts: attempts) { tx in
                    runs += 1
                    try tx.lock("n")
                    try db.put("\(runs)", for: "n")
                }
            }
            #expect(error?.code == .busy && runs == 1, "\(attempts)")
        }
        runs = 0
        #expect(
            code {
                try db.withTransaction(attempts: 9) { tx in
                    runs += 1
                    try tx.deleteRange(from: "a", to: "b")
                }
            } == .notSupported
        )
        #expect(runs == 1)
    }

    @Test func `a batch with a singleDelete is refused where it would pass by the locks`() throws {
        let db = try scene.open(.transactions(.impatient))
        try db.fill("a")
        #expect(code { try db.write { $0.singleDelete("a") } } == .notSupported)
        try db.singleDelete("a")
        #expect(try db.text("a") == nil)
        let family = try db.createColumnFamily("gone")
        let batch = family.makeBatch()
        batch.put("1", for: "a")
        try db.dropColumnFamily("gone")
        #expect(code { try db.write(batch) } == .invalidArgument)
        try db.fill("a")
    }

    /// Money moves between accounts on several threads; no reader sees any made or lost.
    @Test(arguments: transactionModes) func `the bank's total stays`(mode: RocksDB.OpenMode) async throws {
        let db = try scene.open(mode)
        let accounts = 8, start = 100
        let keys = (0..<accounts).map { "account \($0)" }
        for key in keys { try db.put("\(start)", for: key) }
        var reading = TransactionOptions(snapshot: .atStart)
        reading.readsSnapshot = true
        try await onThreads(4) { [reading] thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for _ in 0..<100 {
                if thread == 3 {
                    try db.withTransaction(reading) { tx in
                        let total = try keys.reduce(0) { $0 + Int(try tx.text($1)!)! }
                        #expect(total == accounts * start)
                        let others = try tx.entries(as: (String.self, String.self)).reduce(0) { $0 + Int($1.value)! }
                        #expect(others == accounts * start)
                    }
                    continue
                }
                let from = random.pick(keys), to = random.pick(keys), amount = random.int(in: 1..<20)
                var options = TransactionOptions()
                options.detectsDeadlocks = true
                try db.withTransaction(options, attempts: 10_000) { tx in
                    guard from != to else { return }
                    let left = Int(try tx.getForUpdate(from, as: String.self)!)! - amount
                    let there = Int(try tx.getForUpdate(to, as: String.self)!)! + amount
                    guard left >= 0 else { return }
                    try tx.put("\(left)", for: from)
                    try tx.put("\(there)", for: to)
                }
            }
        }
        #expect(try db.entries(as: (String.self, String.self)).reduce(0) { $0 + Int($1.value)! } == accounts * start)
        try db.close()
    }
}
