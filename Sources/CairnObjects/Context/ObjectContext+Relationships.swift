extension ObjectContext {
    func relation(_ object: any StoredObject, _ property: Int) -> Relation? {
        guard let relations = store.storedClass(number: object._$state.id.classNumber)?.relations, relations.indices.contains(property)
        else { return nil }
        return relations[property]
    }

    /// Before a relationship of an object changes.
    func begin(_ relation: Relation, _ owner: any StoredObject) {
        if owner.isFault { owner.fire() }
        if !relation.isDerived {
            willChange(owner)
            owner._$state.changed |= ObjectState.bit(relation.index)
            pending.forgetOwners()
        }
        owner.tell(relation.index, .willChange)
    }

    func end(_ relation: Relation, _ owner: any StoredObject) { owner.tell(relation.index, .didChange) }

    private func change(_ relation: Relation, _ owner: any StoredObject, _ body: () -> Void) {
        begin(relation, owner)
        body()
        end(relation, owner)
    }

    /// Has a to-one property lead to another object, and the other sides with it.
    func setReference(_ relation: Relation, _ owner: any StoredObject, _ new: ObjectID) {
        let old = relation.reference(owner).id
        guard old != new else { return }
        change(relation, owner) { relation.setReference(owner, ObjectReference(new)) }
        if old.raw != 0 { didUnlink(relation, owner, old) }
        if new.raw != 0 { didLink(relation, owner, new) }
    }

    // MARK: The other side

    /// A property of `owner` leads to `target` now: so does the inverse, the other way.
    func didLink(_ relation: Relation, _ owner: any StoredObject, _ target: ObjectID) {
        guard let inverse = relation.inverse, let stored = store.storedClass(number: target.classNumber) else { return }
        let id = owner._$state.id
        if inverse.isDerived {
            // Gathered when it is looked at, unless it was.
            guard let other = object(inverse.owner, target), let collection = inverse.collection(other), collection.isGathered,
                !collection.ids.contains(id)
            else { return }
            change(inverse, other) { collection.ids.append(id) }
            return
        }
        let other = resolve(target, stored)
        if other.isFault { other.fire() }
        switch inverse.shape {
        case .one:
            let former = inverse.reference(other).id
            guard former != id else { return }
            change(inverse, other) { inverse.setReference(other, ObjectReference(id)) }
            // Who led to it before does so no more.
            if former.raw != 0 { remove(target, from: relation, of: former) }
        case .list, .set:
            guard let collection = inverse.madeCollection(other), !collection.ids.contains(id) else { return }
            change(inverse, other) { collection.ids.append(id) }
        case .dictionary: break
        }
    }

    /// A property of `owner` leads to `target` no more, or less often.
    func didUnlink(_ relation: Relation, _ owner: any StoredObject, _ target: ObjectID) {
        guard let inverse = relation.inverse, !relation.targets(owner).contains(target) else { return }
        let id = owner._$state.id
        if inverse.isDerived {
            guard let other = object(inverse.owner, target), let collection = inverse.collection(other), collection.isGathered
            else { return }
            change(inverse, other) { collection.ids.removeAll { $0 == id } }
            return
        }
        remove(id, from: inverse, of: target)
    }

    /// A property that the other side tells leads to `target` now: the other side is what changes.
    func linkOther(_ relation: Relation, _ owner: any StoredObject, _ target: ObjectID) {
        guard let inverse = relation.inverse, let stored = store.storedClass(number: target.classNumber) else { return }
        let id = owner._$state.id
        let other = resolve(target, stored)
        if other.isFault { other.fire() }
        if inverse.shape == .one {
            let former = inverse.reference(other).id
            change(inverse, other) { inverse.setReference(other, ObjectReference(id)) }
            if former.raw != 0, former != id { didUnlink(inverse, other, former) }
        } else if let collection = inverse.madeCollection(other), !collection.ids.contains(id) {
            change(inverse, other) { collection.ids.append(id) }
        }
    }

    func unlinkOther(_ relation: Relation, _ owner: any StoredObject, _ target: ObjectID) {
        guard let inverse = relation.inverse else { return }
        remove(owner._$state.id, from: inverse, of: target)
    }

    /// Has a property of an object lead to `target` no more.
    func remove(_ target: ObjectID, from relation: Relation, of id: ObjectID) {
        guard let stored = store.storedClass(number: id.classNumber), stored.schema != nil else { return }
        let object = resolve(id, stored)
        if object.isFault { object.fire() }
        guard relation.targets(object).contains(target) else { return }
        change(relation, object) {
            guard relation.shape != .one else { return relation.setReference(object, .none) }
            guard let collection = relation.collection(object) else { return }
            for position in collection.ids.indices.reversed() where collection.ids[position] == target {
                collection.ids.remove(at: position)
                collection.keys?.remove(at: position)
            }
        }
    }

    // MARK: Who leads to an object

    /// The objects whose property leads to an object, in the order in which they were inserted.
    func owners(of target: ObjectID, through relation: Relation) -> ContiguousArray<ObjectID> {
        var owners: Set<ObjectID> = []
        forEachOwner(of: target) { id, number in
            if number == relation.number, id.classNumber == relation.owner.number { owners.insert(id) }
        }
        return ContiguousArray(owners.sorted())
    }

    /// Calls `body` with each object that leads to another, and the number of the property.
    func forEachOwner(of target: ObjectID, _ body: (ObjectID, UInt16) -> Void) {
        // What is saved, of objects without changes of their own.
        do throws(ObjectStoreError) {
            let view = try currentView()
            try ObjectStoreError.translating { () throws(EngineError) in
                try view.lendEntries(in: Keyspace.references(toAny: target), reverse: false) { key, _ in
                    guard key.byteCount == Keyspace.referenceSize else { return true }
                    let number: UInt16 = Keyspace.number(key, at: 9)
                    let property: UInt16 = Keyspace.number(key, at: 11)
                    let row = (Keyspace.number(key, at: 11) as UInt64) & ObjectID.maximumRow
                    let id = ObjectID(class: number, row: row)
                    if let object = unsafe link.table[id], let stored = store.storedClass(number: number), let schema = stored.schema,
                        schema.cast(object).hasUnsavedChanges
                    {
                        return true
                    }
                    body(id, property)
                    return true
                }
            }
        } catch {
            faultErrors.append(error)
        }
        for (id, property) in pending.owners(of: target, store) { body(id, property) }
    }
}

extension PendingChanges {
    /// Who of the objects with changes leads to an object.
    mutating func owners(of target: ObjectID, _ store: ObjectStore) -> [(ObjectID, UInt16)] {
        if let known = ownersByTarget { return known[target] ?? [] }
        var owners: [ObjectID: [(ObjectID, UInt16)]] = [:]
        func add(_ object: any StoredObject) {
            let id = object._$state.id
            guard !object._$state.flags.contains(.deleted), let stored = store.storedClass(number: id.classNumber) else { return }
            for relation in stored.allRelations where !relation.isDerived {
                for target in Set(relation.targets(object)) { owners[target, default: []].append((id, relation.number)) }
            }
        }
        for object in inserted { add(object) }
        for object in updated { add(object) }
        ownersByTarget = owners
        return owners[target] ?? []
    }

    /// A relationship changes.
    mutating func forgetOwners() { if ownersByTarget != nil { ownersByTarget = nil } }
}
