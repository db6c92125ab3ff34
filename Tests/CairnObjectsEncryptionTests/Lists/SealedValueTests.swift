import CairnCore
import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Crypto
import Testing

/// Large values in encrypted stores: their parts are sealed for their place, and with the keys of groups.
struct SealedValueTests {
    private let open: OpenSafe
    private var options = ObjectStoreOptions()

    init() throws {
        open = try OpenSafe()
        options.cipher = open.cipher
        options.longestValue = (100, 64)
    }

    private func store(_ cipher: (any ObjectCipher)?) throws -> ObjectStore {
        var options = options
        options.cipher = cipher
        return try ObjectStore(engine: open.engine, classes: mailbox, options: options)
    }

    private func store() throws -> ObjectStore { try store(open.cipher) }

    private func parts() throws -> [(key: [UInt8], value: [UInt8])] { try open.entries().filter { $0.key.first == 4 } }

    private static func text(_ user: String) -> String { String(repeating: "\(user) asks and asks ", count: 20) }

    /// A message of each user, with a long text and an attachment.
    private func fill() throws {
        try store().write { (context) throws in
            for user in [nil, "ada", "ben"] {
                let name = user ?? "nobody"
                let message = Message(user: user, code: "of \(name)", text: Self.text(name))
                message.attachment = Array(repeating: UInt8(ascii: "q"), count: 200)
                context.insert(message)
            }
        }
    }

    private func isWhole(_ store: ObjectStore, _ name: String) throws -> Bool {
        try store.read { (context) throws in
            let message = try #require(try context.first(Message.self, where: \.code == "of \(name)"))
            return message.text == Self.text(name) && message.attachment.count == 200 && context.faultErrors.isEmpty
        }
    }

    @Test func partsAreSealedForTheirPlace() throws {
        try fill()
        for name in ["nobody", "ada", "ben"] { #expect(try isWhole(store(), name)) }
        #expect(try store().verify().isIntact)
        let parts = try parts()
        #expect(parts.count > 20)
        #expect(!parts.contains { $0.value.contains(Array("ask".utf8)) || $0.value.contains(Array("qqq".utf8)) })
        // One in the place of another.
        try open.put(parts[1].value, parts[0].key)
        let problems = try store().verify().problems
        #expect(problems.contains { $0.kind == .damagedValue })
        try open.put(parts[0].value, parts[0].key)
        #expect(try store().verify().isIntact)
    }

    @Test func partsGoWithTheGroupOfTheirOwner() throws {
        try fill()
        let store = try store()
        let before = try parts().count
        #expect(try store.shred("ada") == 1)
        // They stay, as the record does, and cannot be read.
        #expect(try parts().count == before)
        #expect(try isWhole(store, "nobody") && isWhole(store, "ben"))
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
        #expect(try store.read { try $0.search(Message.self, \.text, "ada").count } == 0)
        try store.write { (context) throws in
            for message in try context.shreddedObjects(Message.self) { try context.delete(message) }
        }
        #expect(try parts().count < before && store.verify().isIntact)
    }

    @Test func partsMoveToAnotherGroupWithTheirOwner() throws {
        try fill()
        let store = try store()
        // The values are not read by these saves.
        try store.write { try $0.first(Message.self, where: \.code == "of nobody")?.user = "ada" }
        try store.write { try $0.first(Message.self, where: \.code == "of ben")?.user = nil }
        #expect(try isWhole(store, "nobody") && isWhole(store, "ben"))
        #expect(try store.shred("ada") == 2 && store.shred("ben") == 0)
        #expect(try isWhole(store, "ben"))
        #expect(code { try store.read { try $0.object(messageID(1), as: Message.self) } } == .shredded)
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
    }

    @Test func partsGetAnotherCipher() throws {
        try fill()
        try store().shred("ben")
        let other = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        for (old, new) in [(open.cipher, other), (other, nil), (nil, open.cipher)] as [(ObjectEncryption?, ObjectEncryption?)] {
            try ObjectStore.rekey(of: open.engine, from: old, to: new)
            // An unencrypted store has no groups, so the class cannot be used.
            guard new != nil else {
                #expect(try ObjectStore(engine: open.engine, classes: []).verify().isIntact)
                continue
            }
            let store = try store(new)
            #expect(try isWhole(store, "nobody") && isWhole(store, "ada"))
            let report = try store.verify()
            #expect(report.isIntact, "\(report.problems)")
        }
    }
}
