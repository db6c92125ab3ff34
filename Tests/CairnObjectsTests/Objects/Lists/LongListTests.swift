import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Lists, sets and dictionaries of more than 1024 objects, which are stored in chunks.
@Suite struct LongListTests {
    private let scene = ShelfScene(MemoryEngine())

    private func numbers() throws -> [Int] { try scene.store().read { try $0.shelf().items.map(\.number) } }

    private func verify() throws {
        let report = try scene.store().verify()
        #expect(report.isIntact, "\(report.problems)")
    }

    private func format() throws -> String { String(decoding: try scene.entries([0, 0])[0].value, as: UTF8.self) }

    @Test func `a list becomes long, and short again, and a store with long lists has another format`() throws {
        try scene.fill(1024)
        let short = try scene.entries([2]).map(\.value)
        #expect(try scene.chunkCount() == 0 && format().contains(#""format":1"#))
        try scene.store().write { try $0.shelf().items.append(LongItem(number: 1024)) }
        #expect(try scene.chunkCount() == 2 && format().contains(#""format":2"#))
        #expect(try numbers() == Array(0...1024))
        try verify()
        try scene.store().write { try $0.shelf().items.removeSubrange(512..<1025) }
        #expect(try scene.chunkCount() == 0)
        #expect(try numbers() == Array(0..<512))
        try verify()
        // As it was written at first, but for the change count.
        try scene.store().write { context in
            let shelf = try context.shelf()
            shelf.items.append(contentsOf: try context.allObjects(LongItem.self)[512..<1024])
        }
        #expect(try scene.entries([2]).map { $0.value.dropFirst(2) } == short.map { $0.dropFirst(2) })
    }

    @Test func `a store of a newer format is refused`() throws {
        try scene.fill(1)
        let header = try format().replacing(#""format":1"#, with: #""format":3"#)
        try scene.commit { $0.put(header, for: [UInt8]([0, 0])) }
        let error = #expect(throws: ObjectStoreError.self) { try scene.store() }
        #expect(
            error?.code == .unsupportedVersion && error?.message.contains("has format 3, but this release supports only up to 2") == true
        )
    }

    /// Before there were long lists, all were written as short ones.
    @Test func `a list that was written whole becomes long when its owner is saved`() throws {
        var former = scene
        former.options.longestChunk = .max
        try former.fill(5000)
        #expect(try scene.chunkCount() == 0)
        #expect(try numbers() == Array(0..<5000))
        try scene.store().write { try $0.shelf().title = "renamed" }
        #expect(try scene.chunkCount() == 5)
        #expect(try numbers() == Array(0..<5000))
        try verify()
    }

    @Test func `changes of one place change one chunk`() throws {
        try scene.fill(10_240)
        let before = try scene.entries([4]).map(\.key)
        #expect(before.count == 10)
        try scene.store().write { context in
            let items = try context.shelf().items
            items.insert(LongItem(number: -1), at: 5000)
        }
        let after = try scene.entries([4]).map(\.key)
        // A full chunk becomes two.
        #expect(Set(after).subtracting(before).count == 2 && Set(before).subtracting(after).count == 1)
        var expected = Array(0..<10_240)
        expected.insert(-1, at: 5000)
        #expect(try numbers() == expected)
        try scene.store().write { try $0.shelf().items.move(from: 10_000, to: 3) }
        expected.insert(expected.remove(at: 10_000), at: 3)
        #expect(try numbers() == expected)
        try verify()
    }

    @Test func `duplicates are counted over all chunks`() throws {
        try scene.fill(5000)
        let item = try #require(ObjectID("2/1"))
        try scene.store().write { context in
            let items = try context.shelf().items
            for position in [100, 2000, 4000] { items.insert(items[0], at: position) }
        }
        #expect(try scene.store().inspect { try $0.referrers(to: item).map(\.count) } == [4])
        try scene.store().write { context in
            let shelf = try context.shelf()
            shelf.items.remove(at: 2000)
            #expect(shelf.items.contains { $0.objectID == item })
        }
        #expect(try scene.store().inspect { try $0.referrers(to: item).map(\.count) } == [3])
        try verify()
        try scene.store().write { context in try context.delete(try #require(try context.object(item, as: LongItem.self))) }
        #expect(try numbers() == Array(1..<5000))
        try verify()
    }

    @Test func `sets and dictionaries become long too`() throws {
        try scene.fill(3000)
        try scene.store().write { context in
            let shelf = try context.shelf()
            for item in shelf.items {
                shelf.marks.insert(item)
                shelf.byKey[item.number * 2] = item
            }
        }
        #expect(try scene.chunkCount() == 9)
        try verify()
        try scene.store().write { context in
            let shelf = try context.shelf()
            let item = shelf.items[1500]
            #expect(shelf.marks.contains(item) && shelf.byKey[3000] === item && shelf.byKey[3001] == nil)
            #expect(shelf.marks.remove(item) && !shelf.marks.contains(item) && !shelf.marks.remove(item))
            shelf.byKey[3000] = nil
            shelf.byKey[3001] = item
            shelf.byKey[-1] = item
            #expect(shelf.marks.count == 2999 && shelf.byKey.count == 3001)
        }
        try scene.store().read { context in
            let shelf = try context.shelf()
            let item = shelf.items[1500]
            #expect(!shelf.marks.contains(item) && shelf.byKey[3000] == nil && shelf.byKey[3001] === item && shelf.byKey[-1] === item)
            #expect(shelf.byKey.keys == ([-1] + (0..<3000).filter { $0 != 1500 }.map { $0 * 2 } + [3001]).sorted())
            #expect(Set(shelf.marks.map(\.number)) == Set(0..<3000).subtracting([1500]))
        }
        try verify()
    }

    @Test func `the owner and its items are deleted as from short lists`() throws {
        try scene.fill(3000)
        try scene.store().write { context in
            #expect(try context.allObjects(LongItem.self)[7].shelves.count == 1)
            try context.delete(context.shelf())
            #expect(try context.allObjects(LongItem.self)[7].shelves.isEmpty)
        }
        #expect(try scene.chunkCount() == 0)
        #expect(try scene.entries([5]).isEmpty)
        try verify()
    }

    @Test func `queries look into long lists`() throws {
        try scene.fill(3000)
        try scene.store().read { context in
            let item = try #require(try context.object(ObjectID("2/2999")!, as: LongItem.self))
            #expect(try context.fetch(LongShelf.self, where: .contains(\.items, item)).count == 1)
            let other = try #require(try context.object(ObjectID("2/1")!, as: LongItem.self))
            #expect(try context.fetch(LongShelf.self, where: .contains(\.marks, other)).isEmpty)
        }
    }

    @Test func `a long list is dumped, imported and named like any other`() throws {
        try scene.fill(3000)
        let store = try scene.store()
        let dump = try store.inspect { try $0.object(ObjectID("1/1")!) }
        #expect(dump?["items"] == .many((1...3000).map { ObjectID("2/\($0)")! }))
        let other = ShelfScene(MemoryEngine())
        let importer = try ObjectImporter(other.store())
        for stored in store.catalog.classes { try importer.add(stored) }
        try store.inspect { inspector in
            for stored in store.catalog.classes {
                try inspector.forEach(stored) { object in
                    try importer.add(try object.get())
                    return true
                }
            }
        }
        #expect(try importer.finish().objectCount == 3001)
        #expect(try other.chunkCount() == 3 && other.store().verify().isIntact)
        #expect(try other.store().read { try $0.shelf().items.map(\.number) } == Array(0..<3000))
        try store.write { context in try context.setNamed("all", to: context.allObjects(LongItem.self)) }
        #expect(try store.read { try $0.named("all", as: [LongItem].self)?.map(\.number) } == Array(0..<3000))
    }
}
