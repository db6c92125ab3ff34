import CairnObjectsEncryption
import CairnPostgresGraph
import CairnPostgresKit
import CairnRocksGraph
import CairnTestSupport
import Foundation
import Testing

/// `cairn objects` with stores in PostgreSQL.
@Suite(.enabled(if: Server.shared != nil, Server.missing), .timeLimit(.minutes(30))) struct ObjectsPostgresTests {
    // Lives as long as the test.
    private let playground: Playground
    private let server: Server
    private let store = Server.newName()
    private var url: String { server.url + "#" + store }
    private let classes: [any StoredObject.Type] = [ToolSong.self, ToolAlbum.self]

    init() throws {
        playground = try Playground()
        server = try #require(Server.shared)
    }

    private func opened(_ change: (inout ObjectStoreOptions) -> Void = { _ in }) throws -> ObjectStore {
        var options = ObjectStoreOptions()
        change(&options)
        return try ObjectStore(postgres: server.url, store: store, classes: classes, options: options)
    }

    private func fill(_ store: ObjectStore, _ numbers: Range<Int>) throws {
        try store.write { context in
            for number in numbers { context.insert(ToolSong(title: "song \(number)", seconds: number)) }
        }
    }

    private func titles(_ store: ObjectStore) throws -> [String] {
        defer { try? store.close() }
        #expect(try store.verify().isIntact)
        return try store.read { try $0.fetch(ToolSong.self).map(\.title) }
    }

    private func objects(_ arguments: String..., stdin: String = "") throws -> ToolResult {
        try runTool("cairn", ["objects"] + arguments, stdin: stdin)
    }

    @Test func eachCommandTakesAURL() throws {
        let (store, rows) = (try opened(), playground.path("rows.jsonl"))
        try fill(store, 0..<2)
        let info = try objects("info", url, "--json")
        #expect(info.status == 0 && info.standardOutput.contains(#""Song""#), "\(info)")
        #expect(try objects("find", url, "Song", "--where", "title == 'song 1'", "--count").standardOutput == "1\n")
        #expect(try objects("list", url, "Song").standardOutput.contains("song 0"))
        #expect(try objects("show", url, "Song", "1").standardOutput.contains("song 0"))
        #expect(try objects("names", url).status == 0)
        #expect(try objects("verify", url).status == 0)
        try Data("{\"title\":\"new\",\"seconds\":3}\n".utf8).write(to: URL(fileURLWithPath: rows))
        #expect(try objects("import", url, rows, "--class", "Song").status == 0)
        #expect(try store.read { try $0.count(ToolSong.self) } == 3)
        let doctor = try runTool("cairn", [url])
        #expect(doctor.status == 0 && doctor.standardOutput.contains("object store in a PostgreSQL database"), "\(doctor)")
        let shell = try runTool("cairn", ["shell", url], stdin: "find Song --count\ndoctor\n")
        #expect(shell.status == 0 && shell.standardOutput.hasPrefix("3\n"), "\(shell)")
        let rekeyed = try objects("rekey", url, "--new-key-file", try playground.file("key", [UInt8](repeating: 7, count: 32)))
        #expect(rekeyed.status == 3 && rekeyed.standardError.contains("other"), "\(rekeyed)")

        let export = try objects("export", url)
        #expect(export.standardOutput.contains("song 1"))
        let copy = server.url + "#" + Server.newName()
        #expect(try objects("import", copy, stdin: export.standardOutput).status == 3)
        #expect(try objects("import", copy, "--create", stdin: export.standardOutput).status == 0)
        #expect(try objects("export", copy).standardOutput == export.standardOutput)
        try store.close()
    }

    @Test func placesWithoutAStoreAreReported() throws {
        let missing = try objects("info", url)
        #expect(missing.status == 3 && missing.standardError.contains("There is no object store at '\(url)'"), "\(missing)")
        for arguments in [["objects", "info"], ["doctor"], ["objects", "move", "--take-back"]] {
            let away = try runTool("cairn", arguments + ["postgresql:///postgres?host=/nowhere"])
            let said = away.standardError + away.standardOutput
            // With what libpq reports.
            #expect(away.status == 3 && said.contains("cannot be reached") && said.contains("No such file"), "\(away)")
            // What is there is not known.
            #expect(!said.contains("is an object store"), "\(away)")
        }
        let other = try objects("info", server.url.replacing("@/postgres?", with: "@/nowhere?"))
        #expect(other.status == 3 && other.standardError.contains("no such database"), "\(other)")
        let nobody = try objects("info", server.url.replacing("postgres@", with: "nobody_here@"))
        #expect(nobody.status == 3 && nobody.standardError.contains("the server rejects the user"), "\(nobody)")
        #expect(nobody.standardError.contains("--password-file") && !nobody.standardError.contains("cannot be reached"), "\(nobody)")
        for port in ["port", "99999"] {
            let wrong = try objects("info", "postgresql://postgres@host:\(port)/postgres")
            #expect(wrong.status == 2 && wrong.standardError.contains("The URL is invalid"), "\(wrong)")
        }
        let misspelled = try objects("info", "postgresql://postgres@host/postgres?sslmod=require")
        #expect(misspelled.status == 2 && misspelled.standardError.contains("The URL has 'sslmod'"), "\(misspelled)")
        for name in ["songs@2", "", "Songs", "public", "information_schema", "pg_songs", String(repeating: "a", count: 49), "a#b"] {
            let result = try objects("info", server.url + "#" + name)
            #expect(result.status == 2 && result.standardError.contains("valid store name"), "\(result)")
        }
        #expect(try objects("info", playground.path("none"), "--password-file", "x").status == 2)
        #expect(try runTool("cairn", ["shell", url, "--password-file", "-"]).status == 2)
    }

    @Test func passwordsComeFromFilesAndTheEnvironment() throws {
        try server.sql("CREATE ROLE guarded_tool LOGIN PASSWORD 'right#/@1'; GRANT CREATE ON DATABASE postgres TO guarded_tool")
        defer { _ = try? server.sql("DROP OWNED BY guarded_tool; DROP ROLE guarded_tool") }
        let host = "/postgres?host=\(server.directory)"
        let place = "postgresql://guarded_tool@\(host)#\(store)"
        let (right, wrong) = (try playground.file("right", "right#/@1\n"), try playground.file("wrong", "wr0ng"))
        try fill(ObjectStore(postgres: "postgresql://guarded_tool@\(host)", store: store, password: "right#/@1", classes: classes), 0..<1)
        #expect(try objects("verify", place, "--password-file", right).status == 0)
        #expect(try objects("verify", place, "--password-file", "-", stdin: "right#/@1\n").status == 0)
        #expect(try runTool("cairn", ["objects", "verify", place], environment: ["PGPASSWORD": "right#/@1"]).status == 0)
        let passfile = try playground.file("pgpass", "*:*:*:*:right#/@1\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passfile)
        #expect(try runTool("cairn", ["objects", "verify", place], environment: ["PGPASSFILE": passfile]).status == 0)
        // Each ends while another thread logs in.
        for _ in 0..<Thorough.count(5, of: 20) { try #require(try objects("info", place, "--password-file", right).status == 0) }
        let doctor = try runTool("cairn", ["doctor", place, "--password-file", right])
        #expect(doctor.status == 0 && doctor.standardOutput.contains("--password-file"), "\(doctor)")

        #expect(try runTool("cairn", ["shell", place, "--password-file", right], stdin: "verify\n").status == 0)
        let directory = playground.path("music.store")
        #expect(try objects("move", place, directory, "--password-file", right).status == 0)
        #expect(try objects("move", place, "--take-back", "--password-file", right).status == 0)
        let refused = try objects("info", place, "--password-file", wrong)
        #expect(refused.status == 3 && !refused.standardError.contains("wr0ng"), "\(refused)")
        for result in [refused, try objects("info", place)] {
            #expect(result.status == 3 && result.standardError.contains("the server rejects the user"), "\(result)")
            #expect(result.standardError.contains("--password-file") && result.standardError.contains("CAIRN_PASSWORD"), "\(result)")
        }

        let texts = [
            "postgresql://guarded_tool:wr0ng@\(host)", "postgres://guarded_tool:wr0ng#1@\(host)", "postgresql://a:wr0ng/2@host/db",
            "postgresql://\(host)&user=guarded_tool&password=wr0ng", "postgresql://\(host)&pass%77ord=wr0ng", "postgresql://a:#wr0ng@host",
            "postgresql://a:?wr0ng@host", "POSTGRESQL://guarded_tool:wr0ng@\(host)", "postgresq://guarded_tool:wr0ng@host/db",
            "https://guarded_tool:wr0ng@host/db",
        ]
        for text in texts {
            for arguments in [["objects", "info"], ["objects", "move", directory], ["doctor"], ["shell"], []] {
                let result = try runTool("cairn", arguments + [text])
                #expect(result.status != 0 && !(result.standardError + result.standardOutput).contains("wr0ng"), "\(result)")
            }
        }
        let hint = try objects("info", texts[0])
        #expect(hint.status == 2 && hint.standardError.contains("--password-file"), "\(hint)")
    }

    @Test func schemesAreTakenInUpperCaseAndOthersRefused() throws {
        try fill(opened(), 0..<1)
        let shouted = "PostgreSQL" + url.dropFirst("postgresql".count)
        #expect(try objects("verify", shouted).status == 0)
        #expect(try runTool("cairn", [shouted]).status == 0)
        let moved = try objects("move", shouted, playground.path("music.store"))
        #expect(moved.status == 0, "\(moved)")
        let back = try objects("move", playground.path("music.store"), "POSTGRES" + url.dropFirst("postgresql".count), "--dry-run")
        #expect(back.status == 0, "\(back)")
        for arguments in [["objects", "info"], ["objects", "move", playground.path("music.store")], ["doctor"], ["shell"], []] {
            let unknown = try runTool("cairn", arguments + ["postgresq://music@host/songs"])
            #expect(unknown.status == 2 && unknown.standardError.contains("postgresql://, postgres://, etcd://"), "\(unknown)")
            #expect(!unknown.standardError.contains("music@"), "\(unknown)")
        }
    }

    @Test func aMoveBetweenServersTakesTwoPasswords() throws {
        try server.sql(
            """
            CREATE ROLE guarded_from LOGIN PASSWORD 'from1'; CREATE ROLE guarded_to LOGIN PASSWORD 'to2';
            GRANT CREATE ON DATABASE postgres TO guarded_from, guarded_to
            """
        )
        defer { _ = try? server.sql("DROP OWNED BY guarded_from, guarded_to; DROP ROLE guarded_from, guarded_to") }
        let host = "/postgres?host=\(server.directory)"
        let (from, other) = ("postgresql://guarded_from@\(host)#\(store)", Server.newName())
        let to = "postgresql://guarded_to@\(host)#\(other)"
        let (first, second) = (try playground.file("first", "from1\n"), try playground.file("second", "to2\n"))
        try fill(ObjectStore(postgres: "postgresql://guarded_from@\(host)", store: store, password: "from1", classes: classes), 0..<1)
        let (files, variables) = (
            ["--password-file", first, "--to-password-file", second], ["CAIRN_PASSWORD": "from1", "CAIRN_TO_PASSWORD": "to2"]
        )
        func dryRun(_ options: [String], _ environment: [String: String] = [:]) throws -> ToolResult {
            try runTool("cairn", ["objects", "move", from, to, "--dry-run"] + options, environment: environment)
        }
        #expect(try dryRun(files).status == 0)
        #expect(try dryRun([], variables).status == 0)
        #expect(try dryRun(Array(files[..<2]), ["CAIRN_TO_PASSWORD": "to2"]).status == 0)
        #expect(try dryRun(["--to-password-file", second], ["PGPASSWORD": "from1"]).status == 0)
        let wrong = try dryRun(Array(files[..<2]))
        #expect(wrong.status == 1 && wrong.standardOutput.contains("check the user name and the password"), "\(wrong)")
        #expect(try dryRun(["--password-file", "-", "--to-password-file", "-"]).status == 2)
        #expect(
            try objects("move", from, playground.path("music.store"), "--password-file", first, "--to-password-file", second).status == 2
        )
        #expect(try runTool("cairn", ["objects", "move", from, to] + files).status == 0)
        let info = try objects("info", from, "--password-file", first)
        #expect(info.standardOutput.contains(to), "\(info)")
    }

    @Test func anImportThatFailsCreatesNothing() throws {
        let directory = playground.path("music.store")
        try fill(ObjectStore(path: directory, classes: classes), 0..<3)
        let refused = try objects("import", url, "--create", stdin: objects("export", directory).standardOutput + "{\n")
        #expect(refused.status == 4, "\(refused)")
        #expect(try server.sql("SELECT count(*) FROM pg_namespace WHERE nspname = '\(store)'") == "0")
        // Standard input is read once.
        let good = try playground.file("good", objects("export", directory).standardOutput)
        let key = String(repeating: "0f", count: 32)
        #expect(try objects("import", url, good, "--create", "--key-file", "-", stdin: key).status == 0)
        #expect(try objects("verify", url, "--key-file", "-", stdin: key).status == 0)
    }

    // MARK: Moves

    @Test func toPostgreSQLAndBack() throws {
        let directory = playground.path("music.store")
        let key = try playground.file("key", [UInt8](repeating: 7, count: 32))
        try fill(ObjectStore(path: directory, classes: classes), 0..<300)
        let plan = try objects("move", directory, url, "--dry-run")
        #expect(plan.status == 0 && plan.standardOutput.contains("Entries"), "\(plan)")
        #expect(try objects("info", url).status == 3)
        let before = try objects("export", "rocksdb:" + directory).standardOutput
        let moved = try objects("move", directory, url)
        #expect(moved.status == 0 && moved.standardOutput.contains("and compared them"), "\(moved)")
        #expect(try objects("export", url).standardOutput == before)
        #expect(try titles(opened()).count == 300)
        let imported = try objects("import", directory, "--format", "csv", "/dev/null", "--class", "Song")
        #expect(imported.status != 0 && imported.standardError.contains(url), "\(imported)")
        #expect(try objects("move", directory, url).standardOutput.contains("already been moved"))
        // The same place with other parameters.
        let again = try objects("move", directory, server.url + "&connect_timeout=20#" + store)
        #expect(again.status == 0 && again.standardOutput.contains("already been moved"), "\(again)")

        try fill(opened(), 300..<310)
        let after = try objects("export", url).standardOutput
        #expect(try objects("move", url, directory).status == 0)
        #expect(try objects("export", directory).standardOutput == after)
        #expect(try titles(ObjectStore(path: directory, classes: classes)) == (0..<310).map { "song \($0)" })
        #expect(throws: ObjectStoreError.self) { try opened() }

        // With the encryption that it has.
        let (sealed, other) = (playground.path("sealed.store"), server.url + "#" + Server.newName())
        #expect(try objects("import", sealed, "--create", "--key-file", key, stdin: after).status == 0)
        #expect(try objects("move", sealed, other).status == 0)
        #expect(try objects("export", other).status == 3)
        #expect(try objects("export", other, "--key-file", key).standardOutput == after)
    }

    /// A dry run says so, and a move changes nothing.
    @Test func rightsThatAreMissingAreFoundFirst() throws {
        let directory = playground.path("music.store")
        try fill(ObjectStore(path: directory, classes: classes), 0..<3)
        try fill(opened(), 0..<3)
        try server.sql(
            "CREATE ROLE reading_tool LOGIN; GRANT USAGE ON SCHEMA \(store) TO reading_tool; GRANT SELECT ON ALL TABLES IN SCHEMA \(store) TO reading_tool"
        )
        defer { _ = try? server.sql("DROP OWNED BY reading_tool; DROP ROLE reading_tool") }
        let (reader, other, copy) = (
            server.url.replacing("postgres@", with: "reading_tool@") + "#", Server.newName(), playground.path("copy.store")
        )
        for places in [[directory, reader + other], [reader + store, copy]] {
            let plan = try objects("move", places[0], places[1], "--dry-run")
            #expect(plan.status == 1 && plan.standardOutput.contains(/\nrefused: .*the user lacks a privilege/), "\(plan)")
            let refused = try objects("move", places[0], places[1])
            #expect(refused.status == 3 && refused.standardError.contains("the user lacks a privilege"), "\(refused)")
        }
        #expect(!FileManager.default.fileExists(atPath: copy))
        #expect(try server.sql("SELECT count(*) FROM pg_namespace WHERE nspname = '\(other)'") == "0")
        // An empty store that somebody else has created, and a server that only lets read.
        let empty = Server.newName()
        try server.sql(
            """
            \(try PostgresEngine.creationStatements(store: empty));
            GRANT USAGE ON SCHEMA \(empty) TO reading_tool; GRANT SELECT ON ALL TABLES IN SCHEMA \(empty) TO reading_tool
            """
        )
        for (place, reason) in [
            (reader + empty, "the user lacks a privilege"),
            (server.url + "&options=-cdefault_transaction_read_only%3Don#" + empty, "the user has read access only"),
        ] {
            let plan = try objects("move", directory, place, "--dry-run")
            #expect(plan.status == 1 && plan.standardOutput.contains("\nrefused: ") && plan.standardOutput.contains(reason), "\(plan)")
        }
        #expect(try objects("move", directory, server.url + "#" + empty, "--dry-run").status == 0)
        #expect(try server.sql("SELECT (SELECT count(*) FROM \(empty).commits) + (SELECT count(*) FROM \(empty).entries)") == "1")
        // One who may create it, and a schema of another program.
        #expect(try objects("move", directory, server.url + "#" + other, "--dry-run").status == 0)
        #expect(try server.sql("SELECT count(*) FROM pg_namespace WHERE nspname = '\(other)'") == "0")
        try server.sql("CREATE SCHEMA \(other); CREATE TABLE \(other).users (id int)")
        let foreign = try objects("move", directory, server.url + "#" + other, "--dry-run")
        #expect(foreign.status == 1 && foreign.standardOutput.contains(/\nrefused: .*another program's tables/), "\(foreign)")
    }

    @Test func aStoreWhoseNewPlaceIsGoneIsNotMovedAgain() throws {
        let directory = playground.path("music.store")
        try fill(ObjectStore(path: directory, classes: classes), 0..<3)
        #expect(try objects("move", directory, url).status == 0)
        try server.sql("DROP SCHEMA \(store) CASCADE")
        let refused = try objects("move", directory, url)
        #expect(refused.status == 3 && refused.standardError.contains("--take-back"), "\(refused)")
        #expect(try server.sql("SELECT count(*) FROM pg_namespace WHERE nspname = '\(store)'") == "0")
    }

    /// What PostgreSQL does not take is said before anything is moved.
    @Test func aDryRunKnowsTheLimits() throws {
        let directory = playground.path("music.store")
        let store = try ObjectStore(path: directory, classes: classes)
        try store.write { $0.insert(ToolSong(title: String(repeating: "long ", count: 1000))) }
        try store.close()
        let plan = try objects("move", directory, url, "--dry-run")
        #expect(plan.status == 1 && plan.standardOutput.contains("\(url) allows only 2600"), "\(plan)")
        let refused = try objects("move", directory, url)
        #expect(refused.status == 3 && refused.standardError.contains("allows only 2600"), "\(refused)")
        #expect(refused.standardError.contains(#"delete the copy: DROP SCHEMA "\#(self.store)" CASCADE"#), "\(refused)")
        #expect(try titles(ObjectStore(path: directory, classes: classes)).count == 1)
    }

    /// The command is killed at random, there and back, and the store changes before it runs again.
    @Test func aKilledMoveContinues() async throws {
        try await withSeeds("killed moves to PostgreSQL", count: 1) { generator in
            let directory = playground.path("music.store")
            let count = 3000
            try fill(ObjectStore(path: directory, classes: classes), 0..<count)
            var added = count
            for isThere in [true, false] {
                let places = isThere ? [directory, url] : [url, directory]
                func source() throws(ObjectStoreError) -> ObjectStore {
                    guard isThere else { return try ObjectStore(postgres: server.url, store: store, classes: classes) }
                    return try ObjectStore(path: directory, classes: classes)
                }
                var kills = 0
                while true {
                    let isToBeKilled = kills < Thorough.count(8, of: 50)
                    let time: Duration = isToBeKilled ? .milliseconds(Int.random(in: 30..<400, using: &generator)) : .seconds(300)
                    do {
                        let result = try runTool("cairn", ["objects", "move"] + places, timeout: time)
                        #expect(result.status == 0, "\(result)")
                        break
                    } catch is ChildProcess.TimedOut {
                        kills += 1
                    }
                    // It may have been killed when it was done.
                    do throws(ObjectStoreError) {
                        let store = try source()
                        do { try fill(store, added..<added + 1) } catch { Issue.record(error) }
                        added += 1
                        try store.close()
                    } catch {
                        #expect(error.code == .moved)
                    }
                }
                let exports = try places.map { try objects("export", $0).standardOutput }
                #expect(exports[0] == exports[1])
            }
            #expect(try titles(ObjectStore(path: directory, classes: classes)) == (0..<added).map { "song \($0)" })
        }
    }
}
