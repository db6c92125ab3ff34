import CairnHistoryKit
import CairnPostgresGraph
import CairnPostgresKit
import CairnTestSupport
import Testing

/// What becomes of commits when the server dies and its standby takes over.
@Suite(.checking, .enabled(if: Server.shared != nil, Server.missing), .timeLimit(.minutes(30))) struct PostgresFailoverTests {
    private static let clients = 8

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
        options.retryTimeout = .seconds(600)
        options.connections = 2
        return try ObjectStore(engine: PostgresEngine(url: cluster.url, store: store, options: options), classes: ListAppends.classes)
    }

    private func failOver(_ cluster: Cluster, _ store: String, _ generator: inout SeededGenerator) async throws {
        let stores = try (0..<Self.clients).map { _ in try open(cluster, store) }
        try await ListAppends.run(on: stores, &generator) {
            try cluster.killPrimary()
            try cluster.promote()
        }
    }
}
