import CairnHistoryKit
import CairnSQLiteEngine
import CairnTestSupport
import Testing

/// Pages of objects that were read before come from memory, and views see them as they were, also if another engine has changed them.
@Suite struct SQLitePageCacheTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    /// Each of two engines on one file keeps what it has read, and forgets what the other writes.
    @Test func `each view sees its own state`() throws {
        let engines = [try scene.open(), try scene.open()]
        var views: [(round: UInt8, view: any EngineView)] = []
        for round in UInt8(1)...6 {
            try PageRounds.write(round, to: engines[Int(round) % 2])
            for engine in engines {
                views.append((round, try engine.makeView()))
                for _ in 0..<3 {
                    for (round, view) in views { #expect(try PageRounds.read(view) == [round]) }
                }
            }
        }
        var commit = EngineCommit()
        commit.deleteRange(KeyRange(lowerBound: PageRounds.keys[1], upperBound: PageRounds.keys[3]))
        try engines[0].commit(commit)
        for engine in engines { #expect(try PageRounds.read(engine.makeView()) == [0, 6]) }
        #expect(try PageRounds.read(views[11].view) == [6])
    }

    @Test func `a value that was read before comes from memory`() throws {
        let engine = try scene.open()
        try PageRounds.write(1, to: engine)
        #expect(try PageRounds.read(engine.makeView()) == [1])
        // Without its checksum, nobody could read it from the file.
        try scene.sqlite("UPDATE entries SET sum = 0", layer: "cairn")
        #expect(try PageRounds.read(engine.makeView()) == [1])
        #expect(code { () throws(EngineError) in _ = try engine.makeView().entries() } == .corruption)
        try engine.close()
    }

    @Test func `a commit replaces what was kept, unless others have committed since`() {
        let cache = ValueCache(capacity: 1 << 20)
        let key = PageRounds.keys[0]
        func version(_ number: UInt64) -> EngineVersion { EngineVersion(rawValue: number) }
        func kept(in number: UInt64) -> [UInt8]? { unsafe cache.value(key.span.bytes, version(number)) }
        func writes(_ value: [UInt8]) -> EngineWrites {
            var commit = EngineCommit()
            commit.put(value, for: key)
            return commit.ordered()
        }
        let first: [UInt8] = [1]
        for _ in 0..<2 { unsafe cache.offer(first.span.bytes, of: key.span.bytes, version(1)) }
        #expect(kept(in: 1) == [1])
        cache.didWrite(writes([2]), cache.willWrite(writes([2])), version(2))
        #expect(kept(in: 2) == [2])
        #expect(kept(in: 1) == nil)
        let places = cache.willWrite(writes([3]))
        #expect(places == [0])
        #expect(kept(in: 3) == nil)
        cache.changed(EngineChange(version: version(4), keys: KeyList([key])))
        cache.didWrite(writes([3]), places, version(3))
        #expect(kept(in: 4) == nil)
    }

    @Test func `views made during commits of two engines see one state`() async throws {
        let engines = [try scene.open(), try scene.open()]
        try PageRounds.write(1, to: engines[0])
        let last: UInt8 = 120
        try await onThreads(3) { thread in
            if thread == 2 {
                for round in 2...last { try PageRounds.write(round, to: engines[Int(round) % 2]) }
            } else {
                #expect(try PageRounds.follow(engines[thread], until: last) == nil)
            }
        }
    }
}
