import CairnCore
import CairnObjects
import CairnTestSupport
import Testing

@Suite struct MemoryEngineTests {
    /// More keys than a few nodes hold come and go, in runs and in any order, also before what was the first key: each is found by itself, and
    /// by scans in both directions.
    @Test func manyKeysComeAndGo() async throws {
        try await withSeeds("many keys in memory", count: Thorough.count(1, of: 4)) { random in
            let engine = MemoryEngine()
            var model: Set<Int> = []
            for round in 0..<40 {
                let start = random.int(in: 0..<20_000)
                let end = start + random.int(in: 1..<3_000)
                let keys = random.oneIn(3) ? (0..<500).map { _ in random.int(in: start..<end) } : Array(start..<end)
                var commit = EngineCommit()
                switch random.int(in: 0..<5) {
                case 0..<2:
                    for key in keys.shuffled(using: &random) { commit.put([1], for: key.keyBytes) }
                    model.formUnion(keys)
                case 2:
                    for key in keys { commit.put([1], for: key.keyBytes) }
                    model.formUnion(keys)
                case 3:
                    for key in keys { commit.delete(key.keyBytes) }
                    model.subtract(keys)
                default:
                    commit.deleteRange(KeyRange(lowerBound: start.keyBytes, upperBound: end.keyBytes))
                    model.subtract(start..<end)
                }
                try engine.commit(commit)
                if round % 5 == 4 { try Self.compare(engine, model, "round \(round)") }
            }
        }
    }

    private static func compare(_ engine: MemoryEngine, _ model: Set<Int>, _ comment: Comment) throws {
        let view = try engine.makeView()
        let expected = model.sorted().map(\.keyBytes)
        #expect(try view.entries(.all).map(\.key) == expected, comment)
        #expect(try view.entries(.all, reverse: true).map(\.key) == expected.reversed(), comment)
        let missing = try expected.filter { try view.get($0) == nil }
        #expect(missing.isEmpty, comment)
    }
}
