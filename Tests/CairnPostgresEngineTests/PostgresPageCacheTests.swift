import CairnHistoryKit
import CairnPostgresEngine
import CairnPostgresKit
import CairnTestSupport
import Testing

/// Pages of objects that were read before come from memory, and views see them as they were, also if another engine has changed them.
@Suite(.enabled(if: Server.shared != nil, Server.missing), .endsWhenItHangs) struct PostgresPageCacheTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    /// Each of two engines keeps what it has read, and forgets what the other writes.
    @Test func `each view sees its own state`() throws {
        let engines = [try scene.open(), try scene.open()]
        var views: [(round: UInt8, view: any EngineView)] = []
        for round in UInt8(1)...4 {
            try PageRounds.write(round, to: engines[Int(round) % 2])
            for engine in engines {
                views.append((round, try engine.makeView()))
                for _ in 0..<2 {
                    for (round, view) in views { #expect(try PageRounds.read(view) == [round]) }
                }
            }
        }
        var commit = EngineCommit()
        commit.deleteRange(KeyRange(lowerBound: PageRounds.keys[1], upperBound: PageRounds.keys[3]))
        try engines[0].commit(commit)
        for engine in engines { #expect(try PageRounds.read(engine.makeView()) == [0, 4]) }
        #expect(try PageRounds.read(views[7].view) == [4])
    }

    @Test func `a value that was read before comes from memory, until a connection is lost`() throws {
        let engine = try scene.open()
        try PageRounds.write(1, to: engine)
        let view = try engine.makeView()
        #expect(try PageRounds.read(view) == [1])
        // What nobody may do, so that nobody is notified.
        _ = try scene.sql("UPDATE entries SET value = '\\x02'")
        try engine.put("1", "another key")
        let later = try engine.makeView()
        #expect(try PageRounds.read(later) == [1] && PageRounds.read(view) == [1])
        let others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%\(scene.store)%'"
        _ = try scene.sql("SELECT pg_terminate_backend(pid) \(others)")
        #expect(try PageRounds.read(engine.makeView()) == [2])
    }

    /// More than a view asks for: then everything is forgotten.
    @Test func `commits that are too many or too large for a view to read are not missed`() throws {
        let engine = try scene.open()
        let other = try scene.open()
        for (round, commits) in [(UInt8(1), 0), (2, 100), (3, 31), (4, 0)] {
            try PageRounds.write(round, to: other)
            for number in 0..<commits { try other.put("\(number)", "another key") }
            for _ in 0..<2 { #expect(try PageRounds.read(engine.makeView()) == [round]) }
        }
        var commit = EngineCommit()
        for number in 0..<3000 { commit.put("", for: "another key \(number)") }
        for key in PageRounds.keys { commit.put([UInt8](repeating: 5, count: 100), for: key) }
        try other.commit(commit)
        #expect(try PageRounds.read(engine.makeView()) == [5])
        // What was cleaned up cannot be read either.
        try PageRounds.write(6, to: other)
        try other.put("1", "another key")
        try scene.age()
        #expect(try PageRounds.read(engine.makeView()) == [6])
    }

    @Test func `views made during commits of two engines see one state`() async throws {
        let engines = [try scene.open(), try scene.open()]
        try PageRounds.write(1, to: engines[0])
        let last: UInt8 = 60
        try await onThreads(3) { thread in
            if thread == 2 {
                for round in 2...last { try PageRounds.write(round, to: engines[Int(round) % 2]) }
            } else {
                #expect(try PageRounds.follow(engines[thread], until: last) == nil)
            }
        }
    }
}
