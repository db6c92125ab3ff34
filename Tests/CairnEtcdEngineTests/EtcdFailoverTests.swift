import CairnEtcdGraph
import CairnEtcdKit
import CairnHistoryKit
import CairnTestSupport
import Testing

/// What becomes of commits when members of a cluster die or hear nothing.
@Suite(.checking, .enabled(if: EtcdServer.isInstalled, EtcdServer.missing), .timeLimit(.minutes(30)), .serialized)
struct EtcdFailoverTests {
    private static let clients = 8

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

    /// A leader that is cut off from the others acknowledges nothing, and they elect another one.
    @Test func `clients continue when the network is cut between the leader and the others`() async throws {
        let cluster = try EtcdCluster(canBeCut: true)
        try await withSeeds("cuts", count: 1) { generator in
            for round in 0..<Thorough.count(1, of: 30) {
                let leader = cluster.leader()
                let others = (0..<3).filter { $0 != leader }
                try await disturb(cluster, "cut_\(round)", &generator) {
                    try cluster.cut([leader], others)
                    _ = cluster.leader(of: others)
                    try Self.expectNoCommit(cluster.url("alone_\(round)", member: leader))
                    try cluster.cut([0, 1, 2])
                }
                _ = cluster.leader()
            }
        }
    }

    /// Nobody has a majority.
    @Test func `clients wait when the network is cut between all members`() async throws {
        let cluster = try EtcdCluster(canBeCut: true)
        try await withSeeds("cuts", count: 1) { generator in
            for round in 0..<Thorough.count(1, of: 30) {
                _ = cluster.leader()
                try await disturb(cluster, "apart_\(round)", &generator) {
                    try cluster.cut([0], [1], [2])
                    try Self.expectNoCommit(cluster.url("nobody_\(round)"))
                    try cluster.cut([0, 1, 2])
                }
                _ = cluster.leader()
            }
        }
    }

    /// Creating a store is a commit.
    private static func expectNoCommit(_ url: String) throws {
        var options = EtcdEngineOptions()
        options.retryTimeout = .seconds(1)
        options.requestTimeout = .milliseconds(500)
        let error = #expect(throws: EngineError.self) { try EtcdEngine(url: url, options: options) }
        #expect(error?.code == .unavailable, "\(String(describing: error))")
    }

    /// Each client has an engine of its own, as a machine has.
    private func open(_ cluster: EtcdCluster, _ prefix: String) throws -> ObjectStore {
        var options = EtcdEngineOptions()
        options.retryTimeout = .seconds(600)
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
        try await ListAppends.run(on: stores, &generator, during: disturbance)
    }
}
