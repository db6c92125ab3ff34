import CairnObjects
import CairnTestSupport
import Testing

@Stored final class Link {
    var number: Int
    @Relationship(onDelete: .cascade) var next: Link?
    @Relationship(inverse: \Link.next) var former: ObjectSet<Link>
}

@Stored final class Team {
    var name: String
    @Relationship(inverse: \Team.parent, onDelete: .cascade) var parts: ObjectList<Team>
    @Relationship var parent: Team?
    @Relationship(onDelete: .deny) var debts: ObjectList<Debt>
}

@Stored final class Debt {
    var amount: Int
    @Relationship(inverse: \Team.debts) var debtor: ObjectSet<Team>
}

/// Long ways from object to object, and deletions that go far or nowhere.
struct ChainTests {
    private let store: ObjectStore
    private let context: ObjectContext

    init() throws {
        store = try ObjectStore(engine: MemoryEngine(), classes: [Link.self, Team.self, Debt.self])
        context = try store.makeContext()
    }

    @Test func aChainOfManyObjectsIsInsertedAndDeleted() throws {
        let count = 20_000
        let first = Link(number: 0)
        var last = first
        for number in 1..<count {
            let link = Link(number: number)
            last.next = link
            last = link
        }
        context.insert(first)
        try context.save()
        #expect(try context.count(Link.self) == count)
        #expect(first.next?.next?.former.map(\.number) == [1])
        try context.delete(first)
        #expect(last.isDeleted)
        try context.save()
        #expect(try context.count(Link.self) == 0)
        #expect(try store.verify().isIntact)
    }

    @Test func bothSidesMayBeGivenToNewObjects() throws {
        let (one, two) = (Team(name: "1", parts: [], debts: []), Team(name: "2", parts: [], debts: []))
        one.parts.append(two)
        two.parent = one
        two.parts.append(one)
        one.parent = two
        context.insert(one)
        #expect(one.parts.map(\.name) == ["2"] && two.parts.map(\.name) == ["1"])
        try context.save()
        #expect(try store.verify().isIntact)
    }

    private func family() throws -> (root: Team, parts: [Team], debt: Debt) {
        let (root, debt) = (Team(name: "root", parts: [], debts: []), Debt(amount: 1, debtor: []))
        let parts = (0..<3).map { Team(name: "part \($0)", parts: [], debts: []) }
        root.parts.append(contentsOf: parts)
        parts[2].debts.append(debt)
        context.insert(root)
        try context.save()
        return (root, parts, debt)
    }

    @Test func whatIsDeniedFarAwayChangesNothing() throws {
        let (root, parts, debt) = try family()
        let error = #expect(throws: ObjectStoreError.self) { try context.delete(root) }
        #expect(error?.code == .deletionDenied && error?.object == parts[2].objectID)
        #expect(!context.hasChanges && !root.isDeleted && root.parts.count == 3 && parts[0].parent === root)
        parts[2].debts.removeAll()
        try context.delete(root)
        try context.save()
        #expect(try context.count(Team.self) == 0 && context.count(Debt.self) == 1 && debt.debtor.isEmpty)
        #expect(try store.verify().isIntact)
    }

    @Test func changesOfValuesDoNotHideWhoLeadsToADeletedObject() throws {
        let (root, parts, debt) = try family()
        // Who leads to whom among the changed ones is asked for, and then another one changes.
        parts[0].name = "changed"
        #expect(debt.debtor.map(\.name) == ["part 2"])
        parts[2].name = "changed too"
        try context.delete(debt)
        #expect(parts[2].debts.isEmpty && root.parts.count == 3)
        try context.save()
        #expect(try store.verify().isIntact)
    }

    @Test func anObjectThatIsDeletedBroughtBackAndDeletedAgainIsSavedOnce() throws {
        let (_, parts, _) = try family()
        context.undo.isEnabled = true
        try context.undo.group { try context.delete(parts[0]) }
        try context.undo.undo()
        #expect(!parts[0].isDeleted)
        try context.delete(parts[0])
        try context.save()
        #expect(try context.count(Team.self) == 3)
        #expect(try store.verify().isIntact)
    }

    @Test func undoThatIsEnabledAmongChangesTakesBackWhatComesLater() throws {
        let (root, _, _) = try family()
        root.name = "before"
        let new = Debt(amount: 1, debtor: [])
        context.insert(new)
        context.undo.isEnabled = true
        context.undo.group {
            root.name = "after"
            new.amount = 2
        }
        try context.undo.undo()
        #expect(root.name == "before" && new.amount == 1)
        try context.save()
        #expect(try store.read { (other) throws in try other.allObjects(Team.self).first?.name } == "before")
    }
}
