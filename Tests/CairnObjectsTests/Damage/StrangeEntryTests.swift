import CairnCore
import CairnObjects
import Foundation
import Testing

/// Entries that no store writes: keys that are too short, rows far behind all others, identities of other classes, numbers at their ends.
struct StrangeEntryTests {
    private typealias Before = AccountsBefore.Account
    private typealias Now = AccountsNow.Account

    @Test func upgradesSkipInvalidKeysOfPages() throws {
        let engine = MemoryEngine()
        try ObjectStore(engine: engine, classes: [Before.self]).write { context in
            for number in 0..<40 { context.insert(Before(number: number, owner: "o", cents: 0, memo: "")) }
        }
        var commit = EngineCommit()
        for end: [UInt8] in [[0xFF], [0, 0, 0, 0, 0], [UInt8](repeating: 0xFF, count: 6)] { commit.put([], for: [1, 0, 1] + end) }
        for page in 2..<40 { commit.put([1, 0, 0, 0, 0], for: [1, 0, 1, 0xFF, 0, 0, 0, 0, UInt8(page)]) }
        try engine.commit(commit)
        let store = try ObjectStore(engine: engine, classes: [Now.self])
        #expect(try store.upgradeRecords() == 40)
        #expect(try store.upgradeRecords() == 0)
    }

    @Test func anEntryThatNamesAnObjectOfAnotherClassLeadsNowhere() throws {
        let scene = try DamageScene()
        let entry = try #require(try scene.entries([3, 0, 2]).first)
        // Song 2.
        try scene.commit { $0.put([0, 1, 0, 0, 0, 0, 0, 2], for: entry.key) }
        let store = try scene.store()
        try store.read { context in
            let song = try context.object(ObjectID("1/2")!, as: Song.self)
            #expect(try context.first(Album.self, where: \Album.code == "A") == nil)
            #expect(try context.fetchIDs(Album.self, where: \Album.code == "A").isEmpty)
            #expect(song?.title == "title 2")
        }
        #expect(try !store.verify().isIntact)
        try store.repair()
        #expect(try store.verify().isIntact)
        #expect(try store.read { try $0.first(Album.self, where: \Album.code == "A")?.title } == "album")
    }

    /// Text indexes are made, verified and changed next to invalid keys.
    @Test func invalidKeysOfTextsAreSkipped() throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: [Searched.Page.self])
        try store.write { $0.insert(Searched.Page(title: "sun", body: "")) }
        let page = try #require(try engine.makeView().entries(KeyRange(prefix: [1])).first)
        var commit = EngineCommit()
        commit.put(page.value, for: page.key.dropLast())
        commit.put(page.value, for: page.key + [0])
        commit.put([], for: page.key.dropLast(4) + [0xFF])
        // A key that is only the shard.
        commit.put([1, 0xFF], for: [7, 0, 1, 0, 1, 0, 0, 0, 0])
        commit.put([9], for: page.key)
        try engine.commit(commit)
        _ = try store.verify()
        #expect(code { try store.rebuildIndexes() } == .corruption)
        commit = EngineCommit()
        commit.put(page.value, for: page.key)
        try engine.commit(commit)
        try store.rebuildIndexes()
        try store.repair()
        #expect(try store.read { try $0.searchIDs(Searched.Page.self, \.title, "sun").map(\.row) } == [1])
    }

    /// Objects behind the last row that can be given out are damage, which no repair takes for sound.
    @Test(arguments: [[0x04, 0, 0, 0, 0, 0], [0x07, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]])
    func aStoreWithRowsBehindAllOthersCanBeOpenedAfterARepair(page: [UInt8]) throws {
        let scene = try DamageScene()
        let songs = try #require(try scene.entries(DamageScene.songPage).first)
        try scene.commit { $0.put(songs.value, for: [1, 0, 1] + page) }
        let store = try scene.store()
        let report = try store.repair()
        #expect((report.problemCounts[.damagedRecord] ?? 0) == 3, "\(report.problemCounts)")
        let again = try scene.store()
        try again.write { $0.insert(Song("new")) }
        #expect(try again.read { try $0.object(ObjectID("1/4")!, as: Song.self)?.title } == "new")
    }

    @Test func importersRefuseRowsThatNoStoreHas() throws {
        let scene = try DamageScene()
        let source = try scene.store()
        let songs = source.catalog.classes[0]
        let target = try ObjectStore(engine: MemoryEngine(), catalog: source.catalog)
        let importer = try ObjectImporter(target)
        try importer.add(songs)
        for row: UInt64 in [1 << 47, 1 << 48 - 1] {
            let dump = ObjectDump(id: ObjectID("1/\(row)")!, className: "Song", version: 1, changeCount: 1, fields: [])
            #expect(code { try importer.add(dump) } == .tooLarge, "\(row)")
        }
        var twin = songs
        twin.number = 9
        #expect(code { try importer.add(twin) } == .schemaMismatch)
        try importer.reserveRows(through: .max, of: songs)
        try importer.add(ObjectDump(id: ObjectID("1/5")!, className: "Song", version: 1, changeCount: 1, fields: []))
        #expect(try importer.finish().objectCount == 1)
        #expect(try target.verify().isIntact)
    }

    @Test func aClassThatHadAllNumbersOfIndexesIsRefused() throws {
        let scene = try DamageScene()
        try scene.commit { commit in
            let entry = try #require(try scene.entries([0, 1, 0, 1]).first)
            var json = try #require(try JSONSerialization.jsonObject(with: Data(entry.value)) as? [String: Any])
            (json["lastIndex"], json["indexes"]) = (65535, [Any]())
            commit.put(Array(try JSONSerialization.data(withJSONObject: json)), for: entry.key)
        }
        #expect(code { try scene.store() } == .tooLarge)
    }

    /// Marks in another order are the same text, few of them and many.
    @Test(arguments: [2, 20, 5_000]) func manyMarksAreSorted(count: Int) throws {
        let (one, other) = ("\u{0E38}", "\u{0E48}")
        let texts = [
            "ก" + String(repeating: other + one, count: count),
            "ก" + String(repeating: one, count: count) + String(repeating: other, count: count),
        ]
        for text in texts { for asked in texts { #expect(try TextQuery("[[\(asked)]]").matches(text)) } }
        #expect(try !TextQuery("[[\(texts[0])]]").matches("ก" + one + other))
    }
}
