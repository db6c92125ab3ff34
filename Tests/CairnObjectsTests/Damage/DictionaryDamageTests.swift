import CairnObjects
import CairnTestSupport
import Testing

@Stored final class PriceList {
    var prices: [String: Int]
}

/// Dictionaries that have a key twice in their record: the program cannot read them, so the store is not intact.
struct DictionaryDamageTests {
    @Test func aKeyThatIsThereTwice() throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: [PriceList.self])
        try store.write { (context) throws in context.insert(PriceList(prices: ["tea-a": 1, "tea-b": 2])) }
        #expect(try store.verify().isIntact)
        let (old, new) = (Array("tea-b".utf8), Array("tea-a".utf8))
        let (key, value) = try #require(try engine.makeView().entries(KeyRange(prefix: [])).first { $0.value.firstRange(of: old) != nil })
        var commit = EngineCommit()
        commit.put(value.replacing(old, with: new), for: key)
        try engine.commit(commit, durability: .buffered)
        let damaged = try ObjectStore(engine: engine, classes: [PriceList.self])
        let problems = try damaged.verify().problems
        #expect(problems.contains { $0.reason.contains("a dictionary has a duplicate key") }, "\(problems)")
        #expect(throws: ObjectStoreError.self) { try damaged.read { _ = try $0.allObjects(PriceList.self).map(\.prices) } }
        try damaged.close()

        // As the tool sees it.
        let untyped = try ObjectStore(engine: engine, classes: [])
        let found = try untyped.verify().problems
        #expect(found.contains { $0.reason.contains("a dictionary has a duplicate key") }, "\(found)")
    }
}
