import CairnCore
import CairnObjects
import CairnTestSupport
import Testing

/// Chunks that are cut, missing, or in the place of others: an error names owner and property, `verify` finds them, and all else can be used.
@Suite struct LongListDamageTests {
    enum Damage: CaseIterable, Sendable { case cut, missing, changed, swapped, format }

    private let scene = ShelfScene(MemoryEngine())

    init() throws { try scene.fill(3072) }

    /// Damages the second chunk.
    private func damage(_ damage: Damage) throws {
        let chunks = try scene.entries([4])
        try scene.commit { commit in
            let (key, value) = chunks[1]
            switch damage {
            case .cut: commit.put(value.dropLast(3), for: key)
            case .missing: commit.delete(key)
            case .changed: commit.put(value.dropLast() + [value[value.count - 1] ^ 1], for: key)
            case .swapped:
                commit.put(chunks[2].value, for: key)
                commit.put(value, for: chunks[2].key)
            case .format: commit.put([9] + value.dropFirst(), for: key)
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func `what is damaged is an error that names it, and the rest is read`(_ kind: Damage) throws {
        try damage(kind)
        try scene.store().read { context in
            let shelf = try context.shelf()
            #expect(shelf.items.count == 3072 && shelf.title == "shelf")
            #expect(shelf.items[0].number == 0 && shelf.items[1023].number == 1023)
            #expect(context.faultErrors.isEmpty)
            #expect(shelf.items[1024].number == 0 && shelf.items[2047].isFault == false)
            let error = try #require(context.faultErrors.first)
            #expect(context.faultErrors.count == 1 && error.code == .corruption && error.object == ObjectID("1/1"))
            #expect(error.message.hasPrefix("LongShelf 1, property items of the store cannot be read: chunk 1.1 of its 1024 objects"))
            if kind != .swapped { #expect(shelf.items[2048].number == 2048) }
        }
    }

    @Test(arguments: Damage.allCases)
    func `verification names it, and repairs nothing of it`(_ kind: Damage) throws {
        try damage(kind)
        for _ in 0..<2 {
            let report = try scene.store().verify()
            let found = report.problems.map { problem in
                "\(problem.kind) \(problem.className ?? "-") \(problem.object?.row ?? 0) \(problem.property ?? "-")"
            }
            #expect(found == ["damagedList LongShelf 1 items"])
            #expect(report.problems[0].reason.contains("chunk 1.1 of its 1024 objects") == true)
            #expect(report.classes[0].damagedCount == 1 && report.classes[0].objectCount == 0)
            try scene.store().repair()
        }
    }

    @Test func `a list with a damaged part is not saved without it`() throws {
        try damage(.cut)
        let context = try scene.store().makeContext()
        let shelf = try context.shelf()
        shelf.items.append(shelf.items[0])
        shelf.title = "renamed"
        // Other chunks can be changed.
        try context.save()
        shelf.items.remove(at: 1500)
        #expect(code { try context.save() } == .corruption)
        context.rollback()
        #expect(shelf.items.count == 3073 && shelf.title == "renamed")
        // What is on it cannot be deleted, since it might be there.
        let item = try #require(try context.object(ObjectID("2/1")!, as: LongItem.self))
        #expect(code { try context.delete(item) } == .corruption)
        #expect(!item.isDeleted)
    }

    @Test func `an owner with a damaged list can be deleted`() throws {
        try damage(.missing)
        try scene.store().write { try $0.delete($0.shelf()) }
        #expect(try scene.chunkCount() == 0)
        let report = try scene.store().verify()
        #expect(report.isIntact, "\(report.problems)")
    }

    @Test func `a chunk that no record names is found and removed`() throws {
        let (key, value) = try scene.entries([4])[0]
        try scene.commit { commit in
            commit.put(value, for: key.dropLast() + [77])
            commit.put(value, for: key + [0])
            commit.put(value, for: [4, 0, 9] + key.dropFirst(3))
        }
        let report = try scene.store().verify()
        #expect(report.problemCounts == [.looseChunk: 1, .unknownKey: 2])
        try scene.store().repair()
        #expect(try scene.store().verify().problemCounts == [.unknownKey: 2])
        #expect(try scene.store().read { try $0.shelf().items.map(\.number) } == Array(0..<3072))
    }

    @Test func `a directory that is damaged is a damaged record`() throws {
        let (key, value) = try scene.entries([1, 0, 1])[0]
        // The number of objects, after the mark of a long list.
        let place = try #require(value.firstRange(of: [0x80, 0x80, 0x04, 0x80, 0x30]))
        var damaged = value
        damaged[place.lowerBound + 3] = 0x82
        try scene.commit { $0.put(damaged, for: key) }
        let found = try scene.store().verify().problems.map { "\($0.kind) \($0.property ?? "-")" }
        #expect(found.contains("damagedRecord items") && !found.contains { $0.hasPrefix("looseChunk") }, "\(found)")
        let error = #expect(throws: ObjectStoreError.self) { try scene.store().read { try $0.shelf() } }
        #expect(error?.code == .corruption && error?.message.contains("LongShelf 1, property items") == true)
    }
}
