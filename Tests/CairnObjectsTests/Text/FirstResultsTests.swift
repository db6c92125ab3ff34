import CairnCore
import CairnObjects
import CairnTestSupport
import Testing

@testable import CairnGraph

/// The first results of a search are had without finding all: counted in what is read of the engine.
struct FirstResultsTests {
    private let engine = CountingEngine()
    /// In several blocks of 8,192 rows.
    private let count = Thorough.count(10_000, of: 40_000)

    private func filled() throws -> ObjectStore {
        let store = try ObjectStore(engine: engine, classes: [Line.self])
        try store.write { context in
            for number in 0..<count {
                let what = number % 3 == 0 ? "walking home" : "sitting here"
                let (when, how) = (number % 100 == 7 ? "yesterday" : "today", number == count - 1_000 ? "seldom" : "often")
                context.insert(Line(text: "\(what) \(when) and \(how) \(number % 7)"))
            }
        }
        return store
    }

    private func reads(_ store: ObjectStore, _ query: String, limit: Int?) throws -> (count: Int, reads: Int) {
        var found = 0
        let reads = try engine.count { found = try store.read { try $0.searchIDs(Line.self, \.text, "\"\(query)\"", limit: limit).count } }
        return (found, reads.values + reads.entries)
    }

    /// What is read for the first does not depend on how many there are.
    @Test func theFirstNeedNotTheRest() throws {
        let store = try filled()
        let blockCount = count / 8_192 + 1
        for query in ["walking", "yesterday", "king home"] {
            let all = try reads(store, query, limit: nil)
            let first = try reads(store, query, limit: 20)
            #expect(first.count == 20 && all.count >= count / 100)
            // A block for each of the grams, and how many recent texts there are; all blocks for each for all of them.
            #expect(first.reads <= 4, "\(query): \(first)")
            #expect(all.reads <= 1 + 3 * blockCount, "\(query): \(all)")
        }
        // What is only in the last block is found there.
        let last = try reads(store, "seldom", limit: 20)
        #expect(last.count == 1 && last.reads <= 1 + 2 * (1 + 3 + 1))
        // No record was read for any of them: all are proven.
        var commit = EngineCommit()
        commit.deleteRange(Keyspace.pages(1))
        _ = try engine.commit(commit, durability: .buffered)
        #expect(try reads(store, "walking", limit: nil).count == (count + 2) / 3)
        #expect(try reads(store, "ten ", limit: nil).count == count - 1)
    }

    @Test func theFirstAreThoseThatAllBeginWith() throws {
        let store = try filled()
        try store.write { context in
            for line in try context.fetch(Line.self, limit: 50) where (line.objectID?.row ?? 0) % 5 == 0 {
                line.text = "changed and seldom"
            }
            context.insert(Line(text: "seldom walking"))
        }
        try store.read { context in
            for query in ["walking", "seldom", "yesterday", "a", "ing", "seldom || \"often 3\"", "often !! home"] {
                let all = try context.searchIDs(Line.self, \.text, query)
                for (limit, offset) in [(1, 0), (20, 0), (7, 13), (900, 100), (2_000, 5)] {
                    let some = try context.searchIDs(Line.self, \.text, query, limit: limit, offset: offset)
                    #expect(some == Array(all.dropFirst(offset).prefix(limit)), "\(query), \(limit) from \(offset)")
                    let objects = try context.search(Line.self, \.text, query, limit: min(limit, 50), offset: offset)
                    #expect(objects.map(\.objectID) == all.dropFirst(offset).prefix(min(limit, 50)).map { $0 })
                }
            }
        }
    }
}
