import CairnCore
import CairnHistoryKit
import CairnObjects
import CairnTestSupport
import Testing

/// Pages that were read before come from memory, and views see them as they were.
struct RocksPageCacheTests {
    @Test func eachViewSeesItsOwnState() throws {
        let directory = try TemporaryDirectory()
        let engine = try RocksEngine(path: directory.path("store"))
        var views: [any EngineView] = []
        for round in 1...5 {
            try PageRounds.write(UInt8(round), to: engine)
            views.append(try engine.makeView())
            for _ in 0..<3 {
                for (place, view) in views.enumerated() { #expect(try PageRounds.read(view) == [UInt8(place + 1)]) }
            }
        }
        var commit = EngineCommit()
        commit.delete(PageRounds.keys[0])
        commit.deleteRange(KeyRange(lowerBound: PageRounds.keys[1], upperBound: PageRounds.keys[3]))
        try engine.commit(commit)
        let last = try engine.makeView()
        #expect(try PageRounds.keys.prefix(4).map { try last.contains($0) } == [false, false, false, true])
        #expect(try PageRounds.read(views[4]) == [5])
    }

    @Test func viewsMadeDuringCommitsSeeOneState() async throws {
        let directory = try TemporaryDirectory()
        let engine = try RocksEngine(path: directory.path("store"))
        try PageRounds.write(1, to: engine)
        let last: UInt8 = 200
        try await onThreads(4) { thread in
            if thread == 0 {
                for round in 2...last { try PageRounds.write(round, to: engine) }
            } else {
                #expect(try PageRounds.follow(engine, until: last) == nil)
            }
        }
    }
}
