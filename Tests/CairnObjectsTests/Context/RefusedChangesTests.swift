import CairnObjects
import CairnTestSupport
import Testing

@testable import CairnGraph

private protocol Playable: AnyObject {}
private final class Noise: Playable {}

@Stored private final class Tune: Playable {
    var title: String
    @Relationship(inverse: \Queue.tunes) var queues: ObjectSet<Queue>
}

@Stored private final class Queue {
    var name: String = ""
    @Relationship var tunes: ObjectList<Tune>
    @Relationship var all: ObjectList<any Playable>
    @Relationship var current: (any Playable)?
    @Relationship var opener: Tune?
    @Relationship var byKey: ObjectDictionary<String, Tune>
}

@Stored private final class Stranger {
    var name: String = ""
}

/// What cannot be done does not end the process: it is not done, and the next save says so.
@Suite struct RefusedChangesTests {
    private let store: ObjectStore
    private let context: ObjectContext
    private let queue = Queue(name: "q")
    private let tune = Tune(title: "a")

    init() throws {
        store = try ObjectStore(engine: MemoryEngine(), classes: [Tune.self, Queue.self])
        context = try store.makeContext()
        queue.tunes.append(tune)
        context.insert(queue)
        try context.save()
    }

    /// The error of the next save, which must say all of `words`. The save after it succeeds.
    private func refused(
        _ code: ObjectStoreError.Code,
        _ words: String...,
        in context: ObjectContext? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let context = context ?? self.context
        #expect(!context.refusedChanges.isEmpty, sourceLocation: sourceLocation)
        let error = #expect(throws: ObjectStoreError.self, sourceLocation: sourceLocation) { try context.save() }
        #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
        for word in words { #expect(error?.message.contains(word) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation) }
        #expect(context.refusedChanges.isEmpty, sourceLocation: sourceLocation)
        try context.save()
    }

    @Test func objectsOfOtherContextsAreRefused() throws {
        let other = try store.makeContext()
        let foreign = try #require(try other.first(Tune.self))
        context.insert(foreign)
        try refused(.objectNotFound, "Tune", "another context", "objectID")
        queue.tunes.append(foreign)
        try refused(.objectNotFound, "Queue.tunes", "another context")
        queue.tunes.append(contentsOf: [foreign])
        try refused(.objectNotFound, "Queue.tunes")
        queue.tunes[0] = foreign
        try refused(.objectNotFound, "Queue.tunes")
        queue.opener = foreign
        try refused(.objectNotFound, "Queue.opener")
        queue.byKey["a"] = foreign
        try refused(.objectNotFound, "Queue.byKey")
        #expect(!tune.queues.insert(try #require(try other.first(Queue.self))))
        try refused(.objectNotFound, "Tune.queues")
        let new = Queue(tunes: [foreign])
        context.insert(new)
        // It has followed the tune.
        #expect(new.objectContext === other)
        try refused(.objectNotFound, "Queue was not inserted", "another context")
        let inserted = Tune(title: "inserted")
        let leading = Queue(tunes: [inserted])
        other.insert(inserted)
        context.insert(leading)
        #expect(leading.objectID == nil)
        try refused(.objectNotFound, "Queue was not inserted", "tunes")
        #expect(throws: ObjectStoreError.self) { try context.setNamed("n", to: foreign) }
        #expect(throws: ObjectStoreError.self) { try context.setNamed("n", to: [foreign]) }
        #expect(throws: ObjectStoreError.self) { try context.setNamed("n", to: ["a": foreign]) }
        #expect(queue.tunes.objectIDs == [tune.objectID] && queue.opener == nil && queue.byKey.isEmpty && tune.queues.count == 1)
        #expect(try context.count(Queue.self) == 1)
        other.close()
    }

    /// They would be stored as references to nothing.
    @Test func objectsThatTheNextSaveDeletesAreRefused() throws {
        try context.delete(tune)
        let changes: [() -> Void] = [
            { context.insert(tune) }, { queue.tunes.append(tune) }, { queue.tunes.append(contentsOf: [tune, Tune(title: "b")]) },
            { queue.all.append(tune) }, { queue.opener = tune }, { queue.byKey["a"] = tune }, { context.insert(Queue(opener: tune)) },
        ]
        for change in changes {
            let count = context.refusedChanges.count
            change()
            let refused = context.refusedChanges.dropFirst(count)
            #expect(
                !refused.isEmpty && refused.allSatisfy { $0.code == .objectNotFound && $0.message.contains("the next save deletes it") }
            )
        }
        #expect(code { try context.setNamed("n", to: tune) } == .objectNotFound)
        #expect(code { try context.setNamed("n", to: [tune]) } == .objectNotFound)
        #expect(queue.tunes.isEmpty && queue.all.isEmpty && queue.opener == nil && queue.byKey.isEmpty)
        try refused(.objectNotFound, "Tune 1 was not inserted", "other changes were refused too")
        #expect(try context.count(Tune.self) == 0 && context.count(Queue.self) == 1)
        // The deletion is saved: now it is a new object.
        queue.tunes.append(tune)
        try context.save()
        #expect(try context.allObjects(Tune.self).map(\.title) == ["a"])
        // One that was never saved.
        let new = Tune(title: "new")
        context.insert(new)
        try context.delete(new)
        queue.tunes.append(new)
        try refused(.objectNotFound, "Queue.tunes", "the next save deletes it")
        #expect(queue.tunes.map(\.title) == ["a"])
        #expect(try store.verify().isIntact)
    }

    @Test func objectsWhoseDeletionIsRolledBackAreAccepted() throws {
        try context.delete(tune)
        context.rollback()
        queue.opener = tune
        try context.save()
        #expect(try store.read { try $0.first(Queue.self)?.opener?.title } == "a")
        #expect(try store.verify().isIntact)
    }

    @Test func placesThatAListDoesNotHaveAreRefused() throws {
        let changes: [() -> Void] = [
            { queue.tunes.insert(tune, at: 99) }, { queue.tunes.insert(tune, at: -1) },
            { queue.tunes[99] = tune }, { queue.tunes[.max] = tune },
            { queue.tunes.replaceSubrange(0..<5, with: []) }, { queue.tunes.removeSubrange(2..<3) }, { queue.tunes.move(from: 0, to: 1) },
            { queue.tunes.insert(contentsOf: [tune], at: 2) }, { queue.tunes.remove(at: 1) }, { queue.tunes.remove(at: .max) },
            { _ = queue.tunes[7] }, { _ = queue.tunes[-1].title }, { _ = queue.byKey[3] },
        ]
        for change in changes {
            change()
            try refused(.invalidArgument, "Queue.", "out of bounds")
            #expect(queue.tunes.map(\.title) == ["a"])
        }
        // Without a context, the save of the one that the owner is inserted into says so.
        let new = Queue(name: "new")
        new.tunes.insert(Tune(title: "b"), at: 5)
        context.insert(new)
        try refused(.invalidArgument, "Queue.tunes", "position 5")
        #expect(new.objectID != nil && new.tunes.isEmpty)
    }

    @Test func objectsThatCannotBeStoredAreRefused() throws {
        context.insert(Stranger())
        try refused(.unknownClass, "Stranger")
        queue.all.append(Noise())
        try refused(.invalidArgument, "Queue.all", "Noise is not a stored class")
        queue.all = [tune, Noise()]
        try refused(.invalidArgument, "Queue.all", "Noise")
        queue.current = Noise()
        try refused(.invalidArgument, "Queue.current", "Noise")
        #expect(queue.all.isEmpty && queue.current == nil)
        let new = Queue()
        new.current = Noise()
        context.insert(new)
        try refused(.invalidArgument, "current")
        new.current = tune
        #expect(new.objectID != nil)
        try context.save()
    }

    @Test func closedContextsTakeNothing() throws {
        let other = try store.makeContext()
        other.close()
        let new = Tune(title: "new")
        other.insert(new)
        #expect(new.objectID == nil && other.refusedChanges.map(\.code) == [.closed])
        #expect(throws: ObjectStoreError.self) { try other.save() }
        context.insert(new)
        try context.save()
        #expect(try context.count(Tune.self) == 2)
    }

    /// An owner that was never inserted follows an object that it begins to refer to.
    @Test func ownersFollowTheirObjects() throws {
        let owners = (0..<6).map { Queue(name: "\($0)") }
        owners[0].tunes.append(tune)
        owners[1].tunes = [Tune(title: "b"), tune]
        owners[2].opener = tune
        owners[3].byKey["a"] = tune
        owners[4].current = tune
        owners[5].all.append(tune)
        #expect(owners.allSatisfy { $0.objectContext === context })
        context.insert(owners[0])
        try context.save()
        let found = try store.read { context in
            try context.fetch(Queue.self, where: \.name != "q", sortedBy: \.name).map { queue in
                queue.tunes.count + queue.byKey.count + queue.all.count + (queue.opener == nil ? 0 : 1) + (queue.current == nil ? 0 : 1)
            }
        }
        #expect(found == [1, 2, 1, 1, 1, 1])
        #expect(tune.queues.count == 3)
    }

    @Test func changesToDeletedObjectsAreReported() throws {
        try context.delete(tune)
        try context.save()
        #expect(tune.objectID == nil && tune.isDeleted)
        tune.title = "changed"
        try refused(.objectNotFound, "Tune.title", "deleted")
        tune.title = "changed again"
        tune.queues.insert(Queue())
        try refused(.objectNotFound, "Tune.title", "deleted", "1 other change was refused")
        // Inserted again, it is another object.
        tune.title = "kept"
        context.insert(tune)
        #expect(context.refusedChanges.isEmpty)
        try context.save()
        #expect(try store.read { try $0.allObjects(Tune.self).map(\.title) } == ["kept"])
    }

    @Test(arguments: [false, true]) func changesToObjectsOfGoneContextsAreReported(isClosed: Bool) throws {
        var other: ObjectContext? = try store.makeContext()
        let orphan = try #require(try other?.first(Tune.self))
        orphan.title = "dropped"
        if isClosed { other?.close() }
        other = nil
        context.close()
        orphan.title = "lost"
        orphan.queues.insert(Queue())
        let error = #expect(throws: ObjectStoreError.self) { try store.close() }
        #expect(error?.code == .conflict && error?.message.contains("Tune.title") == true, "\(String(describing: error))")
        try store.close()
    }

    /// Programs save only if there is something to save.
    @Test func refusedChangesAreChanges() throws {
        #expect(!context.hasChanges)
        try context.delete(tune)
        try context.save()
        tune.title = "changed"
        #expect(context.hasChanges)
        #expect(code { try context.save() } == .objectNotFound)
        #expect(!context.hasChanges)
        queue.tunes.insert(Tune(title: "b"), at: 9)
        #expect(context.hasChanges)
        context.rollback()
        #expect(!context.hasChanges)
    }

    /// There, its identity is that of another object.
    @Test func objectsOfOtherStoresAreNotToBeFoundHere() throws {
        let other = try ObjectStore(engine: MemoryEngine(), classes: [Tune.self, Queue.self]).makeContext()
        let foreign = Tune(title: "foreign")
        other.insert(foreign)
        queue.tunes.append(foreign)
        try refused(.objectNotFound, "Queue.tunes", "another store", "insert a new one")
        let near = try store.makeContext()
        let found = try #require(try near.first(Tune.self))
        queue.tunes.append(found)
        try refused(.objectNotFound, "another context; find it here by its objectID")
    }

    /// Before the change, the collection held an element that was never inserted.
    @Test func ownersFollowTheirObjectsAfterTheChange() throws {
        let owners = (0..<5).map { Queue(name: "\($0)") }
        let olds = owners.map { Tune(title: "old \($0.name)") }
        for (owner, old) in zip(owners, olds) { if owner !== owners[4] { owner.tunes.append(old) } }
        owners[0].tunes = [tune]
        owners[1].tunes[0] = tune
        owners[2].tunes.insert(tune, at: 0)
        owners[3].tunes.append(tune)
        owners[4].byKey["a"] = olds[4]
        owners[4].byKey["a"] = tune
        #expect(owners.allSatisfy { $0.objectContext === context })
        #expect(olds.map { $0.objectID != nil } == [false, false, true, true, false])
        #expect(tune.queues.count == 5)
        try context.save()
        #expect(try store.read { try $0.count(Tune.self) } == 3)
        let counts = try store.read { try $0.allObjects(Queue.self).map(\.tunes.count).sorted() }
        #expect(counts == [0, 1, 1, 1, 2, 2])
        #expect(try store.verify().isIntact)
    }

    @Test func anOwnerThatCannotFollowIsReportedOnce() throws {
        let owner = Queue(name: "owner")
        owner.current = Noise()
        owner.tunes.append(tune)
        #expect(owner.objectID == nil && context.refusedChanges.map(\.code) == [.invalidArgument])
        owner.tunes = [tune]
        #expect(context.refusedChanges.count == 2)
        try refused(.invalidArgument, "current", "1 other change was refused")
    }

    /// Nothing is inserted, removed or replaced, whichever element is refused.
    @Test func refusedChangesAreNotHalfMade() throws {
        let other = try store.makeContext()
        let foreign = try #require(try other.first(Tune.self))
        let foreignQueue = try #require(try other.first(Queue.self))
        queue.byKey["b"] = tune
        try context.save()
        let new = (0..<3).map { Tune(title: "new \($0)") }
        let newQueue = Queue(name: "new")
        let changes: [() -> Void] = [
            { queue.tunes.append(contentsOf: [new[0], foreign]) },
            { queue.tunes = [new[1], foreign] },
            { queue.byKey = ["a": new[2], "c": foreign] },
            { tune.queues = [newQueue, foreignQueue] },
            { queue.byKey = ["a": foreign] },
            { tune.queues = [foreignQueue] },
        ]
        for change in changes {
            change()
            try refused(.objectNotFound, "another context")
            #expect(queue.tunes.map(\.title) == ["a"] && queue.byKey.keys == ["b"] && tune.queues.map(\.name) == ["q"])
        }
        #expect(throws: ObjectStoreError.self) { try context.setNamed("n", to: [new[0], foreign]) }
        #expect(throws: ObjectStoreError.self) { try context.setNamed("n", to: Set([new[0], foreign])) }
        #expect(throws: ObjectStoreError.self) { try context.setNamed("n", to: ["a": new[0], "b": foreign]) }
        #expect(new.allSatisfy { $0.objectID == nil } && newQueue.objectID == nil && !context.hasChanges)
        // Also with what they refer to.
        let inserted = Tune(title: "inserted")
        let leading = Queue(tunes: [inserted])
        other.insert(inserted)
        queue.tunes.append(contentsOf: [new[0], new[0]])
        tune.queues = [newQueue, leading]
        #expect(new[0].objectID != nil && newQueue.objectID == nil)
        try refused(.objectNotFound, "Tune.queues", "tunes", "another context")
        other.close()
    }

    @Test func theFirstOfSeveralKeepsItsCause() throws {
        struct Cause: Error {}
        for number in 1...2 { context.refuse(ObjectStoreError(.invalidArgument, "change \(number)", cause: number == 1 ? Cause() : nil)) }
        let error = #expect(throws: ObjectStoreError.self) { try context.save() }
        #expect(error?.cause is Cause && error?.message == "change 1; 1 other change was refused too")
    }

    @Test func objectsThatWereOnlyReadMayBeChanged() throws {
        let copy = try #require(try store.read { try $0.first(Tune.self) })
        copy.title = "mine"
        context.close()
        try store.close()
    }

    /// Lists, sets and dictionaries can be changed while they are gone through.
    @Test(arguments: [3, 100]) func elementsGoWhileTheyAreGoneThrough(count: Int) throws {
        var options = ObjectStoreOptions()
        options.longestChunk = 8
        let store = try ObjectStore(engine: MemoryEngine(), classes: [Tune.self, Queue.self], options: options)
        try store.write { context in
            for name in ["list", "set", "dictionary"] {
                let queue = Queue(name: name)
                context.insert(queue)
                for number in 0..<count {
                    let tune = Tune(title: "\(number)")
                    queue.tunes.append(tune)
                    queue.byKey["\(number)"] = tune
                }
            }
        }
        let context = try store.makeContext()
        func find(_ name: String) throws -> Queue { try #require(try context.first(Queue.self, where: \.name == name)) }
        for tune in try find("list").tunes { try context.delete(tune) }
        for (_, tune) in try find("dictionary").byKey { try context.delete(tune) }
        let first = try find("set").tunes[0]
        for number in 0..<count { Queue(name: "more \(number)").tunes.append(first) }
        for queue in first.queues { queue.tunes.removeAll() }
        #expect(first.queues.isEmpty)
        #expect(try find("list").tunes.isEmpty && find("dictionary").byKey.isEmpty)
        try context.save()
        #expect(try context.count(Tune.self) == count)
    }
}
