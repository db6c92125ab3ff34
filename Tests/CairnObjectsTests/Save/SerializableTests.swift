import CairnObjects
import CairnTestSupport
import Synchronization
import Testing

@Stored final class Account {
    @Unique var number: Int
    @Indexed var balance: Int = 0
    @Searchable var owner: String = ""
    var entries: [Int] = []
}

/// What `write { }` depends on.
@Suite struct SerializableTests {
    private let engine = MemoryEngine()

    private func store() throws -> ObjectStore { try ObjectStore(engine: engine, classes: [Account.self]) }

    /// Makes accounts that are on different pages.
    private func fill(_ store: ObjectStore, _ count: Int = 200) throws {
        try store.write { context in
            for number in 0..<count { context.insert(Account(number: number, balance: 10, owner: "owner \(number)")) }
        }
    }

    private static func account(_ number: Int, _ context: ObjectContext) throws -> Account {
        try #require(try context.first(Account.self, where: \.number == number))
    }

    /// Runs a body that reads something and changes account 100; during its first run, others do something. Returns how often it ran.
    private func runs(
        _ store: ObjectStore,
        others: (ObjectContext) throws -> Void,
        _ read: (ObjectContext) throws -> Void
    ) throws -> Int {
        var runs = 0
        try store.write { context in
            runs += 1
            try read(context)
            let account = try Self.account(100, context)
            if runs == 1 { try store.write { try others($0) } }
            account.balance += 1
        }
        #expect(try store.verify().problems.isEmpty)
        return runs
    }

    @Test func aBodyRunsAgainIfWhatItReadHasChanged() throws {
        let store = try store()
        try fill(store)
        // A value, the result of a search, its absence, a sum over all, what an index has in a range, what is found by text.
        #expect(
            try runs(store) {
                try Self.account(0, $0).balance = 7
            } _: {
                _ = try Self.account(0, $0).balance
            } == 2
        )
        #expect(
            try runs(store) {
                $0.insert(Account(number: 300))
            } _: {
                _ = try $0.first(Account.self, where: \.number == 300)
            } == 2
        )
        #expect(
            try runs(store) {
                try $0.delete(Self.account(1, $0))
            } _: {
                _ = try $0.count(Account.self)
            } == 2
        )
        #expect(
            try runs(store) {
                $0.insert(Account(number: 301, balance: 55))
            } _: {
                _ = try $0.count(where: \Account.balance > 50)
            } == 2
        )
        #expect(
            try runs(store) {
                $0.insert(Account(number: 302, owner: "Katrina"))
            } _: {
                _ = try $0.search(Account.self, \.owner, "katrina")
            } == 2
        )
        let id = try #require(try store.read { try Self.account(150, $0).objectID })
        #expect(
            try runs(store) {
                try $0.delete(Self.account(150, $0))
            } _: {
                _ = try $0.object(id, as: Account.self)
            } == 2
        )
        #expect(
            try runs(store) {
                try $0.setNamed("rate", to: 3)
            } _: {
                _ = try $0.named("rate", as: Int.self)
            } == 2
        )
    }

    @Test func aBodyRunsOnceIfOthersChangeSomethingElse() throws {
        let store = try store()
        try fill(store)
        #expect(
            try runs(store) {
                try Self.account(0, $0).balance = 7
            } _: {
                _ = try Self.account(199, $0).balance
            } == 1
        )
        #expect(
            try runs(store) {
                $0.insert(Account(number: 300))
            } _: {
                _ = try $0.first(Account.self, where: \.number == 301)
            } == 1
        )
        #expect(
            try runs(store) {
                try Self.account(0, $0).owner = "Katrina"
            } _: {
                _ = try $0.count(where: \Account.balance > 50)
            } == 1
        )
        // One that changes nothing has read what was there at one time.
        var runs = 0
        try store.write { context in
            runs += 1
            try store.write { try Self.account(0, $0).balance += 1 }
            _ = try Self.account(0, context).balance
        }
        #expect(runs == 1)
    }

    @Test func aBodySeesOneState() throws {
        let store = try store()
        try fill(store)
        try store.write { context in
            let before = try context.count(Account.self)
            try store.write { $0.insert(Account(number: 500)) }
            #expect(try context.count(Account.self) == before)
        }
        // But what it saved itself.
        try store.write { context in
            context.insert(Account(number: 501))
            try context.save()
            #expect(try context.first(Account.self, where: \.number == 501) != nil)
            try Self.account(501, context).balance = 3
        }
        #expect(try store.read { try Self.account(501, $0).balance } == 3)
    }

    /// What makes the save impossible is something that the body has seen otherwise.
    @Test func aBodyRunsAgainIfOthersTakeItsUniqueValue() throws {
        let store = try store()
        try fill(store)
        var runs = 0
        try store.write { context in
            runs += 1
            _ = try context.upsert(\Account.number, 400, make: { Account(number: 400) }, update: { $0.balance += 1 })
            if runs == 1 { try store.write { $0.insert(Account(number: 400, balance: 5)) } }
        }
        #expect(runs == 2)
        #expect(try store.read { try Self.account(400, $0).balance } == 6)
    }

    /// What a body saves by itself is not saved a second time.
    @Test func aBodyThatHasSavedDoesNotRunAgain() throws {
        let store = try store()
        try fill(store)
        var runs = 0
        let failure = code {
            try store.write { context in
                runs += 1
                let one = try Self.account(0, context)
                one.balance = 0
                try context.save()
                _ = try Self.account(100, context).balance
                try store.write { try Self.account(100, $0).balance = 4 }
                one.balance = 1
            }
        }
        #expect(failure == .conflict && runs == 1)
        #expect(try store.read { try Self.account(0, $0).balance } == 0)
    }

    @Test func conflictIsThrownAfterTheLastAttempt() throws {
        let store = try store()
        try fill(store)
        var runs = 0
        let failure = code {
            try store.write(attempts: 3) { context in
                runs += 1
                let one = try Self.account(0, context)
                try store.write { try Self.account(0, $0).balance += 1 }
                try Self.account(100, context).balance = one.balance
            }
        }
        #expect(failure == .conflict && runs == 3)
        #expect(try store.read { try Self.account(100, $0).balance } == 10)
    }

    /// The error of the last attempt says what others have done.
    @Test func aConflictNamesWhatOthersHaveChanged() throws {
        let store = try store()
        try fill(store)
        func id(_ number: Int) throws -> ObjectID { try #require(try store.read { try Self.account(number, $0).objectID }) }
        func conflict(others: (ObjectContext) throws -> Void, _ read: (ObjectContext) throws -> Void) -> ObjectStoreError? {
            do {
                try store.write(attempts: 1) { context in
                    try read(context)
                    let account = try Self.account(100, context)
                    try store.write { try others($0) }
                    account.balance += 1
                }
            } catch {
                return error as? ObjectStoreError
            }
            return nil
        }
        func check(_ error: ObjectStoreError?, _ phrase: String, _ object: ObjectID?, isOfPage: Bool = false) {
            let depend = "and these changes depend on that\(isOfPage ? " or on an object stored next to it" : "")"
            #expect(error?.code == .conflict && error?.object == object)
            #expect(error?.message == "others have \(phrase) of the store, \(depend); start over")
        }

        let (first, second, last) = (try id(0), try id(1), try id(150))
        let changed = conflict {
            try Self.account(0, $0).balance = 7
        } _: {
            _ = try Self.account(0, $0).balance
        }
        check(changed, "changed Account \(first.row)", first, isOfPage: true)
        // On the same page.
        let neighbor = conflict {
            try Self.account(1, $0).balance = 7
        } _: {
            _ = try Self.account(0, $0).balance
        }
        check(neighbor, "changed Account \(second.row)", second, isOfPage: true)
        let deleted = conflict {
            try $0.delete(Self.account(150, $0))
        } _: {
            _ = try $0.object(last, as: Account.self)
        }
        check(deleted, "deleted Account \(last.row)", last, isOfPage: true)
        // Of a unique index, and of a range of another one.
        let unique = conflict {
            $0.insert(Account(number: 300))
        } _: {
            _ = try $0.first(Account.self, where: \.number == 300)
        }
        let new = try id(300)
        check(unique, "changed the entry of Account \(new.row) in the index on number", new)
        let range = conflict {
            $0.insert(Account(number: 301, balance: 55))
        } _: {
            _ = try $0.count(where: \Account.balance > 50)
        }
        let rich = try id(301)
        check(range, "changed the entry of Account \(rich.row) in the index on balance", rich)
        let named = conflict {
            try $0.setNamed("rate", to: 3)
        } _: {
            _ = try $0.named("rate", as: Int.self)
        }
        check(named, "changed a named value", nil)
    }

    /// As after a thousand saves of others, each between what a save reads and its commit.
    @Test func aSaveThatGivesUpNamesWhatOthersHaveChanged() throws {
        let engine = FailingEngine()
        let store = try ObjectStore(engine: engine, classes: [Account.self])
        try fill(store)
        let context = try store.makeContext()
        defer { context.close() }
        let account = try Self.account(100, context)
        account.balance = 7
        let id = try #require(account.objectID)
        let page = [1] + [0, 1] + [UInt8](repeating: 0, count: 5) + [UInt8(id.row >> 5)]
        for (key, reason) in [
            (page, ", the last of which failed because they had changed Account \(id.row & ~31) to \(id.row | 31)"), (nil, ""),
        ] as [([UInt8]?, String)] {
            engine.fail(after: 0, EngineError(conflict: "others have committed", key: key))
            var error: ObjectStoreError?
            do { try context.save() } catch let failure { error = failure }
            #expect(error?.code == .conflict)
            #expect(
                error?.message
                    == "the store was changed by others during each of 1000 attempts to save\(reason); try again, or save less at once"
            )
        }
        engine.fail(after: .max)
        try context.save()
        #expect(try store.read { try Self.account(100, $0).balance } == 7)
    }

    /// Write skew, both ways: each of two withdrawals sees enough money in both accounts together, and takes it from another one.
    @Test(arguments: [true, false]) func twoWithdrawalsSeeEachOther(serializable: Bool) throws {
        let store = try store()
        try fill(store)
        func withdraw(_ number: Int, _ context: ObjectContext, beforeSave: () throws -> Void = {}) throws {
            let accounts = (try Self.account(0, context), try Self.account(100, context))
            guard accounts.0.balance + accounts.1.balance >= 15 else { return }
            try beforeSave()
            (number == 0 ? accounts.0 : accounts.1).balance -= 15
        }
        var runs = 0
        let body = { (context: ObjectContext) in
            runs += 1
            try withdraw(0, context) { if runs == 1 { try store.write { try withdraw(100, $0) } } }
        }
        if serializable { try store.write(body) } else { try store.write(conflictPolicy: .fail, body) }
        let sum = try store.read { try Self.account(0, $0).balance + Self.account(100, $0).balance }
        #expect(sum == (serializable ? 5 : -10) && runs == (serializable ? 2 : 1))
    }

    /// With a conflict policy, only changed objects count.
    @Test func aPolicyComparesChangedObjectsOnly() throws {
        let store = try store()
        try fill(store)
        var runs = 0
        try store.write(conflictPolicy: .fail, attempts: 5) { context in
            runs += 1
            let one = try Self.account(0, context).balance
            if runs == 1 { try store.write { try Self.account(0, $0).balance += 1 } }
            try Self.account(100, context).balance = one
        }
        #expect(runs == 1)
    }
}
