import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Observation
import Synchronization
import Testing

/// Values that are stored apart from their records because they are large.
@Suite struct LargeValueTests {
    private let scene = PaperScene(CountingEngine())

    private func verify(_ store: ObjectStore) throws {
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
    }

    @Test(arguments: [0, 99, 100, 101, 500, 5000])
    func `values of every type and size come back`(_ size: Int) throws {
        try scene.add(Paper("p", size: size))
        let store = try scene.store()
        try store.read { (context) throws in
            #expect(try context.paper("p").isWhole(size, title: "p"))
            #expect(context.faultErrors.isEmpty)
        }
        try verify(store)
    }

    @Test func `only what is longer is stored apart`() throws {
        try scene.add(Paper("p", size: 100))
        // Of the values with 100 elements, the numbers take more than 100 bytes, and so do texts and JSON.
        let before = try Set(scene.parts().map { $0.key[10] })
        try scene.store().write { try $0.paper("p").data = Array(repeating: 1, count: 101) }
        #expect(try Set(scene.parts().map { $0.key[10] }).subtracting(before) == [4])
    }

    @Test func `by default, values of up to 64 KiB stay in the record`() throws {
        let scene = PaperScene(MemoryEngine(), longest: nil)
        try scene.add(Paper("p"))
        let store = try scene.store()
        for (size, parts) in [(65_535, 0), (65_536, 0), (65_537, 1), (1 << 20, 1), (1 << 20 + 1, 2), (100, 0)] {
            try store.write { (context) throws in try context.paper("p").data = Array(repeating: 9, count: size) }
            #expect(try scene.parts().count == parts, "\(size)")
            #expect(try store.read { try $0.paper("p").data.count } == size)
        }
        try verify(store)
    }

    @Test func `changing another property neither reads nor writes a large value`() throws {
        try scene.add(Paper("p", size: 100_000))
        let store = try scene.store()
        var bytes = 0
        let reads = try scene.engine.count {
            let commits = try scene.engine.commits { try store.write { try $0.paper("p").title = "renamed" } }
            bytes = commits.reduce(0) { $0 + $1.writes.byteCount }
        }
        // A directory of 64-byte parts takes 4 bytes for each; these are 1,563 parts of six values and more.
        let directories = try scene.parts().count * 6
        #expect(bytes < 2 * directories + 1000 && reads.values < 10, "\(bytes) \(reads) \(directories)")
        #expect(try store.read { try $0.paper("renamed").isWhole(100_000, title: "p") })
        try verify(store)
    }

    @Test func `a large value is read when it is used, and once`() throws {
        try scene.add(Paper("p", size: 1000))
        let store = try scene.store()
        try store.read { (context) throws in
            var paper: Paper?
            let fetch = try scene.engine.count { paper = try context.paper("p") }
            let title = scene.engine.count { #expect(paper?.title == "p") }
            let first = scene.engine.count { #expect(paper?.data.count == 1000) }
            let again = scene.engine.count { #expect(paper?.data.last == 231) }
            // The record, and 16 parts.
            #expect(fetch.values < 8 && title.values == 0 && first.values == 17 && again.values == 0, "\(fetch) \(title) \(first) \(again)")
        }
    }

    @Test func `setting a large value writes its parts and removes the former ones`() throws {
        try scene.add(Paper("p", size: 1000))
        let store = try scene.store()
        let names = try Set(scene.parts().map(\.key))
        try store.write { try $0.paper("p").data = [UInt8](repeating: 3, count: 200) }
        let after = try Set(scene.parts().map(\.key))
        #expect(after.subtracting(names).count == 4 && names.subtracting(after).count == 16)
        try store.write { (context) throws in
            let paper = try context.paper("p")
            paper.data.append(4)
            paper.picture = nil
            paper.details.lines.append("last")
        }
        try store.read { (context) throws in
            let paper = try context.paper("p")
            #expect(paper.data == [UInt8](repeating: 3, count: 200) + [4] && paper.picture == nil)
            #expect(paper.details.lines.count == 101 && paper.details.lines.last == "last" && paper.numbers == Array(0..<1000))
        }
        try verify(store)
        try store.write { (context) throws in try context.delete(try context.paper("p")) }
        #expect(try scene.parts().isEmpty)
        try verify(store)
    }

    @Test func `an object can be changed after each save`() throws {
        try scene.add(Paper("p", size: 300))
        let store = try scene.store()
        let context = try store.makeContext()
        let paper = try context.paper("p")
        for round in 0..<30 {
            switch round % 5 {
            case 0: paper.title = "p\(round)"
            case 1: paper.data = Array(repeating: UInt8(round), count: 40 * round)
            case 2: paper.data.append(UInt8(round))
            case 3: paper.picture = round % 2 == 0 ? nil : Data(repeating: UInt8(round), count: 300)
            default: context.refresh()
            }
            try context.save()
            let (data, picture) = (paper.data, paper.picture)
            try store.read { (other) throws in
                let same = try other.paper(paper.title)
                #expect(same.data == data && same.picture == picture && same.text == Paper("p", size: 300).text)
            }
        }
        try verify(store)
    }

    @Test func `a store with large values has format 2`() throws {
        func format() throws -> String { String(decoding: try #require(try scene.engine.makeView().get([0, 0])), as: UTF8.self) }
        try scene.add(Paper("p"))
        #expect(try format().contains("\"format\":1"))
        try scene.store().write { try $0.paper("p").data = Array(repeating: 1, count: 200) }
        #expect(try format().contains("\"format\":2"))
    }

    // MARK: Queries, indexes, texts

    @Test func `conditions, orders and searches see large values`() throws {
        try scene.add(Paper("a", size: 500), Paper("b", size: 200), Paper("c"), Paper("d", size: 20))
        let store = try scene.store()
        try store.read { (context) throws in
            func titles(_ condition: ObjectCondition<Paper>) throws -> [String] {
                try context.fetch(Paper.self, where: condition, sortedBy: [.ascending(\.title)]).map(\.title)
            }
            #expect(try titles(.contains(\.text, "word b")) == ["b"])
            #expect(try titles(.hasPrefix(\.text, "word")) == ["a", "b", "d"])
            #expect(try titles(\.text == Paper("a", size: 500).text) == ["a"])
            #expect(try titles(\.sign == String(repeating: "b", count: 200)) == ["b"])
            #expect(try titles(\.sign == nil) == ["c"])
            #expect(try context.count(Paper.self, where: .contains(\.text, "word")) == 3)
            #expect(try context.fetch(Paper.self, sortedBy: [.descending(\.text)]).map(\.title) == ["d", "b", "a", "c"])
            #expect(try context.fetch(Paper.self, sortedBy: [.ascending(\.sign)], limit: 3).map(\.title) == ["c", "a", "b"])
            #expect(try context.search(Paper.self, \.text, "word b").map(\.title) == ["b"])
            let found = try context.fetch(Paper.self, where: #Predicate { $0.data.count == 500 || $0.numbers.count == 20 })
            #expect(found.map(\.title).sorted() == ["a", "d"] && context.faultErrors.isEmpty)
        }
        // Entries and blocks are found again when values change.
        try store.write { (context) throws in
            let paper = try context.paper("a")
            paper.sign = String(repeating: "z", count: 300)
            paper.text = String(repeating: "other ", count: 50)
            try context.paper("b").sign = nil
            try context.delete(try context.paper("d"))
        }
        try verify(store)
        try store.read { (context) throws in
            #expect(try context.search(Paper.self, \.text, "word a").isEmpty)
            #expect(try context.search(Paper.self, \.text, "other").map(\.title) == ["a"])
            #expect(try context.count(Paper.self, where: \.sign == String(repeating: "z", count: 300)) == 1)
        }
    }

    @Test func `indexes are built of large values`() throws {
        try scene.add(Paper("a", size: 500), Paper("b", size: 200))
        let store = try scene.store()
        try store.rebuildIndexes()
        try verify(store)
        #expect(try store.read { try $0.search(Paper.self, \.text, "word b").count } == 1)
        #expect(try store.read { try $0.count(Paper.self, where: \.sign == String(repeating: "a", count: 500)) } == 1)
    }

    @Test func `tools and copies have large values`() throws {
        try scene.add(Paper("a", size: 500), Paper("b", size: 50))
        let store = try scene.store()
        let copy = PaperScene(MemoryEngine())
        try store.inspect { (inspector) throws in
            let importer = try ObjectImporter(copy.store())
            for stored in store.catalog.classes { try importer.add(stored) }
            let size = try inspector.size(store.catalog.classes[0])
            #expect(try size.partCount == scene.parts().count && size.partBytes.bytes > 3000 && size.averageBytes > 1500)
            for stored in store.catalog.classes {
                try inspector.forEach(stored) { dump in
                    try importer.add(try dump.get())
                    return true
                }
            }
            _ = try importer.finish()
        }
        #expect(try copy.parts().count == scene.parts().count)
        try verify(try copy.store())
        try copy.store().read { (context) throws in
            #expect(try context.paper("a").isWhole(500, title: "a"))
            #expect(try context.paper("b").isWhole(50, title: "b"))
        }
    }

    // MARK: Contexts

    @Test(arguments: [ConflictPolicy.fail, .keepMine, .keepTheirs, .merge])
    func `conflicts are decided for values that were read and for those that were not`(_ policy: ConflictPolicy) throws {
        try scene.add(Paper("p", size: 300))
        let store = try scene.store()
        let context = try store.makeContext(ObjectContextOptions(conflictPolicy: policy))
        let paper = try context.paper("p")
        #expect(paper.numbers.count == 300)
        try store.write { (other) throws in
            let same = try other.paper("p")
            same.data = Array(repeating: 1, count: 500)
            same.numbers = [1]
            same.picture = Data(repeating: 2, count: 10)
        }
        paper.title = "mine"
        paper.details.lines = ["mine"]
        guard policy != .fail else { return #expect(code { try context.save() } == .conflict) }
        try context.save()
        try store.read { (last) throws in
            let paper = try #require(try last.allObjects(Paper.self).first)
            #expect(paper.title == (policy == .keepTheirs ? "p" : "mine"))
            #expect(paper.details == (policy == .keepTheirs ? Paper("p", size: 300).details : PaperDetails(lines: ["mine"])))
            // A value that was not read here is no value of this context.
            #expect(paper.data == Array(repeating: 1, count: 500) && paper.picture == Data(repeating: 2, count: 10))
            #expect(paper.numbers == (policy == .keepMine ? Array(0..<300) : [1]))
            #expect(paper.text == Paper("p", size: 300).text && last.faultErrors.isEmpty)
        }
        #expect(paper.data == Array(repeating: 1, count: 500) && context.faultErrors.isEmpty)
        try verify(store)
    }

    @Test func `a value that was not read is the latest`() throws {
        try scene.add(Paper("p", size: 300))
        let store = try scene.store()
        let context = try store.makeContext()
        let paper = try context.paper("p")
        try store.write { (other) throws in
            let same = try other.paper("p")
            same.data = Array(repeating: 1, count: 500)
            same.numbers = [1]
            same.picture = nil
        }
        #expect(paper.data == Array(repeating: 1, count: 500) && paper.numbers == [1] && paper.picture == nil)
        #expect(context.faultErrors.isEmpty && !context.hasChanges)
        paper.title = "mine"
        #expect(code { try context.save() } == .conflict)
        context.rollback()
        #expect(paper.title == "p" && paper.numbers == [1])
    }

    @Test func `a view sees the value that it had`() throws {
        try scene.add(Paper("p", size: 300))
        let store = try scene.store()
        try store.read { (context) throws in
            let paper = try context.paper("p")
            try store.write { try $0.paper("p").data = Array(repeating: 1, count: 500) }
            #expect(paper.data == Paper("p", size: 300).data)
        }
    }

    @Test func `the object of a value may be gone, or its context`() throws {
        try scene.add(Paper("p", size: 300))
        let store = try scene.store()
        let context = try store.makeContext()
        let paper = try context.paper("p")
        try store.write { (other) throws in try other.delete(try other.paper("p")) }
        #expect(paper.data == [] && paper.data == [])
        #expect(context.faultErrors.map(\.code) == [.objectNotFound])
        paper.title = "mine"
        #expect(code { try context.save() } == .conflict)
        context.close()
        #expect(paper.picture == nil && paper.details == PaperDetails())
    }

    @Test func `a value can be read after its context has ended, until the store is closed`() throws {
        try scene.add(Paper("p", size: 300), Paper("q", size: 300))
        let store = try scene.store()
        let paper = try store.read { try $0.paper("p") }
        #expect(paper.data.count == 300 && paper.details.lines.count == 30)
        let context = try store.makeContext()
        let other = try context.paper("q")
        context.close()
        #expect(other.picture?.count == 300)
        try store.close()
        #expect(other.picture?.count == 300 && other.data == [] && paper.text == "")
    }

    @Test func `a value whose property was removed goes with the next save, and with an upgrade`() throws {
        let scene = PaperScene(MemoryEngine())
        try scene.store([OldLeaflet.self]).write { context in
            for number in 0..<3 { context.insert(OldLeaflet(title: "\(number)", picture: Array(repeating: 1, count: 500))) }
        }
        #expect(try scene.parts().count == 24)
        let store = try scene.store([Leaflet.self])
        try store.write { (context) throws in try context.first(Leaflet.self, where: \.title == "0")?.title = "renamed" }
        #expect(try scene.parts().count == 16)
        try store.write { (context) throws in
            try context.first(Leaflet.self, where: \.title == "1")?.text = String(repeating: "t", count: 200)
        }
        #expect(try scene.parts().count == 12)
        try verify(store)
        #expect(try store.upgradeRecords() == 1)
        #expect(try scene.parts().count == 4)
        try verify(store)
    }

    @Test func `a deleted object with values that were not read is not kept without them`() throws {
        try scene.add(Paper("p", size: 300))
        let store = try scene.store()
        let context = try store.makeContext(ObjectContextOptions(conflictPolicy: .keepMine))
        let paper = try context.paper("p")
        try store.write { (other) throws in try other.delete(try other.paper("p")) }
        paper.title = "mine"
        #expect(code { try context.save() } == .conflict)
    }

    @Test func `changes of large values are undone and redone`() throws {
        try scene.add(Paper("p", size: 300))
        let store = try scene.store()
        let context = try store.makeContext()
        context.undo.isEnabled = true
        let paper = try context.paper("p")
        context.undo.group { paper.title = "renamed" }
        try context.save()
        context.undo.group { paper.data = [1] }
        try context.save()
        context.undo.group { try? context.delete(paper) }
        try context.save()
        #expect(try scene.parts().isEmpty)
        try context.undo.undo()
        try context.save()
        let again = try context.paper("renamed")
        #expect(again.data == [1] && again.picture?.count == 300)
        try context.undo.undo()
        try context.save()
        try context.undo.undo()
        try context.save()
        try verify(store)
        #expect(try store.read { try $0.paper("p").isWhole(300, title: "p") })
        try context.undo.redo()
        try context.undo.redo()
        try context.save()
        #expect(try store.read { try $0.paper("renamed").data } == [1])
        try verify(store)
    }

    @Test(arguments: [ConflictPolicy.fail, .merge])
    func `undo keeps what another context has changed in other properties`(_ policy: ConflictPolicy) throws {
        try scene.add(Paper("p", size: 300), Paper("q"))
        let store = try scene.store()
        let context = try store.makeContext(ObjectContextOptions(conflictPolicy: policy))
        context.undo.isEnabled = true
        let paper = try context.paper("p")
        context.undo.group { paper.title = "renamed" }
        try context.save()
        try store.write { (other) throws in
            let same = try other.paper("renamed")
            same.data = [1, 2, 3]
            same.sign = "short"
            same.links.append(try other.paper("q"))
        }
        // With .fail, this context has to see it before.
        if policy == .fail { _ = try context.fetch(Paper.self) }
        try context.undo.undo()
        try context.save()
        try verify(store)
        try store.read { (last) throws in
            let same = try last.paper("p")
            #expect(same.data == [1, 2, 3] && same.sign == "short" && same.links.map(\.title) == ["q"])
            #expect(same.picture?.count == 300)
        }
        try context.undo.redo()
        try context.save()
        #expect(try store.read { try $0.paper("renamed").data } == [1, 2, 3])
    }

    @Test func `observers see a value that is read as no change`() throws {
        try scene.add(Paper("p", size: 300))
        let context = try scene.store().makeContext()
        let paper = try context.paper("p")
        let isNotified = Atomic(false)
        withObservationTracking {
            _ = paper.data
        } onChange: {
            isNotified.store(true, ordering: .relaxed)
        }
        #expect(paper.picture?.count == 300 && paper.data.count == 300 && !context.hasChanges)
        let wasNotified = isNotified.load(ordering: .relaxed)
        paper.data = []
        let isNotifiedNow = isNotified.load(ordering: .relaxed)
        #expect(!wasNotified && isNotifiedNow && context.hasChanges)
    }

    @Test func `more properties than there are bits`() throws {
        let store = try scene.store()
        func long(_ number: Int) -> String { String(repeating: "\(number) ", count: 100) }
        try store.write { (context) throws in
            let paper = WidePaper()
            context.insert(paper)
            (paper.a0, paper.b5, paper.b6, paper.b7) = (long(0), long(5), long(6), "short")
        }
        for round in 1...3 {
            try store.write { (context) throws in
                let paper = try #require(try context.allObjects(WidePaper.self).first)
                if round == 1 { paper.a1 = "new" } else if round == 2 { paper.b7 = "also" } else { paper.b5 = "now short" }
            }
            try verify(store)
        }
        try store.read { (context) throws in
            let paper = try #require(try context.allObjects(WidePaper.self).first)
            #expect(paper.b7 == "also" && paper.b5 == "now short" && paper.b6 == long(6) && paper.a0 == long(0) && paper.a1 == "new")
            #expect(context.faultErrors.isEmpty)
        }
    }

    @Test func `an engine may allow only short values`() throws {
        var limits = EngineLimits()
        limits.maximumValueSize = 2000
        let scene = PaperScene(MemoryEngine(limits: limits), longest: nil)
        let store = try scene.store()
        try store.write { (context) throws in
            let paper = Paper("p")
            context.insert(paper)
            paper.data = Array(repeating: 5, count: 100_000)
        }
        #expect(try store.read { try $0.paper("p").data } == Array(repeating: 5, count: 100_000))
        #expect(try scene.parts().allSatisfy { $0.value.count <= 2000 } && scene.parts().count > 50)
        try verify(store)
    }
}
