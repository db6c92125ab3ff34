import CairnTestSupport
import Foundation
import Testing

/// Three members of etcd on loopback: a commit is acknowledged once two have it.
///
/// A shell runs them, and stops them when this process ends.
public final class EtcdCluster: Sendable {
    private let shell: ServerShell
    private let ports: [UInt16]
    /// Through which members reach each other, if they can be cut off.
    private let network: PeerNetwork?

    /// - Parameter canBeCut: Whether members reach each other through proxies, for ``cut(_:)``.
    public init(canBeCut: Bool = false) throws {
        let ports = try Listener.freePorts(6)
        self.ports = Array(ports[..<3])
        network = canBeCut ? try PeerNetwork(to: Array(ports[3...])) : nil
        let advertised = network?.ports ?? Array(ports[3...])
        let program = try #require(EtcdServer.installed)
        shell = try ServerShell(Self.script, [program] + (ports + advertised).map { "\($0)" })
        try #require(shell.answer == "ok", "\(shell.answer)")
    }

    public func url(_ prefix: String) -> String {
        "etcd://\(ports.map { "127.0.0.1:\($0)" }.joined(separator: ","))/\(prefix)"
    }

    /// The URL of one member alone.
    public func url(_ prefix: String, member: Int) -> String { "etcd://127.0.0.1:\(ports[member])/\(prefix)" }

    /// Cuts the network between members of different groups; what was cut before is whole again. Members that are in no group reach nobody; one group of all members
    /// is the whole network.
    public func cut(_ groups: [Int]...) throws {
        guard let network else { preconditionFailure("the members of this cluster cannot be cut off") }
        network.cut(groups, names: try (0..<ports.count).map { try session($0).leader().member })
    }

    /// Where members have their ports for clients.
    public func port(_ member: Int) -> UInt16 { ports[member] }

    public func session(_ member: Int) -> EtcdSession { EtcdSession(port: ports[member]) }

    /// The member that leads, once there is one that all living members know.
    public func leader(of members: [Int] = [0, 1, 2]) -> Int {
        while true {
            let found = members.map { try? session($0).leader() }
            guard let leader = found.compactMap({ $0?.leader }).first, leader != "", leader != "0" else { continue }
            guard found.allSatisfy({ $0?.leader == leader }) else { continue }
            if let index = found.firstIndex(where: { $0?.member == leader }) { return members[index] }
        }
    }

    /// Kills a member with SIGKILL, as when its machine loses power.
    public func kill(_ member: Int) throws { try shell.command("kill \(member)") }
    /// Starts a member that was killed.
    public func start(_ member: Int) throws { try shell.command("start \(member)") }
    /// Stops a member, which then hears and says nothing, as if the network were cut.
    public func freeze(_ member: Int) throws { try shell.command("freeze \(member)") }
    public func thaw(_ member: Int) throws { try shell.command("thaw \(member)") }

    private static let script = """
        directory=$(mktemp -d /tmp/cairn-etcd-XXXXXX) && cd "$directory" || exit 1
        clients=("$1" "$2" "$3") peers=("$4" "$5" "$6") advertised=("$7" "$8" "$9") pids=()
        all="0=http://127.0.0.1:$7,1=http://127.0.0.1:$8,2=http://127.0.0.1:$9"
        start() {
            client=http://127.0.0.1:${clients[$1]} peer=http://127.0.0.1:${peers[$1]}
            "$0" --name $1 --data-dir $1 --listen-client-urls $client --advertise-client-urls $client --listen-peer-urls $peer \
                --initial-advertise-peer-urls http://127.0.0.1:${advertised[$1]} --initial-cluster $all --initial-cluster-state new --heartbeat-interval 50 \
                --election-timeout 1000 --max-txn-ops \(EtcdServer.operations) --log-level error < /dev/null >> log 2>&1 &
            pids[$1]=$!
        }
        for node in 0 1 2; do start $node; done
        trap '' INT TERM HUP
        for node in 0 1 2; do
            until (: < /dev/tcp/127.0.0.1/${clients[$node]}) 2> /dev/null; do
                kill -0 ${pids[$node]} 2> /dev/null || { tail -n 5 log | tr '\\n' ' '; echo; exit 1; }
                sleep 0.02
            done
        done
        echo ok
        while read -r command node; do
            case $command in
            kill) kill -9 ${pids[$node]}; wait ${pids[$node]} 2> /dev/null ;;
            start) start $node ;;
            freeze) kill -STOP ${pids[$node]} ;;
            thaw) kill -CONT ${pids[$node]} ;;
            esac
            echo ok
        done
        kill -9 ${pids[@]}; cd /; rm -rf "$directory"
        """
}
