import CairnObjects
import CairnTestSupport
import Testing

/// What long lists ask of the engine: counts that do not grow with the list.
@Suite struct LongListCostTests {
    private let scene = ShelfScene(CountingEngine())
    private static let longest = Thorough.count(20_000, of: 100_000)

    /// A new context each: finding the shelf, reading the end of its list, and the save.
    @Test(arguments: [3_000, Thorough.count(10_000, of: 30_000), longest])
    func `appending reads and writes one chunk`(_ count: Int) throws {
        try scene.fill(count)
        let store = try scene.store()
        var writes = (count: 0, bytes: 0)
        let reads = try scene.engine.count {
            let commits = try scene.engine.commits {
                try store.write { context in
                    let shelf = try #require(try context.object(ObjectID("1/1")!, as: LongShelf.self))
                    shelf.items.append(LongItem(number: count))
                }
            }
            writes = commits.reduce((0, 0)) { ($0.0 + $1.writes.count, $0.1 + $1.writes.byteCount) }
        }
        // The pages of item and shelf, the last row, the directory, a chunk and the former one, what is noted of the item.
        #expect(writes.count <= 8, "\(writes)")
        #expect(writes.bytes <= 3_000 + count / 1024 * 5, "\(writes)")
        #expect(reads.values + reads.entries <= 12, "\(reads)")
    }

    @Test(arguments: [3_000, longest])
    func `the last objects are read without the others`(_ count: Int) throws {
        try scene.fill(count)
        let store = try scene.store()
        let reads = try scene.engine.count {
            try store.read { context in
                let shelf = try #require(try context.object(ObjectID("1/1")!, as: LongShelf.self))
                #expect(shelf.items.count == count)
                #expect(shelf.items.suffix(50).map(\.number) == Array(count - 50..<count))
            }
        }
        #expect(reads.values <= 56, "\(reads)")
    }

    @Test func `nothing of a list is read to change another property`() throws {
        try scene.fill(Self.longest)
        let store = try scene.store()
        var bytes = 0
        let reads = try scene.engine.count {
            let commits = try scene.engine.commits {
                try store.write { try $0.object(ObjectID("1/1")!, as: LongShelf.self)?.title = "renamed" }
            }
            bytes = commits.reduce(0) { $0 + $1.writes.byteCount }
        }
        #expect(bytes < 1000 && reads.values <= 5, "\(bytes) \(reads)")
    }
}
