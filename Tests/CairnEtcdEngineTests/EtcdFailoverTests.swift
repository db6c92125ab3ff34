import CairnEtcdGraph
import CairnEtcdKit
import CairnHistoryKit
import CairnTestSupport
import Synchronization
import Testing

/// What becomes of commits when members of a cluster die or hear nothing.
@Suite(.checking, .enabled(if: EtcdServer.isInstalled, EtcdServer.missing), .timeLimit(.minutes(30)), .serialized)
struct EtcdFailoverTests {
    private static let clients = 8

    /// Transactions of a client after each other; their numbers differ from those of all others.
    private static let batch = 4

    @Test func `clients continue when the leader dies, and every commit is there once`() async throws {
        let cluster = try EtcdCluster()
        try await withSeeds("leaders", count: 1) { generator in
            for round in 0..<Thorough.count(1, of: 100) {
                let leader = cluster.leader()
                try await disturb(cluster, "round_\(round)", &generator) { try cluster.kill(leader) }
                try cluster.start(leader)
                _ = cluster.leader()
            }
        }
    }

    @Test func `clients continue with the majority, and every commit is there once`() async throws {
        let cluster = try EtcdCluster()
        try await withSeeds("partitions", count: 1) { generator in
            for round in 0..<Thorough.count(1, of: 30) {
                let leader = cluster.leader()
                // The others, or the leader and another one: then nobody can commit until they hear again.
                let frozen = generator.oneIn(2) ? [leader] : [leader, (leader + 1) % 3]
                try await disturb(cluster, "partition_\(round)", &generator) {
                    for member in frozen { try cluster.freeze(member) }
                    if frozen.count == 2 { for member in frozen { try cluster.thaw(member) } }
                }
                for member in frozen { try cluster.thaw(member) }
                _ = cluster.leader()
            }
        }
    }

    /// Each client has an engine of its own, as a machine has.
    private func open(_ cluster: EtcdCluster, _ prefix: String) throws -> ObjectStore {
        var options = EtcdEngineOptions()
        options.retryTimeout = .seconds(120)
        options.requestTimeout = .seconds(3)
        options.connections = 2
        options.limits.operations = EtcdServer.operations
        return try ObjectStore(engine: EtcdEngine(url: cluster.url(prefix), options: options), classes: ListAppends.classes)
    }

    private func disturb(
        _ cluster: EtcdCluster,
        _ prefix: String,
        _ generator: inout SeededGenerator,
        _ disturbance: @escaping @Sendable () throws -> Void
    ) async throws {
        let stores = try (0..<Self.clients).map { _ in try open(cluster, prefix) }
        try ListAppends.prepare(stores[0])
        let (seed, early) = (UInt64(generator.int(in: 0..<1_000_000)), generator.int(in: 1..<100))
        let state = Mutex(State())
        try await onThreads(Self.clients + 1) { number in
            guard number < Self.clients else {
                // In the midst of commits of others.
                while state.withLock({ $0.history.count < early && !$0.hasFailed }) {}
                try disturbance()
                return state.withLock { $0.isOver = true }
            }
            do {
                var later = 0
                for round in 0... where later < 3 {
                    // Of those that begin afterwards.
                    if state.withLock({ $0.isOver || $0.hasFailed }) { later += 1 }
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
        var isOver = false
        var hasFailed = false
    }
}
