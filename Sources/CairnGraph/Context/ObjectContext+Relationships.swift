extension ObjectContext {
    func relation(_ object: any StoredObject, _ property: Int) -> Relation? {
        guard let relations = store.storedClass(number: object._$state.id.classNumber)?.relations, relations.indices.contains(property)
        else { return nil }
        return relations[property]
    }

    /// Called before a relationship of an object changes.
    func begin(_ relation: Relation, _ owner: any StoredObject) {
        if owner.isFault { owner.fire() }
        if !relation.isDerived {
            willChange(owner)
            owner._$state.changed |= ObjectState.bit(relation.index)
        }
        owner.tell(relation.index, .willChange)
    }

    func end(_ relation: Relation, _ owner: any StoredObject) { owner.tell(relation.index, .didChange) }

    /// - Parameter new: The object that the owner will refer to.
    private func change(_ relation: Relation, _ owner: any StoredObject, to new: ObjectID? = nil, _ body: () -> Void) {
        begin(relation, owner)
        body()
        if let new { pending.addOwner(owner, relation, new) }
        end(relation, owner)
    }

    /// Sets the target of a to-one property, and updates the inverses.
    func setReference(_ relation: Relation, _ owner: any StoredObject, _ new: ObjectID) {
        let old = relation.reference(owner).id
        guard old != new else { return }
        change(relation, owner, to: new) { relation.setReference(owner, ObjectReference(new)) }
        if old.raw != 0 { didUnlink(relation, owner, old) }
        if new.raw != 0 { didLink(relation, owner, new) }
    }

    // MARK: Inverses

    /// Updates the inverse after a property of `owner` has begun to refer to `target`.
    func didLink(_ relation: Relation, _ owner: any StoredObject, _ target: ObjectID) {
        guard let inverse = relation.inverse, let stored = store.storedClass(number: target.classNumber) else { return }
        let id = owner._$state.id
        if inverse.isDerived {
            // Collections that are not gathered yet are gathered on access.
            guard let other = object(inverse.owner, target), let collection = inverse.collection(other), collection.isGathered,
                !collection.contains(id)
            else { return }
            change(inverse, other, to: id) { collection.append(id) }
            return
        }
        let other = resolve(target, stored)
        if other.isFault { other.fire() }
        switch inverse.shape {
        case .one:
            let former = inverse.reference(other).id
            guard former != id else { return }
            change(inverse, other, to: id) { inverse.setReference(other, ObjectReference(id)) }
            // The former owner no longer refers to it.
            if former.raw != 0 { remove(target, from: relation, of: former) }
        case .list, .set:
            guard let collection = inverse.madeCollection(other), !collection.contains(id) else { return }
            change(inverse, other, to: id) { collection.append(id) }
        case .dictionary: break
        }
    }

    /// Updates the inverse after a property of `owner` has lost a reference to `target`.
    func didUnlink(_ relation: Relation, _ owner: any StoredObject, _ target: ObjectID) {
        guard let inverse = relation.inverse, !relation.leads(owner, to: target) else { return }
        let id = owner._$state.id
        if inverse.isDerived {
            guard let other = object(inverse.owner, target), let collection = inverse.collection(other), collection.isGathered
            else { return }
            change(inverse, other) { collection.removeAll(id) }
            return
        }
        remove(id, from: inverse, of: target)
    }

    /// Makes a derived property refer to `target`, by changing the inverse.
    func linkOther(_ relation: Relation, _ owner: any StoredObject, _ target: ObjectID) {
        guard let inverse = relation.inverse, let stored = store.storedClass(number: target.classNumber) else { return }
        let id = owner._$state.id
        let other = resolve(target, stored)
        if other.isFault { other.fire() }
        if inverse.shape == .one {
            let former = inverse.reference(other).id
            change(inverse, other, to: id) { inverse.setReference(other, ObjectReference(id)) }
            if former.raw != 0, former != id { didUnlink(inverse, other, former) }
        } else if let collection = inverse.madeCollection(other), !collection.contains(id) {
            change(inverse, other, to: id) { collection.append(id) }
        }
    }

    func unlinkOther(_ relation: Relation, _ owner: any StoredObject, _ target: ObjectID) {
        guard let inverse = relation.inverse else { return }
        remove(owner._$state.id, from: inverse, of: target)
    }

    /// Removes all references to `target` from a property of an object.
    func remove(_ target: ObjectID, from relation: Relation, of id: ObjectID) {
        guard let stored = store.storedClass(number: id.classNumber), stored.schema != nil else { return }
        let object = resolve(id, stored)
        if object.isFault { object.fire() }
        guard relation.leads(object, to: target) else { return }
        change(relation, object) {
            guard relation.shape != .one else { return relation.setReference(object, .none) }
            relation.collection(object)?.removeAll(target)
        }
    }

    // MARK: Owners of references

    /// The objects whose property refers to an object, in insertion order.
    func owners(of target: ObjectID, through relation: Relation) throws(ObjectStoreError) -> ContiguousArray<ObjectID> {
        try owners(ofEach: [target], through: relation)[0]
    }

    /// Same, for several objects; over a network, this takes as long as for one.
    func owners(ofEach targets: [ObjectID], through relation: Relation) throws(ObjectStoreError) -> [ContiguousArray<ObjectID>] {
        var owners = [ContiguousArray<ObjectID>](repeating: [], count: targets.count)
        // Sorted by row, each once.
        try forEachSavedOwner(in: targets.map { Keyspace.references(to: $0, through: relation) }) { index, id, _ in
            owners[index].append(id)
            return true
        }
        for (index, target) in targets.enumerated() {
            let changed = changedOwners(of: target).filter { $0.relation === relation }
            guard !changed.isEmpty else { continue }
            owners[index] = ContiguousArray(Set(owners[index]).union(changed.map { $0.object._$state.id }).sorted())
        }
        return owners
    }

    /// The objects with unsaved changes whose properties refer to an object.
    func changedOwners(of target: ObjectID) -> [(object: any StoredObject, relation: Relation)] {
        pending.mayLead(to: target, store).compactMap { owner in
            guard let stored = store.storedClass(number: owner.id.classNumber), let relation = stored.relation(number: owner.property),
                let object = object(stored, owner.id), object.hasUnsavedChanges, !object.isDeleted, relation.leads(object, to: target)
            else { return nil }
            return (object, relation)
        }
    }

    /// Calls `body` with each object whose saved record refers to another, and the number of the property. Skips objects with unsaved changes.
    func forEachSavedOwner(of target: ObjectID, _ body: (ObjectID, UInt16) -> Void) throws(ObjectStoreError) {
        try forEachSavedOwner(in: [Keyspace.references(toAny: target)]) { _, id, property in
            body(id, property)
            return true
        }
    }

    /// Whether the saved record of an object without unsaved changes refers to another through a property.
    func hasSavedOwner(of target: ObjectID, through relation: Relation) throws(ObjectStoreError) -> Bool {
        var isFound = false
        try forEachSavedOwner(in: [Keyspace.references(to: target, through: relation)]) { _, _, _ in
            isFound = true
            return false
        }
        return isFound
    }

    private func forEachSavedOwner(
        in ranges: [KeyRange],
        _ body: (_ index: Int, ObjectID, UInt16) -> Bool
    ) throws(ObjectStoreError) {
        let view = try currentView()
        let hasChanges = !pending.isEmpty
        try view.lendEntries(inEach: ranges) { index, key, _ in
            guard let id = Keyspace.owner(key) else { return true }
            if hasChanges, let stored = store.storedClass(number: id.classNumber), let object = object(stored, id), object.hasUnsavedChanges
            {
                return true
            }
            return body(index, id, Keyspace.number(key, at: 11))
        }
    }
}
