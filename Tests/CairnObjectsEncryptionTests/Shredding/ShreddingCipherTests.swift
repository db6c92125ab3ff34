import CairnCore
import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Crypto
import Foundation
import Testing

/// Groups, and what was shredded, through all changes of the cipher.
struct ShreddingCipherTests {
    @Test func anotherPassphrase() throws {
        let safe = Safe()
        let other = try ObjectEncryption(passphrase: "other", cost: .cheap)
        var store = try safe.open(safe.cipher, mailbox)
        try fillMailbox(store)
        let before = try mail(store)
        try store.changeKey(to: other)
        try store.close()
        store = try safe.open(other, mailbox)
        #expect(try mail(store) == before)
        #expect(try store.shred("ada") == 30)
        try store.changeKey(to: safe.cipher)
        try store.close()
        store = try safe.open(safe.cipher, mailbox)
        #expect(try mail(store) == shredded(before, "ada"))
        try store.close()
    }

    @Test func otherKeys() throws {
        let safe = Safe()
        let other = try ObjectEncryption(passphrase: "other", cost: .cheap)
        var store = try safe.open(safe.cipher, mailbox)
        try fillMailbox(store)
        let before = try mail(store)
        try store.shred("ben")
        try store.close()
        try ObjectStore.rekey(path: safe.path, classes: mailbox, from: safe.cipher, to: other)
        store = try safe.open(other, mailbox)
        #expect(try mail(store) == shredded(before, "ben"))
        #expect(try store.verify().isIntact && store.incompleteIndexes.isEmpty)
        // New objects have the keys that are there.
        try store.write { context in context.insert(Message(user: "ada", code: "new", text: "ada again")) }
        #expect(try store.shred("ada") == 31)
        #expect(try mail(store, 91) == shredded(shredded(before, "ada"), "ben") + ["shredded"])
        #expect(try store.verify().isIntact)
        try store.close()
    }

    /// There is nothing to be shredded in a plain store; what was stays so. Ended after each number of commits in turn.
    @Test func toPlainAndBack() throws {
        let cipher = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        var commits = 0
        var isWhole = false
        while !isWhole {
            let base = MemoryEngine()
            var options = ObjectStoreOptions()
            options.cipher = cipher
            let before: [String]
            do {
                let store = try ObjectStore(engine: base, classes: mailbox, options: options)
                try fillMailbox(store)
                before = try mail(store)
                try store.shred("ada")
            }
            let engine = FailingEngine(base)
            engine.commitsLeft = commits
            isWhole = code { try ObjectStore.rekey(of: engine, from: cipher, to: nil) } == nil
            if !isWhole { try ObjectStore.rekey(of: base, from: cipher, to: nil) }
            #expect(try base.makeView().entries(KeyRange(prefix: [8])).isEmpty)
            let plain = try ObjectStore(engine: base, classes: [])
            #expect(
                try texts(plain)
                    == shredded(before, "ada").map {
                        $0.hasSuffix("bytes") ? $0.split(separator: " ").prefix(4).joined(separator: " ") : $0
                    }
            )
            #expect(try plain.verify().isIntact)
            try ObjectStore.rekey(of: base, from: nil, to: cipher)
            let store = try ObjectStore(engine: base, classes: mailbox, options: options)
            #expect(try mail(store) == shredded(before, "ada"))
            // They get their groups when they are saved.
            #expect(try store.shred("ben") == 0)
            try store.write { context in for message in try context.fetch(Message.self, where: \.user == "ben") { message.code += "!" } }
            #expect(try store.shred("ben") == 30)
            try store.buildIndexes()
            #expect(try store.verify().isIntact)
            commits += 1
        }
        #expect(commits > 3)
    }

    private func texts(_ store: ObjectStore) throws -> [String] {
        var texts: [String] = []
        let catalog = try #require(store.catalog["Message"])
        try store.inspect { inspector in
            try inspector.forEach(catalog) { result in
                switch result {
                case .success(let dump):
                    if case .value(.bytes(let text))? = dump["text"] { texts.append(String(decoding: text, as: UTF8.self)) }
                    if case .value(.text(let text))? = dump["text"] { texts.append(text) }
                case .failure(let error): texts.append("\(error.code)")
                }
                return true
            }
        }
        return texts
    }
}
