import CairnObjects
import CairnTestSupport
import Testing

/// What the model test has found, each as a few steps.
@Suite struct FoundByModelTests {
    private let store: ObjectStore
    private let context: ObjectContext

    init() throws {
        store = try ObjectStore(engine: MemoryEngine(), classes: modelClasses)
        context = try store.makeContext()
    }

    private func verify() throws {
        let report = try store.verify()
        #expect(report.isIntact, "\(report.problems)")
    }

    @Test func `a set may be replaced by a smaller one`() throws {
        let hub = ModelHub(number: 1)
        let tags = (0..<3).map { ModelTag(number: $0) }
        context.insert(hub)
        hub.tags = ObjectSet(tags)
        hub.tags = [tags[1]]
        #expect(hub.tags.map(\.number) == [1] && tags[0].hubs.isEmpty && tags[1].hubs.contains(hub))
        try context.save()
        try verify()
    }

    @Test func `what a hook of deletion changes still loses what is deleted`() throws {
        let (line, part) = (ModelLine(number: 1), ModelPart(number: 1))
        line.items.append(contentsOf: [part, part])
        context.insert(line)
        try context.save()
        try context.delete(part)
        #expect(line.items.isEmpty && line.number == 2)
        try context.save()
        try verify()
    }

    @Test func `undoing within a group is refused and does not divide it`() throws {
        let hub = ModelHub(number: 1)
        context.insert(hub)
        try context.save()
        context.undo.isEnabled = true
        context.undo.begin()
        hub.number = 2
        #expect(code { try context.undo.undo() } == .busy)
        #expect(code { try context.undo.redo() } == .busy)
        hub.text = "x"
        context.undo.end()
        try context.undo.undo()
        #expect(hub.number == 1 && hub.text == "")
    }

    /// Another context may have made something lead there since.
    @Test func `what an undone insertion leaves nobody leads to`() throws {
        context.undo.isEnabled = true
        let part = ModelPart(number: 1)
        context.insert(part)
        try context.save()
        try context.undo.undo()
        try store.write { other in
            let line = ModelLine(number: 1)
            other.insert(line)
            line.items.append(contentsOf: try other.allObjects(ModelPart.self))
        }
        try context.save()
        try verify()
        #expect(try store.read { try $0.allObjects(ModelLine.self).map(\.items.count) } == [0])
    }

    @Test func `rolling back forgets what followed from the other side`() throws {
        let (hub, tag) = (ModelHub(number: 1), ModelTag(number: 1))
        context.insert(hub)
        context.insert(tag)
        try context.save()
        hub.tags.insert(tag)
        #expect(tag.hubs.contains(hub))
        context.rollback()
        #expect(tag.hubs.isEmpty && hub.tags.isEmpty)
    }

    @Test func `an insertion that was undone and saved is redone`() throws {
        context.undo.isEnabled = true
        let hub = ModelHub(number: 1)
        context.insert(hub)
        try context.undo.undo()
        try context.save()
        #expect(hub.objectContext == nil)
        try context.undo.redo()
        try context.save()
        #expect(try store.read { try $0.allObjects(ModelHub.self).map(\.number) } == [1])
        try verify()
    }

    @Test func `an object in memory that another context deleted is not found`() throws {
        let hub = ModelHub(number: 1)
        context.insert(hub)
        try context.setNamed("it", to: hub)
        try context.save()
        let id = try #require(hub.objectID)
        try store.write { other in try other.delete(try other.allObjects(ModelHub.self)[0]) }
        context.refresh()
        #expect(try context.object(id, as: ModelHub.self) == nil)
        #expect(try context.named("it", as: ModelHub.self) == nil)
    }

    @Test func `indexes and notes follow where one context overwrites another's change`() throws {
        var options = ObjectContextOptions()
        options.conflictPolicy = .keepMine
        let mine = try store.makeContext(options)
        let (line, part) = (ModelLine(number: 1), ModelPart(number: 7))
        line.things.append(part)
        mine.insert(line)
        try mine.save()
        line.text = "mine"
        try store.write { (other) throws in
            let line = try other.allObjects(ModelLine.self)[0]
            line.number = 2
            line.things.removeAll()
        }
        try mine.save()
        try verify()
        try store.read { (other) throws in
            #expect(try other.fetch(ModelLine.self, where: \.number == 1).count == 1)
            #expect(try other.fetch(ModelLine.self, where: \.number == 2).isEmpty)
        }
        try mine.delete(part)
        #expect(line.things.isEmpty)
        try mine.save()
        try verify()
    }

    // MARK: Beside another context

    /// What a context says that saves after another one, and whether the store is whole then.
    private func save(
        _ mine: (ObjectContext) throws -> Void,
        after theirs: (ObjectContext) throws -> Void,
        under policy: ConflictPolicy = .fail
    ) throws -> (failure: ObjectStoreError.Code?, isIntact: Bool) {
        var options = ObjectContextOptions()
        options.conflictPolicy = policy
        let context = try store.makeContext(options)
        try mine(context)
        try store.write(theirs)
        let failure = code { try context.save() }
        return (failure, try store.verify().isIntact)
    }

    private func lead(_ context: ObjectContext) throws {
        let hubs = try context.allObjects(ModelHub.self)
        hubs[0].next = hubs[1]
    }

    private func deleteSecond(_ context: ObjectContext) throws { try context.delete(try context.allObjects(ModelHub.self)[1]) }

    @Test func `nothing leads to what another context deleted`() throws {
        for number in 1...2 { context.insert(ModelHub(number: number)) }
        try context.save()
        let result = try save(lead, after: deleteSecond)
        #expect(result.failure == .conflict && result.isIntact)
    }

    @Test func `what another context made lead to a deleted object leads there no more`() throws {
        for number in 1...2 { context.insert(ModelHub(number: number)) }
        try context.save()
        let result = try save(deleteSecond, after: lead)
        #expect(result.failure == nil && result.isIntact)
    }

    @Test func `a denial further down a cascade leaves everything as it is`() throws {
        let (hub, part) = (ModelHub(number: 1), ModelPart(number: 1))
        part.pins.insert(ModelTag(number: 1))
        hub.parts.append(part)
        context.insert(hub)
        try context.save()
        #expect(code { try context.delete(hub) } == .deletionDenied)
        #expect(!hub.isDeleted && !context.hasChanges && part.hub === hub)
    }

    /// A policy decides for each object alone: where two objects lead to each other, what is kept of one must go with what is kept of the other.
    @Test(arguments: [ConflictPolicy.keepMine, .keepTheirs, .merge])
    func `no policy parts the two sides of a relationship`(_ policy: ConflictPolicy) throws {
        for number in 1...2 { context.insert(ModelHub(number: number)) }
        let part = ModelPart(number: 1)
        part.hub = try context.allObjects(ModelHub.self)[0]
        context.insert(part)
        try context.save()
        let result = try save(
            { try $0.allObjects(ModelPart.self)[0].hub = try $0.allObjects(ModelHub.self)[1] },
            after: { try $0.allObjects(ModelPart.self)[0].number = 2 },
            under: policy
        )
        #expect(result.isIntact && result.failure == .conflict)
    }

    /// The same with the change that counts there, and another here.
    @Test(arguments: [ConflictPolicy.keepMine, .keepTheirs, .merge])
    func `nor do changes of values part them`(_ policy: ConflictPolicy) throws {
        for number in 1...2 { context.insert(ModelHub(number: number)) }
        let part = ModelPart(number: 1)
        part.hub = try context.allObjects(ModelHub.self)[0]
        context.insert(part)
        try context.save()
        let result = try save(
            { try $0.allObjects(ModelPart.self)[0].number = 2 },
            after: { try $0.allObjects(ModelPart.self)[0].hub = try $0.allObjects(ModelHub.self)[1] },
            under: policy
        )
        #expect(result.isIntact && result.failure == (policy == .keepMine ? .conflict : nil))
    }

    /// The other side would be without what it leads to.
    @Test(arguments: [ConflictPolicy.keepMine, .keepTheirs, .merge])
    func `an object of a relationship with two sides is not half deleted`(_ policy: ConflictPolicy) throws {
        let hub = ModelHub(number: 1)
        hub.tags.insert(ModelTag(number: 1))
        context.insert(hub)
        try context.save()
        let result = try save(
            { try $0.delete(try $0.allObjects(ModelTag.self)[0]) },
            after: { try $0.allObjects(ModelTag.self)[0].number = 2 },
            under: policy
        )
        #expect(result.isIntact && result.failure == (policy == .keepTheirs ? .conflict : nil))
        #expect(try store.read { try $0.count(ModelTag.self) } == (policy == .keepTheirs ? 1 : 0))
    }

    /// What the other context wrote leads to what is deleted here.
    @Test(arguments: [false, true])
    func `keeping theirs keeps nothing that leads to what is deleted`(_ deletes: Bool) throws {
        let line = ModelLine(number: 1)
        line.things.append(ModelPart(number: 1))
        context.insert(line)
        try context.save()
        let result = try save(
            { context in
                if deletes {
                    try context.delete(try context.allObjects(ModelPart.self)[0])
                } else {
                    try context.allObjects(ModelLine.self)[0].things.removeAll()
                }
            },
            after: { try $0.allObjects(ModelLine.self)[0].text = "theirs" },
            under: .keepTheirs
        )
        #expect(result.isIntact && result.failure == (deletes ? .conflict : nil))
        #expect(try store.read { try $0.allObjects(ModelLine.self)[0].things.count } == 1)
    }
}
