import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Random changes of a graph, beside a plain model of it. With `CAIRN_THOROUGH` in the environment, its number of sequences instead of a few.
@Suite struct ObjectModelTests {
    static let policies: [ConflictPolicy] = [.fail, .keepMine, .keepTheirs, .merge]

    private static func seeds(_ few: Int) -> Int {
        guard let text = ProcessInfo.processInfo.environment["CAIRN_THOROUGH"] else { return few }
        return max(few, Int(text) ?? 0)
    }

    @Test(arguments: policies)
    func `a graph in memory is what its model is`(_ policy: ConflictPolicy) async throws {
        try await checkOperations(
            "a graph in memory, \(policy)",
            seeds: Self.seeds(25),
            count: 60,
            generate: { .random(&$0) },
            simpler: \.simpler
        ) { operations in
            try ModelRun(policy: policy, engineLasts: true) { MemoryEngine() }.perform(operations)
        }
    }

    /// With chunks of so few objects that most lists, sets and dictionaries have some.
    @Test(arguments: policies)
    func `a graph whose relationships are in chunks is what its model is`(_ policy: ConflictPolicy) async throws {
        try await checkOperations(
            "a graph in chunks, \(policy)",
            seeds: Self.seeds(25),
            count: 60,
            generate: { .random(&$0) },
            simpler: \.simpler
        ) { operations in
            try ModelRun(policy: policy, engineLasts: true, longestChunk: 2) { MemoryEngine() }.perform(operations)
        }
    }

    @Test(arguments: policies)
    func `a graph in RocksDB is what its model is`(_ policy: ConflictPolicy) async throws {
        try await checkOperations(
            "a graph in RocksDB, \(policy)",
            seeds: Self.seeds(60) / 20,
            count: 60,
            generate: { .random(&$0) },
            simpler: \.simpler
        ) { operations in
            let directory = try TemporaryDirectory()
            try ModelRun(policy: policy, engineLasts: false) { try RocksEngine(path: directory.path("store")) }.perform(operations)
        }
    }
}
