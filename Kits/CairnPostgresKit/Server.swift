import CPostgres
public import CairnTestSupport
import Foundation
import Synchronization
public import Testing

/// A server of PostgreSQL for the tests of this process: in a temporary directory, on a socket there.
///
/// A shell starts it, and stops it when this process ends.
public final class Server: @unchecked Sendable {
    /// `nil` if somebody else runs it.
    private let shell: ServerShell?
    public let directory: String
    /// Where it listens for clients that use TLS, if it has certificates.
    public let port: UInt16?

    private static let programs = ["/opt/homebrew/bin", "/usr/local/bin", "/usr/bin"] + debianPrograms
    /// `nil` if no server is installed.
    public static let shared = given ?? installed.map { try! Server(programs: $0) }
    public static let missing: Comment = "the programs of a PostgreSQL server are not installed"

    private static let debianPrograms = ((try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? [])
        .sorted { Int($0) ?? 0 < Int($1) ?? 0 }.map { "/usr/lib/postgresql/\($0)/bin" }
    /// Where the programs of a server are.
    static let installed = programs.last { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    /// The environment variable with the directory of the server that `make cluster-test` runs.
    public static let variable = "CAIRN_CLUSTER_POSTGRES"
    private static let given = ProcessInfo.processInfo.environment[variable].map { Server(directory: $0) }
    private static let names = Atomic(0)

    /// What servers for tests are started with. Their shared memory is in files beside their data, so a server that is killed leaves none behind.
    static let settings =
        "-c fsync=off -c max_connections=300 -c shared_buffers=64MB -c autovacuum_naptime=5s -c dynamic_shared_memory_type=mmap"
    /// Lines of the shell which let all users in, and some only with their passwords. `$1` is the directory of the data.
    static let rules = """
        { echo 'local all guarded,guarded_owner,guarded_tool,guarded_from,guarded_to scram-sha-256'
            printf '%s\\n' 'local all all trust' 'host all all 127.0.0.1/32 trust' 'host replication all 127.0.0.1/32 trust'
        } > $1/pg_hba.conf
        """

    private init(directory: String) {
        shell = nil
        port = nil
        self.directory = directory
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - language: The language of its errors, such as `de`, if its translations are installed; otherwise English.
    ///   - certificates: What it has for clients that use TLS.
    public convenience init(language: String = "", certificates: Certificates? = nil) throws {
        try self.init(programs: try #require(Self.installed), language: language, certificates: certificates)
    }

    private init(programs: String, language: String = "", certificates: Certificates? = nil) throws {
        port = try certificates.map { _ in try Listener.freePorts(1)[0] }
        let files = try certificates.map { files in
            try ["server.pem", "server.key"].map { try String(contentsOfFile: files.path($0), encoding: .utf8) }
        }
        let script = """
            directory=$(mktemp -d /tmp/cairn-pg-XXXXXX) && cd "$directory" || exit 1
            export PGCTLTIMEOUT=600
            "$0/initdb" -D data -U postgres -A trust -E UTF8 --locale=C --no-sync > log 2>&1 || { cat log >&2; exit 1; }
            port=$2 settings=
            if [ -n "$1" ]; then
                # Texts in the locale C are never translated.
                export LANGUAGE=$1
                settings="-c lc_messages=$(locale -a | grep -i -m 1 '^C[.]utf')"
            fi
            if [ -n "$port" ]; then
                ln -s .s.PGSQL.$port .s.PGSQL.5432
                printf '%s' "$3" > data/server.crt
                (umask 077 && printf '%s' "$4" > data/server.key)
                settings="$settings -p $port -c ssl=on"
            fi
            set data
            \(Self.rules)
            "$0/pg_ctl" start -w -s -D data -l log -o "-k $directory -c listen_addresses=${port:+127.0.0.1} $settings \(Self.settings)" < /dev/null \
                || { cat log >&2; exit 1; }
            trap '' INT TERM HUP
            echo "$directory"
            while read -r line; do :; done
            "$0/pg_ctl" stop -s -D data -m immediate; cd /; rm -rf "$directory"
            """
        let shell = try Self.shell(script, [programs, language, port.map { "\($0)" } ?? ""] + (files ?? []))
        self.shell = shell
        directory = shell.answer
    }

    /// Starts a script with arguments, as a user that may run a server: it refuses to run as root.
    static func shell(_ script: String, _ arguments: [String]) throws -> ServerShell {
        try ServerShell(script, arguments, insteadOfRoot: "postgres")
    }

    public var url: String { "postgresql://postgres@/postgres?host=\(directory)" }

    /// A name for a store that nobody uses yet.
    public static func newName() -> String { "store_\(getpid())_\(names.add(1, ordering: .relaxed).newValue)" }

    /// Runs statements; returns the first column of the last row.
    @discardableResult
    public func sql(_ statements: String) throws -> String { try Session(self).run(statements) }
}

/// A connection of its own.
@safe public final class Session {
    private let connection: OpaquePointer?

    public convenience init(_ server: Server) throws { try self.init(url: server.url) }

    public init(url: String) throws {
        unsafe connection = PQconnectdb(url)
        try run("SET client_min_messages = error")
    }

    deinit { unsafe PQfinish(connection) }

    /// Runs statements; returns the first column of the last row.
    @discardableResult
    public func run(_ statements: String) throws -> String {
        let result = unsafe PQexec(connection, statements)
        defer { unsafe PQclear(result) }
        let status = unsafe PQresultStatus(result)
        try #require(
            status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK,
            "\(unsafe String(cString: PQresultErrorMessage(result)))"
        )
        guard unsafe PQntuples(result) > 0, unsafe PQnfields(result) > 0 else { return "" }
        return unsafe String(cString: PQgetvalue(result, PQntuples(result) - 1, 0))
    }
}
