import CairnCore
import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Crypto
import Foundation
import Testing

/// What those can do who write to the files.
struct ObjectTamperingTests {
    /// A bit changed anywhere, and something cannot be read; nothing is read as something else.
    @Test func everyValueIsSealed() async throws {
        let open = try OpenSafe()
        let store = try open.store()
        try fill(store, 40)
        let saved = try contents(store)
        let all = try open.entries()
        // Enough of each kind.
        let entries = Dictionary(grouping: all, by: { $0.key[0] }).values.flatMap { $0.prefix(Thorough.count(4, of: 12)) }
        try await withSeeds("tampering", count: 1) { random in
            for (key, value) in entries where !value.isEmpty && key != [0, 0] && key != [0, 4] {
                var damaged = value
                damaged[random.int(in: 0..<value.count)] ^= 1 << UInt8(random.int(in: 0..<8))
                try open.put(damaged, key)
                // Opening reads the catalog; all else is read by verifying.
                var found: [String] = []
                do { found = try open.store().verify().problems.map { "\($0)" } } catch { found = ["\(error)"] }
                #expect(!found.isEmpty, "a bit of \(key) was changed, and nobody noticed")
                try open.put(value, key)
            }
        }
        #expect(try contents(open.store()) == saved)
    }

    @Test func errorsNameClassAndRows() throws {
        let open = try OpenSafe()
        try fill(open.store())
        let page: [UInt8] = [1, 0, 1, 0, 0, 0, 0, 0, 2]
        var value = try #require(try open.engine.makeView().get(page))
        value[30] ^= 1
        try open.put(value, page)
        let store = try open.store()
        let found = message { try store.read { try $0.fetch(Patient.self) } }
        #expect(found.hasPrefix("Patient 64 to 95 of the store cannot be decrypted: it was modified, or comes from another place or store"))
        #expect(code { try store.read { try $0.fetch(Patient.self) } } == .corruption)
        // What lies in other pages is there.
        #expect(try store.read { try $0.object(patientID(1), as: Patient.self)?.name } == "Aurora 0")
        let large: [UInt8] = [2, 0, 1, 0, 0, 0, 0, 0, 11]
        try open.put([UInt8](repeating: 1, count: 100), large)
        let foundLarge = message { try store.read { try $0.object(patientID(11), as: Patient.self)?.name } }
        #expect(foundLarge.contains("Patient 11 of the store cannot be decrypted"))
    }

    @Test func valuesThatChangePlacesAreNoticed() throws {
        let open = try OpenSafe()
        try fill(open.store())
        let entries = try open.entries()
        // Pages, large records, unique entries, notes, names, of the same kind each.
        for kind: UInt8 in [1, 2, 3, 5, 6] {
            let some = entries.filter { $0.key[0] == kind && !$0.value.isEmpty }
            try #require(some.count >= 2)
            try open.put(some[1].value, some[0].key)
            try open.put(some[0].value, some[1].key)
            let problems = try open.store().verify().problems
            #expect(!problems.isEmpty, "kind \(kind)")
            for entry in some.prefix(2) { try open.put(entry.value, entry.key) }
        }
        #expect(try open.store().verify().isIntact)
    }

    /// The same keys do not make the values of one store values of another.
    @Test func valuesOfAnotherStoreAreNoticed() throws {
        let session = try ObjectEncryption(key: SymmetricKey(size: .bits256)).create().session
        let (one, other) = (MemoryEngine(), MemoryEngine())
        let (mine, theirs) = (try SealedEngine(one, session, identity: UUID()), try SealedEngine(other, session, identity: UUID()))
        var commit = EngineCommit()
        commit.put("secret", for: "key")
        try mine.commit(commit)
        var moved = EngineCommit()
        moved.put(try #require(try one.makeView().get("key")), for: "key")
        try other.commit(moved)
        #expect(try mine.makeView().get("key") == Array("secret".utf8))
        do {
            _ = try theirs.makeView().get("key")
            Issue.record("a value of another store was read")
        } catch { #expect(error.code == .corruption) }
    }

    /// Entries of indexes that are not unique have no value to be sealed: what they say is asked of the objects.
    @Test func forgedEntriesOfAnIndexFindNothing() throws {
        let open = try OpenSafe()
        try fill(open.store())
        let before = try open.store().read { try $0.fetchIDs(Patient.self, where: \.city == "Secretville") }
        let entries = try open.entries().filter { $0.key.starts(with: [3, 0, 1]) && $0.value.isEmpty && $0.key.count == 27 }
        let byPrefix = Dictionary(grouping: entries.map { Array($0.key.dropLast(6)) }, by: { $0 }).filter { $0.value.count > 50 }
        try #require(byPrefix.count == 2)
        // Everybody lives everywhere.
        for prefix in byPrefix.keys {
            for row in 1...200 { try open.put([], prefix + [0, 0, 0, 0, 0, UInt8(row)]) }
        }
        let after = try open.store().read { try $0.fetchIDs(Patient.self, where: \.city == "Secretville") }
        #expect(after == before && after.count == 67)
        #expect(try open.store().read { try $0.count(Patient.self, where: \.city == "Secretville") } == 67)
        let problems = try open.store().verify().problemCounts
        #expect(problems.keys.map { "\($0)" } == ["surplusIndexEntry"])
    }

    /// A store that was encrypted cannot be made to take plain values: neither by taking away what it says of its encryption, nor by telling of a change.
    @Test func plainValuesAreNotAccepted() throws {
        let open = try OpenSafe()
        try fill(open.store())
        let header = try #require(try open.engine.makeView().get([0, 4] as [UInt8]))
        var text = String(decoding: header, as: UTF8.self)
        text.removeFirst()
        try open.put(Array((#"{"change":{"next":""},"# + text).utf8), [0, 4])
        #expect(code { try open.store() } == .changeUnfinished)
        var commit = EngineCommit()
        commit.delete([0, 4] as [UInt8])
        try open.engine.commit(commit)
        #expect(code { try open.store() } == .wrongKey)
    }
}
