import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Testing

@Stored final class Letter {
    @Searchable var text: String
}

/// Full text in encrypted stores: what is looked for is found, and what is kept of it are hashes.
struct EncryptedTextTests {
    private let safe: OpenSafe
    private static let texts = ["walking on sunshine", "sun", "the moon also rises", "日本語の手紙", "Ünïcode sun", ""]

    init() throws { safe = try OpenSafe() }

    private func store(encrypted: Bool = true) throws -> ObjectStore { try safe.store([Letter.self], encrypted: encrypted) }

    private func found(_ store: ObjectStore, _ query: String) throws -> [String] {
        try store.read { context in try context.search(Letter.self, \.text, query).map(\.text) }
    }

    private func fill(_ store: ObjectStore) throws {
        try store.write { context in for text in Self.texts { context.insert(Letter(text: text)) } }
    }

    private var blocks: [[UInt8]] { get throws { try safe.entries().map(\.key).filter { $0.first == 7 } } }

    private func check(_ store: ObjectStore) throws {
        #expect(try found(store, "[[*sun*]]") == ["walking on sunshine", "sun", "Ünïcode sun"])
        #expect(try found(store, "[[*本語*]]") == ["日本語の手紙"])
        #expect(try found(store, "[[*n*]]") == ["walking on sunshine", "sun", "the moon also rises", "Ünïcode sun"])
        #expect(try store.verify().isIntact)
    }

    @Test func textsAreFoundByHashes() throws {
        let store = try store()
        try fill(store)
        try check(store)
        #expect(try safe.entries().allSatisfy { entry in entry.value.firstRange(of: Array("sun".utf8)) == nil })
        try store.rebuildIndexes()
        try check(store)
        let keys = try blocks
        #expect(!keys.isEmpty && keys.allSatisfy { $0.count == 1 + 4 + 4 + 8 + 1 })
        #expect(keys.allSatisfy { key in ["sun", "moo", "alk"].allSatisfy { key.firstRange(of: Array($0.utf8)) == nil } })
        try store.read { context in
            let byIndex = "\(try context.explain(where: .matches(\Letter.text, try TextQuery("[[*sun*]]"))))"
            #expect(byIndex.hasPrefix("scan:   text index (text)"), "\(byIndex)")
            let byAll = "\(try context.explain(where: .matches(\Letter.text, TextQuery("[[*n*]]"))))"
            #expect(byAll.hasPrefix("scan:   all Letter"), "\(byAll)")
        }
    }

    @Test func changesAreFollowed() throws {
        let store = try store()
        try fill(store)
        try store.write { context in
            let letters = try context.allObjects(Letter.self)
            letters[0].text = "walking in the rain"
            try context.delete(letters[1])
            letters[2].text = "the sun also rises"
        }
        #expect(try found(store, "[[*sun*]]") == ["the sun also rises", "Ünïcode sun"])
        #expect(try found(store, "[[*rain*]]") == ["walking in the rain"])
        #expect(try store.verify().isIntact)
    }

    @Test func nothingOfATextIsLeftWhenAPlainStoreIsEncrypted() throws {
        var store = try store(encrypted: false)
        try fill(store)
        try store.rebuildIndexes()
        try store.write { $0.insert(Letter(text: "last")) }
        #expect(try blocks.contains { $0.firstRange(of: Array("sun".utf8)) != nil })
        let engine = MemoryEngine()
        var commit = EngineCommit()
        for entry in try safe.entries() { commit.put(entry.value, for: entry.key) }
        try store.close()
        try engine.commit(commit)
        try ObjectStore.rekey(of: engine, from: nil, to: safe.cipher)
        #expect(try engine.makeView().entries().allSatisfy { $0.key.first != 7 })
        var options = ObjectStoreOptions()
        options.cipher = safe.cipher
        store = try ObjectStore(engine: engine, classes: [Letter.self], options: options)
        try store.buildIndexes()
        try check(store)
    }

    /// Few at a time and many, beside a dictionary of them.
    @Test func changesAreFollowedAtRandom() async throws {
        try await withSeeds("encrypted texts", count: 1) { random in
            let words = ["ab", "ba", "abc", "aab", "sun", "日本", " ", " "]
            func text() -> String { (0..<random.int(in: 0..<7)).map { _ in random.pick(words) }.joined() }
            var model: [ObjectID: String] = [:]
            for _ in 0..<8 {
                let store = try store()
                try store.write { context in
                    for letter in try context.allObjects(Letter.self) where random.oneIn(9) {
                        if random.oneIn(3) { try context.delete(letter) } else { letter.text = text() }
                    }
                    for _ in 0..<random.pick([1, 1, 10, 300]) { context.insert(Letter(text: text())) }
                }
                try store.read { context in
                    model = [:]
                    for letter in try context.allObjects(Letter.self) { model[try #require(letter.objectID)] = letter.text }
                    for query in ["aba", "abc", "sun", "日本 ", "[[sun]]", "ab !! sun", "bab", "aabaab"] {
                        let parsed = try TextQuery(query)
                        let wanted = model.filter { parsed.matches($0.value) }.keys.sorted()
                        let found = try context.searchIDs(Letter.self, \.text, query)
                        #expect(found == wanted, "\(query)")
                        let first = try context.searchIDs(Letter.self, \.text, query, limit: 3)
                        #expect(first == Array(wanted.prefix(3)), "\(query)")
                    }
                }
                let report = try store.verify()
                #expect(report.isIntact, "\(report.problems.prefix(3))")
            }
        }
    }
}
