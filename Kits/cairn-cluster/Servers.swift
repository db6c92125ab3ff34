import CairnEtcdKit
import CairnPostgresKit

/// What runs, and how to use it.
struct Servers {
    private let etcd: EtcdCluster?
    private let postgres: Cluster?

    init(_ etcd: EtcdCluster?, _ postgres: Cluster?) {
        self.etcd = etcd
        self.postgres = postgres
    }

    /// URLs without the name of a store.
    private var etcdURL: String? { etcd.map { $0.url("") } }
    private var etcdParameters: String { "?max-txn-ops=\(EtcdServer.operations)" }

    /// For people who have not installed all servers.
    var missing: [String] {
        let remedy = "'scripts/deps tests' installs it"
        return (etcd == nil ? ["etcd is not installed; \(remedy)."] : [])
            + (postgres == nil ? ["PostgreSQL's server is not installed; \(remedy)."] : [])
    }

    /// What a command gets: URLs of stores, and what the tests need to use these servers instead of their own.
    var environment: [String: String] {
        var environment: [String: String] = [:]
        if let etcd {
            environment["CAIRN_ETCD_URL"] = etcd.url("cairn") + etcdParameters
            environment[EtcdServer.variable] = "\(etcd.port(0))"
        }
        if let postgres {
            environment["CAIRN_POSTGRES_URL"] = postgres.url
            environment[Server.variable] = postgres.directory
        }
        return environment
    }

    var instructions: [String] {
        var lines: [String] = []
        if let etcd {
            lines += ["Three members of etcd run. A store named 'songs' is at", "  \(etcd.url("songs"))\(etcdParameters)"]
        }
        if let postgres {
            lines += ["PostgreSQL runs, with a synchronous standby. A store named 'songs' is at", "  \(postgres.url)#songs"]
        }
        let url = postgres.map { "\($0.url)#songs" } ?? etcd.map { $0.url("songs") + etcdParameters } ?? ""
        return lines + [
            "In another terminal, for example:", "  cairn objects move Music.store '\(url)'", "  cairn objects info '\(url)'",
            "  swift run --package-path Examples/SharedJobs SharedJobs '\(url)' work one",
            "Ctrl-C stops the servers and removes what is in them.",
        ]
    }
}
