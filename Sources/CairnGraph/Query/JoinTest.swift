import Synchronization

/// A condition on the objects that a relationship leads to.
struct JoinTest {
    /// The index of the relationship in the class.
    let property: Int
    let isToOne: Bool
    let name: String
    let target: any TargetCondition
    /// What a to-one property without an object counts as; false for collections, one of whose objects must meet the condition.
    let whenNil: Bool
    var isNegated = false

    var text: String { "\(isNegated ? "not " : "")\(name): \(target.text)" }
}

/// A condition on objects of another class.
protocol TargetCondition: AnyObject {
    var text: String { get }
    /// The objects that meet it, as a context sees them.
    func makeSet(_ context: ObjectContext) throws(ObjectStoreError) -> any TargetSet
}

/// The objects of a class that meet a condition.
protocol TargetSet: AnyObject {
    /// Whether finding all of them is cheap: an index leads to them, or the class is small beside another one.
    func isCheap(beside stored: StoredClass) throws(ObjectStoreError) -> Bool
    /// All of them, in order.
    func ids() throws(ObjectStoreError) -> [ObjectID]
    /// Whether an object is one of them. Each object is tested once.
    func contains(_ id: ObjectID) throws(ObjectStoreError) -> Bool
}

extension JoinTest {
    init<Target: StoredObject>(
        _ property: Int,
        _ name: String,
        _ target: Target.Type,
        _ condition: Condition,
        isToOne: Bool,
        whenNil: Bool
    ) {
        self.property = property
        self.isToOne = isToOne
        self.name = name
        self.target = TypedTargetCondition<Target>(condition)
        self.whenNil = whenNil
    }
}

private final class TypedTargetCondition<Target: StoredObject>: TargetCondition {
    let condition: Condition

    init(_ condition: Condition) { self.condition = condition }

    var text: String { condition.text }

    func makeSet(_ context: ObjectContext) throws(ObjectStoreError) -> any TargetSet {
        TypedTargetSet<Target>(context, try context.knownClass(Target.self), try condition.resolved(in: context))
    }
}

private final class TypedTargetSet<Target: StoredObject>: TargetSet {
    private let context: ObjectContext
    private let stored: StoredClass
    private let condition: Condition
    private var all: [ObjectID]?
    private var members: Set<ObjectID>?
    private var known: [ObjectID: Bool] = [:]
    private typealias Tester = (run: QueryRun<Target>, test: ObjectTest)
    private var tester: Tester?

    init(_ context: ObjectContext, _ stored: StoredClass, _ condition: Condition) {
        self.context = context
        self.stored = stored
        self.condition = condition
    }

    func isCheap(beside other: StoredClass) throws(ObjectStoreError) -> Bool {
        if all != nil { return true }
        let (mine, others) = (stored.lastRow.load(ordering: .relaxed), other.lastRow.load(ordering: .relaxed))
        if mine <= max(1024, others / 8) { return true }
        let plan = try context.plan(Target.self, condition, [], isBounded: false).plan
        if case .everything = plan.access { return false }
        return true
    }

    func ids() throws(ObjectStoreError) -> [ObjectID] {
        if let all { return all }
        let ids = try context.query(Target.self, condition, wantsObjects: false).matches().map(\.id)
        all = ids
        return ids
    }

    func contains(_ id: ObjectID) throws(ObjectStoreError) -> Bool {
        if let members { return members.contains(id) }
        if let all {
            let members = Set(all)
            self.members = members
            return members.contains(id)
        }
        if let known = known[id] { return known }
        let isMember = try examine(id)
        known[id] = isMember
        return isMember
    }

    private func examine(_ id: ObjectID) throws(ObjectStoreError) -> Bool {
        guard let object = try context.current(id, as: Target.self) else { return false }
        let (run, test) = if let tester { tester } else { try makeTester() }
        return try run.asks(test, object)
    }

    private func makeTester() throws(ObjectStoreError) -> Tester {
        let run = try context.query(Target.self, .always(true), wantsObjects: false)
        let made = (run, try run.objectTest(condition))
        tester = made
        return made
    }
}

/// What the conditions of a query name besides the objects that it examines: the targets of relationships.
struct QueryTargets {
    let context: ObjectContext
    let view: StoreView
    private let hold: QueryHold
    /// For relationships derived from the other side: the objects that refer back, by target and property.
    private var owners: [ObjectID: [Int: Set<ObjectID>]] = [:]
    private var sets: [ObjectIdentifier: any TargetSet] = [:]

    init(_ condition: Condition, _ context: ObjectContext, _ stored: StoredClass, _ view: StoreView) throws(ObjectStoreError) {
        self.context = context
        self.view = view
        hold = QueryHold(context)
        try gather(condition, stored)
    }

    private mutating func gather(_ condition: Condition, _ stored: StoredClass) throws(ObjectStoreError) {
        switch condition {
        case .all(let parts), .any(let parts): for part in parts { try gather(part, stored) }
        case .link(let test):
            guard let relation = stored.relations[test.property], relation.isDerived, let inverse = relation.inverse,
                let target = test.target, let id = target.objectID
            else { return }
            owners[id, default: [:]][test.property] = Set(inverse.targets(target))
        case .join(let test): sets[ObjectIdentifier(test.target)] = try test.target.makeSet(context)
        default: break
        }
    }

    func set(_ test: JoinTest) -> (any TargetSet)? { sets[ObjectIdentifier(test.target)] }

    /// The test whether a relationship of an object leads to an object.
    func test(_ test: LinkTest, _ stored: StoredClass) -> (any StoredObject) -> Bool {
        guard let relation = stored.relations[test.property] else { return { _ in false } }
        guard let target = test.target else { return { relation.shape == .one && relation.reference($0).isNone } }
        guard let id = target.objectID, !target.isDeleted else { return { _ in false } }
        if relation.isDerived {
            let owners = owners[id]?[test.property] ?? []
            return { owners.contains($0._$state.id) }
        }
        if relation.shape == .one { return { relation.reference($0).id == id } }
        let view = view
        return { relation.leads($0, to: id, in: view) }
    }

    /// The test whether a relationship of an object leads to one that meets a condition.
    func test(_ test: JoinTest, _ stored: StoredClass) -> (any StoredObject) throws(ObjectStoreError) -> Bool {
        guard let relation = stored.relations[test.property], let set = set(test) else { return { _ throws(ObjectStoreError) in false } }
        let (context, whenNil) = (context, test.whenNil)
        if relation.shape == .one {
            return { object throws(ObjectStoreError) in
                let id = relation.reference(object).id
                return id.raw == 0 ? whenNil : try set.contains(id)
            }
        }
        return { object throws(ObjectStoreError) in
            let ids =
                if relation.isDerived, let inverse = relation.inverse {
                    try context.owners(of: object._$state.id, through: inverse)
                } else { relation.targets(object) }
            for id in ids { if try set.contains(id) { return true } }
            return false
        }
    }
}
