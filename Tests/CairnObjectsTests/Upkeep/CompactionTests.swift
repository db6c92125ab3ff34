import CairnObjects
import CairnTestSupport
import Testing

/// Files without the space of what was deleted.
struct CompactionTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func size() throws -> Int64 {
        let path = scene.directory.path("music")
        return try FileSystem.system.list(path).filter { $0.hasSuffix(".sst") }
            .reduce(0) { try $0 + FileSystem.system.stat(FileSystem.join(path, $1)).size }
    }

    @Test func whatWasDeletedTakesNoSpace() async throws {
        var store = try scene.store()
        var generator = SeededGenerator(seed: 1)
        // Random, so that compression makes no difference.
        let titles = (0..<2000).map { number in
            "\(number) " + String(decoding: (0..<500).map { _ in UInt8(generator.int(in: 33..<127)) }, as: UTF8.self)
        }
        try store.write { context in for title in titles { context.insert(Song(title)) } }
        try store.close()
        let full = try size()
        #expect(full > 500_000)
        store = try scene.store()
        try store.read { context in
            try store.write { other in for song in try other.allObjects(Song.self).dropFirst(10) { try other.delete(song) } }
            try store.compact()
            // What a context still sees is kept.
            #expect(try Set(context.allObjects(Song.self).map(\.title)) == Set(titles))
        }
        try await store.compactInBackground()
        #expect(try store.read { try $0.allObjects(Song.self).map(\.title) } == Array(titles.prefix(10)))
        #expect(try store.verify().isIntact)
        try store.close()
        #expect(try size() < full / 10)
        #expect(code { try store.compact() } == .closed)
        let reader = try scene.store { $0.readOnly = true }
        #expect(code { try reader.compact() } == .readOnly)
        try reader.close()
    }

    @Test func memoryNeedsNoCompaction() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: musicClasses)
        try store.compact()
        // An engine that does not say how.
        #expect(code { try ObjectStore(engine: FailingEngine(), classes: musicClasses).compact() } == .notSupported)
    }
}
