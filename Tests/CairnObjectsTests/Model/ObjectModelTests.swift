import CairnHistoryKit
import CairnObjects
import CairnSQLiteEngine
import CairnTestSupport
import Foundation
import Testing

/// Random changes of a graph, beside a plain model of it. With `CAIRN_THOROUGH` in the environment, at least its number of sequences.
@Suite struct ObjectModelTests {
    static let policies: [ConflictPolicy] = [.fail, .keepMine, .keepTheirs, .merge]

    /// `few` by default; `all` with `CAIRN_THOROUGH`, or its number if that is more.
    private static func seeds(_ few: Int, of all: Int) -> Int {
        guard let text = ProcessInfo.processInfo.environment["CAIRN_THOROUGH"] else { return few }
        return max(all, Int(text) ?? 0)
    }

    @Test(arguments: policies)
    func `a graph in memory is what its model is`(_ policy: ConflictPolicy) async throws {
        try await checkOperations(
            "a graph in memory, \(policy)",
            seeds: Self.seeds(4, of: 25),
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
            seeds: Self.seeds(4, of: 25),
            count: 60,
            generate: { .random(&$0) },
            simpler: \.simpler
        ) { operations in
            try ModelRun(policy: policy, engineLasts: true, longestChunk: 2) { MemoryEngine() }.perform(operations)
        }
    }

    /// Others save through a store of their own on the same engine, as another process would.
    @Test(arguments: policies)
    func `a graph with two stores is what its model is`(_ policy: ConflictPolicy) async throws {
        try await checkTwoStores(policy, .inOtherStore, "after each other")
        try await checkTwoStores(policy, .inOtherStoreMeanwhile, "at the same time")
    }

    private func checkTwoStores(_ policy: ConflictPolicy, _ others: ModelRun.Others, _ when: String) async throws {
        try await checkOperations(
            "a graph with two stores that save \(when), \(policy)",
            seeds: Self.seeds(4, of: 125),
            count: 60,
            generate: { .randomWithOthers(&$0) },
            simpler: \.simpler
        ) { operations in
            try ModelRun(policy: policy, engineLasts: true, others: others) { MeddlingEngine() }.perform(operations)
        }
    }

    /// Two engines with one file, as two processes have.
    @Test(arguments: policies)
    func `a graph in SQLite with two stores is what its model is`(_ policy: ConflictPolicy) async throws {
        try await checkOperations(
            "a graph in SQLite with two stores, \(policy)",
            seeds: Self.seeds(1, of: 250),
            count: 60,
            generate: { .randomWithOthers(&$0) },
            simpler: \.simpler
        ) { operations in
            let directory = try TemporaryDirectory()
            let run = try ModelRun(policy: policy, engineLasts: false, others: .inOtherEngine) {
                try SQLiteEngine(path: directory.path("store"))
            }
            try run.perform(operations)
        }
    }

    @Test(arguments: policies)
    func `a graph in RocksDB is what its model is`(_ policy: ConflictPolicy) async throws {
        try await checkOperations(
            "a graph in RocksDB, \(policy)",
            seeds: Self.seeds(20, of: 60) / 20,
            count: 60,
            generate: { .random(&$0) },
            simpler: \.simpler
        ) { operations in
            let directory = try TemporaryDirectory()
            try ModelRun(policy: policy, engineLasts: false) { try RocksEngine(path: directory.path("store")) }.perform(operations)
        }
    }
}
