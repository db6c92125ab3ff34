/// The unsaved changes of a context.
struct PendingChanges {
    /// In insertion order. Includes objects deleted since.
    var inserted: ContiguousArray<any StoredObject> = []
    /// Includes objects deleted since.
    var updated: ContiguousArray<any StoredObject> = []
    var deleted: [ObjectID: any StoredObject] = [:]
    /// The version of the store in which references to deleted objects were found.
    var deletionVersion: EngineVersion?
    /// Encoded; `nil` for names to be removed.
    var names: [String: [UInt8]?] = [:]
    /// The bits of properties changed before the current undo group began.
    var changed: [ObjectID: UInt64] = [:]
    /// Which inserted and updated objects may refer to which; built on first use. May contain outdated references, so callers check.
    private var owners: [ObjectID: Set<Owner>]?
    /// Owners with long collections that were not read completely: they may refer to any object.
    private var longOwners: Set<Owner> = []

    /// An object with changes, and the number of its property with the reference.
    struct Owner: Hashable {
        var id: ObjectID
        var property: UInt16
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && names.isEmpty }
}

extension PendingChanges {
    /// The changed objects that refer to an object, or did before they were changed again.
    mutating func mayLead(to target: ObjectID, _ store: ObjectStore) -> Set<Owner> {
        if owners == nil {
            owners = [:]
            longOwners = []
            for object in inserted { addOwner(object, store) }
            for object in updated { addOwner(object, store) }
        }
        return (owners?[target] ?? []).union(longOwners)
    }

    /// Adds the references of a newly changed object.
    mutating func addOwner(_ object: any StoredObject, _ store: ObjectStore) {
        guard owners != nil, let stored = store.storedClass(number: object._$state.id.classNumber) else { return }
        for relation in stored.allRelations {
            if let long = relation.collection(object)?.long, long.unreadCount > 0 {
                longOwners.insert(Owner(id: object._$state.id, property: relation.number))
            } else {
                for target in relation.targets(object) { addOwner(object, relation, target) }
            }
        }
    }

    /// Adds a new reference of a property.
    mutating func addOwner(_ object: any StoredObject, _ relation: Relation, _ target: ObjectID) {
        guard owners != nil, !relation.isDerived else { return }
        owners?[target, default: []].insert(Owner(id: object._$state.id, property: relation.number))
    }

    /// Called when objects have been put into other states.
    mutating func forgetOwners() { owners = nil }
}
