/// The changes of a context that are not saved yet.
struct PendingChanges {
    /// In the order in which they were inserted. Those that were deleted again are still there.
    var inserted: ContiguousArray<any StoredObject> = []
    /// Those that were deleted later are still there.
    var updated: ContiguousArray<any StoredObject> = []
    var deleted: [ObjectID: any StoredObject] = [:]
    /// The version of the store in which what leads to the deleted ones was found.
    var deletionVersion: UInt64?
    /// Encoded; `nil` for names to be removed.
    var names: [String: [UInt8]?] = [:]
    /// The bits of properties changed before the group under way began to be noted.
    var changed: [ObjectID: UInt64] = [:]
    /// Who of the inserted and updated may lead to whom; made when it is asked for. What leads nowhere any more stays: whoever asks looks.
    private var owners: [ObjectID: Set<Owner>]?

    /// An object with changes, and the number of its property that leads to another.
    struct Owner: Hashable {
        var id: ObjectID
        var property: UInt16
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && names.isEmpty }
}

extension PendingChanges {
    /// Who of the objects with changes leads to an object, or did before it was changed again.
    mutating func mayLead(to target: ObjectID, _ store: ObjectStore) -> Set<Owner> {
        if owners == nil {
            owners = [:]
            for object in inserted { addOwner(object, store) }
            for object in updated { addOwner(object, store) }
        }
        return owners?[target] ?? []
    }

    /// An object has changes now.
    mutating func addOwner(_ object: any StoredObject, _ store: ObjectStore) {
        guard owners != nil, let stored = store.storedClass(number: object._$state.id.classNumber) else { return }
        for relation in stored.allRelations { for target in relation.targets(object) { addOwner(object, relation, target) } }
    }

    /// A property leads to another object now.
    mutating func addOwner(_ object: any StoredObject, _ relation: Relation, _ target: ObjectID) {
        guard owners != nil, !relation.isDerived else { return }
        owners?[target, default: []].insert(Owner(id: object._$state.id, property: relation.number))
    }

    /// Objects were put in other states.
    mutating func forgetOwners() { owners = nil }
}
