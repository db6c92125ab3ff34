import CairnCore
import Synchronization

/// A class of an open store: its catalog entry, and the Swift class if the program has it.
final class StoredClass: @unchecked Sendable {
    // Sendable: everything that is not atomic is written only while the store opens.
    let number: UInt16
    private(set) var entry: CatalogEntry
    let schema: ObjectSchema?
    /// The version of the Swift class; 0 if there is none.
    let version: UInt8
    /// Maps the properties of the Swift class to fields.
    private(set) var fields: FieldMap
    /// The highest row that is known to be assigned.
    let lastRow: Atomic<UInt64>
    /// The rows for new objects.
    let rows = RowLease()
    /// The highest row that may have been saved.
    let savedRow: Atomic<UInt64>
    /// By the property's index in the Swift class; `nil` for values.
    fileprivate(set) var relations: [Relation?] = []
    /// The elements of `relations` that are not `nil`.
    fileprivate(set) var allRelations: [Relation] = []
    private(set) var indexes: [StoredIndex] = []
    let texts: [StoredText]
    /// Returns an object's group, if the class is a ``ShreddableObject``.
    let shredGroup: ((any StoredObject) -> String?)?
    /// Whether objects may have groups.
    var isShreddable: Bool { entry.isShreddable ?? false }
    /// The bits of the relationships stored in records.
    fileprivate(set) var referenceProperties: UInt64 = 0
    /// The bits of the relationships whose inverse is stored in records too.
    fileprivate(set) var pairedProperties: UInt64 = 0
    /// Whether older records may contain references that the class no longer reads, so that any save may remove some.
    fileprivate(set) var hasFormerReferences = false
    func isPaired(_ reference: RecordReferences.Reference) -> Bool { relation(number: reference.property)?.isPaired ?? false }
    /// The relationship with a field number.
    func relation(number: UInt16) -> Relation? { allRelations.first { $0.number == number } }
    /// Whether older records may contain values that the class no longer has, which may be large.
    let hasFormerValues: Bool
    /// The bits of the properties with an index.
    private(set) var indexedProperties: UInt64 = 0
    var isHandCoded: Bool { entry.isHandCoded ?? false }
    var hasReferences: Bool { referenceProperties != 0 || hasFormerReferences }

    init(number: UInt16, entry: CatalogEntry, schema: ObjectSchema?, lastRow: UInt64, indexKeys: IndexKeys) {
        self.number = number
        self.entry = entry
        self.schema = schema
        version = schema?.version ?? 0
        shredGroup = schema?.type is any ShreddableObject.Type ? { ($0 as? any ShreddableObject)?.shredGroup } : nil
        self.lastRow = Atomic(lastRow)
        savedRow = Atomic(lastRow)
        hasFormerValues = entry.properties.contains { $0.isGone != nil && $0.relationship == nil }
        let properties = schema?.properties ?? []
        fields = FieldMap(properties.map { entry.number(of: $0.name) }, rules: [], initial: entry.initialRecord)
        texts = schema.map { StoredText.texts(of: $0, entry, indexKeys.session) } ?? []
        for index in schema?.indexes ?? [] {
            guard let stored = entry.indexes.first(where: { $0.properties == index.properties }) else { continue }
            let bits = index.properties.reduce(0) { bits, name in
                bits | ObjectState.bit(properties.firstIndex { $0.name == name } ?? 63)
            }
            indexedProperties |= bits
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

    /// Records that a row may have been saved.
    func saved(_ row: UInt64) { savedRow.max(row, ordering: .relaxed) }

    /// Connects relationships with their inverses.
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
                        "\(stored.name).\(relation.name) refers to \(target), which is not among the classes of the store: pass that class to the store too"
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
                // Allows verifying the store without its classes.
                guard let place = stored.entry.place(of: relation.name) else { continue }
                stored.entry.properties[place].relationship?.inverse = relation.inverse?.name
                stored.entry.properties[place].relationship?.isDerived = relation.isDerived
            }
            stored.hasFormerReferences = stored.entry.hasFormerReferences
            // Derived relationships are not stored in records.
            stored.fields = FieldMap(
                (stored.schema?.properties ?? []).enumerated().map { index, property in
                    stored.relations[index]?.isDerived == true ? 0 : stored.entry.number(of: property.name)
                },
                rules: stored.relations.map { $0.map { rule(of: $0, classes) } },
                initial: stored.entry.initialRecord
            )
        }
    }

    /// Which objects a relationship may refer to.
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

/// An index or text index that may be incomplete.
protocol CompletedInTime {
    var completion: IndexCompletion { get }
}

extension CompletedInTime {
    /// Whether the index has the entries of all objects now. Saves write the entries of their objects in any case.
    var isComplete: Bool { completion.since != .max }

    /// Whether a view contains all entries. Call this after making the view.
    func isComplete(in view: StoreView) -> Bool { completion.since <= view.version.rawValue }
}

/// The engine version since which an index has the entries of all objects.
final class IndexCompletion: Sendable {
    private let version: Atomic<UInt64>

    init(_ isComplete: Bool) { version = Atomic(isComplete ? 0 : .max) }

    /// Notes whether the index is complete in a version.
    func note(_ isComplete: Bool, _ version: EngineVersion) {
        guard isComplete != (since != .max) else { return }
        since = isComplete ? version.rawValue : .max
    }

    /// `.max` while entries are missing.
    var since: UInt64 {
        get { version.load(ordering: .acquiring) }
        set { version.store(newValue, ordering: .releasing) }
    }
}

/// A relationship of an open store.
final class Relation: @unchecked Sendable {
    unowned let owner: StoredClass
    /// The property's index in the Swift class, and its number in the store.
    let index: Int
    let number: UInt16
    let property: ObjectProperty
    let relationship: ObjectRelationship
    fileprivate(set) unowned var inverse: Relation?
    /// Whether the property is derived from its inverse.
    private(set) var isDerived = false
    /// Whether it and its inverse are both stored in records.
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
        guard let target = relationship.target, let other = classes[ObjectIdentifier(target)] else {
            throw mismatch("refers to objects of several classes, so it cannot have an inverse")
        }
        guard let place = other.schema?.indexOfKeyPath[keyPath] else {
            throw mismatch("has an inverse that is not a stored property of \(other.name), the class that it refers to: \(keyPath)")
        }
        guard let found = other.relations[place] else {
            let property = other.schema?.properties[place].name ?? ""
            throw mismatch("has the inverse \(other.name).\(property), which is not a relationship; declare it with @Relationship")
        }
        guard found.relationship.target == owner.schema?.type else {
            throw mismatch("has the inverse \(other.name).\(found.name), which refers to another class")
        }
        guard found.inverse == nil || found.inverse === self, inverse == nil || inverse === found else {
            throw mismatch("has the inverse \(other.name).\(found.name), which is the inverse of another property")
        }
        inverse = found
        found.inverse = self
    }

    /// Decides which of the two sides is stored: the ordered one or, if both are sets, the one that declares the inverse.
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

}

extension Keyspace {
    /// The references of one property to an object.
    static func references(to target: ObjectID, through relation: Relation) -> KeyRange {
        ReferringProperty(relation).references(to: target)
    }
}
