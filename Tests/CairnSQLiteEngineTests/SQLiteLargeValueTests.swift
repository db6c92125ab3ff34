import CairnHistoryKit
import CairnSQLiteEngine
import CairnTestSupport
import Foundation
import Testing

/// Values that do not fit in a quarter of a page are in a table of their own.
@Suite struct SQLiteLargeValueTests {
    /// Around the limits, and some that take several pages.
    private static let sizes = [0, 64, 65, 1990, 1999, 2000, 2001, 8000, 8192, 100_000]

    private static func commit(_ random: inout SeededGenerator) -> EngineCommit {
        var commit = EngineCommit()
        if Bool.random(using: &random) {
            let key = [UInt8.random(in: 0..<20, using: &random)]
            let upper: [[UInt8]?] = [nil, [key[0] + 3], [key[0] + 1]]
            commit.deleteRange(KeyRange(lowerBound: key, upperBound: upper.randomElement(using: &random)!))
        }
        if Int.random(in: 0..<40, using: &random) == 0 { commit.deleteRange(.all) }
        for _ in 0..<5 {
            var key = [UInt8.random(in: 0..<20, using: &random)]
            if Bool.random(using: &random) { key += [UInt8](repeating: 7, count: 1950) }
            if Int.random(in: 0..<3, using: &random) == 0 {
                commit.delete(key)
            } else {
                let value = UInt8.random(in: 0...255, using: &random)
                commit.put([UInt8](repeating: value, count: sizes.randomElement(using: &random)!), for: key)
            }
        }
        return commit
    }

    /// Nothing is left of values that were replaced or deleted.
    @Test func `large values come, change and go`() async throws {
        try await withSeeds("large values", count: 3) { random in
            let scene = try Scene()
            let (engine, model) = (try scene.open(), MemoryEngine())
            for round in 0..<60 {
                let commit = Self.commit(&random)
                try engine.commit(commit)
                try model.commit(commit)
                for reverse in [false, true] where round % 4 == 0 {
                    let (found, expected) = (
                        try engine.makeView().entries(reverse: reverse), try model.makeView().entries(reverse: reverse)
                    )
                    #expect(found.map(\.key) == expected.map(\.key) && found.map(\.value) == expected.map(\.value))
                    for (key, value) in expected { #expect(try engine.makeView().get(key) == value) }
                }
            }
            let large = try model.makeView().entries().count { $0.value.count > 64 && $0.key.count + $0.value.count > 2000 }
            try engine.close()
            #expect(try scene.sqlite("SELECT count(*) FROM larges") == "\(large)")
            let linked = "SELECT count(*) FROM larges JOIN entries ON entries.value = larges.id AND typeof(entries.value) = 'integer'"
            #expect(try scene.sqlite(linked) == "\(large)")
        }
    }

    @Test func `damage to large values is noticed`() throws {
        let scene = try Scene()
        let engine = try scene.open()
        for key in ["a", "b"] { try engine.put(String(repeating: key, count: 9000), key) }
        try scene.sqlite("UPDATE larges SET value = x'32' WHERE id = 1; DELETE FROM larges WHERE id = 2", layer: "cairn")
        for key in ["a", "b"] { #expect(code { () throws(EngineError) in _ = try engine.get(key) } == .corruption) }
        #expect(code { () throws(EngineError) in _ = try engine.makeView().entries() } == .corruption)
        for key in ["a", "b"] { try engine.put("new", key) }
        #expect(try engine.makeView().entries().map(\.value) == [Array("new".utf8), Array("new".utf8)])
        try engine.close()
    }
}
