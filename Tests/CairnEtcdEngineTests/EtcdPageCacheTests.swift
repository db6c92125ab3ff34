import CairnEtcdEngine
import CairnEtcdKit
import CairnHistoryKit
import CairnTestSupport
import Testing

/// Pages of objects that were read before come from memory, and views see them as they were, also if another engine has changed them.
@Suite(.enabled(if: EtcdServer.isInstalled, EtcdServer.missing), .endsWhenItHangs) struct EtcdPageCacheTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    /// Each of two engines keeps what it has read, and forgets what the other writes.
    @Test func `each view sees its own state`() throws {
        let engines = [try scene.open(), try scene.open()]
        var views: [(round: UInt8, view: any EngineView)] = []
        for round in UInt8(1)...3 {
            try PageRounds.write(round, to: engines[Int(round) % 2])
            for engine in engines {
                views.append((round, try engine.makeView()))
                for (round, view) in views { #expect(try PageRounds.read(view) == [round]) }
            }
        }
        var commit = EngineCommit()
        commit.deleteRange(KeyRange(lowerBound: PageRounds.keys[1], upperBound: PageRounds.keys[3]))
        try engines[0].commit(commit)
        for engine in engines { #expect(try PageRounds.read(engine.makeView()) == [0, 3]) }
        #expect(try PageRounds.read(views[5].view) == [3])
    }

    @Test func `a value that was read before comes from memory, until a commit writes it`() throws {
        let (engine, other) = (try scene.open(), try scene.open())
        try PageRounds.write(1, to: engine)
        let view = try engine.makeView()
        #expect(try PageRounds.read(view) == [1])
        // What nobody may do, so that no commit says it.
        let key = String(decoding: PageRounds.keys[7], as: UTF8.self)
        try scene.server.session.put("\(scene.prefix):d:\(key)", [2])
        try other.put("1", "another key")
        #expect(try PageRounds.read(engine.makeView()) == [1])
        #expect(try PageRounds.read(other.makeView()) == [1, 2])
        try put(1, to: other)
        #expect(try PageRounds.read(engine.makeView()) == [1])
        try put(3, to: other)
        #expect(try PageRounds.read(engine.makeView()) == [1, 3])
    }

    /// Gives one of the keys the value of a round.
    private func put(_ round: UInt8, to engine: EtcdEngine) throws {
        var commit = EngineCommit()
        commit.put([UInt8](repeating: round, count: 100), for: PageRounds.keys[7])
        try engine.commit(commit)
    }

    /// A commit of so many keys does not say which, and the watch may be late.
    @Test func `commits that are large, or not reported yet, are not missed`() throws {
        let (engine, other) = (try scene.open(), try scene.open())
        for (round, commits) in [(UInt8(1), 0), (2, 20), (3, 1), (4, 0)] {
            try PageRounds.write(round, to: other)
            for number in 0..<commits { try other.put("\(number)", "another key") }
            for _ in 0..<2 { #expect(try PageRounds.read(engine.makeView()) == [round]) }
        }
        var commit = EngineCommit()
        for number in 0..<700 { commit.put("", for: "\(number)" + String(repeating: "x", count: 120)) }
        for key in PageRounds.keys { commit.put([UInt8](repeating: 5, count: 100), for: key) }
        try other.commit(commit)
        #expect(try PageRounds.read(engine.makeView()) == [5])
    }

    /// The last commit, with which the view begins, does not name the pages; those before it have not been reported when the watch connects again.
    @Test func `commits that the watch has missed are not missed by views`() throws {
        let proxy = try Proxy(to: scene.server.port)
        let (engine, other) = (try scene.open("store", proxy), try scene.open())
        for round in UInt8(1)...8 {
            proxy.cut()
            try PageRounds.write(round, to: other)
            try other.put("\(round)", "another key")
            proxy.cut(false)
            for _ in 0..<2 { #expect(try PageRounds.read(engine.makeView()) == [round]) }
        }
        try engine.close()
    }

    @Test func `views made during commits of two engines see one state`() async throws {
        let engines = [try scene.open(), try scene.open()]
        try PageRounds.write(1, to: engines[0])
        let last: UInt8 = 20
        try await onThreads(3) { thread in
            if thread == 2 {
                for round in 2...last { try PageRounds.write(round, to: engines[Int(round) % 2]) }
            } else {
                #expect(try PageRounds.follow(engines[thread], until: last) == nil)
            }
        }
    }
}
