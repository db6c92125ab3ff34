import CairnHistoryKit
import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Crypto
import Foundation
import Synchronization
import Testing

/// Which stores open with which keys.
struct ObjectKeyTests {
    @Test func whatWasSavedIsThereAgain() throws {
        let safe = Safe()
        var store = try safe.open(safe.cipher)
        try fill(store)
        let saved = try contents(store)
        #expect(try store.verify().isIntact)
        try store.close()
        store = try safe.open(safe.cipher)
        #expect(try contents(store) == saved)
        #expect(try store.verify().isIntact)
        try store.close()
        store = try safe.open(safe.cipher, readOnly: true)
        #expect(try contents(store) == saved)
        try store.close()
    }

    @Test func aCopyIsEncryptedWithTheSameKeys() throws {
        let safe = Safe()
        let store = try safe.open(safe.cipher)
        try fill(store)
        let copy = safe.directory.path("copy")
        try store.makeCheckpoint(at: copy)
        var options = ObjectStoreOptions()
        #expect(code { try ObjectStore(path: copy, classes: hospital, options: options) } == .keyNeeded)
        options.cipher = safe.cipher
        let opened = try ObjectStore(path: copy, classes: hospital, options: options)
        #expect(try contents(opened) == contents(store))
        #expect(try opened.verify().isIntact)
        try opened.close()
        try store.close()
    }

    @Test func otherKeysAreRefused() throws {
        let safe = Safe()
        try safe.open(safe.cipher).close()
        #expect(safe.refusal(nil) == .keyNeeded)
        #expect(try safe.refusal(ObjectEncryption(key: SymmetricKey(size: .bits256))) == .wrongKey)
        #expect(try safe.refusal(ObjectEncryption(passphrase: "open", cost: .cheap)) == .wrongKey)
        #expect(safe.refusal(safe.cipher) == nil)
        let none = message { try safe.open(nil) }
        #expect(none == "\(safe.path) is encrypted, and its key is needed")
        let other = message { try safe.open(ObjectEncryption(passphrase: "open", cost: .cheap)) }
        #expect(other == "\(safe.path) could not be unlocked: the store is encrypted with a key, not a passphrase")
    }

    @Test func passphrases() throws {
        let safe = Safe()
        let store = try safe.open(ObjectEncryption(passphrase: "open sesame", cost: .cheap))
        try fill(store)
        let saved = try contents(store)
        try store.close()
        #expect(try safe.refusal(ObjectEncryption(passphrase: "open Sesame", cost: .cheap)) == .wrongKey)
        #expect(safe.refusal(safe.cipher) == .wrongKey)
        // The cost is the store's.
        let again = try safe.open(ObjectEncryption(passphrase: "open sesame", cost: ScryptCost(stored: 5)!))
        #expect(try contents(again) == saved)
        try again.close()
    }

    @Test func keysAreChecked() {
        #expect(code { try ObjectEncryption(key: SymmetricKey(size: .bits128)) } == .wrongKey)
        #expect(code { try ObjectEncryption(passphrase: "") } == .wrongKey)
    }

    @Test func aPlainStoreIsNotOpenedWithAKey() throws {
        let safe = Safe()
        try safe.open(nil).close()
        #expect(safe.refusal(safe.cipher) == .wrongKey)
        #expect(message { try safe.open(safe.cipher) }.hasPrefix("\(safe.path) is not encrypted"))
        #expect(safe.refusal(nil) == nil)
    }

    @Test func whatIsNotThereIsNotMade() throws {
        let safe = Safe()
        #expect(code { try safe.open(safe.cipher, createIfMissing: false) } == .notFound)
        let engine = MemoryEngine()
        var commit = EngineCommit()
        commit.put("1", for: "a")
        try engine.commit(commit)
        let open = try OpenSafe(engine)
        #expect(code { try open.store() } == .foreignFile)
        #expect(try open.entries().count == 1)
    }

    @Test func headersOfOthersAreRefused() throws {
        let open = try OpenSafe()
        try open.store().close()
        for (header, expected) in [
            (#"{"format":2}"#, .unsupportedVersion), ("{}", .corruption), ("", .corruption),
            (#"{"format":1,"identity":"01234567-89AB-CDEF-0123-456789ABCDEF","cipher":"AgEA"}"#, .unsupportedVersion),
            (#"{"format":1,"identity":"01234567-89AB-CDEF-0123-456789ABCDEF","cipher":"AQEA"}"#, .corruption),
        ] as [(String, ObjectStoreError.Code)] {
            let open = try OpenSafe(MemoryEngine())
            try open.put(Array(header.utf8), [0, 4])
            #expect(code { try open.store() } == expected, "\(header)")
        }
    }

    /// Each byte of what a store keeps of its key counts.
    @Test func damagedHeadersAreRefused() throws {
        let cipher = try ObjectEncryption(passphrase: "open sesame", cost: .cheap)
        let header = try cipher.create().header
        #expect(header.count == 104)
        for offset in header.indices {
            // Costs up to a gigabyte are honoured.
            if offset == 3 { continue }
            var damaged = header
            damaged[offset] ^= 1
            let found = code { try cipher.unlock(damaged) }
            #expect(found != nil, "byte \(offset)")
        }
        for (offset, value) in [(3, 63), (3, 255), (3, 0), (4, 255), (7, 255), (8, 255), (11, 128)] as [(Int, UInt8)] {
            var hostile = header
            hostile[offset] = value
            #expect(code { try cipher.unlock(hostile) } == .corruption, "byte \(offset) of \(value)")
        }
    }

    @Test func changingTheKeyIsQuick() throws {
        let safe = Safe()
        let new = try ObjectEncryption(passphrase: "new", cost: .cheap)
        let store = try safe.open(safe.cipher)
        try fill(store)
        let saved = try contents(store)
        try store.changeKey(to: new)
        #expect(try contents(store) == saved)
        try fill(store.emptied())
        try store.close()
        #expect(safe.refusal(safe.cipher) == .wrongKey)
        let again = try safe.open(new)
        #expect(try contents(again) == saved)
        try again.changeKey(to: safe.cipher)
        try again.close()
        #expect(safe.refusal(new) == .wrongKey)
        let readOnly = try safe.open(safe.cipher, readOnly: true)
        #expect(code { try readOnly.changeKey(to: new) } == .readOnly)
        try readOnly.close()
        #expect(code { try readOnly.changeKey(to: new) } == .closed)
        let plain = try OpenSafe().store(encrypted: false)
        #expect(code { try plain.changeKey(to: new) } == .wrongKey)
    }

    /// Of programs that make an encrypted store at once, one makes its keys; the others find them.
    @Test func keysAreMadeOnce() async throws {
        let engine = MemoryEngine()
        let options = ObjectStoreOptions(cipher: try ObjectEncryption(key: SymmetricKey(size: .bits256)))
        let stores = Mutex<[ObjectStore]>([])
        try await onThreads(8) { number in
            let store = try ObjectStore(engine: engine, classes: [Letter.self], options: options)
            stores.withLock { $0.append(store) }
            try store.write { $0.insert(Letter(text: "letter \(number)")) }
        }
        let again = try ObjectStore(engine: engine, classes: [Letter.self], options: options)
        #expect(try again.read { try $0.count(Letter.self) } == 8)
        #expect(try again.verify().isIntact)
    }

    /// Another program makes them just before they would be stored.
    @Test func keysOfAnotherAreTaken() throws {
        let engine = MeddlingEngine()
        let options = ObjectStoreOptions(cipher: try ObjectEncryption(key: SymmetricKey(size: .bits256)))
        func store() throws -> ObjectStore { try ObjectStore(engine: engine, classes: [Letter.self], options: options) }
        var stores: [ObjectStore] = []
        let hasMeddled = try engine.meddle {
            #expect(throws: Never.self) { stores.append(try store()) }
        } in: {
            stores.append(try store())
        }
        #expect(hasMeddled && stores.count == 2)
        for store in stores { try store.write { $0.insert(Letter(text: "a letter")) } }
        #expect(try store().read { try $0.count(Letter.self) } == 2)
        #expect(try store().verify().isIntact)
    }
}

extension ObjectStore {
    /// This store, with nothing in it.
    func emptied() throws -> ObjectStore {
        try write { context in
            for patient in try context.fetch(Patient.self) { try context.delete(patient) }
            for ward in try context.fetch(Ward.self) { try context.delete(ward) }
        }
        return self
    }
}
