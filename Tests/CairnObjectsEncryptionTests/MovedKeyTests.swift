import CairnCore
import CairnObjects
import CairnObjectsEncryption
import CairnRocks
import CairnTestSupport
import Foundation
import Synchronization
import Testing

/// Moves keep nothing in files that was to be removed from them.
@Suite(.endsWhenItHangs) struct MovedKeyTests {
    private let safe = Safe()
    private let place = try! TemporaryDirectory()
    private var elsewhere: String { place.path("elsewhere") }

    private func open(_ engine: any StorageEngine) throws -> ObjectStore {
        var options = ObjectStoreOptions()
        options.cipher = safe.cipher
        return try ObjectStore(engine: engine, classes: mailbox, options: options)
    }

    private static func files(_ path: String, with bytes: [UInt8]) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).filter {
            try Data(contentsOf: URL(fileURLWithPath: path + "/" + $0)).range(of: Data(bytes)) != nil
        }
    }

    /// The move has views with the key, and has already copied it.
    @Test func aGroupIsShreddedDuringAMove() async throws {
        let (source, destination) = (try uncompressed(safe.path), try uncompressed(elsewhere))
        var store = try open(source)
        try store.write { context in context.insert(Message(user: "ada", code: "0", text: "ada begins")) }
        let key = try #require(try source.makeView().entries(KeyRange(prefix: [8])).first { $0.key.count == 17 })
        try fillMailbox(store, 30)
        let all = try mail(store, 31)
        let hasShredded = Mutex(false)
        try await ObjectStoreMove(from: source, to: destination, destinationName: "elsewhere").run { [store] part in
            let isNow = hasShredded.withLock { hasShredded in
                defer { hasShredded = hasShredded || part >= 0.5 }
                return part >= 0.5 && !hasShredded
            }
            if isNow { #expect(throws: Never.self) { try store.shred("ada") } }
        }
        #expect(hasShredded.withLock { $0 })
        // Both know that the key may be in their files. The source, where nobody saves any more, was cleaned.
        #expect(try source.makeView().contains([8, 0] as [UInt8]))
        #expect(try Self.files(safe.path, with: key.value) == [])
        #expect(try destination.makeView().get(key.key) == nil && marks(destination) == ["holdsFormerKeys"])
        #expect(try !Self.files(elsewhere, with: key.value).isEmpty)
        try store.close()

        store = try open(destination)
        #expect(try Self.files(elsewhere, with: key.value) == [] && marks(destination) == [])
        #expect(try mail(store, 31) == shredded(all, "ada"))
        try store.close()
        #expect(try Self.files(elsewhere, with: key.value) == [])
    }

    /// A move was interrupted, and a group shredded before it was run again: the copy has the key.
    @Test func aGroupIsShreddedBetweenRuns() async throws {
        let (source, destination) = (MemoryEngine(), FailingEngine(MemoryEngine()))
        let store = try open(source)
        try fillMailbox(store, 30)
        let move = ObjectStoreMove(from: source, to: destination, destinationName: "elsewhere")
        let failure = await #expect(throws: ObjectStoreError.self) {
            try await move.run { part in
                guard part >= 0.5, destination.commitsLeft > 0 else { return }
                // What is saved now cannot be copied.
                try? store.write { context in context.insert(Message(user: nil, code: "new", text: "new")) }
                destination.commitsLeft = 0
            }
        }
        #expect(failure?.code == .ioError)
        destination.commitsLeft = .max
        #expect(try destination.makeView().entries(KeyRange(prefix: [8])).count == 3)
        #expect(try store.shred("ada") == 10)
        // No view has the key any more.
        #expect(try !source.makeView().contains([8, 0] as [UInt8]))
        try await move.run()
        #expect(try destination.makeView().entries(KeyRange(prefix: [8])).count == 2 && marks(destination) == ["holdsFormer"])
        _ = try open(destination)
        #expect(try marks(destination) == [])
    }

    @Test func aCopyWithoutFormerKeysHasNoMark() async throws {
        let (source, destination) = (MemoryEngine(), MemoryEngine())
        try fillMailbox(open(source), 30)
        try await ObjectStoreMove(from: source, to: destination, destinationName: "elsewhere").run()
        #expect(try marks(destination) == [] && marks(source) == [])
    }

    /// The directory that a store was moved away from still has its plain values when it comes back encrypted.
    @Test func aStoreThatComesBackEncryptedLeavesNothingPlain() async throws {
        var store = try safe.open(nil)
        try fill(store)
        let saved = try contents(store)
        try store.close()
        let (engine, other) = (try RocksEngine(path: safe.path), MemoryEngine())
        try await ObjectStoreMove(from: engine, to: other, destinationName: "other").run()
        try ObjectStore.rekey(of: other, from: nil, to: safe.cipher)
        try await ObjectStoreMove(from: other, to: engine, destinationName: "back").run()
        #expect(try marks(engine) == ["holdsFormer"])
        try engine.close()
        // The second opening that can save rewrites the manifest.
        for _ in 0..<2 {
            store = try safe.open(safe.cipher)
            try store.write { _ in }
            #expect(try contents(store) == saved)
            try store.close()
        }
        let left = try safe.filesWith(secrets)
        #expect(left == [])
    }
}
