import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Synchronization
import Testing

struct UpgradeTests {
    private typealias Before = AccountsBefore.Account
    private typealias Now = AccountsNow.Account

    /// Accounts, every tenth with an heir; some records are too large for their pages.
    private static func fill(_ engine: any StorageEngine, _ count: Int = 3000) throws {
        let store = try ObjectStore(engine: engine, classes: [Before.self])
        try store.write { context in
            var last: Before?
            for number in 0..<count {
                let memo = number % 100 == 50 ? String(repeating: "m", count: 2000) : ""
                let account = Before(number: number, owner: "owner \(number)", cents: number * 100, memo: memo)
                context.insert(account)
                if number % 10 == 0, let last { account.heirs.append(last) }
                last = account
            }
        }
    }

    private static func open(_ engine: any StorageEngine) throws -> ObjectStore { try ObjectStore(engine: engine, classes: [Now.self]) }

    /// Records and indexes at once.
    @Test func upgradingDoesAll() async throws {
        let engine = MemoryEngine()
        try Self.fill(engine)
        let store = try Self.open(engine)
        #expect(!store.incompleteIndexes.isEmpty)
        var parts: [Double] = []
        #expect(try store.upgrade { parts.append($0) } == 3000)
        #expect(parts == parts.sorted() && parts.last == 1 && parts.count > 4)
        #expect(try Self.versions(store) == [2: 3000] && store.incompleteIndexes.isEmpty)
        #expect(try await store.upgradeInBackground() == 0)
        try Self.check(store)
    }

    /// How many records have which version.
    private static func versions(_ store: ObjectStore) throws -> [UInt8: Int] {
        var versions: [UInt8: Int] = [:]
        try store.inspect { inspector in
            try inspector.forEach(store.catalog.classes[0]) { result in
                if case .success(let object) = result { versions[object.version, default: 0] += 1 }
                return true
            }
        }
        return versions
    }

    /// Whether every account is what its migration makes of it, once.
    private static func check(_ store: ObjectStore, _ count: Int = 3000, _ comment: Comment? = nil) throws {
        try store.buildIndexes()
        try store.read { context in
            let accounts = try context.allObjects(Now.self)
            #expect(accounts.count == count, comment)
            let wrong = accounts.filter { account in
                let heir = account.number % 10 == 0 && account.number > 0 ? " (o)" : ""
                return account.owner != "owner \(account.number)\(heir)" || account.initial != "o"
                    || account.euros != Double(account.number) || account.heirs.count != (heir == "" ? 0 : 1)
            }
            #expect(wrong.isEmpty, comment)
            #expect(!context.hasChanges, comment)
            let found = try context.count(where: \Now.initial == "o")
            #expect(found == count, comment)
        }
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems.prefix(3))")
    }

    @Test func allRecordsGetTheVersionOfTheirClass() throws {
        let engine = MemoryEngine()
        try Self.fill(engine)
        let store = try Self.open(engine)
        #expect(try Self.versions(store) == [1: 3000])
        var parts: [Double] = []
        #expect(try store.upgradeRecords { parts.append($0) } == 3000)
        #expect(parts.count > 2 && parts == parts.sorted() && parts.last == 1)
        #expect(try Self.versions(store) == [2: 3000])
        try Self.check(store)
        // The memos are gone, and with them the records that were too large for their pages.
        let size = try engine.makeView().entries().reduce(0) { $0 + $1.value.count }
        #expect(size < 500_000)
        #expect(try store.upgradeRecords() == 0)
        #expect(try Self.open(engine).upgradeRecords(of: [Now.self]) == 0)
    }

    /// What a migration makes of a record may rest on other objects, so that indexes are built of what is upgraded.
    @Test func buildingIndexesUpgrades() throws {
        let engine = MemoryEngine()
        try Self.fill(engine)
        let store = try Self.open(engine)
        var parts: [Double] = []
        try store.buildIndexes { parts.append($0) }
        #expect(parts.count > 5 && parts == parts.sorted() && parts.last == 1)
        #expect(try Self.versions(store) == [2: 3000])
        #expect(try store.upgradeRecords() == 0)
        try Self.check(store)
    }

    @Test func whatIsNotUpgradedHasNoEntries() throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 100)
        let store = try Self.open(engine)
        try store.write { context in
            // Changed, deleted, and only read.
            try context.object(ObjectID("1/11")!, as: Now.self)?.cents = 5
            if let account = try context.object(ObjectID("1/20")!, as: Now.self) { try context.delete(account) }
        }
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems.prefix(3))")
        // Account 11 leads to 10, which was migrated with it, and 21 led to the one that is gone.
        #expect(try Self.versions(store) == [1: 96, 2: 3])
        try store.buildIndexes()
        #expect(try Self.versions(store) == [2: 99])
        let found = try store.read { try $0.count(where: \Now.initial == "o") }
        #expect(found == 99)
        #expect(try store.verify().isIntact)
    }

    @Test func whatWasMigratedWhenItWasReadIsNotMigratedAgain() throws {
        let engine = MemoryEngine()
        try Self.fill(engine)
        let store = try Self.open(engine)
        let context = try store.makeContext()
        let some = try (1...500).compactMap { try context.object(ObjectID("1/\($0)")!, as: Now.self) }
        #expect(some.count == 500 && context.hasChanges)
        try context.save()
        context.close()
        #expect(try Self.versions(store) == [1: 2500, 2: 500])
        #expect(try store.upgradeRecords() == 2500)
        try Self.check(store)
    }

    @Test func aMigrationThatChangesNothingIsNoted() throws {
        let engine = MemoryEngine()
        try Self.fill(engine)
        let store = try ObjectStore(engine: engine, classes: [AccountsUnchanged.Account.self])
        #expect(try store.upgradeRecords() == 3000)
        #expect(try Self.versions(store) == [2: 3000])
        #expect(try store.verify().isIntact)
        #expect(try ObjectStore(engine: engine, classes: [AccountsUnchanged.Account.self]).upgradeRecords() == 0)
    }

    @Test func whatWasCancelledGoesOnWhereItWas() async throws {
        let engine = MemoryEngine()
        try Self.fill(engine)
        let store = try Self.open(engine)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await store.upgradeRecordsInBackground()
        }
        task.cancel()
        let failure = await #expect(throws: ObjectStoreError.self) { _ = try await task.value }
        #expect(failure?.code == .cancelled)
        let versions = try Self.versions(store)
        let done = versions[2] ?? 0
        #expect(done > 0 && done < 3000 && versions[1] == 3000 - done, "\(versions)")
        #expect(try await store.upgradeRecordsInBackground() == 3000 - done)
        try Self.check(store)
    }

    @Test func savesGoOnBeside() async throws {
        try await withSeeds("saves beside upgrading", count: Thorough.count(1, of: 3)) { generator in
            let engine = MemoryEngine()
            try Self.fill(engine, 2000)
            let store = try Self.open(engine)
            let seed = generator.next()
            let isDone = Atomic(false)
            let changed = Mutex<Set<Int>>([])
            try await onThreads(3) { thread in
                if thread == 0 {
                    defer { isDone.store(true, ordering: .releasing) }
                    try store.upgradeRecords()
                    return
                }
                var generator = SeededGenerator(seed: seed &+ UInt64(thread))
                repeat {
                    let rows = (0..<5).map { _ in generator.int(in: 1..<2001) }
                    do {
                        try store.write { context in
                            for row in rows { try context.object(ObjectID("1/\(row)")!, as: Now.self)?.cents = -row }
                        }
                        changed.withLock { $0.formUnion(rows) }
                    } catch {
                        guard (error as? ObjectStoreError)?.code == .conflict else { throw error }
                    }
                } while !isDone.load(ordering: .acquiring)
            }
            #expect(try Self.versions(store) == [2: 2000])
            try store.read { context in
                for row in changed.withLock({ $0 }) {
                    let cents = try context.object(ObjectID("1/\(row)")!, as: Now.self)?.cents
                    #expect(cents == -row)
                }
            }
            try Self.check(store, 2000)
        }
    }

    @Test func aContextWithOlderValuesFindsAConflict() throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 100)
        let store = try Self.open(engine)
        let context = try store.makeContext()
        let account = try #require(try context.object(ObjectID("1/5")!, as: Now.self))
        account.cents = 1
        #expect(try store.upgradeRecords() == 100)
        #expect(code { try context.save() } == .conflict)
        context.rollback()
        account.cents = 1
        try context.save()
        #expect(try Self.versions(store) == [2: 100])
        try Self.check(store, 100)
    }

    @Test func anEngineThatRefusesIsAskedAgain() throws {
        let engine = TerribleEngine(seed: 5)
        let store = try ObjectStore(engine: engine, classes: [TinyBefore.Tiny.self])
        for number in 0..<3 { try store.write { context in context.insert(TinyBefore.Tiny(number: number)) } }
        let now = try ObjectStore(engine: engine, classes: [TinyNow.Tiny.self])
        #expect(try now.upgradeRecords() == 3)
        #expect(try Self.versions(now) == [2: 3])
        #expect(try now.read { try $0.allObjects(TinyNow.Tiny.self).map(\.number) } == [1, 2, 3])
    }

    @Test func whatCannotBeReadIsNamedAndTheRestIsUpgraded() throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 200)
        var commit = EngineCommit()
        // A large record that is cut short, and an invalid page.
        let large = [0x02, 0, 1, 0, 0, 0, 0, 0, 51] as [UInt8]
        let record = try #require(try engine.makeView().get(large))
        commit.put(Array(record.prefix(8)), for: large)
        commit.put([9] as [UInt8], for: [0x01, 0, 1, 0, 0, 0, 0, 0, 3] as [UInt8])
        try engine.commit(commit)
        let store = try Self.open(engine)
        var failure: ObjectStoreError?
        do throws(ObjectStoreError) { try store.upgradeRecords() } catch { failure = error }
        #expect(failure?.code == .corruption && failure?.message.contains("neither can 1 other") == true, "\(String(describing: failure))")
        #expect(try Self.versions(store) == [2: 167])
        #expect(code { try store.upgradeRecords() } == .corruption)
    }

    @Test func aMigrationThatReadsWhatCannotBeReadEndsIt() throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 64)
        var commit = EngineCommit()
        // Account 10, in row 11, leads to row 10; rows 32 and up lead to rows of their own page.
        commit.put([9] as [UInt8], for: [0x01, 0, 1, 0, 0, 0, 0, 0, 0] as [UInt8])
        try engine.commit(commit)
        let other = try Self.open(engine)
        try other.read { context in
            let account = try #require(try context.object(ObjectID("1/41")!, as: Now.self))
            #expect(account.heirs.objectIDs == [ObjectID("1/40")!])
        }
        #expect(code { try other.upgradeRecords() } == .corruption)
        #expect(try Self.versions(other) == [2: 33])
    }

    @Test func valuesThatBecomeTheSameAreRefused() throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 10)
        let store = try ObjectStore(engine: engine, classes: [AccountsOfOneNumber.Account.self])
        #expect(code { try store.upgradeRecords() } == .notUnique)
        #expect(try Self.versions(store) == [1: 10])
    }

    @Test func whatCannotBeUpgradedIsRefused() throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 10)
        #expect(code { try Self.open(engine).upgradeRecords(of: [Pet.self]) } == .unknownClass)
        var options = ObjectStoreOptions()
        options.readOnly = true
        _ = try Self.open(engine)
        let reading = try ObjectStore(engine: engine, classes: [Now.self], options: options)
        #expect(code { try reading.upgradeRecords() } == .readOnly)
        // Of the first version nothing is older.
        let pets = try ObjectStore(engine: MemoryEngine(), classes: [Pet.self])
        #expect(try pets.upgradeRecords() == 0)
        try pets.close()
        #expect(code { try pets.upgradeRecords() } == .closed)
    }
}
