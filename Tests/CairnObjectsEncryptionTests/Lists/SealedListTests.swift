import CairnCore
import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Crypto
import Testing

/// Long lists in encrypted stores: their chunks are sealed for their place, and with the keys of groups.
struct SealedListTests {
    private let open: OpenSafe
    private var options = ObjectStoreOptions()

    init() throws {
        open = try OpenSafe()
        options.cipher = open.cipher
        options.longestChunk = 16
    }

    private func store(_ cipher: (any ObjectCipher)?) throws -> ObjectStore {
        var options = options
        options.cipher = cipher
        return try ObjectStore(engine: open.engine, classes: mailbox, options: options)
    }

    private func store() throws -> ObjectStore { try store(open.cipher) }

    private func chunks() throws -> [(key: [UInt8], value: [UInt8])] { try open.entries().filter { $0.key.first == 4 } }

    /// A message of each user, with 100 answers, and their folder with all of them.
    private func fill() throws {
        try store().write { context in
            let folder = Folder(title: "inbox")
            context.insert(folder)
            for user in [nil, "ada", "ben"] {
                let message = Message(user: user, code: "of \(user ?? "nobody")", text: "\(user ?? "nobody") asks")
                context.insert(message)
                for number in 0..<100 {
                    message.answers.append(Message(user: nil, code: "\(user ?? "nobody") \(number)", text: "answer"))
                }
                folder.messages.append(message)
                folder.messages.append(contentsOf: message.answers)
            }
        }
    }

    private func answers(_ store: ObjectStore, _ user: String) throws -> [String] {
        try store.read { context in
            try #require(try context.first(Message.self, where: \.code == "of \(user)")).answers.map(\.code)
        }
    }

    private func expected(_ user: String) -> [String] { (0..<100).map { "\(user) \($0)" } }

    @Test func chunksAreSealedForTheirPlace() throws {
        try fill()
        #expect(try answers(store(), "nobody") == expected("nobody") && store().verify().isIntact)
        let chunks = try chunks()
        #expect(chunks.count > 30)
        // One in the place of another.
        try open.put(chunks[1].value, chunks[0].key)
        let problems = try store().verify().problems
        #expect(problems.map(\.kind) == [.damagedList, .unreadable])
        let reason = "a part of a long list or large value of Message 1 of the store cannot be decrypted"
        #expect(problems.first?.reason.contains(reason) == true)
        try open.put(chunks[0].value, chunks[0].key)
        #expect(try store().verify().isIntact)
    }

    @Test func chunksGoWithTheGroupOfTheirOwner() throws {
        try fill()
        let store = try store()
        let before = try chunks().count
        #expect(try store.shred("ada") == 1)
        // They stay, as the record does, and cannot be read.
        #expect(try chunks().count == before)
        #expect(try answers(store, "nobody") == expected("nobody") && answers(store, "ben") == expected("ben"))
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
        #expect(report.classes[0].shreddedCount == 1)
        // Nothing says any more what its answers were.
        try store.read { context in
            let answer = try #require(try context.first(Message.self, where: \.code == "ada 7"))
            let referrers = try store.inspect { try $0.referrers(to: try #require(answer.objectID)).map(\.className) }
            #expect(referrers == ["Folder"])
        }
        try store.write { context in for message in try context.shreddedObjects(Message.self) { try context.delete(message) } }
        #expect(try chunks().count < before && store.verify().isIntact)
    }

    @Test func chunksMoveToAnotherGroupWithTheirOwner() throws {
        try fill()
        let store = try store()
        // Twice, so that the list is not read by the save that changes nothing else.
        try store.write { try $0.first(Message.self, where: \.code == "of nobody")?.user = "ada" }
        try store.write { try $0.first(Message.self, where: \.code == "of ben")?.user = nil }
        #expect(try answers(store, "nobody") == expected("nobody") && answers(store, "ben") == expected("ben"))
        #expect(try store.shred("ada") == 2 && store.shred("ben") == 0)
        #expect(try answers(store, "ben") == expected("ben"))
        #expect(code { try store.read { try $0.object(messageID(1), as: Message.self) } } == .shredded)
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
    }

    @Test func chunksGetAnotherCipher() throws {
        try fill()
        try store().shred("ben")
        let other = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        for (old, new) in [(open.cipher, other), (other, nil), (nil, open.cipher)] as [(ObjectEncryption?, ObjectEncryption?)] {
            try ObjectStore.rekey(of: open.engine, from: old, to: new)
            // A plain store has no groups, so the class cannot be used.
            guard new != nil else {
                #expect(try ObjectStore(engine: open.engine, classes: []).verify().isIntact)
                continue
            }
            let store = try store(new)
            #expect(try answers(store, "nobody") == expected("nobody") && answers(store, "ada") == expected("ada"))
            let report = try store.verify()
            #expect(report.isIntact, "\(report.problems)")
        }
    }
}
