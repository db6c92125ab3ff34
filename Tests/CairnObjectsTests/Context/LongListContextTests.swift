import CairnCore
import CairnObjects
import CairnTestSupport
import Testing

/// Long lists in several contexts: each reads the list of its owner's state, whatever others save meanwhile.
@Suite struct LongListContextTests {
    private let scene = ShelfScene(MemoryEngine())
    private let store: ObjectStore

    init() throws {
        try scene.fill(5000)
        store = try scene.store()
    }

    private func context(_ policy: ConflictPolicy = .fail) throws -> ObjectContext {
        var options = ObjectContextOptions()
        options.conflictPolicy = policy
        return try store.makeContext(options)
    }

    /// Replaces every chunk.
    private func reverse() throws {
        try store.write { context in
            let items = try context.shelf().items
            items.replaceSubrange(0..<items.count, with: Array(items.reversed()))
        }
    }

    private func numbers() throws -> [Int] { try store.read { try $0.shelf().items.map(\.number) } }

    private func verify() throws {
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
    }

    @Test func `a list that was begun is read to its end, although another context has written it since`() throws {
        let context = try context()
        let shelf = try context.shelf()
        #expect(shelf.items[0].number == 0)
        try reverse()
        #expect(shelf.items[4999].number == 4999 && shelf.items[2500].number == 2500)
        #expect(shelf.items.map(\.number) == Array(0..<5000) && context.faultErrors.isEmpty)
        context.refresh()
        #expect(shelf.items.first?.number == 4999 && shelf.items.last?.number == 0)
    }

    @Test func `a list that was not begun is the latest`() throws {
        let context = try context()
        let shelf = try context.shelf()
        try reverse()
        #expect(shelf.items.map(\.number) == Array((0..<5000).reversed()) && context.faultErrors.isEmpty)
        // The rest of the shelf was read before.
        shelf.title = "renamed"
        #expect(code { try context.save() } == .conflict)
    }

    @Test func `a change of any chunk is a change of the owner`() throws {
        let context = try context()
        let items = try context.shelf().items
        items.append(items[0])
        try store.write { (other) throws in try other.shelf().items.move(from: 10, to: 20) }
        #expect(code { try context.save() } == .conflict)
    }

    @Test(arguments: [ConflictPolicy.keepMine, .merge])
    func `who keeps a list keeps the chunks that another context has replaced`(_ policy: ConflictPolicy) throws {
        try store.write { context in
            let shelf = try context.shelf()
            shelf.others.append(contentsOf: shelf.items)
        }
        let context = try context(policy)
        let shelf = try context.shelf()
        shelf.others.append(shelf.others[0])
        try store.write { other in
            let others = try other.shelf().others
            others.replaceSubrange(0..<others.count, with: Array(others.reversed()))
        }
        try context.save()
        #expect(try store.read { try $0.shelf().others.map(\.number) } == Array(0..<5000) + [0])
        #expect(shelf.others.map(\.number) == Array(0..<5000) + [0])
        try verify()
    }

    @Test(arguments: [ConflictPolicy.keepMine, .keepTheirs, .merge])
    func `a list that nobody looked at stays another context's`(_ policy: ConflictPolicy) throws {
        let context = try context(policy)
        let shelf = try context.shelf()
        shelf.title = "mine"
        try reverse()
        try context.save()
        #expect(try numbers() == Array((0..<5000).reversed()))
        #expect(try store.read { try $0.shelf().title } == (policy == .keepTheirs ? "shelf" : "mine"))
        try verify()
    }

    @Test func `a list can be changed after each save`() throws {
        let context = try context()
        let shelf = try context.shelf()
        var expected = Array(0..<5000)
        for round in 0..<40 {
            let (start, end) = (round * 97 % expected.count, round * 1031 % expected.count)
            shelf.items.move(from: start, to: end)
            expected.insert(expected.remove(at: start), at: end)
            try context.save()
        }
        #expect(shelf.items.map(\.number) == expected)
        #expect(try numbers() == expected)
        try verify()
    }

    @Test func `rolling back gives the saved list`() throws {
        let context = try context()
        let shelf = try context.shelf()
        shelf.items.removeSubrange(100..<4000)
        #expect(shelf.items.count == 1100)
        context.rollback()
        #expect(shelf.items.map(\.number) == Array(0..<5000))
        #expect(!context.hasChanges)
    }

    @Test func `what was saved is undone and redone`() throws {
        let context = try context()
        context.undo.isEnabled = true
        let shelf = try context.shelf()
        shelf.items.removeSubrange(1000..<3000)
        try context.save()
        shelf.items.append(shelf.items[0])
        try context.save()
        let after = Array(0..<1000) + Array(3000..<5000) + [0]
        #expect(try numbers() == after)
        try context.undo.undo()
        try context.undo.undo()
        #expect(shelf.items.map(\.number) == Array(0..<5000))
        try context.save()
        #expect(try numbers() == Array(0..<5000))
        try verify()
        try context.undo.redo()
        try context.undo.redo()
        try context.save()
        #expect(try numbers() == after)
        try verify()
    }

    @Test func `the deletion of the owner is undone`() throws {
        let context = try context()
        context.undo.isEnabled = true
        try context.delete(context.shelf())
        try context.save()
        #expect(try scene.chunkCount() == 0)
        try context.undo.undo()
        try context.save()
        #expect(try numbers() == Array(0..<5000))
        try verify()
    }

    @Test func `without its context, a list has what was read`() throws {
        let context = try context()
        let shelf = try context.shelf()
        #expect(shelf.items[4999].number == 4999)
        context.close()
        #expect(shelf.items.count == 5000)
        #expect(shelf.items.objectIDs == (4097...5000).map { ObjectID("2/\($0)")! })
        #expect(shelf.items[0].number == 0 && shelf.items[0].objectID == nil)
        try store.close()
    }

    @Test func `contexts see what others have done to the other side`() throws {
        let context = try context()
        let item = try #require(try context.object(ObjectID("2/2500")!, as: LongItem.self))
        let shelf = try context.shelf()
        #expect(item.shelves.contains(shelf))
        shelf.items.remove(at: 2499)
        #expect(item.shelves.isEmpty)
        shelf.items.append(item)
        #expect(item.shelves.contains(shelf))
        item.shelves.remove(shelf)
        #expect(shelf.items.count == 4999 && !shelf.items.contains { $0 === item })
        try context.save()
        try verify()
    }
}
