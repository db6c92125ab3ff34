import CairnCore
import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Crypto
import Foundation
import Testing

/// Where nothing can be shredded, that is said before anything is stored.
struct ShreddingRefusalTests {
    @Test func storesWithoutEncryption() throws {
        let refusal = "Message is shreddable, and the store is not encrypted, so nothing can be shredded in it"
        #expect(message { try ObjectStore(engine: MemoryEngine(), classes: mailbox) }.hasPrefix(refusal))
        #expect(code { try ObjectStore(engine: MemoryEngine(), classes: mailbox) } == .notSupported)
        let safe = Safe()
        #expect(code { try safe.open(nil, mailbox) } == .notSupported)
        let plain = try safe.open(nil)
        #expect(code { try plain.shred("ada") } == .notSupported)
        try plain.close()
        #expect(code { try plain.shred("ada") } == .closed)
        // A missing store is reported as missing.
        let none = Safe()
        #expect(code { try none.open(none.cipher, mailbox, createIfMissing: false) } == .notFound)
    }

    @Test func storesForReading() throws {
        let safe = Safe()
        let store = try safe.open(safe.cipher, mailbox)
        try fillMailbox(store, 3)
        try store.close()
        let readOnly = try safe.open(safe.cipher, mailbox, readOnly: true)
        #expect(code { try readOnly.shred("ada") } == .readOnly)
        #expect(try mail(readOnly, 3)[1] == "ada wrote letter 1")
        try readOnly.close()
    }

    @Test func ciphersWithoutSuchKeys() throws {
        var options = ObjectStoreOptions()
        options.cipher = PlainCipher(base: try ObjectEncryption(key: SymmetricKey(size: .bits256)))
        let engine = MemoryEngine()
        #expect(
            message { try ObjectStore(engine: engine, classes: mailbox, options: options) }.contains(
                "does not support keys for groups of objects"
            )
        )
        _ = try ObjectStore(engine: engine, classes: hospital, options: options)
    }

    @Test func storesThatAreToBePlain() throws {
        let safe = Safe()
        let store = try safe.open(safe.cipher, mailbox)
        try fillMailbox(store)
        let saved = try mail(store)
        try store.close()
        #expect(code { try ObjectStore.rekey(path: safe.path, classes: mailbox, from: safe.cipher, to: nil) } == .notSupported)
        let again = try safe.open(safe.cipher, mailbox)
        #expect(try mail(again) == saved)
        try again.close()
    }

    /// An import does not know the groups.
    @Test func imports() throws {
        let open = try OpenSafe()
        let store = try open.store(mailbox)
        try fillMailbox(store, 3)
        let importer = try ObjectImporter(store)
        let stored = try #require(store.catalog["Message"])
        #expect(code { try importer.add(stored) } == .notSupported)
    }
}

/// A cipher from before there were groups.
private struct PlainCipher: ObjectCipher {
    let base: ObjectEncryption

    func create() throws -> (session: any ObjectCipherSession, header: [UInt8]) {
        let (session, header) = try base.create()
        return (Session(base: session), header)
    }

    func unlock(_ header: [UInt8]) throws -> any ObjectCipherSession { Session(base: try base.unlock(header)) }

    func header(for session: any ObjectCipherSession) throws -> [UInt8] { try base.header(for: (session as? Session)?.base ?? session) }

    struct Session: ObjectCipherSession {
        let base: any ObjectCipherSession
        var overhead: Int { base.overhead }
        func seal(_ plain: RawSpan, context: RawSpan) throws -> [UInt8] { try base.seal(plain, context: context) }
        func open(_ sealed: RawSpan, context: RawSpan) throws -> [UInt8] { try base.open(sealed, context: context) }
        func hash(_ term: RawSpan) -> UInt128 { base.hash(term) }
    }
}
