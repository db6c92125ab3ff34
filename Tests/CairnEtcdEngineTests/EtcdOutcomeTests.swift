import CairnEtcdEngine
import CairnEtcdKit
import CairnHistoryKit
import CairnTestSupport
import Foundation
import Synchronization
import Testing

/// What becomes of commits when connections break.
@Suite(.enabled(if: EtcdServer.isInstalled, EtcdServer.missing), .endsWhenItHangs) struct EtcdOutcomeTests {
    private let scene: Scene
    private let proxy: Proxy

    init() throws {
        scene = try Scene()
        proxy = try Proxy(to: scene.server.port)
    }

    private func open(_ change: (inout EtcdEngineOptions) -> Void = { _ in }) throws(EngineError) -> EtcdEngine {
        var options = Scene.options
        change(&options)
        return try EtcdEngine(url: proxy.etcdURL(scene.prefix), options: options)
    }

    @Test func `no commit whose answer is lost is lost or doubled`() async throws {
        let (engine, other) = (try open(), try scene.open())
        let changes = try other.changes()
        let count = Thorough.count(100, of: 1000)
        var versions: [EngineVersion] = []
        for _ in 1...count {
            let commit = try ServerChecks.increment(engine)
            proxy.lose(.reply)
            versions.append(try engine.commit(commit))
        }
        #expect(try proxy.losses == count && engine.get("number") == "\(count)")
        var iterator = changes.makeAsyncIterator()
        for version in versions { #expect(try await iterator.next()?.version == version) }
        let last = try engine.put("end", "end")
        #expect(try await iterator.next()?.version == last)
        try other.close()
        try engine.close()
    }

    /// Each commit only writes, so that no conflict could save it.
    @Test func `threads whose answers are lost write once`() async throws {
        let (engine, other) = (try open(), try scene.open())
        var changes = try other.changes().makeAsyncIterator()
        let count = Thorough.count(20, of: 200)
        let versions = Mutex<[EngineVersion]>([])
        try await onThreads(4) { thread in
            for number in 0..<count {
                proxy.lose(.reply)
                let version = try engine.put("1", "\(thread) \(number)")
                versions.withLock { $0.append(version) }
            }
        }
        #expect(try other.makeView().entries().count == 4 * count)
        for version in versions.withLock({ $0.sorted() }) { #expect(try await changes.next()?.version == version) }
        try engine.close()
    }

    @Test func `an answer that never comes is given up`() throws {
        // Long enough for the answers that come, on a busy machine.
        let engine = try open { $0.requestTimeout = .seconds(2) }
        let commit = try ServerChecks.increment(engine)
        proxy.lose(.silently)
        let version = try engine.commit(commit)
        #expect(try engine.get("number") == "1" && proxy.losses == 1 && engine.makeView().version == version)
    }

    @Test(arguments: [true, false]) func `an unknown outcome is one, until the commit is repeated`(isPerformed: Bool) throws {
        let engine = try open { $0.retryTimeout = .milliseconds(100) }
        // The lease is there.
        try engine.put("1", "first")
        var commit = try ServerChecks.increment(engine)
        commit.idempotencyID = Array("name".utf8)
        proxy.lose(isPerformed ? .replyAndServer : .requestAndServer)
        let error = failure { () throws(EngineError) in _ = try engine.commit(commit) }
        #expect(error?.code == .unavailable && error?.isOutcomeUnknown == true, "\(String(describing: error))")
        #expect(try scene.open().get("number") == (isPerformed ? "1" : nil))
        proxy.cut(false)
        let version = try engine.commit(commit)
        #expect(try engine.get("number") == "1" && engine.makeView().version == version)
    }

    /// The name is gone before the server is asked again. Only a commit that has read something can fail because of itself: the server refuses the lease of the
    /// other one.
    @Test(arguments: [true, false]) func `a commit whose name was removed has an unknown outcome, and is not performed twice`(
        isBlind: Bool
    ) async throws {
        // Of its own: others have leases too.
        let server = try EtcdServer()
        let (scene, proxy) = (try Scene(server), try Proxy(to: server.port))
        var options = Scene.options
        // As if all the time had passed. The server keeps them for another minute.
        if !isBlind { options.nameSeconds = 0 }
        let (engine, other) = (try EtcdEngine(url: proxy.etcdURL(scene.prefix), options: options), try scene.open())
        // The lease is there.
        try engine.put("0", "number")
        var commit = EngineCommit()
        commit.put("1", for: "number")
        if !isBlind { commit = try ServerChecks.increment(engine) }
        let sent = commit
        let outcome = Mutex<EngineError?>(nil)
        proxy.lose(.replyAndServer)
        try await onThreads(2) { thread in
            guard thread == 0 else {
                let error = failure { () throws(EngineError) in _ = try engine.commit(sent) }
                return outcome.withLock { $0 = error }
            }
            // The answer is lost by then.
            while proxy.refusals == 0 {}
            try server.session.revokeLeases()
            try other.put("2", "number")
            proxy.cut(false)
        }
        let error = outcome.withLock { $0 }
        #expect(error?.code == .unavailable && error?.isOutcomeUnknown == true, "\(String(describing: error))")
        #expect(try other.get("number") == "2")
    }

    @Test func `nothing is unknown if nothing was sent`() throws {
        let engine = try open { $0.retryTimeout = .milliseconds(100) }
        try engine.put("1", "first")
        proxy.stop()
        let error = failure { () throws(EngineError) in try engine.put("1", "other") }
        #expect(error?.code == .unavailable && error?.isOutcomeUnknown == false, "\(String(describing: error))")
    }

    private func openPatiently(connections: Int) throws(EngineError) -> EtcdEngine {
        try open {
            $0.connections = connections
            ($0.connectTimeout, $0.requestTimeout, $0.retryTimeout) = (.seconds(3600), .seconds(3600), .seconds(3600))
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
        let engine = try open { options in
            options.requestTimeout = .seconds(2)
            options.retryTimeout = .milliseconds(100)
        }
        try ServerChecks.callsGiveUp(engine, behind: proxy)
        try engine.close()
    }

    @Test func `followers and versions survive the loss of every connection`() async throws {
        let (engine, other) = (try open(), try scene.open())
        var changes = try engine.changes().makeAsyncIterator()
        for round in 1...5 {
            proxy.cut()
            let version = try other.put("\(round)", "a")
            proxy.cut(false)
            let change = try #require(try await changes.next())
            #expect(change.version == version && change.touches("a") && !change.isEverything)
            #expect(engine.latestVersion == version)
        }
        try other.close()
        try engine.close()
    }

    @Test func `commits that were compacted before they were reported are everything`() async throws {
        let server = try EtcdServer()
        let (scene, proxy) = (try Scene(server), try Proxy(to: server.port))
        let (engine, other) = (try EtcdEngine(url: proxy.etcdURL(scene.prefix)), try scene.open())
        var changes = try engine.changes().makeAsyncIterator()
        let first = try other.put("1", "a")
        #expect(try await changes.next()?.version == first)
        proxy.cut()
        for _ in 0..<3 { try other.put("1", "b") }
        let last = try other.put("1", "c")
        try server.session.compact()
        proxy.cut(false)
        let gap = try #require(try await changes.next())
        #expect(gap.isEverything && gap.version <= last)
        if gap.version < last { #expect(try await changes.next()?.version == last) }
        let after = try other.put("1", "d")
        let change = try await changes.next()
        #expect(change?.version == after && change?.isEverything == false)
        try other.close()
        try engine.close()
    }

    /// A lease that ends early, as when the server was away for long.
    @Test func `a lease that has ended is replaced`() throws {
        // Of its own: others have leases too.
        let server = try EtcdServer()
        let engine = try Scene(server).open()
        try engine.put("1", "a")
        #expect(try server.session.revokeLeases() > 0)
        try engine.put("2", "a")
        #expect(try engine.get("a") == "2")
    }
}

extension EtcdSession {
    /// Ends all leases, and removes their keys; returns their number.
    @discardableResult
    fileprivate func revokeLeases() throws -> Int {
        let leases = try post("/v3/lease/leases", "{}")["leases"] as? [[String: Any]] ?? []
        for lease in leases { try post("/v3/lease/revoke", "{\"ID\":\"\(lease["ID"] as? String ?? "")\"}") }
        return leases.count
    }
}
