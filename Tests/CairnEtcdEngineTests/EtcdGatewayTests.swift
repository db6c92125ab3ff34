import CairnEtcdEngine
import CairnEtcdGraph
import CairnEtcdKit
import CairnHistoryKit
import CairnSharedStoreKit
import CairnTestSupport
import Dispatch
import Synchronization
import Testing

/// Answers that etcd does not give: from what stands in front of it, such as a load balancer, or from a server that means harm.
@Suite(.enabled(if: EtcdServer.isInstalled, EtcdServer.missing), .endsWhenItHangs) struct EtcdGatewayTests {
    private let scene: Scene
    private let gateway: EtcdGateway

    init() throws {
        scene = try Scene()
        gateway = try EtcdGateway(to: scene.server.port)
    }

    private func open(
        retryTimeout: Duration = .milliseconds(100),
        requestTimeout: Duration = .seconds(10)
    ) throws(EngineError) -> EtcdEngine {
        var options = Scene.options
        (options.retryTimeout, options.requestTimeout) = (retryTimeout, requestTimeout)
        options.largestAnswer = 1 << 20
        return try EtcdEngine(url: gateway.url(scene.prefix), options: options)
    }

    /// What answers in etcd's place.
    enum Stranger: CaseIterable, Sendable {
        case balancer, router, numberOfHTTP, emptyObject, emptyHeader
        /// The server's answer, with a status of an error, without a cluster, or with another one.
        case failedCopy, namelessCopy, otherCluster

        func answer(_ request: EtcdGateway.Request) throws -> EtcdGateway.Answer {
            switch self {
            case .balancer: return EtcdGateway.Answer(503, "{\"message\":\"no healthy upstream\"}")
            case .router: return EtcdGateway.Answer(404, "{\"status\":404,\"reason\":\"route not found\"}")
            case .numberOfHTTP: return EtcdGateway.Answer(404, "{\"code\":404,\"message\":\"not found\"}")
            case .emptyObject: return EtcdGateway.Answer(200, "{}")
            case .emptyHeader: return EtcdGateway.Answer(200, "{\"header\":{}}")
            case .failedCopy:
                var answer = try request.forward()
                answer.status = 502
                return answer
            case .namelessCopy, .otherCluster:
                var answer = try request.forward()
                try answer.change { fields in
                    var header = fields["header"] as? [String: Any] ?? [:]
                    header["cluster_id"] = self == .otherCluster ? "1" : nil
                    fields["header"] = header
                }
                return answer
            }
        }
    }

    @Test(arguments: Stranger.allCases) func `answers that are not from etcd are lost ones`(stranger: Stranger) throws {
        let engine = try openWithEntries()
        let view = try engine.makeView()
        gateway.answer { $0.path.hasSuffix("/watch") ? nil : try stranger.answer($0) }
        // Nothing was asked there before, so any cluster is the right one.
        expectUnavailable(engine, view, opens: stranger == .otherCluster)
        gateway.answer(nil)
        #expect(try view.get("a") == Array("1".utf8) && view.entries().count == 2)
    }

    /// A server's entry that is wrong.
    enum Oddity: CaseIterable, Sendable {
        case shortKey, otherKey, noKey, hugeVersion, hugeRevision, futureRevision, noRevision, twice

        func change(_ entry: [String: Any], _ prefix: String) -> [[String: Any]] {
            var entry = entry
            switch self {
            case .shortKey: entry["key"] = EtcdSession.base64(Array("x".utf8))
            case .otherKey: entry["key"] = EtcdSession.base64(Array("\(prefix):d:b2".utf8))
            case .noKey: entry["key"] = nil
            case .hugeVersion: entry["version"] = "\(UInt64.max)"
            case .hugeRevision: entry["mod_revision"] = "\(UInt64.max)"
            case .futureRevision: entry["mod_revision"] = "\(Int64.max)"
            case .noRevision: entry["mod_revision"] = nil
            case .twice: return [entry, entry]
            }
            return [entry]
        }
    }

    @Test(arguments: Oddity.allCases) func `answers with impossible keys or numbers are lost ones`(oddity: Oddity) throws {
        let engine = try openWithEntries()
        let view = try engine.makeView()
        gateway.answer { [scene] request in
            guard !request.path.hasSuffix("/watch") else { return nil }
            var answer = try request.forward()
            try answer.change { Self.changeEntries(of: &$0) { oddity.change($0, scene.prefix) } }
            return answer
        }
        expectUnavailable(engine, view)
        gateway.answer(nil)
        #expect(try view.get("a") == Array("1".utf8) && view.entries().count == 2)
    }

    /// Changes the entries of an answer, also within a transaction.
    private static func changeEntries(of fields: inout [String: Any], _ change: ([String: Any]) -> [[String: Any]]) {
        if let entries = fields["kvs"] as? [[String: Any]] { fields["kvs"] = entries.flatMap(change) }
        guard let responses = fields["responses"] as? [[String: Any]] else { return }
        fields["responses"] = responses.map { response in
            guard var range = response["response_range"] as? [String: Any] else { return response }
            changeEntries(of: &range, change)
            return ["response_range": range]
        }
    }

    /// An engine that has a lease already, and two entries.
    private func openWithEntries() throws -> EtcdEngine {
        let engine = try open()
        try engine.put("1", "a")
        try engine.put("2", "b")
        return engine
    }

    private func expectUnavailable(_ engine: EtcdEngine, _ view: any EngineView, opens: Bool = false) {
        func expect(_ call: String, _ body: () throws(EngineError) -> Void) {
            let error = failure(body)
            #expect(error?.code == .unavailable, "\(call): \(String(describing: error))")
        }
        expect("a key") { () throws(EngineError) in _ = try view.get("a") }
        expect("keys") { () throws(EngineError) in _ = try view.multiGet(["a", "b"]) }
        for reverse in [false, true] { expect("entries") { () throws(EngineError) in _ = try view.entries(reverse: reverse) } }
        expect("a view") { () throws(EngineError) in _ = try engine.makeView() }
        expect("changes") { () throws(EngineError) in _ = try engine.changes() }
        if !opens { expect("opening") { () throws(EngineError) in _ = try open() } }
        let error = failure { () throws(EngineError) in try engine.put("3", "c") }
        #expect(error?.code == .unavailable && error?.message.contains("unknown") == true, "\(String(describing: error))")
    }

    @Test(arguments: Stranger.allCases) func `one answer that is not from etcd is asked for again`(stranger: Stranger) throws {
        let engine = try open(retryTimeout: .seconds(30))
        // Each second answer is the server's.
        let count = Atomic(0)
        gateway.answer { request in
            guard !request.path.hasSuffix("/watch"), count.add(1, ordering: .relaxed).newValue % 2 == 1 else { return nil }
            return try stranger.answer(request)
        }
        for number in 1...3 {
            let version = try engine.commit(ServerChecks.increment(engine))
            #expect(try engine.get("number") == "\(number)" && engine.makeView().version == version)
        }
    }

    @Test func `a user without a token is not logged in`() throws {
        gateway.answer { $0.path.hasSuffix("/authenticate") ? EtcdGateway.Answer(200, "{}") : nil }
        let url = gateway.url(scene.prefix).replacing("//", with: "//user:password@")
        #expect(code { () throws(EngineError) in _ = try EtcdEngine(url: url) } == .unavailable)
    }

    @Test(arguments: [false, true]) func `pages that do not advance are lost ones`(reverse: Bool) throws {
        let engine = try open()
        var commit = EngineCommit()
        for number in 0..<200 { commit.put("1", for: "\(number)") }
        try engine.commit(commit)
        let view = try engine.makeView()
        let first = Mutex<EtcdGateway.Answer?>(nil)
        gateway.answer { request in
            guard request.path.hasSuffix("/range"), request.body.contains("limit") else { return nil }
            let answer = try first.withLock { $0 } ?? request.forward()
            first.withLock { $0 = answer }
            return answer
        }
        #expect(code { () throws(EngineError) in _ = try view.entries(reverse: reverse) } == .unavailable)
    }

    // MARK: Slow answers

    /// In the middle of the answer to a read, other than those that make views.
    private func openAndRead(_ sending: EtcdGateway.Sending, times: Int = .max) throws -> (value: [UInt8]?, asked: Int) {
        let engine = try open(retryTimeout: .seconds(30), requestTimeout: .seconds(2))
        try engine.put("1", "a")
        let view = try engine.makeView()
        let asked = Atomic(0)
        gateway.answer { request in
            guard request.path.hasSuffix("/range"), request.body.contains("\"revision\"") else { return nil }
            var answer = try request.forward()
            if asked.add(1, ordering: .relaxed).oldValue < times { answer.sending = sending }
            return answer
        }
        return (try view.get("a"), asked.load(ordering: .relaxed))
    }

    @Test func `an answer that takes longer than the time-out is waited for as long as more of it arrives`() throws {
        #expect(try openAndRead(.slowly(pieces: 6, pause: .milliseconds(500))).value == Array("1".utf8))
    }

    @Test func `an answer that ends in the middle without a sign is asked for again`() throws {
        let (value, asked) = try openAndRead(.half, times: 1)
        #expect(value == Array("1".utf8) && asked > 1)
    }

    // MARK: Sizes

    /// Pages have about 1 MiB; the answer to the first request of a few large values is too long.
    @Test(arguments: [(10, 200_000), (6, 1_300_000)]) func `few large values are asked for at once`(count: Int, size: Int) throws {
        let engine = try open()
        let keys = (0..<count).map { "\(10 + $0)" }
        for key in keys {
            var commit = EngineCommit()
            commit.put([UInt8](repeating: 1, count: size), for: key)
            try engine.commit(commit)
        }
        let view = try engine.makeView()
        let asked = Mutex([EtcdGateway.Request]())
        gateway.answer { request in
            if request.body.contains("\"limit\"") { asked.withLock { $0.append(request) } }
            return nil
        }
        /// The limits of the requests for ranges.
        func limits() throws -> [Int] {
            asked.withLock { $0 = [] }
            #expect(try view.entries().count == count)
            return asked.withLock { $0.compactMap { $0.body.firstMatch(of: /"limit":"(\d+)"/).flatMap { Int($0.1) } } }
        }
        #expect(try limits().first == 64)
        let perPage = (1 << 20) / size
        #expect(try limits() == [Int](repeating: max(1, perPage), count: count / max(1, perPage)))

        asked.withLock { $0 = [] }
        var found = 0
        try view.lendEntries(inEach: keys.map { KeyRange(prefix: Array($0.utf8)) }, reverse: false) { _, _, _ in
            found += 1
            return true
        }
        let ranges = asked.withLock { $0.map { $0.body.split(separator: "request_range").count - 1 } }
        #expect(found == count && ranges.reduce(0, +) == count && ranges.allSatisfy { $0 <= max(1, perPage) }, "\(ranges)")
    }

    @Test func `answers without an end are given up`() throws {
        let engine = try openWithEntries()
        let view = try engine.makeView()
        gateway.answer { $0.path.hasSuffix("/watch") ? nil : .endless([UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)) }
        #expect(code { () throws(EngineError) in _ = try view.get("a") } == .tooLarge)
        let error = failure { () throws(EngineError) in try engine.put("3", "c") }
        #expect(error?.code == .unavailable && error?.message.contains("unknown") == true, "\(String(describing: error))")
        // What the engine takes, and what was on the way.
        #expect(gateway.endlessByteCount < 100 << 20)
        gateway.answer(nil)
        #expect(try view.get("a") == Array("1".utf8))
    }

    @Test func `news without an end are given up, and asked for again`() throws {
        let asked = DispatchSemaphore(value: 0)
        gateway.answer { request in
            guard request.path.hasSuffix("/watch") else { return nil }
            asked.signal()
            return .endless([UInt8](repeating: UInt8(ascii: " "), count: 1 << 20))
        }
        let engine = try open()
        for _ in 0..<2 { asked.wait() }
        try engine.put("1", "a")
        try engine.close()
    }

    @Test func `values that are too large to be read together are read one after the other`() throws {
        // Two of these in base64 fit.
        let engine = try scene.open { $0.largestAnswer = 1 << 20 }
        let keys = (0..<12).map { "\(1000 + $0)" }
        for (number, key) in keys.enumerated() {
            var commit = EngineCommit()
            commit.put([UInt8](repeating: UInt8(number), count: 1_300_000), for: key)
            try engine.commit(commit)
        }
        let view = try engine.makeView()
        let values = try view.multiGet(KeyList(keys.map { Array($0.utf8) }))
        #expect(values.map { $0?.first } == (0..<12).map { UInt8($0) } && values.allSatisfy { $0?.count == 1_300_000 })
        for reverse in [false, true] {
            var found: [UInt8] = []
            try view.scan(reverse: reverse) { _, value in
                found.append([UInt8](copying: value)[0])
                return true
            }
            #expect(found == (reverse ? (0..<12).reversed() : Array(0..<12)))
        }
    }

    // MARK: News

    @Test(arguments: [false, true]) func `news with impossible numbers, or of no cluster, are not taken`(hasCluster: Bool) throws {
        let engine = try scene.open()
        let version = try engine.put("1", "a")
        let key = EtcdSession.base64(Array("\(scene.prefix):c".utf8))
        let answer = try scene.server.session.post("/v3/kv/range", "{\"key\":\"\(key)\"}")
        var entry = try #require((answer["kvs"] as? [[String: Any]])?.first)
        let number = try #require((entry["version"] as? String).flatMap { UInt64($0) })
        entry["version"] = "\(hasCluster ? UInt64.max : number + 1)"
        entry["mod_revision"] = "\(hasCluster ? UInt64.max : version.rawValue + 1)"
        var news = EtcdGateway.Answer(200, "{}")
        try news.change { fields in
            let header = hasCluster ? answer["header"] as? [String: Any] ?? [:] : [:]
            fields["result"] = ["header": header, "events": [["kv": entry]]] as [String: Any]
        }
        let line = news.body + [UInt8(ascii: "\n")]
        let asked = DispatchSemaphore(value: 0)
        gateway.answer { request in
            guard request.path.hasSuffix("/watch") else { return nil }
            asked.signal()
            return EtcdGateway.Answer(200, line)
        }
        let other = try open()
        for _ in 0..<2 { asked.wait() }
        #expect(other.latestVersion == version)
    }

    // MARK: Objects

    /// An empty answer would be read as: there are no objects yet.
    @Test(arguments: [Stranger.balancer, .emptyObject]) func `no objects are overwritten when others answer`(stranger: Stranger) throws {
        let url = gateway.url(scene.prefix)
        var count = 0
        var wasReached = true
        while wasReached {
            let store = try ObjectStore(engine: EtcdEngine(url: url, options: Scene.options), classes: SharedStores.classes)
            // One request more is answered by the server each time.
            let left = Atomic(count)
            gateway.answer { request in
                guard !request.path.hasSuffix("/watch"), left.subtract(1, ordering: .relaxed).oldValue == 0 else { return nil }
                return try stranger.answer(request)
            }
            try store.write { $0.insert(Singer(name: "\(count)")) }
            gateway.answer(nil)
            count += 1
            wasReached = left.load(ordering: .relaxed) < 0
            #expect(try Set(store.makeContext().fetch(Singer.self).map(\.name)) == Set((0..<count).map { "\($0)" }))
            #expect(try store.verify().isIntact)
            try store.close()
        }
        #expect(count > 2)
    }
}
