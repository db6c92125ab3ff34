import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// The same class before and after its text was searched.
enum Unsearched {
    @Stored(name: "Page") final class Page {
        var title: String
        var body: String
    }
}

enum Searched {
    @Stored(name: "Page") final class Page {
        @Searchable var title: String
        @Searchable var body: String
    }
}

/// Another version, whose title is made of another.
enum Migrated {
    @Stored(name: "Page", version: 2) final class Page {
        @Searchable var title: String
        var body: String

        func migrate(from version: UInt8) { title = "new \(title)" }
    }
}

enum Misplaced {
    @Stored(name: "Page") final class Page {
        @Searchable var number: Int
    }
}

struct TextIndexTests {
    /// In whichever part of the index they are, though the number of the last row is damaged.
    @Test func textsBehindTheLastRowAreFound() throws {
        let engine = MemoryEngine()
        func titles() throws -> [String] {
            let store = try ObjectStore(engine: engine, classes: [Searched.Page.self])
            return try store.read { try $0.search(Searched.Page.self, \.title, "far").map(\.title) }
        }
        for (row, title) in [(0, "not far"), (300_000, "far behind"), (600_000, "as far as that")] {
            if row > 0 { try skipRows(of: engine, to: UInt64(row)) }
            try ObjectStore(engine: engine, classes: [Searched.Page.self]).write { $0.insert(Searched.Page(title: title, body: "")) }
        }
        #expect(try titles() == ["not far", "far behind", "as far as that"])
        try skipRows(of: engine, to: 1)
        #expect(try titles() == ["not far", "far behind", "as far as that"])
    }

    /// Pages in blocks of their own, so many in each.
    private static func fill(_ engine: any StorageEngine, _ count: Int, blocks: Int = 1) throws {
        for block in 0..<blocks {
            if block > 0 { try skipRows(of: engine, to: UInt64(block) * 8192 - 1) }
            let store = try ObjectStore(engine: engine, classes: [Unsearched.Page.self])
            try store.write { context in
                for number in 0..<count {
                    let body = number % 100 == 0 ? String(repeating: "large \(number) ", count: 200) : "small \(number % 7)"
                    context.insert(Unsearched.Page(title: "page \(number)", body: body))
                }
            }
        }
    }

    private static func check(_ store: ObjectStore, _ comment: Comment? = nil) throws {
        try store.read { context in
            let pages = try context.allObjects(Searched.Page.self)
            for text in ["page 1", "[[page 77]]", "9", "large", "[[small 3]]", "changed"] {
                let query = try TextQuery(text)
                let titled = try context.searchIDs(Searched.Page.self, \.title, text)
                #expect(titled == pages.filter { query.matches($0.title) }.map { $0.objectID! }, comment)
                let bodied = try context.searchIDs(Searched.Page.self, \.body, text)
                #expect(bodied == pages.filter { query.matches($0.body) }.map { $0.objectID! }, comment)
            }
        }
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems.prefix(3))")
    }

    private static func access(_ store: ObjectStore) throws -> String {
        try store.read { try $0.explain(where: .matches(\Searched.Page.title, TextQuery("page"))).access }
    }

    /// The work is that of the objects which are there, not that of the rows between them.
    @Test func rowsMayBeFarApart() throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 120)
        try skipRows(of: engine, to: 1 << 46)
        try ObjectStore(engine: engine, classes: [Unsearched.Page.self]).write {
            $0.insert(Unsearched.Page(title: "page 1 far away", body: "small 3"))
        }
        let searched = try ObjectStore(engine: engine, classes: [Searched.Page.self])
        try searched.buildIndexes()
        #expect(searched.incompleteIndexes.isEmpty)
        try Self.check(searched)
        let rows = try searched.read { try $0.searchIDs(Searched.Page.self, \.title, "far").map(\.row) }
        #expect(rows == [1 << 46 + 1])
    }

    /// Blocks that are not in their order: those of a key that is longer than keys are.
    @Test(arguments: [0, 1]) func aBlockThatIsThereTwiceIsDamage(end: UInt8) throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: [Searched.Page.self])
        try store.write { $0.insert(Searched.Page(title: "abcdefghi", body: "")) }
        try store.rebuildIndexes()
        let blocks = try engine.makeView().entries(KeyRange(prefix: [7]))
        var commit = EngineCommit()
        for block in blocks { commit.put(block.value, for: block.key.dropLast() + [end, 0]) }
        try engine.commit(commit)
        #expect(code { try store.read { try $0.search(Searched.Page.self, \.title, "abcdefghi").count } } == .corruption)
        #expect(try store.verify().problemCounts[.textOutOfStep] == blocks.count)
        #expect(try store.repair().isIntact == false)
        #expect(try store.verify().isIntact)
        #expect(try store.read { try $0.search(Searched.Page.self, \.title, "abcdefghi").count } == 1)
    }

    @Test func textDeclaredLaterIsIndexedOnceItIsBuilt() throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 150, blocks: 3)
        let store = try ObjectStore(engine: engine, classes: [Searched.Page.self])
        #expect(store.incompleteIndexes == ["Page (text of title)", "Page (text of body)"])
        #expect(try Self.access(store) == "all Page")
        try Self.check(store, "before")
        var parts: [Double] = []
        try store.buildIndexes { part in
            parts.append(part)
            // Somebody saves between any two steps.
            try? store.write { context in
                let row = [16_400, 8_200, 1][min(parts.count - 1, 2)]
                try #require(try context.object(ObjectID("1/\(row)")!, as: Searched.Page.self)).title = "changed \(row)"
                context.insert(Searched.Page(title: "changed", body: "large"))
            }
        }
        #expect(parts.count >= 3 && parts == parts.sorted() && parts.last == 1)
        #expect(store.incompleteIndexes.isEmpty)
        #expect(try Self.access(store).hasPrefix("text index"))
        try Self.check(store, "after")
        try Self.check(try ObjectStore(engine: engine, classes: [Searched.Page.self]), "opened again")
        try store.rebuildIndexes()
        try Self.check(store, "rebuilt")
    }

    @Test func whatWasEndedGoesOnWhereItWas() async throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 50, blocks: 4)
        let store = try ObjectStore(engine: engine, classes: [Searched.Page.self])
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await store.buildIndexesInBackground()
        }
        task.cancel()
        let failure = await #expect(throws: ObjectStoreError.self) { try await task.value }
        #expect(failure?.code == .cancelled && store.incompleteIndexes.count == 2)
        try Self.check(store, "while not complete")
        let again = try ObjectStore(engine: engine, classes: [Searched.Page.self])
        var count = 0
        try again.buildIndexes { _ in count += 1 }
        #expect(count == 3, "one of four blocks was done, and the last reports the end")
        try Self.check(again)
    }

    @Test func textThatNobodySearchesGoes() throws {
        var limits = EngineLimits()
        limits.deletesRanges = false
        for engine in [MemoryEngine(), MemoryEngine(limits: limits)] {
            try Self.fill(engine, 300)
            let store = try ObjectStore(engine: engine, classes: [Searched.Page.self])
            try store.buildIndexes()
            #expect(try !engine.makeView().entries(KeyRange(prefix: [7])).isEmpty)
            let without = try ObjectStore(engine: engine, classes: [Unsearched.Page.self])
            if !limits.deletesRanges { try without.buildIndexes() }
            #expect(try engine.makeView().entries(KeyRange(prefix: [7])).isEmpty)
            try without.write { $0.insert(Unsearched.Page(title: "changed", body: "")) }
            let again = try ObjectStore(engine: engine, classes: [Searched.Page.self])
            #expect(again.incompleteIndexes.count == 2)
            try again.buildIndexes()
            try Self.check(again)
        }
    }

    @Test func aNewVersionHasItsTextsIndexedAnew() throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 100)
        try ObjectStore(engine: engine, classes: [Searched.Page.self]).buildIndexes()
        let store = try ObjectStore(engine: engine, classes: [Migrated.Page.self])
        #expect(store.incompleteIndexes == ["Page (text of title)"])
        for comment in ["scanned", "indexed"] as [Comment] {
            try store.read { context in
                let rows = try context.searchIDs(Migrated.Page.self, \.title, "[[[[new page 7").map(\.row)
                #expect(rows == [8] + (71...80), comment)
            }
            try store.buildIndexes()
        }
        try store.write { try $0.allObjects(Migrated.Page.self)[7].body = "saved" }
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
    }

    /// Another form of text would find other things.
    @Test func anIndexOfAnotherFormIsMadeAnew() throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 100)
        try ObjectStore(engine: engine, classes: [Searched.Page.self]).buildIndexes()
        let key: [UInt8] = [0, 1, 0, 1]
        let entry = String(decoding: try #require(try engine.makeView().get(key)), as: UTF8.self)
        #expect(entry.contains("\"form\":4"))
        var commit = EngineCommit()
        commit.put(entry.replacingOccurrences(of: "\"form\":4", with: "\"form\":3"), for: key)
        try engine.commit(commit)
        let store = try ObjectStore(engine: engine, classes: [Searched.Page.self])
        #expect(store.incompleteIndexes.count == 2)
        try store.buildIndexes()
        try Self.check(store)
    }

    @Test func onlyTextIsSearchable() {
        #expect(code { try ObjectStore(engine: MemoryEngine(), classes: [Misplaced.Page.self]) } == .schemaMismatch)
    }

    @Test func verifyComparesTextWithItsIndex() throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: [Searched.Page.self])
        try store.write { context in for number in 0..<40 { context.insert(Searched.Page(title: "page \(number)", body: "body")) } }
        try store.rebuildIndexes()
        let report = try store.verify()
        #expect(report.isIntact && report.classes[0].textBlockCount > 20)
        let before = try engine.makeView().entries(KeyRange(prefix: [7]))
        func damage(_ change: (inout EngineCommit) -> Void) throws {
            var commit = EngineCommit()
            change(&commit)
            try engine.commit(commit)
        }
        let key = try #require(before.first { $0.key.dropFirst(9).starts(with: "pag".utf8) }).key
        let cases: [(row: UInt64?, change: (inout EngineCommit) -> Void)] = [
            (1, { $0.delete(key) }),
            // Row 1 is gone; row 41 is not there; row 1 has it elsewhere.
            (1, { $0.put([2, 0] + [UInt8](repeating: 0, count: 38 * 2), for: key) }),
            (41, { $0.put([1, 0] + [UInt8](repeating: 0, count: 40 * 2), for: key) }),
            (1, { $0.put([1, 7] + [UInt8](repeating: 0, count: 39 * 2), for: key) }),
            (nil, { $0.put([0x80, 0], for: key) }), (nil, { $0.put([1], for: key) }), (nil, { $0.put([], for: key) }),
            (3, { $0.put([3, 0], for: key.dropLast(4) + Array("xyz\0".utf8)) }),
            (131_073, { $0.put([1, 0], for: key[..<8] + [1] + Array("xyz\0".utf8)) }),
        ]
        for (row, change) in cases {
            try damage(change)
            let found = try store.verify().problems
            #expect(found.map(\.kind) == [.textOutOfStep] && found[0].property == "title" && found[0].object?.row == row, "\(found)")
            try store.repair()
            #expect(try store.verify().isIntact)
            let after = try engine.makeView().entries(KeyRange(prefix: [7]))
            #expect(after.map(\.key) == before.map(\.key) && after.map(\.value) == before.map(\.value))
        }
        try damage { $0.put([0x80, 0], for: key) }
        #expect(code { try store.read { try $0.searchIDs(Searched.Page.self, \.title, "page") } } == .corruption)
        // A record that cannot be read may have any text.
        try store.repair()
        let context = try store.makeContext()
        let page = try #require(try context.object(ObjectID("1/4")!, as: Searched.Page.self))
        try damage { commit in
            var page = (try? engine.makeView().get([1, 0, 1, 0, 0, 0, 0, 0, 0])) ?? []
            if let place = page.firstRange(of: Array("page 3".utf8)) { page[place.lowerBound] = 0xFF }
            commit.put(page, for: [1, 0, 1, 0, 0, 0, 0, 0, 0])
        }
        #expect(try store.verify().problems.map(\.kind) == [.damagedRecord])
        // It can be deleted all the same, and its text goes.
        try store.write { try $0.setNamed("newer", to: 1) }
        context.refresh()
        #expect(page.title.isEmpty && context.faultErrors.count == 1)
        try context.delete(page)
        try context.save()
        let left = try store.verify()
        #expect(left.problems.isEmpty, "\(left.problems)")
        #expect(try store.read { try $0.searchIDs(Searched.Page.self, \.body, "body").count } == 39)
    }

    @Test func whatIsImportedIsFound() throws {
        let source = try ObjectStore(engine: MemoryEngine(), classes: [Searched.Page.self])
        try source.write { context in for number in 0..<50 { context.insert(Searched.Page(title: "page \(number)", body: "")) } }
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: [Searched.Page.self])
        try store.write { context in for number in 50..<60 { context.insert(Searched.Page(title: "page \(number)", body: "")) } }
        let importer = try ObjectImporter(store)
        for stored in source.catalog.classes { try importer.add(stored) }
        try source.inspect { inspector in
            try inspector.forEach(source.catalog.classes[0]) { dump in
                try importer.add(try dump.get())
                return true
            }
        }
        #expect(try importer.finish().incompleteIndexes == ["Page (text of title)", "Page (text of body)"])
        #expect(store.incompleteIndexes.count == 2)
        try Self.check(store, "imported")
        try store.write { context in for number in 60..<70 { context.insert(Searched.Page(title: "page \(number)", body: "")) } }
        try store.buildIndexes()
        try Self.check(store, "built")
        #expect(try store.read { try $0.count(Searched.Page.self) } == 70)
    }

    /// What is inserted behind rows that were found goes to their page.
    @Test func whatIsInsertedAfterARepairTakesNothingAway() throws {
        let engine = MemoryEngine()
        try Self.fill(engine, 100)
        try skipRows(of: engine, to: 10)
        let store = try ObjectStore(engine: engine, classes: [Unsearched.Page.self])
        #expect(try store.repair().problemCounts == [.rowBeyondLast: 90])
        try store.write { $0.insert(Unsearched.Page(title: "new", body: "")) }
        #expect(try store.read { try $0.count(Unsearched.Page.self) } == 101)
        #expect(try store.verify().isIntact)
    }

    @Test func sizesTellOfTexts() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: [Searched.Page.self])
        try store.write { $0.insert(Searched.Page(title: "ab", body: "abc")) }
        try store.rebuildIndexes()
        try store.inspect { inspector in
            let size = try inspector.size(store.catalog.classes[0])
            #expect(size.texts.map(\.count) == [2, 3] && size.texts[0].bytes == .bytes(2 * (13 + 2)))
        }
    }
}
