import CairnObjects
import CairnTestSupport
import Testing

/// A set that is derived from its inverse is not read to ask it for one object, or to change it by one.
struct DerivedSetTests {
    @Stored(name: "Box") final class Box {
        var label: String
        @Relationship var things: ObjectSet<Content>
    }

    @Stored(name: "Content") final class Content {
        var number: Int
        @Relationship(inverse: \Box.things) var box: Box?
    }

    private let engine = CountingEngine()
    private let store: ObjectStore

    init() throws {
        store = try ObjectStore(engine: engine, classes: [Box.self, Content.self])
        try store.write { context in
            let (full, empty) = (Box(label: "full"), Box(label: "empty"))
            context.insert(full)
            context.insert(empty)
            for number in 0..<500 {
                let content = Content(number: number)
                context.insert(content)
                content.box = full
            }
        }
    }

    private func withBoxes(_ body: (ObjectContext, _ full: Box, _ empty: Box, [Content]) throws -> Void) throws {
        let context = try store.makeContext()
        defer { context.close() }
        let boxes = try context.allObjects(Box.self)
        try body(context, boxes[0], boxes[1], try context.allObjects(Content.self))
    }

    @Test func membershipTakesOneLookUp() throws {
        try withBoxes { _, full, empty, contents in
            var answers: [Bool] = []
            let reads = engine.count {
                answers = [full.things.contains(contents[7]), empty.things.contains(contents[7])]
            }
            #expect(answers == [true, false])
            #expect(reads.values == 2 && reads.entries == 0)
            let emptiness = engine.count { answers = [full.things.isEmpty, empty.things.isEmpty] }
            #expect(answers == [false, true])
            #expect(emptiness.values == 0 && emptiness.entries <= 1)
        }
    }

    @Test func changesByOneReadNoOthers() throws {
        try withBoxes { context, full, empty, contents in
            let added = Content(number: 1000)
            let reads = engine.count {
                #expect(full.things.insert(added))
                #expect(!full.things.insert(added))
                #expect(!full.things.insert(contents[3]))
                #expect(full.things.remove(contents[4]))
                #expect(!full.things.remove(contents[4]))
                #expect(empty.things.insert(contents[5]))
            }
            #expect(reads.entries == 0)
            #expect(contents[4].box == nil && contents[5].box === empty && added.box === full)
            #expect(!full.things.contains(contents[5]) && empty.things.contains(contents[5]))
            #expect(empty.things.count == 1 && full.things.count == 499 && !empty.things.isEmpty)
            #expect(Set(full.things.map(\.number)).isDisjoint(with: [4, 5]))
            try context.save()
        }
        try withBoxes { _, full, empty, _ in
            #expect(full.things.count == 499 && empty.things.map(\.number) == [5])
            #expect(full.things.contains { $0.number == 1000 })
        }
    }

    /// An owner that was never inserted, with an element, follows another that was.
    @Test func ownersWithElementsFollowTheirObjects() throws {
        try withBoxes { context, full, _, contents in
            let box = Box(label: "new")
            #expect(box.things.insert(Content(number: 1000)))
            #expect(box.things.insert(contents[5]))
            #expect(!box.things.insert(contents[5]))
            let other = Box(label: "assigned")
            other.things = [Content(number: 1001), contents[6]]
            #expect(contents[5].box === box && contents[6].box === other && !full.things.contains(contents[5]))
            #expect(box.things.count == 2 && other.things.count == 2)
            try context.save()
        }
        try withBoxes { context, full, _, _ in
            let boxes = try context.allObjects(Box.self).dropFirst(2)
            #expect(boxes.map { $0.things.map(\.number).sorted() } == [[5, 1000], [6, 1001]])
            #expect(full.things.count == 498)
        }
    }

    @Test func deletedAndForeignObjectsAreNoElements() throws {
        try withBoxes { context, full, _, contents in
            try context.delete(contents[9])
            #expect(!full.things.contains(contents[9]))
            #expect(!full.things.contains(Content(number: 9)))
            let other = try store.makeContext()
            defer { other.close() }
            let foreign = try other.allObjects(Content.self)
            #expect(!full.things.contains(foreign[10]))
            context.rollback()
            #expect(full.things.contains(contents[9]))
        }
    }
}
