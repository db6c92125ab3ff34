import CairnHistoryKit
import CairnObjects
import CairnTestSupport
import Synchronization
import Testing

/// What many clients do at once, and whether it could have happened one after the other. `HistoryProcessTests` does the same with processes.
@Suite struct HistoryTests {
    enum Clients: String, CaseIterable, Sendable {
        case oneStore, severalStores, rocks
    }

    private static func stores(_ clients: Clients, _ directory: TemporaryDirectory) throws -> [ObjectStore] {
        let engine: any StorageEngine = clients == .rocks ? try RocksEngine(path: directory.path("store")) : MemoryEngine()
        return try (0..<(clients == .severalStores ? 4 : 1)).map { _ in try ObjectStore(engine: engine, classes: ListAppends.classes) }
    }

    @Test(arguments: Clients.allCases)
    func listAppendsAreSerializable(_ clients: Clients) async throws {
        try await withSeeds("list appends, \(clients)", count: 1) { generator in
            let directory = try TemporaryDirectory()
            let stores = try Self.stores(clients, directory)
            try ListAppends.prepare(stores[0])
            let seed = generator.next()
            let history = Mutex<[ListAppends.Transaction]>([])
            try await onThreads(8) { client in
                let done = try ListAppends.run(client: client, count: 60, seed: seed, on: stores[client % stores.count])
                history.withLock { $0 += done }
            }
            let done = history.withLock { $0 }
            #expect(done.count == 8 * 60)
            try ListAppends.check(done, ListAppends.lists(in: stores[0]))
            #expect(try stores[0].verify().problems.isEmpty)
        }
    }

    @Test(arguments: Clients.allCases)
    func sumsOfPairsNeverBecomeNegative(_ clients: Clients) async throws {
        try await withSeeds("bank transfers, \(clients)", count: 1) { generator in
            let directory = try TemporaryDirectory()
            let stores = try Self.stores(clients, directory)
            try PairTransfers.prepare(stores[0])
            let seed = generator.next()
            let refused = Mutex(0)
            try await onThreads(8) { client in
                let count = try PairTransfers.run(client: client, count: 60, seed: seed, on: stores[client % stores.count])
                refused.withLock { $0 += count }
            }
            #expect(refused.withLock { $0 } > 0, "no limit was reached")
        }
    }

    @Test func whatCannotHaveHappenedIsFound() throws {
        func transaction(_ id: Int, _ seen: [Int: [Int]], _ appended: Set<Int>) -> ListAppends.Transaction {
            ListAppends.Transaction(id: id, seen: seen, appended: appended)
        }
        let first = transaction(1, [0: [], 1: []], [0])
        try ListAppends.check([first, transaction(2, [0: [1], 1: []], [1])], [[1], [2]])
        // Each appended to what the other saw empty.
        #expect(throws: HistoryError.self) { try ListAppends.check([first, transaction(2, [0: [], 1: []], [1])], [[1], [2]]) }
        // Lost, appended twice, seen though it never was there.
        #expect(throws: HistoryError.self) { try ListAppends.check([first], [[], []]) }
        #expect(throws: HistoryError.self) { try ListAppends.check([first], [[1, 1], []]) }
        #expect(throws: HistoryError.self) { try ListAppends.check([first, transaction(2, [0: [3]], [])], [[1], []]) }
    }
}
