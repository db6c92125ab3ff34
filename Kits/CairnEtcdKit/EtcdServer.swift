public import CairnTestSupport
import Foundation
import Synchronization
public import Testing

/// A cluster of etcd of one member for the tests of this process, in a temporary directory.
///
/// A shell starts it, and stops it when this process ends.
public final class EtcdServer: Sendable {
    /// What the server allows in one transaction.
    public static let operations = 900

    public let port: UInt16
    /// `nil` if somebody else runs it.
    private let shell: ServerShell?

    /// One for tests that compact nothing, which would end the views of others; `nil` if no server is installed.
    public static let shared = given ?? installed.map { _ in try! EtcdServer() }
    /// One for tests that compact: of their own, or that of `make cluster-test`, which lets nothing else run meanwhile.
    public static func compacted() throws -> EtcdServer { try given ?? EtcdServer() }
    public static var isInstalled: Bool { installed != nil }
    public static let missing: Comment = "the program of an etcd server is not installed"
    /// Where the program of a server is.
    static let installed = InstalledProgram.path("etcd")
    /// The environment variable with the port of a member of the cluster that `make cluster-test` runs.
    public static let variable = "CAIRN_CLUSTER_ETCD"
    private static let given = ProcessInfo.processInfo.environment[variable].flatMap { UInt16($0) }.map { EtcdServer(port: $0) }
    private static let names = Atomic(0)

    private init(port: UInt16) {
        self.port = port
        shell = nil
    }

    /// - Parameters:
    ///   - arguments: Of the server.
    ///   - hasTLS: Whether they name certificates, so that clients use TLS.
    public init(_ arguments: [String] = ["--max-txn-ops=\(operations)"], hasTLS: Bool = false) throws {
        let ports = try Listener.freePorts(2)
        port = ports[0]
        let program = try #require(Self.installed)
        let script = """
            directory=$(mktemp -d /tmp/cairn-etcd-XXXXXX) && cd "$directory" || exit 1
            client=\(hasTLS ? "https" : "http")://127.0.0.1:$1 peer=http://127.0.0.1:$2 port=$1
            shift 2
            "$0" --name node --data-dir data --listen-client-urls $client --advertise-client-urls $client --listen-peer-urls $peer \
                --initial-advertise-peer-urls $peer --initial-cluster node=$peer --unsafe-no-fsync --log-level error "$@" \
                < /dev/null > log 2>&1 &
            pid=$!
            trap '' INT TERM HUP
            until (: < /dev/tcp/127.0.0.1/$port) 2> /dev/null; do
                kill -0 $pid 2> /dev/null || { cat log >&2; exit 1; }
                sleep 0.02
            done
            echo ok
            while read -r line; do :; done
            kill -9 $pid; cd /; rm -rf "$directory"
            """
        let shell = try ServerShell(script, [program] + ports.map { "\($0)" } + arguments)
        self.shell = shell
        try #require(shell.answer == "ok", "\(shell.answer)")
    }

    public func url(_ prefix: String) -> String { "etcd://127.0.0.1:\(port)/\(prefix)" }

    /// A prefix for a store that nobody uses yet, and that begins no other one.
    public static func newPrefix() -> String { "\(getpid()).\(names.add(1, ordering: .relaxed).newValue).store" }

    public var session: EtcdSession { EtcdSession(port: port) }
}

extension Proxy {
    /// A proxy in front of a server of etcd.
    public convenience init(to port: UInt16) throws {
        let mark = Data("request_put".utf8)
        try self.init(to: .port(port)) { Data($0).range(of: mark) != nil }
    }

    public func etcdURL(_ prefix: String) -> String { "etcd://127.0.0.1:\(port)/\(prefix)" }
}
