import CairnHistoryKit
import CairnPostgresEngine
import CairnPostgresKit
import CairnTestSupport
import Foundation
import Testing

/// Connections with TLS, and what a server says when it refuses one.
@Suite(.enabled(if: Cluster.isPossible, Server.missing), .endsWhenItHangs) struct PostgresConnectingTests {
    /// The server writes them in German, if its translations are installed.
    @Test func `refusals are understood in every language`() throws {
        let server = try Server(language: "de")
        try server.sql("CREATE ROLE guarded LOGIN PASSWORD 'right'; CREATE ROLE nobody NOLOGIN")
        for (place, expected, state) in [
            ("guarded:wrong@/postgres", EngineError.Code.permissionDenied, "28P01"),
            // What libpq says itself.
            ("guarded@/postgres", .permissionDenied, "28P01"),
            ("nobody@/postgres", .permissionDenied, "28000"),
            ("nobody_here@/postgres", .permissionDenied, "28000"),
            ("postgres@/nowhere", .invalidArgument, "3D000"),
            ("postgres@/postgres?options=-cnothing%3D1", .invalidArgument, "42704"),
            ("postgres@/postgres?options=-cjit%3Dmaybe", .invalidArgument, "22023"),
            ("postgres@/postgres?options=-cport%3D1", .invalidArgument, "55P02"),
            ("postgres@/postgres?options=nothing", .invalidArgument, "42601"),
        ] {
            let url = "postgresql://\(place)\(place.contains("?") ? "&" : "?")host=\(server.directory)"
            let error = failure { () throws(EngineError) in _ = try PostgresEngine(url: url) }
            let found = (error?.cause as? PostgresError)?.code.rawValue
            #expect(error?.code == expected && found == state, "\(url): \(String(describing: error))")
        }
        // Another attempt may find one free.
        try server.sql("CREATE ROLE crowded LOGIN CONNECTION LIMIT 0")
        let error = failure { () throws(EngineError) in
            _ = try PostgresEngine(url: "postgresql://crowded@/postgres?host=\(server.directory)")
        }
        #expect(error?.code == .unavailable && (error?.cause as? PostgresError)?.code.rawValue == "53300", "\(String(describing: error))")
        #expect(error?.message.contains("no more connections") == true, "\(String(describing: error))")
    }

    @Test func `errors of connecting say where, and what to do`() throws {
        let server = try Server()
        try server.sql("CREATE ROLE guarded LOGIN PASSWORD 'right'")
        let stranger = try ForeignServer(answer: "HTTP/1.1 400 Bad Request\r\n\r\n")
        for (url, parts) in [
            ("postgresql://postgres@127.0.0.1:1/music", ["database music on 127.0.0.1:1: ", "cannot be reached"]),
            ("postgresql://postgres@127.0.0.1:1,[::1]:2/music", ["on 127.0.0.1:1,[::1]:2: "]),
            ("postgresql://postgres@127.0.0.1:\(stranger.port)/music", ["on 127.0.0.1:\(stranger.port): ", "is not PostgreSQL"]),
            ("postgresql://postgres@127.0.0.1:\(stranger.port)/music?sslmode=disable", ["is not PostgreSQL"]),
            ("postgresql://guarded@/postgres?host=\(server.directory)", ["on \(server.directory): ", "is missing", "PGPASSWORD"]),
            ("postgresql://guarded:wrong@/postgres?host=\(server.directory)", ["check the user name and the password", "pg_hba.conf"]),
            ("postgresql://postgres@/nowhere?host=\(server.directory)", ["database nowhere on", "create it"]),
        ] {
            let error = failure { () throws(EngineError) in _ = try PostgresEngine(url: url) }
            for part in parts { #expect(error?.message.contains(part) == true, "\(url): \(String(describing: error))") }
        }
    }

    @Test func `a password that is no longer right ends a call at once`() throws {
        let server = try Server(language: "de")
        try server.sql("CREATE ROLE guarded LOGIN PASSWORD 'right'; GRANT CREATE ON DATABASE postgres TO guarded")
        let engine = try open("postgresql://guarded:right@/postgres?host=\(server.directory)")
        try engine.put("1", "a")
        try server.sql("ALTER ROLE guarded PASSWORD 'other'")
        try endConnections(server)
        let error = failure { () throws(EngineError) in _ = try engine.makeView() }
        #expect(error?.code == .permissionDenied, "\(String(describing: error))")
    }

    @Test(.enabled(if: Certificates.arePossible, Certificates.missing)) func `a server is known by its certificate`() throws {
        let directory = try TemporaryDirectory()
        let files = try Certificates(in: directory.path)
        let server = try Server(certificates: files)
        let port = try #require(server.port)
        func url(_ host: String, _ root: String) -> String {
            "postgresql://postgres@\(host):\(port)/postgres?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert=\(root)"
        }
        let root = directory.path("root.pem")
        try FileManager.default.copyItem(atPath: files.path("ca.pem"), toPath: root)
        let engine = try open(url("localhost", root))
        try engine.put("1", "a")
        #expect(try engine.get("a") == "1")
        let encrypted = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'Cairn'"
        #expect(try server.sql(encrypted) == "t")
        // Another authority, a file that is missing, and a name that the certificate does not have.
        for other in [
            url("localhost", files.path("other.pem")), url("localhost", files.path("none.pem")), url("otherhost", files.path("ca.pem")),
        ] {
            let error = failure { () throws(EngineError) in _ = try PostgresEngine(url: other) }
            #expect(error?.code == .invalidArgument, "\(other): \(String(describing: error))")
        }
        // A call does not try again either.
        try FileManager.default.removeItem(atPath: root)
        try FileManager.default.copyItem(atPath: files.path("other.pem"), toPath: root)
        try endConnections(server)
        let error = failure { () throws(EngineError) in _ = try engine.makeView() }
        #expect(error?.code == .invalidArgument, "\(String(describing: error))")
    }

    /// An engine whose calls would try again for longer than a test may take.
    private func open(_ url: String) throws(EngineError) -> PostgresEngine {
        var options = PostgresEngineOptions()
        options.retryTimeout = .seconds(3600)
        return try PostgresEngine(url: url, options: options)
    }

    /// Ends the connections of engines, which can make no new ones.
    private func endConnections(_ server: Server) throws {
        let connections = "pg_stat_activity WHERE application_name = 'Cairn'"
        while try server.sql("SELECT count(*) FROM (SELECT pg_terminate_backend(pid) FROM \(connections)) ended") != "0" {}
    }
}
