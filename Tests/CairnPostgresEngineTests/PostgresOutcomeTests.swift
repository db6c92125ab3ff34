import CairnHistoryKit
import CairnPostgresEngine
import CairnPostgresKit
import CairnTestSupport
import Foundation
import Synchronization
import Testing

/// What becomes of commits when connections break.
@Suite(.enabled(if: Server.shared != nil, Server.missing), .endsWhenItHangs) struct PostgresOutcomeTests {
    private let scene: Scene
    private let proxy: Proxy

    init() throws {
        scene = try Scene()
        proxy = try Proxy(to: scene.server.directory)
    }

    private func open(_ change: (inout PostgresEngineOptions) -> Void = { _ in }) throws(EngineError) -> PostgresEngine {
        var options = PostgresEngineOptions()
        change(&options)
        return try PostgresEngine(url: proxy.url, store: scene.store, options: options)
    }

    @Test func `no commit whose answer is lost is lost or doubled`() throws {
        let engine = try open()
        let count = Thorough.count(100, of: 1000)
        for number in 1...count {
            let commit = try ServerChecks.increment(engine)
            proxy.lose(.reply)
            #expect(try engine.commit(commit) == EngineVersion(rawValue: UInt64(number)))
        }
        #expect(try proxy.losses == count && engine.get("number") == "\(count)")
        #expect(try scene.sql("SELECT count(*) FROM commits") == "\(count + 1)")
        try engine.close()
    }

    /// Each commit only writes, so that no conflict could save it.
    @Test func `threads whose answers are lost write once`() async throws {
        let engine = try open()
        let count = Thorough.count(20, of: 200)
        try await onThreads(4) { thread in
            for number in 0..<count {
                proxy.lose(.reply)
                try engine.put("1", "\(thread) \(number)")
            }
        }
        #expect(try scene.sql("SELECT count(*) FROM entries") == "\(4 * count)")
        #expect(engine.latestVersion == EngineVersion(rawValue: UInt64(4 * count)))
        try engine.close()
    }

    @Test func `an answer that never comes is given up`() throws {
        // Long enough for the answers that come, on a busy machine. Creating a store takes longer than what follows.
        try scene.open().close()
        let engine = try open { $0.statementTimeout = .seconds(5) }
        let commit = try ServerChecks.increment(engine)
        proxy.lose(.silently)
        #expect(try engine.commit(commit) == EngineVersion(rawValue: 1))
        #expect(try engine.get("number") == "1" && proxy.losses == 1)
    }

    @Test(arguments: [true, false]) func `an unknown outcome is one, until the commit is repeated`(isPerformed: Bool) throws {
        let engine = try open { $0.retryTimeout = .milliseconds(100) }
        var commit = try ServerChecks.increment(engine)
        commit.idempotencyID = Array("name".utf8)
        proxy.lose(isPerformed ? .replyAndServer : .requestAndServer)
        let error = failure { () throws(EngineError) in _ = try engine.commit(commit) }
        #expect(error?.code == .unavailable && error?.isOutcomeUnknown == true, "\(String(describing: error))")
        #expect(try scene.sql("SELECT count(*) FROM entries") == (isPerformed ? "1" : "0"))
        // Nothing was sent.
        let other = failure { () throws(EngineError) in try engine.put("1", "other") }
        #expect(other?.code == .unavailable && other?.isOutcomeUnknown == false, "\(String(describing: other))")
        proxy.cut(false)
        #expect(try engine.commit(commit) == EngineVersion(rawValue: 1))
        #expect(try engine.get("number") == "1" && engine.get("other") == nil)
    }

    /// The name is gone before the server is asked again, as where the retention is shorter than the loss of the connection.
    @Test(arguments: [true, false]) func `a commit whose name was removed has an unknown outcome, and is not performed twice`(
        isBlind: Bool
    ) async throws {
        let (engine, other) = (try open(), try scene.open())
        var commit = EngineCommit()
        commit.put("1", for: "number")
        if !isBlind { commit = try ServerChecks.increment(engine) }
        let sent = commit
        let outcome = Mutex<EngineError?>(nil)
        proxy.lose(.replyAndServer)
        try await onThreads(2) { [scene, proxy] thread in
            guard thread == 0 else {
                let error = failure { () throws(EngineError) in _ = try engine.commit(sent) }
                return outcome.withLock { $0 = error }
            }
            // The answer is lost by then.
            while proxy.refusals == 0 {}
            try other.put("1", "other")
            try scene.age()
            proxy.cut(false)
        }
        let error = outcome.withLock { $0 }
        #expect(error?.code == .unavailable && error?.isOutcomeUnknown == true, "\(String(describing: error))")
        #expect(try scene.sql("SELECT string_agg(version::text, ' ' ORDER BY version) FROM entries") == "1 2")
        // The next one is known.
        #expect(try engine.commit(ServerChecks.increment(engine)) == EngineVersion(rawValue: 3))
    }

    /// All that it could have made under the name of its commit is later than what it knows.
    @Test func `an engine that has not heard of commits for longer than the retention commits`() throws {
        let other = try scene.open()
        let engine = try scene.open {
            $0.server.notifies = false
            $0.newsInterval = .seconds(3600)
        }
        for round in 1...3 { try other.put("\(round)", "a") }
        try scene.age()
        #expect(try engine.put("4", "a") == EngineVersion(rawValue: 4))
        #expect(try engine.get("a") == "4" && scene.sql("SELECT count(*) FROM entries WHERE version > 3") == "1")
    }

    /// At once if there is no other host, which could take over.
    @Test(arguments: [1, 2]) func `a commit to a server that only lets read is refused, and its outcome is known`(hosts: Int) throws {
        try scene.open().put("1", "a")
        let host = (hosts == 1 ? "" : "/nowhere,") + scene.server.directory
        var options = PostgresEngineOptions()
        options.retryTimeout = hosts == 1 ? .seconds(3600) : .milliseconds(100)
        let engine = try PostgresEngine(
            url: "postgresql://postgres@/postgres?host=\(host)&options=-cdefault_transaction_read_only%3Don",
            store: scene.store,
            options: options
        )
        let error = failure { () throws(EngineError) in try engine.put("2", "a") }
        #expect(error?.code == .readOnly && error?.message.contains("has read access only") == true, "\(String(describing: error))")
        #expect(try engine.get("a") == "1")
        try engine.close()
    }

    private func openPatiently(connections: Int) throws(EngineError) -> PostgresEngine {
        try open {
            $0.connections = connections
            ($0.connectTimeout, $0.statementTimeout, $0.retryTimeout) = (.seconds(3600), .seconds(3600), .seconds(3600))
            // Upkeep would take the only connection.
            $0.upkeepInterval = .seconds(3600)
        }
    }

    @Test func `reads that wait end when their task is cancelled`() async throws {
        try await ServerChecks.readsEndWhenCancelled(openPatiently(connections: 1), behind: proxy)
    }

    @Test func `a commit of a cancelled task was not sent, or ends with its outcome`() async throws {
        try await ServerChecks.commitsEndWithTheirOutcome(openPatiently(connections: 8), behind: proxy)
    }

    @Test func `calls wait for a server that is away for a while`() async throws {
        try await ServerChecks.callsWait(open(), behind: proxy)
    }

    @Test func `calls cross delays`() throws {
        let engine = try open()
        try ServerChecks.callsCrossDelays(engine, behind: proxy)
        try engine.close()
    }

    @Test func `calls that are delayed for too long are given up`() throws {
        // Creating a store takes longer than what follows.
        try scene.open().close()
        let engine = try open { options in
            options.statementTimeout = .seconds(5)
            options.retryTimeout = .milliseconds(100)
        }
        try ServerChecks.callsGiveUp(engine, behind: proxy)
        try engine.close()
    }

    @Test func `followers and versions survive the loss of every connection`() async throws {
        let (engine, other) = (try open(), try scene.open())
        var changes = try engine.changes().makeAsyncIterator()
        for round in 1...5 {
            try scene.server.sql(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE query LIKE '%\(scene.store)"%' AND pid <> pg_backend_pid()
                """
            )
            let version = try other.put("\(round)", "a")
            let change = try #require(try await changes.next())
            #expect(change.version == version && change.touches("a") && !change.isEverything)
            #expect(engine.latestVersion == version)
        }
        try other.close()
        try engine.close()
    }

    @Test func `a commit that waits too long for others writes nothing`() throws {
        // Creating a store takes longer than what follows.
        try scene.open().close()
        let engine = try scene.open { $0.statementTimeout = .seconds(5) }
        let session = try Session(scene.server)
        try session.run("BEGIN; SELECT FROM \(scene.store).store FOR UPDATE")
        let error = failure { () throws(EngineError) in try engine.put("1", "a") }
        #expect(error?.code == .busy && error?.message.contains("nothing was written") == true, "\(String(describing: error))")
        // Reading waits for nobody.
        #expect(try engine.get("a") == nil)
        try session.run("ROLLBACK")
        #expect(try engine.put("1", "a") == EngineVersion(rawValue: 1))
        try engine.close()
    }

    @Test func `closing leaves a commit in flight to its end`() async throws {
        let engine = try scene.open()
        let session = try Session(scene.server)
        try session.run("BEGIN; SELECT FROM \(scene.store).store FOR UPDATE")
        let result = Mutex<Result<EngineVersion, EngineError>?>(nil)
        try await onThreads(2) { number in
            guard number == 0 else {
                let outcome = Result { () throws(EngineError) in try engine.put("1", "a") }
                return result.withLock { $0 = outcome }
            }
            let server = scene.server
            while try server.sql(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%\(scene.store)\".commit%'"
            ) != "1" {}
            try engine.close()
            try server.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND query LIKE '%\(scene.store).%'"
            )
        }
        #expect(try result.withLock { $0 }?.get() == EngineVersion(rawValue: 1))
        #expect(code { () throws(EngineError) in _ = try engine.makeView() } == .closed)
        #expect(code { () throws(EngineError) in try engine.put("1", "a") } == .closed)
        #expect(try scene.open().get("a") == "1")
    }

    @Test(arguments: [true, false]) func `a store that was replaced is refused`(connectionsEnd: Bool) throws {
        let engine = try scene.open()
        try engine.put("1", "a")
        let view = try engine.makeView()
        #expect(try view.text("a") == "1")
        try scene.server.sql("DROP SCHEMA \(scene.store) CASCADE")
        let other = try scene.open()
        try other.put("2", "a")
        // The engine's connection prepared its statements before.
        if connectionsEnd {
            try scene.server.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%\(scene.store)\"%' AND pid <> pg_backend_pid()"
            )
        }
        var dependent = EngineCommit()
        dependent.read("a", in: view)
        dependent.put("3", for: "b")
        let failures = [
            // Connects again: a commit whose connection ends may have been performed.
            failure { () throws(EngineError) in _ = try engine.makeView() },
            failure { () throws(EngineError) in try engine.put("3", "a") },
            failure { () throws(EngineError) in _ = try engine.commit(dependent) },
            failure { () throws(EngineError) in _ = try engine.changes() },
            failure { () throws(EngineError) in try engine.removeFormerData(in: .all) },
            failure { () throws(EngineError) in _ = try view.get("a") },
            failure { () throws(EngineError) in _ = try view.multiGet(["a", "b"]) },
            failure { () throws(EngineError) in _ = try view.entries() },
            failure { () throws(EngineError) in _ = try view.entries(reverse: true) },
            failure { () throws(EngineError) in try view.lendEntries(inEach: [.all, .all], reverse: false) { _, _, _ in true } },
        ]
        for error in failures {
            let isRefused = error?.code == .unavailable && error?.message.contains("deleted or replaced") == true
            #expect(isRefused, "\(String(describing: error))")
        }
        #expect(try other.get("a") == "2" && other.get("b") == nil)
    }

    /// As when a standby takes over that had not got everything.
    @Test(arguments: [true, false]) func `a server that has lost commits is refused, also once it has others`(isOwn: Bool) throws {
        let (engine, other) = (try scene.open(), try scene.open())
        try other.put("1", "a")
        try (isOwn ? engine : other).put("2", "a")
        try other.close()
        var blind = EngineCommit()
        blind.put("3", for: "b")
        var commits = [blind]
        if !isOwn {
            var dependent = blind
            dependent.read("a", in: try engine.makeView())
            commits.append(dependent)
        }
        try scene.server.sql("DELETE FROM \(scene.store).commits WHERE version = 2; DELETE FROM \(scene.store).entries WHERE version = 2")
        func expectRefusal(_ body: () throws(EngineError) -> Void) {
            let error = failure(body)
            #expect(
                error?.code == .unavailable && error?.message.contains("lost") == true && error?.isOutcomeUnknown == false,
                "\(String(describing: error))"
            )
        }
        func expectRefusals() {
            for commit in commits { expectRefusal { () throws(EngineError) in _ = try engine.commit(commit) } }
            expectRefusal { () throws(EngineError) in _ = try engine.makeView() }
        }
        expectRefusals()
        let late = try scene.open()
        // It has seen nothing that was lost, but the view has.
        if !isOwn { expectRefusal { () throws(EngineError) in _ = try late.commit(commits[1]) } }
        for number in 4...6 {
            try late.put("\(number)", "a")
            expectRefusals()
        }
        if !isOwn { expectRefusal { () throws(EngineError) in _ = try late.commit(commits[1]) } }
        #expect(try late.get("a") == "6" && late.get("b") == nil)
        #expect(try scene.open().put("7", "a") == EngineVersion(rawValue: 5))
    }

    /// Repeated under its name, it is found.
    @Test func `a commit that a server has not lost is not refused`() throws {
        let engine = try scene.open()
        var commit = EngineCommit()
        commit.put("1", for: "a")
        commit.idempotencyID = Array("name".utf8)
        try engine.commit(commit)
        try engine.put("2", "a")
        try scene.server.sql("DELETE FROM \(scene.store).commits WHERE version = 2; DELETE FROM \(scene.store).entries WHERE version = 2")
        #expect(try engine.commit(commit) == EngineVersion(rawValue: 1))
    }
}
