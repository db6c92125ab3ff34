import CairnCore
import CairnObjects
import CairnObjectsEncryption
import CairnRocks
import CairnTestSupport
import Crypto
import Foundation
import Testing

/// Where keys of groups are, and that they are nowhere afterwards.
struct ShreddedKeyTests {
    private let safe = Safe()

    /// Nothing is compressed, so that keys can be looked for in files.
    private func engine() throws -> RocksEngine {
        var options = RocksEngineOptions()
        options.compression = .none
        return try RocksEngine(path: safe.path, options: options)
    }

    private func open(_ engine: RocksEngine) throws -> ObjectStore {
        var options = ObjectStoreOptions()
        options.cipher = safe.cipher
        return try ObjectStore(engine: engine, classes: mailbox, options: options)
    }

    /// The keys of groups as the engine has them.
    private func keys(_ view: any EngineView) throws -> [(key: [UInt8], value: [UInt8])] {
        try view.entries(KeyRange(prefix: [8])).filter { $0.key.count == 17 }
    }

    private func files(with bytes: [UInt8]) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: safe.path).filter {
            try Data(contentsOf: URL(fileURLWithPath: safe.path + "/" + $0)).range(of: Data(bytes)) != nil
        }
    }

    /// A store with messages, and the key of ada's as it is in the files.
    private func filled() throws -> (key: (key: [UInt8], value: [UInt8]), mail: [String]) {
        let engine = try engine()
        let store = try open(engine)
        try store.write { context in context.insert(Message(user: "ada", code: "0", text: "ada begins")) }
        let key = try #require(try keys(engine.makeView()).first)
        try fillMailbox(store, 30)
        let all = try mail(store, 31)
        try store.close()
        return (key, all)
    }

    @Test func aDeletedKeyIsInNoFile() throws {
        let (key, all) = try filled()
        #expect(try !files(with: key.value).isEmpty, "or nothing would ever be found")
        let engine = try engine()
        let store = try open(engine)
        #expect(try !files(with: key.value).isEmpty && keys(engine.makeView()).count == 2)
        try store.shred("ada")
        #expect(try files(with: key.value) == [])
        #expect(try mail(store, 31) == shredded(all, "ada") && keys(engine.makeView()).count == 1)
        try store.close()
        #expect(try files(with: key.value) == [])
    }

    /// A context still has the key in its view, and the engine in its files: until the store is opened again, or something is shredded once more.
    @Test(arguments: [false, true]) func aKeyThatIsHeldGoesLater(again: Bool) throws {
        let (key, all) = try filled()
        var engine = try engine()
        var store = try open(engine)
        let context = try store.makeContext()
        do {
            let view = try engine.makeView()
            #expect(try context.count(Message.self) == 31)
            try store.shred("ada")
            #expect(try view.get(key.key) == key.value && engine.makeView().contains([8, 0] as [UInt8]))
            #expect(try !files(with: key.value).isEmpty)
        }
        context.close()
        if again {
            #expect(try store.shred("nobody") == 0)
        } else {
            try store.close()
            engine = try self.engine()
            store = try open(engine)
        }
        #expect(try files(with: key.value) == [])
        #expect(try !engine.makeView().contains([8, 0] as [UInt8]))
        #expect(try mail(store, 31) == shredded(all, "ada"))
        try store.close()
    }

    /// Copies of the files from before, with the key row, can still be read: they are a backup.
    @Test func aBackupHasTheKey() throws {
        let (_, all) = try filled()
        try FileManager.default.copyItem(atPath: safe.path, toPath: safe.path + ".backup")
        let store = try safe.open(safe.cipher, mailbox)
        try store.shred("ada")
        try store.close()
        var options = ObjectStoreOptions()
        options.cipher = safe.cipher
        let backup = try ObjectStore(path: safe.path + ".backup", classes: mailbox, options: options)
        #expect(try mail(backup, 31) == all)
        try backup.close()
    }

    /// If a key was tampered with, its objects are damaged, not shredded; the others are there, and further use loses nothing.
    @Test func aDamagedKeyIsNotADeletedOne() throws {
        let open = try OpenSafe()
        var store = try open.store(mailbox)
        try fillMailbox(store)
        let before = try mail(store)
        let keys = try open.entries().filter { $0.key.first == 8 && $0.key.count == 17 }
        #expect(keys.count == 2)
        for (key, value) in keys {
            var other = value
            other[value.count / 2] ^= 1
            try open.put(other, key)
            store = try open.store(mailbox)
            let now = try mail(store)
            #expect(now.count { $0 == "corruption" } == 30 && zip(now, before).allSatisfy { $0 == $1 || $0 == "corruption" })
            let report = try store.verify()
            #expect(!report.isIntact && report.classes[0].damagedCount == 30 && report.classes[0].shreddedCount == 0)
            // Pages with damaged objects are rewritten.
            try store.write { context in
                let rows = now.indices.filter { now[$0] != "corruption" && !before[$0].contains("bytes") }.prefix(3)
                for row in rows {
                    let message = try #require(try context.object(messageID(row + 1), as: Message.self))
                    message.code += "!"
                }
            }
            try open.put(value, key)
            store = try open.store(mailbox)
            #expect(try mail(store) == before)
            #expect(try store.verify().isIntact)
        }
    }

    @Test func recordsDoNotChangePlaces() throws {
        let open = try OpenSafe()
        var store = try open.store(mailbox)
        try store.write { context in
            for number in 0..<3 {
                context.insert(
                    Message(
                        user: number == 2 ? "ben" : "ada",
                        code: "\(number)",
                        text: "\(number)",
                        attachment: [UInt8](repeating: 1, count: 2000)
                    )
                )
            }
        }
        // Their seals are those of the store, which the one with the key can make: what is within is another matter.
        let large = try open.entries().filter { $0.key.first == 2 }
        #expect(large.count == 3)
        for (one, other) in [(0, 1), (1, 0), (0, 2), (2, 0)] {
            try open.put(large[other].value, large[one].key)
            store = try open.store(mailbox)
            #expect(code { try store.read { try $0.object(messageID(one + 1), as: Message.self) } } == .corruption)
            try open.put(large[one].value, large[one].key)
        }
    }
}
