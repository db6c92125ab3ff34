import CairnHistoryKit
import CairnPostgresGraph
import CairnPostgresKit
import CairnTestSupport
import Synchronization
import Testing

/// What becomes of commits when the server dies and its standby takes over.
@Suite(.checking, .enabled(if: Server.shared != nil, Server.missing), .timeLimit(.minutes(15))) struct PostgresFailoverTests {
    private static let clients = 8

    /// Transactions of a client after each other; their numbers differ from those of all others.
    private static let batch = 4

    @Test func `clients continue on the standby, and every commit is there once`() async throws {
        let cluster = try Cluster()
        try await withSeeds("failovers", count: 1) { generator in
            for round in 0..<Thorough.count(1, of: 30) {
                if round > 0 { try cluster.addStandby() }
                try await failOver(cluster, "round_\(round)", &generator)
            }
        }
    }

    /// Each client has an engine of its own, as a machine has.
    private func open(_ cluster: Cluster, _ store: String) throws -> ObjectStore {
        var options = PostgresEngineOptions()
        options.retryTimeout = .seconds(120)
        options.connections = 2
        return try ObjectStore(engine: PostgresEngine(url: cluster.url, store: store, options: options), classes: ListAppends.classes)
    }

    private func failOver(_ cluster: Cluster, _ store: String, _ generator: inout SeededGenerator) async throws {
        let stores = try (0..<Self.clients).map { _ in try open(cluster, store) }
        try ListAppends.prepare(stores[0])
        let (seed, early) = (UInt64(generator.int(in: 0..<1_000_000)), generator.int(in: 1..<100))
        let state = Mutex(State())
        try await onThreads(Self.clients + 1) { number in
            guard number < Self.clients else {
                // In the midst of commits of others.
                while state.withLock({ $0.history.count < early && !$0.hasFailed }) {}
                try cluster.killPrimary()
                try cluster.promote()
                return state.withLock { $0.hasFailedOver = true }
            }
            do {
                var later = 0
                for round in 0... where later < 3 {
                    // Of those that begin afterwards.
                    if state.withLock({ $0.hasFailedOver || $0.hasFailed }) { later += 1 }
                    let client = round * Self.clients + number
                    let transactions = try ListAppends.run(client: client, count: Self.batch, seed: seed, on: stores[number])
                    state.withLock { $0.history += transactions }
                    if later == 3 { break }
                }
            } catch {
                state.withLock { $0.hasFailed = true }
                throw error
            }
        }
        let history = state.withLock { $0.history }
        try ListAppends.check(history, try ListAppends.lists(in: stores[0]))
        for store in stores {
            #expect(try store.verify().isIntact)
            try store.close()
        }
    }

    private struct State: Sendable {
        /// The transactions that were acknowledged.
        var history: [ListAppends.Transaction] = []
        var hasFailedOver = false
        var hasFailed = false
    }
}
