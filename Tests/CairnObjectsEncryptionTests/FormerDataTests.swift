import CairnCore
import CairnObjects
import CairnObjectsEncryption
import CairnRocks
import CairnTestSupport
import Crypto
import Foundation
import Testing

/// What a change of the cipher or its key has left in the files is removed when the store is opened.
struct FormerDataTests {
    private func store(_ engine: any StorageEngine, _ cipher: (any ObjectCipher)?, readOnly: Bool = false) throws -> ObjectStore {
        var options = ObjectStoreOptions()
        options.cipher = cipher
        options.readOnly = readOnly
        return try ObjectStore(engine: engine, classes: hospital, options: options)
    }

    /// A process is killed after the whole store was encrypted, before the plain values are removed from the files.
    @Test func openingRemovesWhatAKilledEncryptionLeft() async throws {
        let safe = Safe()
        let store = try safe.open(nil)
        try fill(store)
        let saved = try contents(store)
        try store.close()
        let key = SymmetricKey(size: .bits256)
        let bytes = unsafe key.withUnsafeBytes { unsafe [UInt8]($0) }
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = safe.path as String, bytes = bytes as [UInt8]] in
            let cipher = try ObjectEncryption(key: SymmetricKey(data: bytes))
            let engine = UncleanEngine(try RocksEngine(path: path)) { kill(getpid(), SIGKILL) }
            try ObjectStore.rekey(of: engine, from: nil, to: cipher)
        }
        let cipher = try ObjectEncryption(key: key)
        // Opening for reading changes nothing.
        let reader = try safe.open(cipher, readOnly: true)
        #expect(try contents(reader) == saved)
        #expect(try reader.inspect { try $0.mayHoldFormerData() })
        try reader.close()
        #expect(try !safe.filesWith(secrets).isEmpty)

        var again = try safe.open(cipher)
        #expect(try contents(again) == saved)
        #expect(try !again.inspect { try $0.mayHoldFormerData() })
        try again.close()
        #expect(try safe.filesWith(secrets).filter { !$0.hasPrefix("MANIFEST") } == [])
        // The manifest is rewritten by the next opening that can save.
        again = try safe.open(cipher)
        try again.write { _ in }
        #expect(try again.verify().isIntact)
        try again.close()
        let left = try safe.filesWith(secrets)
        #expect(left == [])
        let engine = try RocksEngine(path: safe.path)
        #expect(try marks(engine) == [])
        try engine.close()
    }

    @Test func openingTriesAgainUntilItSucceeds() throws {
        let base = MemoryEngine()
        let cipher = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        try fill(store(base, nil), 40)
        let full = UncleanEngine(base) { () throws(EngineError) in throw EngineError(.noSpace, "there is no space left") }
        #expect(code { try ObjectStore.rekey(of: full, from: nil, to: cipher) } == .noSpace)
        for _ in 0..<2 {
            #expect(try store(full, cipher).read { try $0.count(Patient.self) } == 40)
            #expect(try marks(base) == ["holdsFormer"])
        }
        // This says why.
        #expect(code { try ObjectStore.rekey(of: full, from: nil, to: cipher) } == .noSpace)
        _ = try store(base, cipher, readOnly: true)
        #expect(try marks(base) == ["holdsFormer"])
        #expect(try store(base, cipher).read { try $0.count(Patient.self) } == 40)
        #expect(try marks(base) == [])
    }

    /// The first of two stores may have views of former states.
    @Test func theMarkStaysWhileAnotherStoreUsesTheEngine() throws {
        let base = MemoryEngine()
        let cipher = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        do {
            let first = try store(base, cipher)
            let second = try store(base, cipher)
            try first.changeKey(to: cipher)
            #expect(try marks(base) == ["holdsFormerKeys"])
            _ = try store(base, cipher)
            #expect(try marks(base) == ["holdsFormerKeys"])
            withExtendedLifetime((first, second)) {}
        }
        _ = try store(base, cipher)
        #expect(try marks(base) == [])
    }

    /// On a server whose operator removes former data.
    @Test func theMarkStaysWhileOnlyOthersCanRemoveFormerData() throws {
        let base = MemoryEngine()
        let cipher = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        let remote = UncleanEngine(base, keeps: true) {}
        do {
            let store = try store(remote, cipher)
            try fill(store, 40)
            try store.changeKey(to: cipher)
        }
        #expect(try marks(base) == ["holdsFormerKeys"])
        #expect(try store(remote, cipher).inspect { try $0.mayHoldFormerData() })
        #expect(try marks(base) == ["holdsFormerKeys"])
        #expect(try !store(base, cipher).inspect { try $0.mayHoldFormerData() })
        #expect(try marks(base) == [])
    }

    /// A context still has the former header in its view, and the engine in its files: until the store is opened again.
    @Test func aFormerKeyThatIsHeldGoesLater() throws {
        let safe = Safe()
        var engine = try uncompressed(safe.path)
        var store = try store(engine, safe.cipher)
        try fill(store)
        let former = try safe.header()
        let new = try ObjectEncryption(passphrase: "new", cost: .cheap)
        let context = try store.makeContext()
        do {
            let view = try engine.makeView()
            #expect(try context.count(Patient.self) == 200)
            try store.changeKey(to: new)
            #expect(try view.get([0, 4] as [UInt8]) != engine.makeView().get([0, 4] as [UInt8]))
        }
        #expect(try marks(engine) == ["holdsFormerKeys"])
        context.close()
        // RocksDB may remove it by itself once no view sees it.
        try store.close()

        engine = try uncompressed(safe.path)
        store = try self.store(engine, new)
        #expect(try safe.filesWith([former]) == [] && marks(engine) == [])
        #expect(try store.read { try $0.count(Patient.self) } == 200)
        // Nobody holds this one.
        try store.changeKey(to: safe.cipher)
        #expect(try marks(engine) == [])
        try store.close()
    }

    /// Only `rekey` changes the keys of the values, so it does not take what `changeKey` left for its own unfinished work.
    @Test func whatOpensAStoreIsNotTakenForItsFormerKey() throws {
        let base = MemoryEngine()
        let one = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        let other = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        do {
            let store = try store(base, one)
            let context = try store.makeContext()
            try store.changeKey(to: other)
            context.close()
        }
        #expect(try marks(base) == ["holdsFormerKeys"])
        #expect(code { try ObjectStore.rekey(of: base, from: one, to: other) } == .wrongKey)
        try ObjectStore.rekey(of: base, from: other, to: one)
        #expect(try marks(base) == [])
        _ = try store(base, one)
    }

    @Test(arguments: [false, true]) func aStoreThatWasMovedGetsNoOtherKey(isEncrypted: Bool) async throws {
        let (source, destination) = (MemoryEngine(), MemoryEngine())
        let one = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        let other = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        let cipher = isEncrypted ? one : nil
        let left = try store(source, cipher)
        try fill(left, 40)
        try await ObjectStoreMove(from: source, to: destination, destinationName: "elsewhere").run()
        let failure = #expect(throws: ObjectStoreError.self) { try ObjectStore.rekey(of: source, from: cipher, to: other) }
        #expect(failure?.code == .moved && failure?.message.contains("elsewhere") == true)
        if isEncrypted { #expect(code { try left.changeKey(to: other) } == .moved) }
        try ObjectStore.rekey(of: destination, from: cipher, to: other)
        #expect(try store(destination, other).read { try $0.count(Patient.self) } == 40)
    }
}
