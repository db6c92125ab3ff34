import CairnTestSupport
import Foundation
import Testing

/// Two servers of PostgreSQL on loopback, of which one is the synchronous standby of the other and can take over: a commit is acknowledged once both have it.
///
/// A shell runs them, and stops them when this process ends.
public final class Cluster: @unchecked Sendable {
    private let shell: ServerShell
    private let ports: [UInt16]
    /// The one that commits.
    private var primary = 0

    public init() throws {
        ports = try Listener.freePorts(2)
        let programs = try #require(Server.installed)
        shell = try Server.shell(Self.script, [programs] + ports.map { "\($0)" })
        try #require(shell.answer.hasPrefix("/"), "\(shell.answer)")
        try addStandby()
    }

    /// Whether the programs of a server are installed.
    public static var isPossible: Bool { Server.installed != nil }

    /// Where the first primary has a socket, as ``Server`` has one.
    public var directory: String { shell.answer }

    /// Both hosts, of which the one is used that can be written to.
    public var url: String {
        let hosts = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        return "postgresql://postgres@\(hosts)/postgres?target_session_attrs=read-write"
    }

    /// Where the one listens that cannot be written to.
    public var standbyPort: UInt16 { ports[1 - primary] }

    /// Kills all processes of the primary at once, with SIGKILL, as when its machine loses power.
    public func killPrimary() throws { try shell.command("kill \(primary)") }

    /// Lets the standby take over.
    public func promote() throws {
        primary = 1 - primary
        try shell.command("promote \(primary)")
    }

    /// Makes the server that was killed a standby of the one that has taken over. Commits wait for it from when this returns.
    public func addStandby() throws {
        try shell.command("follow \(1 - primary) \(ports[primary])")
        let session = try Session(url: "postgresql://postgres@127.0.0.1:\(ports[primary])/postgres")
        try session.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try session.run("SELECT pg_reload_conf()")
        while try session.run("SELECT max(sync_state) FROM pg_stat_replication WHERE state = 'streaming'") != "sync" {}
        // The process that writes checkpoints is the one that makes commits wait.
        try session.run("CHECKPOINT")
    }

    /// A standby waits for no standby of its own when it takes over: so it says when it is made.
    private static let script = """
        directory=$(mktemp -d /tmp/cairn-pg-XXXXXX) && cd "$directory" || exit 1
        export PGCTLTIMEOUT=600
        ports=("$1" "$2")
        start() {
            "$0/pg_ctl" start -w -s -D $1 -l log -o "-p ${ports[$1]} -k $directory -c listen_addresses=127.0.0.1 \(Server.settings)" < /dev/null >> log 2>&1
        }
        answer() { if [ $1 = 0 ]; then echo ok; else tail -n 20 log | tr '\\n' ' '; echo; fi; }
        rules() {
            \(Server.rules)
        }
        "$0/initdb" -D 0 -U postgres -A trust -E UTF8 --locale=C --no-sync > log 2>&1 && rules 0 && ln -s .s.PGSQL.$1 .s.PGSQL.5432 && start 0 \
            && echo "$directory" || answer 1
        trap '' INT TERM HUP
        while read -r command node port; do
            case $command in
            kill)
                pid=$(head -n 1 $node/postmaster.pid)
                kill -9 $pid $(ps -A -o pid=,ppid= | awk -v parent=$pid '$2 == parent { print $1 }') ;;
            promote) "$0/pg_ctl" promote -w -s -D $node >> log 2>&1 ;;
            follow)
                rm -rf $node
                "$0/pg_basebackup" -D $node -R -h 127.0.0.1 -p $port -U postgres -c fast --no-sync >> log 2>&1 \
                    && echo "synchronous_standby_names = ''" >> $node/postgresql.auto.conf && start $node ;;
            esac
            answer $?
        done
        for node in 0 1; do "$0/pg_ctl" stop -s -D $node -m immediate >> log 2>&1; done; cd /; rm -rf "$directory"
        """
}
