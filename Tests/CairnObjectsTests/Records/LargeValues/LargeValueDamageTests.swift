import CairnCore
import CairnObjects
import CairnTestSupport
import Testing

/// Parts of large values that are cut, missing, or in the place of others: an error names object and property, and all else can be used.
@Suite struct LargeValueDamageTests {
    enum Damage: CaseIterable, Sendable { case cut, missing, changed, swapped, format, otherSize }

    private let scene = PaperScene(MemoryEngine())

    init() throws {
        let paper = Paper("p")
        paper.data = (0..<200).map { UInt8($0) }
        paper.picture = .init(repeating: 7, count: 200)
        try scene.add(paper)
    }

    /// Damages the second part of the data.
    private func damage(_ damage: Damage) throws {
        let parts = try scene.parts()
        #expect(parts.count == 8 && parts[1].key[10] == 4)
        try scene.commit { commit in
            let (key, value) = parts[1]
            switch damage {
            case .cut: commit.put(value.dropLast(3), for: key)
            case .missing: commit.delete(key)
            case .changed: commit.put(value.dropLast() + [value[value.count - 1] ^ 1], for: key)
            case .swapped:
                commit.put(parts[2].value, for: key)
                commit.put(value, for: parts[2].key)
            case .format: commit.put([9] + value.dropFirst(), for: key)
            case .otherSize: commit.put(value + [1], for: key)
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func `what is damaged is an error that names it, and is never saved`(_ kind: Damage) throws {
        try damage(kind)
        let store = try scene.store()
        let context = try store.makeContext()
        let paper = try context.paper("p")
        #expect(paper.picture?.count == 200 && context.faultErrors.isEmpty)
        #expect(paper.data == [] && paper.data == [])
        let error = try #require(context.faultErrors.first)
        #expect(context.faultErrors.count == 1 && error.code == .corruption && error.object == ObjectID("1/1"))
        #expect(error.message.hasPrefix("Paper 1, property data of the store cannot be read: part 1.1 of its large value, with 64 bytes,"))
        #expect(code { try context.loadLargeValues(of: paper) } == .corruption)
        // Other properties can be saved; the damaged one stays.
        let parts = try scene.parts().map(\.key)
        paper.title = "renamed"
        paper.picture = nil
        try context.save()
        #expect(try scene.parts().map(\.key) == parts.dropLast(4))
        paper.data.append(1)
        #expect(code { try context.save() } == .corruption)
        context.rollback()
        #expect(paper.title == "renamed" && !context.hasChanges)
        try context.delete(paper)
        try context.save()
        #expect(try scene.parts().isEmpty && store.verify().isIntact)
    }

    @Test(arguments: Damage.allCases)
    func `verification names it`(_ kind: Damage) throws {
        try damage(kind)
        for _ in 0..<2 {
            let report = try scene.store().verify()
            let found = report.problems.map { problem in
                "\(problem.kind) \(problem.className ?? "-") \(problem.object?.row ?? 0) \(problem.property ?? "-")"
            }
            #expect(found == ["damagedValue Paper 1 data"])
            #expect(report.problems[0].reason.contains("part 1.1 of its large value") == true)
            #expect(report.classes[0].damagedCount == 1 && report.classes[0].objectCount == 0)
            try scene.store().repair()
        }
    }

    @Test(arguments: Damage.allCases)
    func `undo does not lose what cannot be read`(_ kind: Damage) throws {
        try damage(kind)
        let store = try scene.store()
        let context = try store.makeContext()
        context.undo.isEnabled = true
        let paper = try context.paper("p")
        context.undo.group { paper.title = "renamed" }
        try context.save()
        try context.undo.undo()
        try context.save()
        #expect(paper.title == "p" && paper.picture?.count == 200)
        #expect(try scene.parts().count == (kind == .missing ? 7 : 8))
    }

    @Test func `a part that no record names is found and removed`() throws {
        let parts = try scene.parts()
        try scene.commit { commit in commit.put(parts[0].value, for: parts[0].key.dropLast() + [77]) }
        let report = try scene.store().verify()
        #expect(report.problemCounts == [.looseChunk: 1])
        #expect(report.problems[0].reason.contains("a part of Paper 1, data, exists, but its record does not refer to it"))
        try scene.store().repair()
        #expect(try scene.store().verify().isIntact && scene.parts().count == 8)
    }

    @Test func `an index is not built of a value that cannot be read`() throws {
        let scene = PaperScene(MemoryEngine())
        let paper = Paper("p")
        paper.sign = String(repeating: "s", count: 200)
        try scene.add(paper, Paper("q"))
        let part = try scene.parts()[0].key
        try scene.commit { $0.delete(part) }
        let store = try scene.store()
        #expect(code { try store.rebuildIndexes() } == .corruption)
        let report = try store.verify()
        #expect(report.problems.contains { $0.kind == .damagedValue && $0.property == "sign" })
    }

    /// Random directories in place of the real one.
    @Test func `damaged directories are errors`() throws {
        var random = SeededGenerator(seed: .random(in: 0...UInt64.max))
        let entries = try scene.engine.makeView().entries(KeyRange(prefix: []))
        let page = try #require(entries.first { $0.key.first == 1 })
        var readable = 0
        for _ in 0..<Thorough.count(150, of: 2000) {
            var value = page.value
            for _ in 0..<random.int(in: 1..<4) {
                value[random.int(in: 8..<value.count)] = UInt8.random(in: 0...255, using: &random)
            }
            let other = PaperScene(MemoryEngine())
            try other.commit { commit in
                for entry in entries { commit.put(entry.value, for: entry.key) }
                commit.put(value, for: page.key)
            }
            let store = try other.store()
            _ = try store.verify()
            do {
                try store.read { (context) throws in
                    guard let paper = try context.allObjects(Paper.self).first else { return }
                    _ = (paper.data, paper.picture, paper.text, paper.details)
                    readable += 1
                }
            } catch let error as ObjectStoreError {
                #expect([.corruption, .unsupportedVersion, .schemaMismatch].contains(error.code), "\(error) \(random.seed)")
            }
        }
        #expect(readable > 0, "\(random.seed)")
    }
}
