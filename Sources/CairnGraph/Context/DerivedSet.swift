/// A set that is derived from its inverse and whose elements have not been read: the store knows which objects refer to its owner.
struct DerivedSet {
    let context: ObjectContext
    let owner: any StoredObject
    let relation: Relation
    /// The property of the elements that refers to the owner.
    let inverse: Relation

    /// Whether an object's property refers to the owner: as saved, or as it is now if the object has unsaved changes. Errors are recorded.
    func contains(_ object: any StoredObject) -> Bool {
        guard object._$state.isIn(context.link), inverse.owner.number == object._$state.id.classNumber else { return false }
        guard !object.hasUnsavedChanges else { return !object.isDeleted && inverse.leads(object, to: owner._$state.id) }
        let key = Keyspace.reference(to: owner._$state.id, from: object._$state.id, inverse.number)
        return recordingErrors(false) { view throws(ObjectStoreError) in
            try view.contains(key)
        }
    }

    func isEmpty() -> Bool {
        guard !context.changedOwners(of: owner._$state.id).contains(where: { $0.relation === inverse }) else { return false }
        return recordingErrors(true) { _ throws(ObjectStoreError) in try !context.hasSavedOwner(of: owner._$state.id, through: inverse) }
    }

    func insert(_ object: any StoredObject) -> Bool {
        guard !contains(object) else { return false }
        guard let id = context.adopt(object, for: owner, relation.index) else { return false }
        context.begin(relation, owner)
        context.linkOther(relation, owner, id)
        context.end(relation, owner)
        return true
    }

    func remove(_ object: any StoredObject) -> Bool {
        guard contains(object) else { return false }
        context.begin(relation, owner)
        context.unlinkOther(relation, owner, object._$state.id)
        context.end(relation, owner)
        return true
    }

    private func recordingErrors(_ otherwise: Bool, _ body: (StoreView) throws(ObjectStoreError) -> Bool) -> Bool {
        do throws(ObjectStoreError) { return try body(try context.currentView()) } catch {
            context.faultErrors.append(error)
            return otherwise
        }
    }
}

extension Relationships {
    /// The set that a collection stands for, if it is derived and has not been read.
    static func derived(_ collection: ObjectCollection, _ owner: (any StoredObject)?, _ property: Int) -> DerivedSet? {
        guard !collection.isGathered, let owner, let context = owner.objectContext, let relation = context.relation(owner, property),
            relation.isDerived, let inverse = relation.inverse
        else { return nil }
        return DerivedSet(context: context, owner: owner, relation: relation, inverse: inverse)
    }
}

extension ObjectCollection {
    var isEmpty: Bool { count == 0 }
}
