import CairnCore
import CairnObjects
import CairnTestSupport
import Testing

/// A step of the list model. Numbers wrap at the length of the list.
indirect enum ListStep: Sendable {
    case append(Int, Int), insert(Int, Int, Int), remove(Int, Int, Int), move(Int, Int, Int), removeItem(Int, Int), removeEach(Int, Int)
    case replace(Int, Int, Int, Int), look(Int, Int, Int), count(Int), contains(Int, Int), all(Int)
    case save, rollback, reopen, undo, redo, refresh
    /// Another context does this and saves.
    case other([ListStep])

    static func random(_ random: inout SeededGenerator) -> ListStep {
        let list = random.int(in: 0..<2)
        let (one, two) = (random.int(in: 0..<400), random.int(in: 0..<400))
        return switch random.int(in: 0..<64) {
        case 0..<10: .append(list, random.int(in: 1..<(random.oneIn(5) ? 60 : 4)))
        case 10..<17: .insert(list, one, random.int(in: 1..<(random.oneIn(6) ? 40 : 3)))
        case 17..<22: .remove(list, one, random.int(in: 1..<(random.oneIn(4) ? 80 : 4)))
        case 22..<27: .move(list, one, two)
        case 27..<29: .removeItem(list, one)
        case 29: .removeEach(list, random.int(in: 2..<5))
        case 30..<33: .replace(list, one, random.int(in: 0..<30), random.int(in: 0..<30))
        case 33..<37: .look(list, one, random.int(in: 1..<20))
        case 37..<39: .count(list)
        case 39..<43: .contains(list, one)
        case 43: .all(list)
        case 44..<51: .save
        case 51: .rollback
        case 52..<54: .reopen
        case 54..<57: .undo
        case 57..<59: .redo
        case 59: .refresh
        default: .other((0..<random.int(in: 1..<4)).map { _ in change(&random) })
        }
    }

    private static func change(_ random: inout SeededGenerator) -> ListStep {
        while true {
            switch ListStep.random(&random) {
            case .save, .rollback, .reopen, .undo, .redo, .refresh, .other: continue
            case let step: return step
            }
        }
    }
}

/// Two lists of a shelf beside arrays.
final class ListRun {
    private let scene: ShelfScene<MemoryEngine>
    private var store: ObjectStore
    private var context: ObjectContext
    private var shelf: LongShelf
    private let items: [ObjectID]
    private var saved: [[Int]] = [[], []]
    private var mine: [[Int]] = [[], []]
    /// What each undo gives, and each redo.
    private var undos: [[[Int]]] = []
    private var redos: [[[Int]]] = []
    private var stepCount = 0
    private static let itemCount = 100

    init(_ longestChunk: Int) throws {
        scene = ShelfScene(MemoryEngine(), longestChunk: longestChunk)
        store = try scene.store()
        items = try store.write { context in
            let items = (0..<Self.itemCount).map { LongItem(number: $0) }
            for item in items { context.insert(item) }
            context.insert(LongShelf(title: ""))
            return items.compactMap(\.objectID)
        }
        context = try store.makeContext()
        shelf = try context.shelf()
        recordUndo()
    }

    private func recordUndo() {
        context.undo.isEnabled = true
        context.undo.limit = 0
        (undos, redos) = ([], [])
    }

    func perform(_ steps: [ListStep]) throws {
        for (number, step) in steps.enumerated() {
            do { try perform(step) } catch { throw Mismatch("step \(number), .\(step): \(error)") }
        }
        try perform(.save)
        try perform(.reopen)
        for list in 0..<2 { try perform(.all(list)) }
    }

    private func perform(_ step: ListStep) throws {
        switch step {
        case .save:
            try context.save()
            saved = mine
            let problems = try store.verify().problems
            try match(problems.map(\.reason), [], "what verification finds")
        case .rollback:
            context.rollback()
            mine = saved
            (undos, redos) = ([], [])
        case .reopen:
            context.close()
            store = try scene.store()
            context = try store.makeContext()
            shelf = try context.shelf()
            mine = saved
            recordUndo()
        case .undo:
            guard let former = undos.popLast() else { return try match(context.undo.canUndo, false, "whether there is something to undo") }
            try context.undo.undo()
            redos.append(mine)
            mine = former
        case .redo:
            guard let next = redos.popLast() else { return }
            try context.undo.redo()
            undos.append(mine)
            mine = next
        case .refresh: context.refresh()
        case .other(let steps): try other(steps)
        default:
            let before = mine
            stepCount += 1
            try context.undo.group("\(stepCount)") { try Self.perform(step, context, shelf, items, &mine) }
            // Whether something was changed.
            guard context.undo.undoName == "\(stepCount)" else { break }
            undos.append(before)
            redos = []
        }
        try match(context.faultErrors.map(\.message), [], "what could not be read")
    }

    /// Another context changes the lists, and this one has the choice to save its own or take those.
    private func other(_ steps: [ListStep]) throws {
        try perform(.save)
        // The undo history does not know of what another context does.
        context.undo.removeAll()
        (undos, redos) = ([], [])
        // A list that was begun stays as it was.
        let (begun, former) = (shelf.items.isEmpty ? nil : shelf.items[0].number, mine)
        try store.write { other in
            let shelf = try other.shelf()
            for step in steps { try Self.perform(step, other, shelf, items, &saved) }
        }
        if begun != nil { try match(shelf.items.map(\.number), former[0], "a list that was begun") }
        context.refresh()
        mine = saved
    }

    private static func perform(
        _ step: ListStep,
        _ context: ObjectContext,
        _ shelf: LongShelf,
        _ items: [ObjectID],
        _ lists: inout [[Int]]
    ) throws {
        func list(_ number: Int) -> ObjectList<LongItem> { number == 0 ? shelf.items : shelf.others }
        func item(_ number: Int) throws -> LongItem {
            guard let item = try context.object(items[number % items.count], as: LongItem.self) else { throw Mismatch("no item \(number)") }
            return item
        }
        func new(_ start: Int, _ count: Int) throws -> [LongItem] { try (0..<count).map { try item(start + $0 * 7) } }
        switch step {
        case .append(let number, let count):
            let new = try new(count, count)
            if count == 1 { list(number).append(new[0]) } else { list(number).append(contentsOf: new) }
            lists[number] += new.map(\.number)
        case .insert(let number, let place, let count):
            let place = place % (lists[number].count + 1)
            let new = try new(place, count)
            list(number).insert(contentsOf: new, at: place)
            lists[number].insert(contentsOf: new.map(\.number), at: place)
        case .remove(let number, let place, let count): try replace(number, place, count, with: [])
        case .replace(let number, let place, let count, let newCount): try replace(number, place, count, with: try new(place, newCount))
        case .move(let number, let start, let end):
            let count = lists[number].count
            guard count > 0 else { return }
            list(number).move(from: start % count, to: end % count)
            lists[number].insert(lists[number].remove(at: start % count), at: end % count)
        case .removeItem(let number, let which):
            let which = which % items.count
            list(number).removeAll { $0.objectID == items[which] }
            lists[number].removeAll { $0 == which }
        case .removeEach(let number, let divisor):
            list(number).removeAll { $0.number % divisor == 0 }
            lists[number].removeAll { $0 % divisor == 0 }
        case .look(let number, let place, let count):
            let all = lists[number].count
            let range = min(place, all)..<min(place + count, all)
            try match(list(number)[range].map(\.number), Array(lists[number][range]), "a slice")
        case .count(let number): try match(list(number).count, lists[number].count, "the length")
        case .contains(let number, let which):
            let item = try item(which)
            try match(item.shelves.contains(shelf), lists[0].contains(which % items.count), "whether the item is on the shelf")
            try match(list(number).contains { $0 === item }, lists[number].contains(which % items.count), "whether the list has the item")
        case .all(let number):
            try match(list(number).map(\.number), lists[number], "the list")
            try match(try list(number).load().map(\.number), lists[number], "the list, loaded")
        default: break
        }

        func replace(_ number: Int, _ place: Int, _ count: Int, with new: [LongItem]) throws {
            let all = lists[number].count
            let range = min(place % (all + 1), all)..<min(place % (all + 1) + count, all)
            list(number).replaceSubrange(range, with: new)
            lists[number].replaceSubrange(range, with: new.map(\.number))
        }
    }
}

@Suite struct ListModelTests {
    @Test(arguments: [4, 16, 64])
    func `long lists are what arrays are`(_ longestChunk: Int) async throws {
        try await checkOperations(
            "lists in chunks of \(longestChunk)",
            seeds: Thorough.count(2, of: 12),
            count: 150,
            generate: { .random(&$0) }
        ) { steps in
            try ListRun(longestChunk).perform(steps)
        }
    }
}
