import Synchronization

/// A class of an open store: what the catalog says of it, and the Swift class, where the program has it.
final class StoredClass: @unchecked Sendable {
    // Sendable: what is not atomic is written only while the store opens.
    let number: UInt16
    private(set) var entry: CatalogEntry
    let schema: ObjectSchema?
    /// Of the Swift class; 0 where there is none.
    let version: UInt8
    /// Which field each property of the Swift class is.
    private(set) var fields: FieldMap
    /// The highest row that was given out.
    let lastRow: Atomic<UInt64>
    /// The highest row that may have been saved. Changed by whoever holds the lock of saves.
    let savedRow: Atomic<UInt64>
    /// By the place of the property in the Swift class; `nil` for values.
    fileprivate(set) var relations: [Relation?] = []
    /// Those that are not `nil`.
    fileprivate(set) var allRelations: [Relation] = []
    private(set) var indexes: [StoredIndex] = []
    let texts: [StoredText]
    /// The group of an object, where the class is a ``ShreddableObject``.
    let shredGroup: ((any StoredObject) -> String?)?
    /// Whether there may be objects with groups.
    var isShreddable: Bool { entry.isShreddable ?? false }
    /// The bits of the relationships that are kept in the records.
    fileprivate(set) var referenceProperties: UInt64 = 0
    /// Those of them whose other side is kept in records too.
    fileprivate(set) var pairedProperties: UInt64 = 0
    /// Whether older records may hold references that the class does not read any more, so that any save may take some away.
    fileprivate(set) var hasFormerReferences = false
    func isPaired(_ reference: RecordReferences.Reference) -> Bool { relation(number: reference.property)?.isPaired ?? false }
    /// The relationship that is a field of the store.
    func relation(number: UInt16) -> Relation? { allRelations.first { $0.number == number } }
    var hasReferences: Bool { referenceProperties != 0 || hasFormerReferences }

    init(number: UInt16, entry: CatalogEntry, schema: ObjectSchema?, lastRow: UInt64, indexKeys: IndexKeys) {
        self.number = number
        self.entry = entry
        self.schema = schema
        version = schema?.version ?? 0
        shredGroup = schema?.type is any ShreddableObject.Type ? { ($0 as? any ShreddableObject)?.shredGroup } : nil
        self.lastRow = Atomic(lastRow)
        savedRow = Atomic(lastRow)
        let properties = schema?.properties ?? []
        fields = FieldMap(properties.map { entry.number(of: $0.name) })
        texts = schema.map { StoredText.texts(of: $0, entry, indexKeys.session) } ?? []
        for index in schema?.indexes ?? [] {
            guard let stored = entry.indexes.first(where: { $0.properties == index.properties }) else { continue }
            let bits = index.properties.reduce(0) { bits, name in
                bits | ObjectState.bit(properties.firstIndex { $0.name == name } ?? 63)
            }
            indexes.append(
                StoredIndex(
                    number: stored.number,
                    index: index,
                    properties: bits,
                    keys: indexKeys,
                    completion: IndexCompletion(stored.isComplete)
                )
            )
        }
    }

    var name: String { entry.name }

    /// A row was saved.
    func saved(_ row: UInt64) { if row > savedRow.load(ordering: .relaxed) { savedRow.store(row, ordering: .relaxed) } }

    /// Finds the other sides of relationships.
    static func relate(_ classes: [StoredClass]) throws(ObjectStoreError) {
        for stored in classes {
            stored.relations = (stored.schema?.properties ?? []).enumerated().map { index, property in
                guard case .relationship(let relationship) = property.kind else { return nil }
                return Relation(stored, index, property, relationship)
            }
            stored.allRelations = stored.relations.compactMap { $0 }
        }
        let byType = Dictionary(
            classes.compactMap { stored in stored.schema.map { (ObjectIdentifier($0.type), stored) } },
            uniquingKeysWith: { first, _ in first }
        )
        for stored in classes {
            for relation in stored.allRelations {
                if let target = relation.relationship.target, byType[ObjectIdentifier(target)] == nil {
                    throw ObjectStoreError(
                        .schemaMismatch,
                        "\(stored.name).\(relation.name) leads to \(target), which is not among the classes of the store: give it to the store too"
                    )
                }
                try relation.findInverse(byType)
            }
        }
        for stored in classes {
            for relation in stored.allRelations {
                relation.settle()
                if !relation.isDerived { stored.referenceProperties |= ObjectState.bit(relation.index) }
                if relation.isPaired { stored.pairedProperties |= ObjectState.bit(relation.index) }
                // So that a store can be verified without its classes.
                guard let place = stored.entry.place(of: relation.name) else { continue }
                stored.entry.properties[place].relationship?.inverse = relation.inverse?.name
                stored.entry.properties[place].relationship?.isDerived = relation.isDerived
            }
            stored.hasFormerReferences = stored.entry.hasFormerReferences
            // What the other side tells is in no record.
            stored.fields = FieldMap(
                (stored.schema?.properties ?? []).enumerated().map { index, property in
                    stored.relations[index]?.isDerived == true ? 0 : stored.entry.number(of: property.name)
                },
                rules: stored.relations.map { $0.map { rule(of: $0, classes) } }
            )
        }
    }

    /// Whom a relationship may lead to.
    private static func rule(of relation: Relation, _ classes: [StoredClass]) -> ReferenceRule {
        var roles = [ReferenceRule.ClassRole](repeating: .unknown, count: (classes.map { Int($0.number) }.max() ?? 0) + 1)
        for stored in classes {
            guard let type = stored.schema?.type else { continue }
            roles[Int(stored.number)] = relation.relationship.accepts(type.init(_$fault: ())) ? .allowed : .refused
        }
        return ReferenceRule(target: relation.relationship.targetName, classes: roles, isKey: relation.relationship.isKey)
    }
}

/// An index of an open store.
struct StoredIndex: CompletedInTime, Sendable {
    let number: UInt32
    let index: ObjectIndex
    /// The bits of its properties.
    let properties: UInt64
    let keys: IndexKeys
    let completion: IndexCompletion
}

/// What may still be in the making: an index, a text index.
protocol CompletedInTime {
    var completion: IndexCompletion { get }
}

extension CompletedInTime {
    /// Whether the entries of all objects are there now. Saves write the entries of their objects all the same.
    var isComplete: Bool { completion.since != .max }

    /// Whether they are in a view. To be asked once the view is made.
    func isComplete(in view: any EngineView) -> Bool { completion.since <= view.version.rawValue }
}

/// From which version of the engine on an index has the entries of all objects.
final class IndexCompletion: Sendable {
    private let version: Atomic<UInt64>

    init(_ isComplete: Bool) { version = Atomic(isComplete ? 0 : .max) }

    /// The largest number while there are entries to be added.
    var since: UInt64 {
        get { version.load(ordering: .acquiring) }
        set { version.store(newValue, ordering: .releasing) }
    }
}

/// A relationship of an open store.
final class Relation: @unchecked Sendable {
    unowned let owner: StoredClass
    /// The place of the property in the Swift class, and its number in the store.
    let index: Int
    let number: UInt16
    let property: ObjectProperty
    let relationship: ObjectRelationship
    fileprivate(set) unowned var inverse: Relation?
    /// Whether the other side tells what the property holds.
    private(set) var isDerived = false
    /// Whether it and its inverse are both kept in records.
    var isPaired: Bool { !isDerived && inverse?.isDerived == false }
    private let declaresInverse: Bool

    fileprivate init(_ owner: StoredClass, _ index: Int, _ property: ObjectProperty, _ relationship: ObjectRelationship) {
        self.owner = owner
        self.index = index
        self.property = property
        self.relationship = relationship
        number = UInt16(truncatingIfNeeded: owner.entry.number(of: property.name))
        declaresInverse = relationship.inverse != nil
    }

    var name: String { property.name }
    var shape: ObjectRelationship.Shape { relationship.shape }

    fileprivate func findInverse(_ classes: [ObjectIdentifier: StoredClass]) throws(ObjectStoreError) {
        guard let keyPath = relationship.inverse else { return }
        guard let target = relationship.target, let other = classes[ObjectIdentifier(target)],
            let place = other.schema?.indexOfKeyPath[keyPath], let found = other.relations[place]
        else { throw mismatch("has an inverse that is no relationship of the class it leads to") }
        guard found.relationship.target == owner.schema?.type else {
            throw mismatch("has the inverse \(other.name).\(found.name), which leads to another class")
        }
        guard found.inverse == nil || found.inverse === self, inverse == nil || inverse === found else {
            throw mismatch("has the inverse \(other.name).\(found.name), which is the inverse of another property")
        }
        inverse = found
        found.inverse = self
    }

    /// Which of two sides is kept: one that has an order is; of two sets, the one that says which the other is.
    fileprivate func settle() {
        guard shape == .set, let inverse else { return }
        if inverse.shape != .set {
            isDerived = true
        } else if declaresInverse == inverse.declaresInverse {
            isDerived = (inverse.owner.name, inverse.name) < (owner.name, name)
        } else {
            isDerived = !declaresInverse
        }
    }

    private func mismatch(_ what: String) -> ObjectStoreError {
        ObjectStoreError(.schemaMismatch, "\(owner.name).\(name) \(what)")
    }

    // MARK: What an object holds

    func reference(_ object: any StoredObject) -> ObjectReference {
        if case .one(let get, _) = relationship.access { return get(object) }
        return .none
    }

    func setReference(_ object: any StoredObject, _ reference: ObjectReference) {
        if case .one(_, let set) = relationship.access { set(object, reference) }
    }

    func collection(_ object: any StoredObject) -> ObjectCollection? {
        if case .many(let get, _) = relationship.access { return get(object) }
        return nil
    }

    /// The collection of an object, made where there is none yet; `nil` for a property that leads to one object.
    func madeCollection(_ object: any StoredObject) -> ObjectCollection? {
        guard case .many(let get, let make) = relationship.access else { return nil }
        if let collection = get(object) { return collection }
        make(object)
        return get(object)
    }

    /// Whether the property of an object leads to another.
    func leads(_ object: any StoredObject, to target: ObjectID) -> Bool {
        shape == .one ? reference(object).id == target : collection(object)?.contains(target) ?? false
    }

    /// Whether an object that is in no context yet has something here.
    func holdsSomething(_ object: any StoredObject) -> Bool {
        switch relationship.access {
        case .one(let get, _): !get(object).isNone
        case .many(let get, _): get(object) != nil
        }
    }

    /// Who the property of an object leads to, as often as it does.
    func targets(_ object: any StoredObject) -> ContiguousArray<ObjectID> {
        if shape == .one {
            let id = reference(object).id
            return id.raw == 0 ? [] : [id]
        }
        return collection(object)?.ids ?? []
    }
}
