import CairnCore
import CairnEngineConformance
import CairnObjects
import CairnObjectsEncryption
import CairnSQLiteEngine
import CairnTestSupport
import Crypto
import Foundation
import Testing

/// The engine that encrypts is an engine.
struct SealedEngineTests {
    private static func session() throws -> any ObjectCipherSession {
        try ObjectEncryption(key: SymmetricKey(size: .bits256)).create().session
    }

    @Test(arguments: EngineCheck.all) func passesTheChecksInMemory(check: EngineCheck) async throws {
        try await run(check) {
            let session = try Self.session()
            return EngineUnderTest { _ in try SealedEngine(MemoryEngine(), session, identity: UUID()) }
        }
    }

    @Test(.checking, arguments: EngineCheck.all) func passesTheChecksOnRocksDB(check: EngineCheck) async throws {
        try await run(check) {
            let directory = try TemporaryDirectory()
            let (session, identity) = (try Self.session(), UUID())
            return EngineUnderTest(persists: true) { name in
                try SealedEngine(RocksEngine(path: directory.path(name)), session, identity: identity)
            }
        }
    }

    @Test(.checking, arguments: EngineCheck.all) func passesTheChecksOnSQLite(check: EngineCheck) async throws {
        try await run(check) {
            let directory = try TemporaryDirectory()
            let (session, identity) = (try Self.session(), UUID())
            return EngineUnderTest(persists: true) { name in
                try SealedEngine(SQLiteEngine(path: directory.path(name)), session, identity: identity)
            }
        }
    }

    @Test(arguments: EngineCheck.all) func passesTheChecksWithinLimits(check: EngineCheck) async throws {
        try await run(check) {
            var limits = EngineLimits()
            limits.maximumKeySize = 100
            limits.maximumValueSize = 1000
            limits.maximumCommitOperations = 50
            let session = try Self.session()
            return EngineUnderTest { [limits] _ in try SealedEngine(MemoryEngine(limits: limits), session, identity: UUID()) }
        }
    }

    private func run(_ check: EngineCheck, on makeSubject: @Sendable () throws -> EngineUnderTest) async throws {
        try await withSeeds(check.description, count: 1) { random in try await check.run(on: makeSubject(), seed: random.next()) }
    }

    /// The same operations on keys of all kinds, names and entries too, give the same entries as without encryption.
    @Test func behavesAsThePlainEngine() async throws {
        try await withSeeds("sealed engine", count: Thorough.count(4, of: 20)) { random in
            let plain = MemoryEngine()
            let sealed = try SealedEngine(MemoryEngine(), Self.session(), identity: UUID())
            func key() -> [UInt8] {
                var key: [UInt8] = random.oneIn(8) ? [] : [UInt8(random.int(in: 0..<9))]
                if !key.isEmpty { for _ in 0..<random.int(in: 0..<3) { key.append(UInt8(random.int(in: 5..<8))) } }
                return key
            }
            func range() -> KeyRange { KeyRange(lowerBound: key(), upperBound: random.oneIn(6) ? nil : key()) }
            for round in 0..<60 {
                var commit = EngineCommit()
                for _ in 0..<random.int(in: 1..<12) {
                    switch random.int(in: 0..<8) {
                    case 0: commit.deleteRange(range())
                    case 1, 2: commit.delete(key())
                    default: commit.put(random.bytes(random.int(in: 0..<5)), for: key())
                    }
                }
                try plain.commit(commit)
                try sealed.commit(commit)
                let (one, other) = (try plain.makeView(), try sealed.makeView())
                let expected = try one.entries().map { "\($0)" }
                let found = try other.entries().map { "\($0)" }
                #expect(found == expected, "round \(round)")
                let part = range()
                let isReversed = random.oneIn(2)
                let expectedPart = try one.entries(part, reverse: isReversed, limit: 5).map { "\($0)" }
                let foundPart = try other.entries(part, reverse: isReversed, limit: 5).map { "\($0)" }
                #expect(foundPart == expectedPart, "\(part)")
                let keys = KeyList((0..<6).map { _ in key() })
                let expectedValues = try one.multiGet(keys)
                let foundValues = try other.multiGet(keys)
                #expect(foundValues == expectedValues)
                let single = key()
                let (expectedValue, foundValue) = (try one.get(single), try other.get(single))
                #expect(foundValue == expectedValue)
            }
        }
    }

    @Test func conflictsAreAboutWhatWasSealed() throws {
        let engine = try SealedEngine(MemoryEngine(), Self.session(), identity: UUID())
        let name: [UInt8] = [6, 1]
        func put(_ value: String) throws {
            var commit = EngineCommit()
            commit.put(value, for: name)
            commit.put(value, for: "key")
            try engine.commit(commit)
        }
        func reading(_ view: any EngineView) -> EngineError.Code? {
            var commit = EngineCommit()
            commit.read(name, in: view)
            commit.read(KeyRange(prefix: [6]), in: view)
            commit.read("key", in: view)
            commit.put("1", for: "other")
            do { _ = try engine.commit(commit) } catch { return error.code }
            return nil
        }
        try put("1")
        let view = try engine.makeView()
        // The same value, sealed again.
        try put("1")
        #expect(reading(view) == nil)
        try put("2")
        #expect(reading(view) == .conflict)
        #expect(try reading(engine.makeView()) == nil)
    }

    /// Two that encrypt the same engine see each other's commits.
    @Test func conflictsWithOtherWriters() throws {
        let (base, session, identity) = (MemoryEngine(), try Self.session(), UUID())
        let one = try SealedEngine(base, session, identity: identity)
        let other = try SealedEngine(base, session, identity: identity)
        func put(_ value: String, by engine: SealedEngine) throws {
            var commit = EngineCommit()
            commit.put(value, for: "key")
            try engine.commit(commit)
        }
        try put("1", by: one)
        let view = try one.makeView()
        try put("2", by: other)
        for round in 0..<2 {
            var commit = EngineCommit()
            commit.read("key", in: view)
            commit.put("3", for: "key")
            do {
                _ = try one.commit(commit)
                Issue.record("nobody noticed in round \(round)")
            } catch { #expect(error.code == .conflict) }
            var unrelated = EngineCommit()
            unrelated.put("1", for: "another")
            try one.commit(unrelated)
        }
    }

    /// What others commit is reported with its plain keys, names included.
    @Test func followsOtherWritersByPlainKeys() async throws {
        let (base, session, identity) = (MemoryEngine(), try Self.session(), UUID())
        let one = try SealedEngine(base, session, identity: identity)
        let other = try SealedEngine(base, session, identity: identity)
        func commit(by engine: SealedEngine, _ body: (inout EngineCommit) -> Void) throws {
            var commit = EngineCommit()
            body(&commit)
            try engine.commit(commit)
        }
        let (first, second, unseen): ([UInt8], [UInt8], [UInt8]) = ([6, 1], [6, 2], [6, 3])
        try commit(by: other) { $0.put("1", for: unseen) }
        let changes = try one.changes()
        try commit(by: other) { commit in
            commit.put("1", for: second)
            commit.put("1", for: "key")
            commit.put("1", for: first)
            commit.put("", for: [] as [UInt8])
        }
        var iterator = changes.makeAsyncIterator()
        let put = try await iterator.next()
        try commit(by: other) { $0.delete(first) }
        try commit(by: other) { $0.delete(unseen) }
        try commit(by: other) { $0.deleteRange(.all) }
        var header = EngineCommit()
        header.put("header", for: [0, 4] as [UInt8])
        try base.commit(header)
        try one.close()
        var later: [EngineChange] = []
        while let change = try await iterator.next() { later.append(change) }
        func keys(_ change: EngineChange?) -> [[UInt8]]? {
            change.map { change in (0..<change.keys.count).map { [UInt8](copying: change.keys[$0]) } }
        }
        #expect(keys(put) == [[], first, second, Array("key".utf8)])
        #expect(put?.deletedRanges == [])
        try #require(later.count == 4)
        // A name that was known before it was deleted.
        #expect(keys(later[0]) == [first] && later[0].deletedRanges.isEmpty)
        // One of which there is but the hash: it may be any.
        #expect(keys(later[1]) == [] && later[1].touches(unseen) && !later[1].touches("key") && !later[1].isEverything)
        // A range of names is deleted one by one.
        #expect(later[2].touches("key") && later[2].touches(second) && !later[2].isEverything)
        // What the encryption keeps for itself.
        #expect(keys(later[3]) == [] && later[3].deletedRanges.isEmpty)
    }

    @Test func whatTheEncryptionKeepsIsNobodysBusiness() throws {
        let base = MemoryEngine()
        let engine = try SealedEngine(base, Self.session(), identity: UUID())
        var commit = EngineCommit()
        commit.put("header", for: [0, 4] as [UInt8])
        try base.commit(commit)
        #expect(try engine.makeView().entries().isEmpty && engine.makeView().get([0, 4] as [UInt8]) == nil)
        do {
            _ = try engine.commit(commit)
            Issue.record("it was written")
        } catch { #expect(error.code == .invalidArgument) }
        var clearing = EngineCommit()
        clearing.deleteRange(.all)
        try engine.commit(clearing)
        #expect(try base.makeView().entries().count == 1)
    }
}
