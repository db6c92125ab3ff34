import CairnSQLiteEngine
import CairnTestSupport
import Testing

/// Pages of objects that were read before come from memory, and views see them as they were, also if another engine has changed them.
@Suite struct SQLitePageCacheTests {
    private static let count = 40
    /// Keys such as pages have.
    private static let keys = (0..<count).map { [1, 0, 1, 0, 0, 0, 0, 0, UInt8($0)] as [UInt8] }

    private func write(_ round: UInt8, to engine: SQLiteEngine) throws {
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

    /// Each of two engines on one file keeps what it has read, and forgets what the other writes.
    @Test func `each view sees its own state`() throws {
        let scene = try Scene()
        let engines = [try scene.open(), try scene.open()]
        var views: [any EngineView] = []
        for round in 1...6 {
            try write(UInt8(round), to: engines[round % 2])
            for engine in engines {
                views.append(try engine.makeView())
                // Read for the second time, a value is kept.
                for _ in 0..<3 {
                    for (place, view) in views.enumerated() { #expect(try rounds(view) == [UInt8(place / 2 + 1)]) }
                }
            }
        }
        var commit = EngineCommit()
        commit.delete(Self.keys[0])
        commit.deleteRange(KeyRange(lowerBound: Self.keys[1], upperBound: Self.keys[3]))
        try engines[0].commit(commit)
        for engine in engines {
            let last = try engine.makeView()
            #expect(try Self.keys.prefix(4).map { try last.contains($0) } == [false, false, false, true])
        }
        #expect(try rounds(views[11]) == [6])
    }

    @Test func `a value that was read before comes from memory`() throws {
        let scene = try Scene()
        let engine = try scene.open()
        try write(1, to: engine)
        #expect(try rounds(engine.makeView()) == [1])
        // Without its checksum, nobody could read it from the file.
        try scene.sqlite("UPDATE entries SET sum = 0", layer: "cairn")
        #expect(try rounds(engine.makeView()) == [1])
        #expect(code { () throws(EngineError) in _ = try engine.makeView().entries() } == .corruption)
        try engine.close()
    }

    @Test func `views made during commits of two engines see one state`() async throws {
        let scene = try Scene()
        let engines = [try scene.open(), try scene.open()]
        try write(1, to: engines[0])
        let last: UInt8 = 120
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for round in 2...last { try write(round, to: engines[Int(round) % 2]) } }
            for engine in engines {
                group.addTask {
                    var seen: UInt8 = 0
                    while seen < last {
                        let view = try engine.makeView()
                        for _ in 0..<3 {
                            let found = try rounds(view)
                            #expect(found.count == 1)
                            guard let round = found.first, found.count == 1, round >= seen else { return }
                            seen = round
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
