import CairnObjects
import CairnTestSupport
import Synchronization
import Testing

enum Wider {
    @Stored(name: "Item") final class Item {
        var label: String
        var number: Int
        var note: String = "none"
    }
}

enum Raised {
    @Stored(name: "Item", version: 2) final class Item {
        var label: String
        var number: Int
        var note: String = "none"
    }
}

/// Several stores on one engine, as several processes have them. Random changes of two stores: `ObjectModelTests`.
@Suite struct SharedStoreTests {
    private let engine = MemoryEngine()

    private func store(_ classes: any StoredObject.Type...) throws -> ObjectStore { try ObjectStore(engine: engine, classes: classes) }

    private static func insert(_ numbers: Range<Int>, _ store: ObjectStore) throws {
        for number in numbers { try store.write { $0.insert(Account(number: number)) } }
    }

    private static func error(_ body: () throws -> Void) -> ObjectStoreError? {
        do { try body() } catch { return error as? ObjectStoreError }
        return nil
    }

    private static func numbers(_ store: ObjectStore) throws -> [Int] {
        try store.read { try $0.allObjects(Account.self).map(\.number).sorted() }
    }

    @Test func whatTwoStoresInsertIsThere() throws {
        let (one, two) = (try store(Account.self), try store(Account.self))
        for number in 0..<10 {
            try Self.insert(number..<number + 1, one)
            try Self.insert(number + 10..<number + 11, two)
        }
        #expect(try Self.numbers(one) == Array(0..<20) && Self.numbers(two) == Array(0..<20))
        #expect(try one.verify().problems.isEmpty)
    }

    /// A store that was opened before others inserted and gave their rows back inserts into the page that they began.
    @Test func aStoreContinuesThePagesOfOthers() throws {
        let late = try store(Account.self)
        do { try Self.insert(0..<100, try store(Account.self)) }
        try Self.insert(100..<110, late)
        #expect(try Self.numbers(late) == Array(0..<110))
        #expect(try late.read { try $0.allObjects(Account.self).compactMap(\.objectID).map(\.row).max() } == 110)
        #expect(try late.verify().problems.isEmpty)
    }

    /// What a store gives back is the rows that it leased, not those that others have used since it was opened.
    @Test func rowsThatOthersUsedAreNotGivenBack() throws {
        // The last store that is closed closes the engine.
        let (other, late) = (try store(Account.self), try store(Account.self))
        do { try Self.insert(0..<10, try store(Account.self)) }
        let context = try late.makeContext()
        context.insert(Account(number: 99))
        context.close()
        try late.close()
        let last = try store(Account.self)
        try other.close()
        try Self.insert(10..<11, last)
        #expect(try Self.numbers(last) == Array(0..<11))
        #expect(try last.read { try $0.allObjects(Account.self).compactMap(\.objectID).map(\.row).max() } == 11)
        #expect(try last.verify().problems.isEmpty)
    }

    @Test func aContextSeesWhatOthersSave() throws {
        let (one, two) = (try store(Account.self), try store(Account.self))
        let context = try one.makeContext()
        #expect(try context.count(Account.self) == 0)
        try Self.insert(0..<3, two)
        #expect(try context.count(Account.self) == 3)
        let account = try #require(try context.first(Account.self, where: \.number == 1))
        try two.write { try $0.first(Account.self, where: \.number == 1)?.balance = 7 }
        context.refresh()
        #expect(account.balance == 7)
        context.close()
    }

    @Test func aUniqueValueIsUniqueForAllStores() throws {
        let (one, two) = (try store(Account.self), try store(Account.self))
        try Self.insert(0..<1, one)
        #expect(code { try Self.insert(0..<1, two) } == .notUnique)
    }

    /// Eight threads, each with a store of its own.
    @Test func nothingIsLostBetweenThreads() async throws {
        // The last store that is closed closes the engine.
        let store = try store(Account.self)
        try await onThreads(8) { [engine] client in
            let store = try ObjectStore(engine: engine, classes: [Account.self])
            for number in 0..<50 {
                try store.write(attempts: 10_000) { context in
                    context.insert(Account(number: 1000 * client + number + 1, owner: "client \(client)"))
                    try context.upsert(\Account.number, 0, make: { Account(number: 0) }, update: { $0.balance += 1 })
                }
            }
            try store.close()
        }
        #expect(try store.verify().problems.isEmpty)
        #expect(try store.read { try $0.count(Account.self) } == 401)
        #expect(try store.read { try $0.first(Account.self, where: \.number == 0)?.balance } == 400)
        #expect(try store.read { try $0.search(Account.self, \.owner, "client").count } == 400)
        try store.close()
        #expect(throws: EngineError.self) { try engine.makeView() }
    }

    /// An import takes rows after those that open contexts have given out.
    @Test func anImportLeavesTheRowsOfOpenContexts() throws {
        let store = try store(Account.self)
        try Self.insert(0..<10, store)
        let context = try store.makeContext()
        for number in 10..<110 { context.insert(Account(number: number)) }
        let other = try ObjectStore(engine: MemoryEngine(), classes: [Account.self])
        try Self.insert(200..<250, other)
        let importer = try ObjectImporter(store)
        try other.inspect { inspector in
            let stored = try #require(other.catalog["Account"])
            try importer.add(stored)
            try inspector.forEach(stored) { result in
                try importer.add(result.get())
                return true
            }
        }
        _ = try importer.finish()
        try context.save()
        context.close()
        #expect(try Self.numbers(store) == Array(0..<110) + Array(200..<250))
    }

    /// Of programs that open a store at once after an update, one runs the migration.
    @Test func aMigrationRunsOnce() async throws {
        do {
            let store = try store(Account.self)
            try store.write { context in for number in 0..<2500 { context.insert(Account(number: number, balance: 1)) } }
        }
        var options = ObjectStoreOptions()
        options.migrations = [
            ObjectMigration("double") { context in for account in try context.allObjects(Account.self) { account.balance *= 2 } },
            ObjectMigration("triple", forEach: Account.self) { account, _ in account.balance *= 3 },
        ]
        try await onThreads(4) { [engine, options] _ in _ = try ObjectStore(engine: engine, classes: [Account.self], options: options) }
        #expect(try store(Account.self).read { try Set($0.allObjects(Account.self).map(\.balance)) } == [6])
    }

    /// What others saved after a program began to open the store is migrated too.
    @Test func aMigrationFindsWhatOthersHaveJustSaved() throws {
        let other = try store(Account.self)
        var options = ObjectStoreOptions()
        options.migrations = [
            // The other one is run again if it meets the change.
            ObjectMigration("first") { [engine] _ in
                if try engine.makeView().entries(KeyRange(prefix: [1])).isEmpty { try Self.insert(0..<10, other) }
            },
            ObjectMigration("second", forEach: Account.self) { account, _ in account.balance += 1 },
        ]
        let store = try ObjectStore(engine: engine, classes: [Account.self], options: options)
        #expect(try store.read { try $0.allObjects(Account.self).map(\.balance) } == [Int](repeating: 1, count: 10))
    }

    /// A step that another program finished after this one had looked.
    @Test func aStepThatWasFinishedMeanwhileIsNotRunAgain() throws {
        var options = ObjectStoreOptions()
        options.migrations = [ObjectMigration("insert") { $0.insert(Account(number: 1)) }]
        let isFirst = Atomic(true)
        var first = options
        first.progress = { [engine, options] _, _ in
            guard isFirst.exchange(false, ordering: .relaxed) else { return }
            #expect(throws: Never.self) { _ = try ObjectStore(engine: engine, classes: [Account.self], options: options) }
        }
        let store = try ObjectStore(engine: engine, classes: [Account.self], options: first)
        #expect(try Self.numbers(store) == [1])
    }

    /// An insertion for which no row could be reserved may be what the other changes depend on.
    @Test func nothingIsSavedWithoutAnInsertionThatFailed() throws {
        let engine = FailingEngine()
        let store = try ObjectStore(engine: engine, classes: [Account.self, Old.Item.self])
        try store.write { $0.insert(Account(number: 1)) }
        let context = try store.makeContext()
        defer { context.close() }
        let account = try #require(try context.allObjects(Account.self).first)
        account.balance = 7
        engine.fail(after: 0, EngineError(.busy, "another process is writing"))
        context.insert(Old.Item(label: "a", number: 1))
        context.insert(Old.Item(label: "b", number: 2))
        engine.fail(after: .max)
        for _ in 0..<2 {
            let error = Self.error { try context.save() }
            #expect(error?.code == .busy && error?.message.contains("rollback") == true, "\(error.map { "\($0)" } ?? "saved")")
        }
        context.rollback()
        context.insert(Old.Item(label: "c", number: 3))
        account.balance = 8
        try context.save()
        #expect(try store.read { try $0.allObjects(Old.Item.self).map(\.label) } == ["c"])
        #expect(try store.read { try $0.allObjects(Account.self).map(\.balance) } == [8])
    }

    /// Also if others have saved since the indexes were last looked at.
    @Test func indexesAreRebuiltAfterOthersHaveSaved() throws {
        let (one, two) = (try store(Account.self), try store(Account.self))
        try Self.insert(0..<40, one)
        var commit = EngineCommit()
        commit.put([], for: [3, 0, 1, 0, 2, 21, 99, 0, 0, 0, 0, 0, 99])
        try engine.commit(commit)
        try Self.insert(40..<41, two)
        #expect(try one.verify().problems.count == 1)
        try one.rebuildIndexes()
        #expect(try one.verify().problems.isEmpty)
    }

    // MARK: Programs of different versions

    @Test func aProgramWithOlderClassesReadsOnAndDoesNotSave() throws {
        let older = try store(Old.Item.self)
        try older.write { $0.insert(Old.Item(label: "a", number: 1)) }
        let newer = try store(New.Item.self, Account.self)
        let refusal = Self.error { try older.write { $0.insert(Old.Item(label: "b", number: 2)) } }
        #expect(refusal?.code == .schemaMismatch && refusal?.message.contains("Item") == true, "\(refusal.map { "\($0)" } ?? "saved")")
        // Opening it again would be wrong.
        #expect(refusal?.message.contains("update this program before it opens the store again") == true)
        try newer.write { $0.insert(New.Item(label: "c", number: 3)) }
        // It would take what it does not know for damage.
        #expect(code { _ = try older.verify() } == .schemaMismatch)
        #expect(code { _ = try older.repair() } == .schemaMismatch)
        #expect(try newer.verify().problems.isEmpty)
        #expect(try older.read { try $0.allObjects(Old.Item.self).map(\.label) } == ["a", "c"])
        // Opened again, it is as new as the others, since the index of Item is gone.
        let again = try store(Old.Item.self)
        try again.write { $0.insert(Old.Item(label: "d", number: 4)) }
        let loss = Self.error { try newer.write { $0.insert(New.Item(label: "e", number: 5)) } }
        #expect(loss?.code == .schemaMismatch && loss?.message.hasSuffix("; close the store and open it again") == true)
        #expect(try again.verify().problems.isEmpty)
    }

    /// What the guide warns of: it cannot be told from a newer program that has removed the property.
    @Test func anOlderProgramThatIsStartedLaterLosesANewProperty() throws {
        do {
            let newer = try store(Wider.Item.self)
            try newer.write { context in
                for label in ["a", "b"] { context.insert(Wider.Item(label: label, number: 1, note: "note")) }
            }
        }
        try store(Old.Item.self).write { try $0.fetch(Old.Item.self, where: \.label == "a").first?.number = 2 }
        let items = try store(Wider.Item.self).read { try $0.allObjects(Wider.Item.self).map { "\($0.label) \($0.number) \($0.note)" } }
        #expect(items == ["a 2 none", "b 1 note"])
    }

    /// A version keeps it out.
    @Test func anOlderProgramDoesNotOpenARaisedVersion() throws {
        let older = try store(Old.Item.self)
        try older.write { $0.insert(Old.Item(label: "a", number: 1)) }
        let newer = try store(Raised.Item.self)
        try newer.write { $0.insert(Raised.Item(label: "b", number: 2, note: "note")) }
        let refusal = Self.error { try older.write { $0.insert(Old.Item(label: "c", number: 3)) } }
        #expect(refusal?.code == .schemaMismatch)
        #expect(
            refusal?.message.contains("has raised the version of the class Item to 2") == true
                && refusal?.message.contains("; update this program") == true,
            "\(refusal.map { "\($0)" } ?? "saved")"
        )
        // Reading continues where the store is open, and only there.
        #expect(try older.read { try $0.allObjects(Old.Item.self).map(\.label) } == ["a", "b"])
        for isReadOnly in [false, true] {
            var options = ObjectStoreOptions()
            options.readOnly = isReadOnly
            let opening = Self.error { _ = try ObjectStore(engine: engine, classes: [Old.Item.self], options: options) }
            #expect(opening?.code == .unsupportedVersion && opening?.message.hasSuffix("; update this one") == true)
        }
        #expect(try newer.read { try $0.allObjects(Raised.Item.self).map(\.note) } == ["none", "note"])
    }

    @Test func aClassThatAnotherProgramAddsIsRefused() throws {
        let older = try store(Account.self)
        try Self.insert(0..<1, older)
        _ = try store(Account.self, Old.Item.self)
        let refusal = Self.error { try Self.insert(1..<2, older) }
        #expect(refusal?.code == .schemaMismatch && refusal?.message.contains("has added the class Item") == true)
        #expect(try Self.numbers(older) == [0])
        try Self.insert(1..<2, try store(Account.self))
    }

    @Test func classesAreAddedOnceByMany() async throws {
        try await onThreads(12) { [engine] client in
            let kinds: [any StoredObject.Type] = [Account.self, Old.Item.self]
            _ = try ObjectStore(engine: engine, classes: client % 3 < 2 ? [kinds[client % 3]] : modelClasses)
        }
        let names = try store().catalog.classes.map(\.name)
        #expect(names.sorted() == ["Account", "Item", "ModelHub", "ModelLine", "ModelPart", "ModelTag"])
    }

    // MARK: Indexes

    /// An index that one store builds is used by the others once it is complete, and no longer once it is discarded.
    @Test func indexesAreCompleteForAllStores() throws {
        do {
            let old = try store(Old.Item.self)
            try old.write { context in for number in 0..<100 { context.insert(Old.Item(label: "item \(number)", number: number)) } }
        }
        let (one, two) = (try store(New.Item.self), try store(New.Item.self))
        func find(_ store: ObjectStore) throws -> (count: Int, access: String) {
            try store.read { context in
                let access = try context.explain(New.Item.self, where: \.number < 10).access
                return (try context.count(where: \New.Item.number < 10), access)
            }
        }
        let before = try find(two)
        #expect(before.count == 10 && !two.incompleteIndexes.isEmpty)
        try one.buildIndexes()
        let after = try find(two)
        #expect(after.count == 10 && two.incompleteIndexes.isEmpty && after.access != before.access)
        // What saves of one store write, the other finds in the index.
        try one.write { $0.insert(New.Item(label: "new", number: 5)) }
        #expect(try find(two).count == 11)
        var isFirst = true
        try one.rebuildIndexes { _ in
            guard isFirst else { return }
            isFirst = false
            #expect(throws: Never.self) {
                let during = try find(two)
                #expect(during.count == 11 && during.access == before.access)
                try two.write { $0.insert(New.Item(label: "newer", number: 6)) }
            }
        }
        #expect(try find(two).count == 12 && find(one).count == 12)
        #expect(try one.verify().problems.isEmpty)
    }

    @Test func aRepairIsRefusedIfOthersWriteMeanwhile() throws {
        let (one, two) = (try store(Account.self), try store(Account.self))
        try Self.insert(0..<40, one)
        // An entry of the index that leads to no object.
        var commit = EngineCommit()
        commit.put([], for: [3, 0, 1, 0, 2, 21, 99, 0, 0, 0, 0, 0, 99])
        try engine.commit(commit)
        var isFirst = true
        let failure = code {
            try one.repair { _ in
                guard isFirst else { return }
                isFirst = false
                #expect(throws: Never.self) { try Self.insert(100..<101, two) }
            }
        }
        #expect(failure == .busy)
        #expect(try one.verify().problems.count == 1)
        try one.repair()
        #expect(try one.verify().problems.isEmpty && Self.numbers(one).count == 41)
    }
}
