import CairnHistoryKit
import CairnPostgresEngine
import CairnPostgresKit
import CairnTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.enabled(if: Server.shared != nil, Server.missing), .endsWhenItHangs) struct PostgresEngineTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    // MARK: Opening

    @Test func `several stores in a database know nothing of each other`() throws {
        let other = try Scene()
        let engines = [try scene.open(), try other.open()]
        try engines[0].put("1", "a")
        #expect(try engines[0].get("a") == "1" && engines[1].get("a") == nil)
        #expect(engines[1].latestVersion == EngineVersion(rawValue: 0))
        var commit = EngineCommit()
        commit.read("a", in: try engines[1].makeView())
        commit.put("2", for: "a")
        #expect(code { () throws(EngineError) in _ = try engines[0].commit(commit) } == .invalidArgument)
    }

    @Test func `a store that is missing is created only if that is wanted`() throws {
        #expect(code { () throws(EngineError) in _ = try scene.open { $0.createIfMissing = false } } == .notFound)
        #expect(code { () throws(EngineError) in _ = try scene.open { $0.readOnly = true } } == .notFound)
        try scene.open().put("1", "a")
        #expect(try scene.open { $0.createIfMissing = false }.get("a") == "1")
    }

    @Test func `clients that create a store at once create one`() async throws {
        try await onThreads(6) { number in try scene.open().put("1", "\(number)") }
        #expect(try scene.open().makeView().entries().count == 6)
    }

    @Test(arguments: ["", "Music", "a b", "a\"b", "pg_music", "public", "information_schema", String(repeating: "a", count: 49), "ä"])
    func `names that a store cannot have are refused`(name: String) {
        let url = scene.server.url
        #expect(code { () throws(EngineError) in _ = try PostgresEngine(url: url, store: name) } == .invalidArgument)
        #expect(code { () throws(EngineError) in _ = try PostgresEngine.creationStatements(store: name) } == .invalidArgument)
    }

    @Test func `tables of others are left alone`() throws {
        for definition in ["store (id int)", "entries (id int)", "users (id int)"] {
            try scene.server.sql("CREATE SCHEMA \(scene.store); CREATE TABLE \(scene.store).\(definition)")
            #expect(code { () throws(EngineError) in _ = try scene.open() } == .foreignFile)
            #expect(code { () throws(EngineError) in _ = try scene.open { $0.createIfMissing = false } } == .foreignFile)
            #expect(try scene.sql("SELECT count(*) FROM pg_tables WHERE schemaname = '\(scene.store)'") == "1")
            try scene.server.sql("DROP SCHEMA \(scene.store) CASCADE")
        }
    }

    @Test func `later formats are refused`() throws {
        try scene.open().close()
        try scene.server.sql("UPDATE \(scene.store).store SET format = 2")
        #expect(code { () throws(EngineError) in _ = try scene.open() } == .notSupported)
    }

    @Test func `no message has a password`() throws {
        try scene.server.sql("DROP ROLE IF EXISTS guarded; CREATE ROLE guarded LOGIN PASSWORD 'right'")
        let urls = [
            ("postgresql://guarded:s3cret@/postgres?host=\(scene.server.directory)", EngineError.Code.permissionDenied),
            ("host=\(scene.server.directory) user=guarded password=s3cret dbname=postgres", .permissionDenied),
            ("postgresql://guarded:s3cret@localhost:1/postgres", .unavailable),
            ("postgresql://guarded:s3cret@host/postgres?s3cret=1", .invalidArgument),
            ("host=nowhere password s3cret", .invalidArgument),
            ("postgresql://guarded:s3cret/1@host/postgres", .invalidArgument),
            ("postgresql://guarded:1/s3cret@localhost:1/postgres", .invalidArgument),
            ("postgresql://guarded:1@s3cret@localhost:1/postgres", .invalidArgument),
            ("postgresql://guarded:1?@s3cret@localhost:1/postgres", .invalidArgument),
            ("postgresql://guarded:1?2@host/s3cret@1", .invalidArgument),
        ]
        for (url, expected) in urls {
            let error = failure { () throws(EngineError) in _ = try PostgresEngine(url: url, store: scene.store) }
            #expect(error?.code == expected, "\(String(describing: error))")
            #expect(error?.fullDescription.contains("s3cret") == false && "\(String(describing: error))".contains("s3cret") == false)
        }
    }

    @Test func `an unknown parameter of a URL is named, unless it may be a part of a password`() {
        func message(_ url: String) -> String { failure { () throws(EngineError) in _ = try PostgresEngine(url: url) }?.message ?? "" }
        for url in [
            "postgresql://music:s3cret@host/a?sslmod=require", "postgres://host:5432?connect_timeout=2&sslmod=s3cret&b=c",
            "postgresql:///a?host=/tmp&ssl=true&sslmod",
        ] {
            let message = message(url)
            #expect(message.contains("'sslmod'") && !message.contains("s3cret") && !message.contains("require"), "\(url): \(message)")
        }
        // The password ends at an @ or nowhere, is among the parameters, or is the name of one.
        for url in [
            "postgresql://user:pa/?sswrd=x@host/a", "postgresql://user:pa/?sswrd=x@host/a?sslmod=x", "postgresql://user:pa?sswrd=x",
            "postgresql://host/a?user=b&password=pa&sswrd=x", "postgresql://user:sswrd@host/a?sswrd=1", "postgresql://host/a?pa%20sswrd=x",
            "host=a password=pa sswrd=x",
        ] {
            let message = message(url)
            #expect(message.contains("the URL is invalid") && !message.contains("sswrd"), "\(url): \(message)")
        }
    }

    /// The server has answered: it can be reached.
    @Test func `what another attempt would not change is not called unreachable`() throws {
        let directory = scene.server.directory
        for (url, expected) in [
            ("postgresql://postgres@/nowhere?host=\(directory)", EngineError.Code.invalidArgument),
            ("postgresql://nobody_here@/postgres?host=\(directory)", .permissionDenied),
            ("postgresql://postgres@/postgres?host=\(directory)&sslmode=maybe", .invalidArgument),
            ("postgresql://postgres@host:port/postgres", .invalidArgument),
            ("postgresql://postgres@/postgres?host=\(directory)&service=nowhere", .invalidArgument),
            ("postgresql://postgres@/postgres?host=\(directory)&target_session_attrs=read-only", .invalidArgument),
            ("postgresql://postgres@/postgres?host=\(directory)&target_session_attrs=standby", .invalidArgument),
            ("postgresql://postgres@/postgres?host=\(directory)&requirepeer=nobody_here", .invalidArgument),
            ("postgresql://postgres@/postgres?host=\(directory)&options=-cnothing%3D1", .invalidArgument),
            // Another attempt may reach the other host.
            ("postgresql://postgres@/postgres?host=/nowhere,\(directory)&target_session_attrs=standby", .unavailable),
        ] {
            let found = code { () throws(EngineError) in _ = try PostgresEngine(url: url, store: scene.store) }
            #expect(found == expected, "\(url)")
        }
    }

    @Test func `a server without TLS that is to have it is not called unreachable`() throws {
        let proxy = try Proxy(to: scene.server.directory)
        let error = failure { () throws(EngineError) in
            _ = try PostgresEngine(url: proxy.url + "?sslmode=require", store: scene.store)
        }
        #expect(error?.code == .invalidArgument, "\(String(describing: error))")
        #expect(error?.message.contains("reached") == false, "\(String(describing: error))")
    }

    @Test func `a store of which something was dropped is incomplete`() throws {
        let engine = try scene.open()
        try engine.put("1", "a")
        try scene.server.sql("DROP FUNCTION \(scene.store).commit_3; ALTER TABLE \(scene.store).entries DROP COLUMN value")
        for error in [
            failure { () throws(EngineError) in try engine.put("2", "a") },
            failure { () throws(EngineError) in _ = try engine.makeView().get("a") },
        ] {
            #expect(error?.code == .corruption && error?.message.contains("incomplete") == true, "\(String(describing: error))")
        }
        try scene.server.sql("DROP TABLE \(scene.store).commits")
        #expect(code { () throws(EngineError) in _ = try scene.open() } == .corruption)
    }

    @Test func `a store without its row is damaged, not empty`() throws {
        let engine = try scene.open()
        try engine.put("1", "a")
        let view = try engine.makeView()
        try scene.server.sql("DELETE FROM \(scene.store).store")
        let failures = [
            failure { () throws(EngineError) in _ = try view.get("a") },
            failure { () throws(EngineError) in _ = try view.multiGet(["a", "b"]) },
            failure { () throws(EngineError) in _ = try view.entries() },
            failure { () throws(EngineError) in _ = try view.entries(reverse: true) },
            failure { () throws(EngineError) in try view.lendEntries(inEach: [.all, .all], reverse: false) { _, _, _ in true } },
            failure { () throws(EngineError) in _ = try engine.makeView() },
            failure { () throws(EngineError) in _ = try engine.changes() },
            failure { () throws(EngineError) in try engine.put("2", "a") },
            failure { () throws(EngineError) in try engine.removeFormerData(in: .all) },
            failure { () throws(EngineError) in _ = try scene.open() },
        ]
        for error in failures {
            #expect(error?.code == .corruption && error?.message.contains("missing") == true, "\(String(describing: error))")
        }
        #expect(try scene.sql("SELECT count(*) FROM entries") == "1")
    }

    @Test func `a store that an earlier version created gets the function that it lacks`() throws {
        try scene.open().put("1", "a")
        try scene.server.sql("DROP FUNCTION \(scene.store).commit_3")
        #expect(try scene.open { $0.readOnly = true }.get("a") == "1")
        #expect(try scene.sql("SELECT count(*) FROM pg_proc WHERE pronamespace = '\(scene.store)'::regnamespace") == "1")
        #expect(try scene.open().put("2", "a") == EngineVersion(rawValue: 2))
    }

    @Test func `times of all lengths are taken`() throws {
        for seconds in [1.6e20, -1.6e20] {
            let engine = try scene.open {
                $0.connectTimeout = .seconds(seconds)
                $0.retryTimeout = .seconds(seconds)
                $0.newsInterval = .seconds(seconds)
                // A negative one would end each statement.
                if seconds > 0 { $0.statementTimeout = .seconds(seconds) }
            }
            try engine.put("1", "a")
            #expect(try engine.get("a") == "1")
            try engine.close()
        }
    }

    @Test func `a password is given apart from the URL`() throws {
        try scene.server.sql("CREATE ROLE guarded_owner LOGIN PASSWORD 'right'; GRANT CREATE ON DATABASE postgres TO guarded_owner")
        for (url, password, expected) in [
            ("guarded_owner@", "wrong", EngineError.Code.permissionDenied), ("guarded_owner:wrong@", "right", nil),
        ] {
            var options = PostgresEngineOptions()
            options.password = password
            let found = code { () throws(EngineError) in
                _ = try PostgresEngine(
                    url: "postgresql://\(url)/postgres?host=\(scene.server.directory)",
                    store: scene.store,
                    options: options
                )
            }
            #expect(found == expected)
        }
        try scene.server.sql("DROP OWNED BY guarded_owner; DROP ROLE guarded_owner")
    }

    @Test func `hosts are tried in turn`() throws {
        let url = "postgresql://postgres@/postgres?host=/nowhere,\(scene.server.directory)&port=5432,5432&target_session_attrs=read-write"
        try PostgresEngine(url: url, store: scene.store).put("1", "a")
        #expect(try scene.open().get("a") == "1")
    }

    // MARK: Rights

    @Test func `a program needs the rights of the guide and no others`() throws {
        let (server, store) = (scene.server, scene.store)
        try server.sql("CREATE ROLE \(store)_writer LOGIN; CREATE ROLE \(store)_reader LOGIN")
        func open(_ role: String, readOnly: Bool) throws(EngineError) -> PostgresEngine {
            var options = PostgresEngineOptions()
            options.readOnly = readOnly
            return try PostgresEngine(
                url: "postgresql://\(store)_\(role)@/postgres?host=\(server.directory)",
                store: store,
                options: options
            )
        }
        #expect(code { () throws(EngineError) in _ = try open("writer", readOnly: false) } == .permissionDenied)
        try server.sql(
            """
            \(try PostgresEngine.creationStatements(store: store));
            GRANT USAGE ON SCHEMA \(store) TO \(store)_writer, \(store)_reader;
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(store) TO \(store)_writer;
            GRANT SELECT ON ALL TABLES IN SCHEMA \(store) TO \(store)_reader;
            """
        )
        let writer = try open("writer", readOnly: false)
        try writer.put("1", "a")
        try writer.removeFormerData(in: .all)
        #expect(code { () throws(EngineError) in try writer.compact() } == .notSupported)
        let reader = try open("reader", readOnly: true)
        #expect(try reader.isReadOnly && reader.get("a") == "1")
        #expect(code { () throws(EngineError) in try reader.put("2", "a") } == .readOnly)
        let other = try open("reader", readOnly: false)
        #expect(code { () throws(EngineError) in try other.put("2", "a") } == .permissionDenied)
        #expect(try writer.get("a") == "1")
    }

    // MARK: Sizes and durability

    @Test func `the longest keys fit, whatever their bytes`() async throws {
        try await withSeeds("long keys", count: 3) { random in
            let engine = try scene.open()
            let size = try #require(engine.limits.maximumKeySize)
            let keys = (0..<20).map { _ in (0..<size).map { _ in UInt8.random(in: 0 ... .max, using: &random) } }
            for key in keys {
                var commit = EngineCommit()
                commit.put("1", for: key)
                commit.read(key, in: try engine.makeView())
                try engine.commit(commit)
            }
            let greatest = [UInt8](repeating: 0xFF, count: size)
            var commit = EngineCommit()
            commit.put("last", for: greatest)
            try engine.commit(commit)
            #expect(try engine.makeView().entries(reverse: true, limit: 1).first?.key == greatest)
            commit = EngineCommit()
            commit.deleteRange(KeyRange(lowerBound: [0xFF], upperBound: nil))
            try engine.commit(commit)
            #expect(try engine.makeView().get(greatest) == nil)
        }
    }

    @Test func `the server is asked for the durability of each commit`() throws {
        let engine = try scene.open()
        // Seen at the end of the transaction.
        try scene.server.sql(
            """
            SET search_path = \(scene.store); CREATE TABLE seen (version bigint, setting text);
            CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN INSERT INTO \(scene.store).seen VALUES (NEW.version, current_setting(''synchronous_commit'')); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER see AFTER INSERT ON commits DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION see();
            """
        )
        for durability in [Durability.none, .buffered, .synced] { try engine.put("1", "a", durability) }
        let url = scene.server.url + "&options=-csynchronous_commit%3Doff"
        let careless = try PostgresEngine(url: url, store: scene.store)
        for durability in [Durability.none, .buffered, .synced] { try careless.put("1", "a", durability) }
        #expect(try scene.sql("SELECT string_agg(setting, ' ' ORDER BY version) FROM seen") == "off on on off off on")
    }

    // MARK: Retention

    @Test func `the retention belongs to the store`() throws {
        #expect(try scene.open().limits.maximumViewAge == .seconds(600))
        #expect(try scene.open { $0.retention = .seconds(20) }.limits.maximumViewAge == .seconds(20))
        #expect(try scene.open().limits.maximumViewAge == .seconds(20))
    }

    @Test func `views of the retention stay what they are, and older ones say so`() async throws {
        try await withSeeds("retention", count: Thorough.count(2, of: 30)) { random in
            let scene = try Scene()
            let engine = try scene.open()
            var model: [String: String] = [:]
            var held: [(view: any EngineView, model: [String: String])] = []
            for round in 1...60 {
                var commit = EngineCommit()
                if random.oneIn(8) {
                    let digit = random.int(in: 0..<10)
                    commit.deleteRange(KeyRange(prefix: "\(digit)"))
                    for key in model.keys where key.hasPrefix("\(digit)") { model[key] = nil }
                }
                for _ in 0..<random.int(in: 1..<10) {
                    let key = "\(random.int(in: 0..<60))"
                    let value = random.oneIn(3) ? nil : "\(round)"
                    model[key] = value
                    if let value { commit.put(value, for: key) } else { commit.delete(key) }
                }
                try engine.commit(commit)
                if random.oneIn(4) { held.append((try engine.makeView(), model)) }
                guard round % 20 == 0 else { continue }
                let oldest = UInt64(random.int(in: round - 15..<round + 1))
                try scene.server.sql("UPDATE \(scene.store).commits SET at = at - interval '1 day' WHERE version <= \(oldest)")
                try scene.server.sql("SELECT \(scene.store).clean_1(100000)")
                for (view, model) in held {
                    guard view.version.rawValue >= oldest else {
                        #expect(throws: EngineError.self) { try view.entries() }
                        #expect(code { () throws(EngineError) in _ = try view.get("0") } == .expired)
                        continue
                    }
                    let entries = try view.entries().map {
                        (String(decoding: $0.key, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
                    }
                    #expect(Dictionary(uniqueKeysWithValues: entries) == model)
                }
            }
            held = []
            try scene.age()
            #expect(try scene.sql("SELECT count(*) FROM entries") == "\(model.count)")
            #expect(try scene.sql("SELECT count(*) FROM commits") == "1")
            #expect(try engine.makeView().entries().count == model.count)
        }
    }

    // MARK: Former data

    @Test func `former values are removed at once where that is asked for, and views of them end`() throws {
        let (engine, other) = (try scene.open(), try scene.open())
        try engine.put("secret", "key")
        let view = try other.makeView()
        try engine.put("2", "a")
        var commit = EngineCommit()
        commit.delete("key")
        try engine.commit(commit)
        #expect(try view.text("key") == "secret" && scene.sql("SELECT count(*) FROM entries") == "3")
        try engine.removeFormerData(in: KeyRange(prefix: "key"))
        #expect(try scene.sql("SELECT string_agg(convert_from(value, 'UTF8'), ' ') FROM entries") == "2")
        #expect(try !engine.keepsFormerData(in: .all))
        // What was read before is in memory.
        #expect(code { () throws(EngineError) in _ = try view.get("a") } == .expired)
        #expect(try other.get("a") == "2" && other.get("key") == nil)
        let vacuumed = "SELECT count(*) FROM pg_stat_user_tables WHERE schemaname = '\(scene.store)' AND last_vacuum IS NOT NULL"
        #expect(try scene.server.sql(vacuumed) == "2")
        #expect(try engine.put("3", "a") == EngineVersion(rawValue: 4))
    }

    @Test func `former values are removed even if others are cleaning up`() async throws {
        let engine = try scene.open()
        for round in 1...3 { try engine.put("\(round)", "a") }
        // As an engine that cleans up.
        let session = try Session(scene.server)
        try session.run("BEGIN; SELECT FROM \(scene.store).commits WHERE version = 0 FOR UPDATE")
        let isDone = Atomic(false)
        try await onThreads(2) { [scene] thread in
            guard thread == 0 else {
                defer { isDone.store(true, ordering: .releasing) }
                return try engine.removeFormerData(in: .all)
            }
            while try scene.sql("SELECT count(*) FROM commits WHERE at < now() - interval '10 minutes'") == "0" {}
            // Time to try at least once.
            let end = ContinuousClock.now + .milliseconds(300)
            while !isDone.load(ordering: .acquiring), .now < end { usleep(1000) }
            try scene.server.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND query LIKE '%\(scene.store).%'"
            )
        }
        #expect(try scene.sql("SELECT string_agg(convert_from(value, 'UTF8'), ' ') FROM entries") == "3")
    }

    // MARK: Order

    @Test func `followers get each commit of all engines once and in order`() async throws {
        let engines = [try scene.open(), try scene.open(), try scene.open { $0.server.notifies = false }]
        let changes = try engines.map { try $0.changes() }
        let rounds = Thorough.count(30, of: 300)
        try await onThreads(6) { number in for round in 0..<rounds { try engines[number % 3].put("\(round)", "\(number)") } }
        for changes in changes {
            var iterator = changes.makeAsyncIterator()
            for number in 1...UInt64(6 * rounds) {
                let change = try #require(try await iterator.next())
                #expect(change.version == EngineVersion(rawValue: number) && change.keys.count == 1)
            }
        }
        for engine in engines { try engine.close() }
    }

    @Test func `commits that are no longer kept, or very large, are everything`() async throws {
        let (engine, other) = (try scene.open(), try scene.open())
        let start = try engine.makeView().version
        for _ in 0..<3 { try other.put("1", "a") }
        try scene.age()
        let late = try scene.open()
        var iterator = try late.changes(after: start).makeAsyncIterator()
        let first = try await iterator.next()
        #expect(first?.isEverything == true && first?.version == EngineVersion(rawValue: 3))
        var commit = EngineCommit()
        for number in 0..<20_000 { commit.put("", for: "key \(number)") }
        let version = try other.commit(commit)
        let second = try await iterator.next()
        #expect(second?.isEverything == true && second?.version == version)
    }

    /// As the server counts them once the connections are gone.
    @Test func `a statement reads no more rows than it needs`() throws {
        var engine = try scene.open()
        for version in 0..<2 {
            var commit = EngineCommit()
            for number in 0..<10_000 { commit.put("\(version)", for: "\(10_000 + number)") }
            try engine.commit(commit)
        }
        try engine.close()
        let server = scene.server
        func fetched() throws -> Int {
            while try server.sql("SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%\(scene.store)\"%' AND pid <> pg_backend_pid()")
                != "0"
            {}
            return Int(
                try server.sql(
                    "SELECT idx_tup_fetch + seq_tup_read FROM pg_stat_user_tables WHERE schemaname || relname = '\(scene.store)entries'"
                )
            )!
        }
        let uses: [(String, (any EngineView) throws -> Void)] = [
            ("a value", { _ = try $0.get("15000") }),
            ("values", { _ = try $0.multiGet(["10000", "15000", "19999", "x"]) }),
            ("a page", { _ = try $0.entries(limit: 10) }),
            ("a page backward", { _ = try $0.entries(reverse: true, limit: 10) }),
            (
                "a commit",
                { view in
                    var commit = EngineCommit()
                    commit.read("15000", in: view)
                    commit.read(KeyRange(prefix: "1234"), in: view)
                    commit.deleteRange(KeyRange(prefix: "1999"))
                    commit.put("1", for: "15001")
                    try engine.commit(commit)
                }
            ),
        ]
        for (name, use) in uses {
            let before = try fetched()
            engine = try scene.open()
            try use(engine.makeView())
            try engine.close()
            let count = try fetched() - before
            #expect(count < 500, "\(name): \(count) rows")
        }
    }

    @Test func `pages and batches of all sizes are whole`() throws {
        try ServerChecks.pagesAreWhole(scene.open { $0.connections = 1 }, perCommit: 3000, largeOnes: 100)
    }

    @Test func `several ranges are read with few requests`() throws {
        let sent = Tally()
        let proxy = try Proxy(to: .socket(path: scene.server.directory + "/.s.PGSQL.5432")) { bytes in
            // The names of the statements that read: its connections also listen for news.
            if ["ranges", "entries"].contains(where: { Data(bytes).range(of: Data([0] + $0.utf8 + [0])) != nil }) { sent.add() }
            return false
        }
        let engine = try PostgresEngine(url: proxy.url, store: scene.store)
        try ServerChecks.rangesAreReadTogether(engine, sent: sent)
    }
}
