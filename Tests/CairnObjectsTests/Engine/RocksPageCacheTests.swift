import CairnCore
import CairnObjects
import CairnTestSupport
import Testing

/// Pages that were read before come from memory, and views see them as they were.
struct RocksPageCacheTests {
    private static let count = 40

    /// Keys such as pages have.
    private static let keys = (0..<count).map { [1, 0, 1, 0, 0, 0, 0, 0, UInt8($0)] as [UInt8] }

    private func write(_ round: UInt8, to engine: RocksEngine) throws {
        var commit = EngineCommit()
        for key in Self.keys { commit.put([UInt8](repeating: round, count: 100), for: key) }
        try engine.commit(commit)
    }

    private func rounds(_ view: any EngineView) throws -> Set<UInt8> {
        var found: Set<UInt8> = []
        for key in Self.keys { found.formUnion(try view.get(key) ?? [0]) }
        for value in try view.multiGet(KeyList(Self.keys)) { found.formUnion(value ?? [0]) }
        return found
    }

    @Test func eachViewSeesItsOwnState() throws {
        let directory = try TemporaryDirectory()
        let engine = try RocksEngine(path: directory.path("store"))
        var views: [any EngineView] = []
        for round in 1...5 {
            try write(UInt8(round), to: engine)
            views.append(try engine.makeView())
            // Read for the second time, a value is kept.
            for _ in 0..<3 {
                for (place, view) in views.enumerated() { #expect(try rounds(view) == [UInt8(place + 1)]) }
            }
        }
        var commit = EngineCommit()
        commit.delete(Self.keys[0])
        commit.deleteRange(KeyRange(lowerBound: Self.keys[1], upperBound: Self.keys[3]))
        try engine.commit(commit)
        let last = try engine.makeView()
        #expect(try Self.keys.prefix(4).map { try last.contains($0) } == [false, false, false, true])
        #expect(try rounds(views[4]) == [5])
    }

    @Test func viewsMadeDuringCommitsSeeOneState() async throws {
        let directory = try TemporaryDirectory()
        let engine = try RocksEngine(path: directory.path("store"))
        try write(1, to: engine)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for round in 2...200 { try write(UInt8(round), to: engine) } }
            for _ in 0..<3 {
                group.addTask {
                    var last: UInt8 = 0
                    while last < 200 {
                        let view = try engine.makeView()
                        for _ in 0..<3 {
                            let found = try rounds(view)
                            #expect(found.count == 1)
                            guard let round = found.first, found.count == 1, round >= last else { return }
                            last = round
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
