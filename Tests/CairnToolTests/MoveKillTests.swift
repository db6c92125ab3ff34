import CairnEtcdKit
import CairnPostgresKit
import CairnTestSupport
import Testing

/// Stores that are moved between engines while they are saved to, by processes that are killed: `cairn-crash move`.
@Suite(.checking, .enabled(if: Server.shared != nil, Server.missing), .timeLimit(.minutes(60))) struct MoveKillTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func move(_ places: [String], objects: Int, kills: Int) throws {
        let result = try runTool(
            "cairn-crash",
            ["move"] + places + ["--objects", "\(objects)", "--kills", "\(kills)"],
            timeout: .seconds(3000)
        )
        #expect(result.status == 0, "\(result)")
        let killed = result.standardOutput.split(separator: "\n").filter { $0.contains(" killed, ") }.compactMap { line in
            line.split(separator: " ").first.flatMap { Int($0) }
        }
        // A short move may be over before it is to be killed.
        let least = Thorough.isOn ? kills * 4 / 5 : 0
        #expect(killed.count == places.count - 1 && killed.allSatisfy { $0 >= least } && killed.contains { $0 > 0 }, "\(result)")
    }

    @Test func toPostgreSQLAndBack() throws {
        let server = try #require(Server.shared)
        let places = ["rocksdb:" + playground.path("a"), server.url + "#" + Server.newName(), "rocksdb:" + playground.path("b")]
        try move(places, objects: Thorough.count(3000, of: 100_000), kills: Thorough.count(3, of: 25))
    }

    @Test(.enabled(if: EtcdServer.isInstalled, EtcdServer.missing)) func toEtcdAndToSQLite() throws {
        let etcd = try #require(EtcdServer.shared).url(EtcdServer.newPrefix()) + "?max-txn-ops=\(EtcdServer.operations)"
        let places = ["rocksdb:" + playground.path("a"), etcd, "sqlite:" + playground.path("c.sqlite")]
        try move(places, objects: Thorough.count(1000, of: 20_000), kills: Thorough.count(3, of: 10))
    }
}
