import CairnCore
import CairnObjects
import CairnTestSupport
import Testing

@testable import CairnGraph
@testable import CairnText

@Stored final class Line {
    @Searchable var text: String
}

/// Texts that are saved a few at a time, changed and deleted, beside a dictionary of them.
struct RecentTextTests {
    private static let parts = ["ab", "ba", "aab", "abc", " ", " ", "é", "東京", "walk", "walking", "the ", "sun"]

    private static func text(_ random: inout SeededGenerator) -> String {
        let count = random.oneIn(30) ? random.int(in: 100..<900) : random.int(in: 0..<9)
        return (0..<count).map { _ in random.pick(parts) }.joined()
    }

    /// As the store normalizes these texts.
    private static func plain(_ text: String) -> String {
        text.replacing("é", with: "e").split(separator: " ").joined(separator: " ")
    }

    private static func query(_ random: inout SeededGenerator) -> (text: String, holds: (String) -> Bool)? {
        let part = plain((0..<random.int(in: 1..<4)).map { _ in random.pick(parts) }.joined())
        guard !part.isEmpty else { return nil }
        switch random.int(in: 0..<6) {
        case 0: return ("[[\(part)]]", { " \($0) ".contains(" \(part) ") })
        case 1: return ("[[\(part)*]]", { " \($0)".contains(" \(part)") })
        case 2 where !part.contains(" "): return ("\(part)]]]]", { $0.hasSuffix(part) })
        case 3 where !part.contains(" "): return ("[[[[\(part)", { $0.hasPrefix(part) })
        case 4: return ("\"\(part)\" !! sun", { $0.contains(part) && !$0.contains("sun") })
        default: return ("\"\(part)\"", { $0.contains(part) })
        }
    }

    private static func check(_ store: ObjectStore, _ model: [UInt64: String], _ random: inout SeededGenerator) throws {
        let rows = model.keys.sorted()
        let forms = model.mapValues(plain)
        try store.read { context in
            for _ in 0..<12 {
                guard let (text, holds) = query(&random) else { continue }
                let wanted = rows.filter { holds(forms[$0] ?? "") }
                let found = try context.searchIDs(Line.self, \.text, text).map(\.row)
                #expect(found == wanted, "\(text)")
                let limit = random.int(in: 1..<30)
                let offset = random.int(in: 0..<5)
                let some = try context.search(Line.self, \.text, text, limit: limit, offset: offset).map(\.text)
                #expect(some == wanted.dropFirst(offset).prefix(limit).compactMap { model[$0] }, "\(text), \(limit) from \(offset)")
                #expect(try context.count(where: .matches(\Line.text, TextQuery(text))) == wanted.count)
            }
        }
    }

    private static func change(_ context: ObjectContext, _ model: inout [UInt64: String], _ random: inout SeededGenerator) throws {
        var inserted: [Line] = []
        for _ in 0..<random.pick([0, 1, 1, 3, 40, random.oneIn(3) ? 400 : 1]) { inserted.append(Line(text: text(&random))) }
        for line in inserted { context.insert(line) }
        let rows = model.keys.sorted()
        for _ in 0..<random.pick([0, 0, 1, 1, 5, 60]) where !rows.isEmpty {
            let row = random.pick(rows)
            guard model[row] != nil, let line = try context.object(ObjectID(class: 1, row: row), as: Line.self) else { continue }
            switch random.int(in: 0..<4) {
            case 0:
                try context.delete(line)
                model[row] = nil
            case 1: line.text += random.pick(parts)
            default: line.text = text(&random)
            }
            if model[row] != nil { model[row] = line.text }
        }
        try context.save()
        for line in inserted { model[try #require(line.objectID).row] = line.text }
    }

    @Test func theyAreFoundAsIfAllWereInBlocks() async throws {
        try await withSeeds("recent texts", count: Thorough.count(1, of: 4)) { random in
            let engine = MemoryEngine()
            var store = try ObjectStore(engine: engine, classes: [Line.self])
            var model: [UInt64: String] = [:]
            for round in 0..<(Thorough.isChecking ? 30 : 10) {
                let context = try store.makeContext()
                try Self.change(context, &model, &random)
                context.close()
                try Self.check(store, model, &random)
                switch random.int(in: 0..<12) {
                case 0:
                    // Rows of another block, or another shard.
                    try skipRows(of: engine, to: try Self.lastRow(of: engine) + random.pick([8_000, 140_000]))
                    fallthrough
                case 1: store = try ObjectStore(engine: engine, classes: [Line.self])
                case 2: try store.rebuildIndexes()
                default: break
                }
                guard round % 5 == 4 else { continue }
                let report = try store.verify()
                #expect(report.isIntact, "\(report.problems.prefix(3))")
            }
        }
    }

    private static func lastRow(of engine: MemoryEngine) throws -> UInt64 {
        try engine.makeView().get([0, 2, 0, 1])?.reduce(0) { $0 << 8 | UInt64($1) } ?? 0
    }

    /// Of rows in many blocks, each move takes those of a few blocks.
    @Test func manySmallChangesOfManyBlocksAreFollowed() async throws {
        try await withSeeds("changes of many blocks", count: 1) { random in
            let engine = MemoryEngine()
            var model: [UInt64: String] = [:]
            for block in 0..<20 {
                if block > 0 { try skipRows(of: engine, to: UInt64(block) * 8_192) }
                let store = try ObjectStore(engine: engine, classes: [Line.self])
                let lines = (0..<30).map { _ in Line(text: Self.text(&random)) }
                try store.write { context in for line in lines { context.insert(line) } }
                for (place, line) in lines.enumerated() { model[UInt64(block) * 8_192 + UInt64(place) + 1] = line.text }
            }
            let store = try ObjectStore(engine: engine, classes: [Line.self])
            let context = try store.makeContext()
            let rows = model.keys.sorted()
            for number in 0..<Thorough.count(300, of: 900) {
                let row = random.pick(rows)
                let line = try #require(try context.object(ObjectID(class: 1, row: row), as: Line.self))
                line.text = Self.text(&random)
                model[row] = line.text
                try context.save()
                if number % 100 == 0 { try Self.check(store, model, &random) }
            }
            context.close()
            #expect(try store.verify().isIntact)
        }
    }

    // MARK: Damage

    @Test func damageIsFoundAndRepaired() throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: [Line.self])
        for number in 0..<20 { try store.write { $0.insert(Line(text: "line \(number)")) } }
        try store.write { try $0.fetch(Line.self)[3].text = "changed" }
        let header = Keyspace.recentTexts(0x1_0001), portion = Keyspace.recentTexts(0x1_0001, portion: 0)
        let value = try #require(try engine.makeView().get(portion))
        let place = try #require(value.firstRange(of: Array("line 7".utf8))).lowerBound
        var other = value
        other[place] = UInt8(ascii: "f")
        let damages: [(key: [UInt8], value: [UInt8]?)] = [
            (header, [1]), (header, [1, 200, 1, 1, 1]), (header, [0xFF, 0xFF, 1, 1, 1]),
            (portion, nil), (portion, [0xFF]), (portion, other), (portion, Array(value.dropLast())), (portion, value + [1, 0]),
            (Keyspace.recentTexts(0x1_0001, portion: 7), value),
        ]
        for (number, damage) in damages.enumerated() {
            let before = try engine.makeView().entries()
            var commit = EngineCommit()
            if let value = damage.value { commit.put(value, for: damage.key) } else { commit.delete(damage.key) }
            try engine.commit(commit)
            // As a program that opens the store.
            let damaged = try ObjectStore(engine: engine, classes: [Line.self])
            let report = try damaged.verify()
            #expect((report.problemCounts[.textOutOfStep] ?? 0) > 0, "\(number): \(report.problemCounts)")
            try damaged.repair()
            #expect(try damaged.verify().isIntact, "\(number)")
            #expect(try damaged.read { try $0.searchIDs(Line.self, \.text, "line").count } == 19)
            #expect(try damaged.read { try $0.searchIDs(Line.self, \.text, "\"line 7\" || changed").map(\.row) } == [4, 8])
            commit = EngineCommit()
            commit.deleteRange(.all)
            for entry in before { commit.put(entry.value, for: entry.key) }
            try engine.commit(commit)
        }
        #expect(try ObjectStore(engine: engine, classes: [Line.self]).verify().isIntact)
    }

    /// A text whose record cannot be read goes with the object.
    @Test func whatCannotBeReadGoesWithItsObject() throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: [Line.self])
        try store.write { context in for number in 0..<5 { context.insert(Line(text: "line \(number)")) } }
        try store.rebuildIndexes()
        try store.write { try $0.fetch(Line.self)[2].text = "another" }
        let context = try store.makeContext()
        let line = try #require(try context.object(ObjectID("1/3")!, as: Line.self))
        var page = try #require(try engine.makeView().get(Keyspace.page(1, 0)))
        page[try #require(page.firstRange(of: Array("another".utf8))).lowerBound] = 0xFF
        var commit = EngineCommit()
        commit.put(page, for: Keyspace.page(1, 0))
        try engine.commit(commit)
        try store.write { try $0.setNamed("newer", to: 1) }
        context.refresh()
        #expect(line.text.isEmpty)
        try context.delete(line)
        try context.save()
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
        #expect(try store.read { try $0.searchIDs(Line.self, \.text, "line || another").map(\.row) } == [1, 2, 4, 5])
    }

    // MARK: Bytes

    /// The bytes of `docs/formats/object-text.md`.
    @Test func recentTextsHaveTheseBytes() throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: [Line.self])
        try store.write { $0.insert(Line(text: "Ab")) }
        try store.write { try $0.fetch(Line.self)[0].text = "É" }
        let version = try #require(try engine.makeView().get(Keyspace.recentTexts(0x1_0001))?.first)
        let found = try engine.makeView().entries(KeyRange(prefix: [7]))
        let prefix: [UInt8] = [7, 0, 1, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(found.map(\.key) == [prefix, prefix + [0, 0]])
        #expect(found.map(\.value) == [[version, 1, 9, 2], [1, 0, 3, 0x61, 0x62, 1, 0, 2, 0x65]])
        try store.rebuildIndexes()
        let blocks = try engine.makeView().entries(KeyRange(prefix: [7]))
        #expect(blocks.map(\.key) == [[7, 0, 1, 0, 1, 0, 0, 0, 0, 0x65, 0, 0, 0]] && blocks.map(\.value) == [[1, 0]])
    }
}
