import CairnEtcdEngine
import CairnEtcdKit
import CairnObjects
import CairnPostgresEngine
import CairnPostgresKit
import CairnTestSupport
import Testing

/// Two stores beside the model, each with an engine of its own for the same place on a server, as two machines have. Each step takes many round trips.
@Suite(.endsWhenItHangs) struct ServerModelTests {
    @Test(.enabled(if: Server.shared != nil, Server.missing), arguments: ObjectModelTests.policies)
    func `a graph on PostgreSQL with two stores is what its model is`(_ policy: ConflictPolicy) async throws {
        let server = try #require(Server.shared)
        try await check("PostgreSQL", policy) {
            let store = Server.newName()
            return { try PostgresEngine(url: server.url, store: store) }
        }
    }

    @Test(.enabled(if: EtcdServer.isInstalled, EtcdServer.missing), arguments: ObjectModelTests.policies)
    func `a graph on etcd with two stores is what its model is`(_ policy: ConflictPolicy) async throws {
        let server = try #require(EtcdServer.shared)
        try await check("etcd", policy) {
            let prefix = EtcdServer.newPrefix()
            var options = EtcdEngineOptions()
            options.limits.operations = EtcdServer.operations
            return { [options] in try EtcdEngine(url: server.url(prefix), options: options) }
        }
    }

    /// - Parameter makePlace: Returns what makes engines for a new place.
    private func check(
        _ name: String,
        _ policy: ConflictPolicy,
        _ makePlace: @escaping @Sendable () -> () throws -> any StorageEngine
    ) async throws {
        try await checkOperations(
            "a graph on \(name) with two stores, \(policy)",
            seeds: Thorough.count(1, of: 20),
            count: 40,
            generate: { .randomWithOthers(&$0) },
            simpler: \.simpler
        ) { operations in
            try ModelRun(policy: policy, engineLasts: false, others: .inOtherEngine, makePlace()).perform(operations)
        }
    }
}
