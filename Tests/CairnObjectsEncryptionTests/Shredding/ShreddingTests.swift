import CairnCore
import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Crypto
import Foundation
import Testing

/// What is left of objects whose key was deleted, and of the others.
struct ShreddingTests {
    private let open: OpenSafe
    private let store: ObjectStore
    private let before: [String]

    init() throws {
        open = try OpenSafe()
        store = try open.store(mailbox)
        try fillMailbox(store)
        before = try mail(store)
    }

    @Test func aGroupIsGoneAndTheOthersAreThere() throws {
        #expect(before.filter { $0.hasPrefix("ada") }.count == 30 && before.contains("ada wrote letter 10 with 2000 bytes"))
        #expect(try store.shred("ada") == 30)
        #expect(try mail(store) == shredded(before, "ada"))
        #expect(try mail(open.store(mailbox)) == shredded(before, "ada"))
        #expect(try store.shred("ada") == 0)
        #expect(try store.shred("nobody") == 0)
        #expect(try store.shred("ben") == 30)
        #expect(try mail(store) == shredded(shredded(before, "ada"), "ben"))
    }

    @Test func errorsNameClassAndRow() throws {
        try store.shred("ada")
        try store.read { context in
            let error = #expect(throws: ObjectStoreError.self) { try context.object(messageID(2), as: Message.self) }
            #expect(error?.code == .shredded && error?.object == messageID(2))
            #expect(error?.message.hasPrefix("Message 2 of the store cannot be read: it was shredded") == true)
            // By a relationship.
            let folder = try #require(try context.fetch(Folder.self).first)
            #expect(folder.messages.count == 90)
            #expect(folder.messages[1].text == "" && folder.messages[2].text == "ben wrote letter 2")
            #expect(context.faultErrors.map(\.code) == [.shredded] && context.faultErrors.first?.object == messageID(2))
            #expect(code { try folder.messages.load() } == .shredded)
        }
    }

    @Test func queriesPassOverThem() throws {
        try store.shred("ada")
        let left = before.count { !$0.hasPrefix("ada") }
        try store.read { context in
            #expect(try context.count(Message.self) == left)
            #expect(try context.allObjects(Message.self).count == left)
            #expect(try context.groups(Message.self, by: \.user, .count).map { "\($0.0 ?? "nobody") \($0.1)" } == ["nobody 30", "ben 30"])
            #expect(try context.min(of: \Message.user) == "ben")
            var visited = 0
            try context.forEach(Message.self) { _ in
                visited += 1
                return true
            }
            #expect(visited == left)
            #expect(try context.fetch(Message.self).count == left)
            #expect(try context.fetch(Message.self, where: .hasPrefix(\.text, "ada")).isEmpty)
            #expect(try context.fetch(Message.self, sortedBy: \.text).count == left)
            #expect(try context.count(Message.self, where: \.user == "ada") == 0)
            #expect(try context.count(Message.self, where: \.user == "ben") == 30)
            #expect(try context.first(Message.self, where: \.code == "code 1") == nil)
            #expect(try context.first(Message.self, where: \.code == "code 2") != nil)
            #expect(try context.search(Message.self, \.text, "[[*letter*]]").count == left)
            #expect(try context.search(Message.self, \.text, "[[*r*]]").count == left)
            #expect(try context.search(Message.self, \.text, "[[*ada*]]").isEmpty)
            #expect(try context.shreddedObjects(Message.self).map { $0.objectID?.row } == stride(from: 2, through: 89, by: 3).map { $0 })
            #expect(try context.shreddedObjects(Folder.self).isEmpty)
        }
    }

    /// Nothing but the rows, and what leads to them, is where objects of a group were.
    @Test func entriesGoToo() throws {
        func counts() throws -> [UInt8: Int] { Dictionary(grouping: try open.entries(), by: { $0.key[0] }).mapValues(\.count) }
        try store.shred("ada")
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
        #expect(report.classes[0].objectCount == 60 && report.classes[0].shreddedCount == 30 && report.classes[0].damagedCount == 0)
        #expect(report.classes[0].indexEntryCount == 2 * 60)
        // Without the classes there is nothing to be found either.
        #expect(try open.store([]).verify().isIntact)
        let (entries, texts) = (try counts()[3], try counts()[7])
        // As if only the others had ever been there.
        let other = try OpenSafe()
        let others = try other.store(mailbox)
        try others.write { context in
            for (number, text) in before.enumerated() where !text.hasPrefix("ada") {
                let user = number % 3 == 0 ? nil : "ben"
                context.insert(Message(user: user, code: "code \(number)", text: "\(user ?? "nobody") wrote letter \(number)"))
            }
        }
        let wanted = Dictionary(grouping: try other.entries(), by: { $0.key[0] }).mapValues(\.count)
        #expect(entries == wanted[3] && texts == wanted[7])
    }

    @Test func theyAreDeletedAndSoIsWhatTheyLedTo() throws {
        try store.shred("ada")
        try store.write { context in
            for message in try context.shreddedObjects(Message.self).prefix(10) { try context.delete(message) }
        }
        #expect(try store.verify().isIntact)
        #expect(try store.verify().classes[0].shreddedCount == 20)
        // A folder that shredded messages were in; a message that some of them answered.
        try store.write { context in
            let folder = try #require(try context.fetch(Folder.self).first)
            #expect(folder.messages.count == 80)
            try context.delete(folder)
            let first = try #require(try context.object(messageID(1), as: Message.self))
            try context.delete(first)
        }
        #expect(try store.verify().isIntact)
        try store.write { context in
            for message in try context.shreddedObjects(Message.self) { try context.delete(message) }
        }
        let report = try store.verify()
        #expect(report.isIntact && report.classes[0].shreddedCount == 0 && report.classes[0].objectCount == 59)
        #expect(try open.entries().filter { $0.key.first == 2 }.count == 5, "large records of those that are left")
    }

    @Test func aNewKeyIsForNewObjects() throws {
        try store.shred("ada")
        try store.write { context in context.insert(Message(user: "ada", code: "code 1", text: "ada is back")) }
        #expect(try mail(open.store(mailbox), 91) == shredded(before, "ada") + ["ada is back"])
        #expect(try store.shred("ada") == 1)
        #expect(try mail(store, 91) == shredded(before, "ada") + ["shredded"])
    }

    @Test func objectsChangeTheirGroup() throws {
        try store.write { context in
            for row in [1, 2, 11] { try context.object(messageID(row), as: Message.self)?.user = "eve" }
            try context.object(messageID(5), as: Message.self)?.user = nil
        }
        #expect(try store.shred("ada") == 27)
        #expect(try store.shred("eve") == 3)
        let now = try mail(store)
        #expect(now[0] == "shredded" && now[1] == "shredded" && now[10] == "shredded" && now[4] == "ada wrote letter 4")
        #expect(try store.verify().isIntact)
    }

    /// Views made before see what was there before, but for this.
    @Test func itIsAtOnceForEverybody() throws {
        let context = try store.makeContext()
        let loaded = try #require(try context.object(messageID(2), as: Message.self))
        try store.read { pinned in
            #expect(try pinned.object(messageID(5), as: Message.self)?.text == "ada wrote letter 4")
            try store.shred("ada")
            #expect(code { try pinned.object(messageID(8), as: Message.self)?.text } == .shredded)
            #expect(try pinned.object(messageID(9), as: Message.self)?.text == "ben wrote letter 8")
        }
        // What is in memory stays there, and is not saved.
        #expect(loaded.text == "ada wrote letter 1")
        loaded.text = "changed"
        #expect(code { try context.save() } == .shredded)
        context.rollback()
        // Others of the same page are.
        try context.object(messageID(1), as: Message.self)?.text = "changed"
        try context.save()
        #expect(try mail(store)[0..<2] == ["changed with 2000 bytes", "shredded"])
        context.close()
    }

    @Test func shreddedObjectsAreNotInTheWayOfOtherWork() throws {
        try store.shred("ada")
        try store.rebuildIndexes()
        #expect(store.incompleteIndexes.isEmpty)
        #expect(try store.upgradeRecords() == 0)
        #expect(try store.repair().isIntact)
        #expect(try store.verify().isIntact)
        #expect(try mail(store) == shredded(before, "ada"))
    }

    /// As tools do it.

    /// What a context can undo stays in memory; of what is shredded nothing comes back into the store.
    @Test func undoingBringsNothingBack() throws {
        let context = try store.makeContext()
        context.undo.isEnabled = true
        let message = try #require(try context.object(messageID(2), as: Message.self))
        message.text = "ada wrote it again"
        try context.save()
        try store.shred("ada")
        try context.undo.undo()
        #expect(message.text == "ada wrote letter 1")
        #expect(code { try context.save() } == .shredded)
        context.rollback()
        context.close()
        #expect(try mail(store) == shredded(before, "ada"))
        #expect(try store.verify().isIntact)
    }

    /// An object that was deleted before is in no group that is deleted: undone, it is a new one.
    @Test func undoingADeletionIsANewObject() throws {
        let context = try store.makeContext()
        context.undo.isEnabled = true
        let message = try #require(try context.object(messageID(89), as: Message.self))
        try context.delete(message)
        try context.save()
        #expect(try store.shred("ada") == 29)
        try context.undo.undo()
        try context.save()
        context.close()
        var expected = shredded(before, "ada")
        expected[88] = before[88]
        #expect(try mail(store) == expected)
        #expect(try store.shred("ada") == 1)
        #expect(try mail(open.store(mailbox)) == shredded(before, "ada"))
        #expect(try store.verify().isIntact)
    }

    @Test func itNeedsNoClasses() throws {
        let store = try open.store([])
        #expect(try store.shred("ben") == 30)
        let catalog = try #require(store.catalog["Message"])
        var (texts, codes): (Int, [ObjectStoreError.Code]) = (0, [])
        try store.inspect { inspector in
            #expect(try inspector.count(catalog) == 90)
            try inspector.forEach(catalog) { result in
                switch result {
                case .success(let dump): texts += dump["text"] == nil ? 0 : 1
                case .failure(let error): codes.append(error.code)
                }
                return true
            }
        }
        #expect(texts == 60 && codes == Array(repeating: .shredded, count: 30))
        #expect(try self.open.store(mailbox).verify().isIntact)
    }

    @Test func inTheBackground() async throws {
        #expect(try await store.shredInBackground("ada") == 30)
        let (begun, go) = AsyncStream.makeStream(of: Void.self)
        let task = Task { [store] in
            for await _ in begun {}
            return try await store.shredInBackground("ben")
        }
        task.cancel()
        go.finish()
        await #expect(throws: ObjectStoreError.self) { _ = try await task.value }
        #expect(try mail(store) == shredded(before, "ada"))
    }

    @Test func textsThatAreNearlyTheSameAreOtherGroups() throws {
        try store.write { context in
            for (number, user) in ["", "é", "e\u{301}", "ada\0", "\u{1F600}"].enumerated() {
                context.insert(Message(user: user, code: "other \(number)", text: "of \(number)"))
            }
        }
        #expect(try store.shred("e\u{301}") == 1)
        #expect(try store.shred("") == 1)
        #expect(try mail(store, 95).suffix(5) == ["shredded", "of 1", "shredded", "of 3", "of 4"])
    }
}
