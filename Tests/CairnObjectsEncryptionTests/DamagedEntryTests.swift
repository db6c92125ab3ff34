import CairnCore
import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Testing

/// Entries of indexes that cannot be decrypted are in nobody's way: the records have all that they had.
struct DamagedEntryTests {
    private let open: OpenSafe
    private let before: [String]

    init() throws {
        open = try OpenSafe()
        let store = try open.store(mailbox)
        try fillMailbox(store)
        try store.rebuildIndexes()
        before = try mail(store)
    }

    /// The first entry of a kind that has a value.
    private func first(_ kind: UInt8) throws -> (key: [UInt8], value: [UInt8]) {
        try #require(try open.entries().first { $0.key[0] == kind && !$0.value.isEmpty })
    }

    /// Changes a bit.
    private func damage(_ entry: (key: [UInt8], value: [UInt8])) throws {
        var value = entry.value
        value[value.count / 2] ^= 1
        try open.put(value, entry.key)
    }

    /// An entry of a unique index, and a block of a text index.
    @Test(arguments: [3, 7] as [UInt8]) func shreddingDeletesThem(kind: UInt8) throws {
        let entry = try first(kind)
        try damage(entry)
        #expect(try !open.store(mailbox).verify().isIntact)
        #expect(try open.store(mailbox).shred("ada") == 30)
        #expect(try !open.engine.makeView().contains(entry.key))
        // The index is not used, and is built again.
        let store = try open.store(mailbox)
        #expect(store.incompleteIndexes == [kind == 3 ? "Message (code)" : "Message (text of text)"])
        #expect(try mail(store) == shredded(before, "ada"))
        try store.buildIndexes()
        #expect(store.incompleteIndexes.isEmpty)
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
        #expect(try store.read { try $0.first(Message.self, where: \.code == "code 2") } != nil)
        #expect(try store.read { try $0.search(Message.self, \.text, "[[*letter*]]").count } == 60)
    }

    /// The store that shreds does not use the index from then on.
    @Test func theOpenStoreKnows() throws {
        let store = try open.store(mailbox)
        try damage(first(3))
        try store.shred("ada")
        #expect(store.incompleteIndexes == ["Message (code)"])
        for number in 0..<90 where !before[number].hasPrefix("ada") {
            #expect(try store.read { try $0.first(Message.self, where: \.code == "code \(number)") } != nil)
        }
        try store.write { context in context.insert(Message(user: "ada", code: "another", text: "ada again")) }
        try store.buildIndexes()
        #expect(try store.verify().isIntact)
    }

    @Test(arguments: [3, 7] as [UInt8]) func rebuildingRemovesThem(kind: UInt8) throws {
        for entry in try open.entries() where entry.key[0] == kind && !entry.value.isEmpty { try damage(entry) }
        let store = try open.store(mailbox)
        try store.rebuildIndexes()
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
        #expect(try store.repair().isIntact)
        #expect(try mail(store) == before)
    }
}
