extension ObjectContext {
    /// Has an object deleted by the next ``save()``. What leads to it leads to it no more at once, and the rules of its own relationships are followed
    /// (``DeleteRule``). ``StoredObject/prepareForDelete()`` is called before. Deleting it again does nothing.
    ///
    /// - Throws: ``ObjectStoreError``: `deletionDenied` where a relationship with the rule `deny` leads somewhere, and then nothing was changed but what
    ///   `prepareForDelete` did; `unknownClass` where objects of a class lead to it that the store was opened without; `corruption`, `ioError`, `closed`.
    public func delete(_ object: some StoredObject) throws(ObjectStoreError) { try delete(any: object) }

    func delete(any object: any StoredObject) throws(ObjectStoreError) {
        try checkOpen()
        guard object._$state.isIn(link) else {
            throw ObjectStoreError(.notFound, "an object that belongs to no context, or to another one, cannot be deleted here")
        }
        guard !object.isDeleted, let stored = store.storedClass(number: object._$state.id.classNumber) else { return }
        if object.isFault, !stored.allRelations.isEmpty || !stored.indexes.isEmpty {
            do throws(ObjectStoreError) { try load(object, stored) } catch {
                // What is damaged can be deleted; what it led to is not known.
                guard error.code == .corruption else { throw error }
                object._$state.flags.remove(.fault)
                object._$state.flags.insert(.damaged)
            }
        }
        try refuse(object, stored)
        mark(object)
        object.prepareForDelete()
        try follow(object, stored)
        detach(object._$state.id)
    }

    /// Refuses what a rule denies, here and in all that would be deleted too.
    private func refuse(_ object: any StoredObject, _ stored: StoredClass) throws(ObjectStoreError) {
        try refuseUnknownOwners(object._$state.id, stored)
        for relation in stored.allRelations where relation.relationship.deleteRule == .deny {
            let targets = targets(relation, object)
            guard targets.isEmpty else {
                throw ObjectStoreError(
                    .deletionDenied,
                    "\(stored.name) \(object._$state.id.row) of \(store.name) cannot be deleted: its \(relation.name) lead\(relation.shape == .one ? "s" : "") to \(targets.count) object\(targets.count == 1 ? "" : "s")",
                    object: object._$state.id
                )
            }
        }
    }

    /// What leads to an object could not be taken away from objects of classes that are not here.
    private func refuseUnknownOwners(_ id: ObjectID, _ stored: StoredClass) throws(ObjectStoreError) {
        guard store.classes.contains(where: { $0.schema == nil }) else { return }
        var owner: (ObjectID, StoredClass)?
        forEachOwner(of: id) { found, number in
            guard let other = store.storedClass(number: found.classNumber), other.schema == nil,
                other.entry[field: Int(number)]?.isGone == nil
            else { return }
            owner = (found, other)
        }
        guard let (found, other) = owner else { return }
        throw ObjectStoreError(
            .unknownClass,
            "\(stored.name) \(id.row) of \(store.name) cannot be deleted: \(other.name) \(found.row) leads to it, and the store was opened without that class; give it to the store too",
            object: id
        )
    }

    private func targets(_ relation: Relation, _ object: any StoredObject) -> ContiguousArray<ObjectID> {
        if relation.isDerived, let collection = relation.madeCollection(object) { Relationships.gather(collection, object, relation.index) }
        return relation.targets(object)
    }

    private func mark(_ object: any StoredObject) {
        undoIfAny?.willTouch(object)
        observer?.context(self, willDelete: object)
        let wasInserted = object._$state.flags.contains(.inserted)
        object._$state.flags.insert(.deleted)
        if !wasInserted { pending.deleted.append(object) }
        pending.forgetOwners()
    }

    private func follow(_ object: any StoredObject, _ stored: StoredClass) throws(ObjectStoreError) {
        for relation in stored.allRelations {
            let targets = targets(relation, object)
            if relation.relationship.deleteRule == .cascade {
                for id in targets {
                    guard let other = store.storedClass(number: id.classNumber), other.schema != nil else { continue }
                    try delete(any: resolve(id, other))
                }
            } else if !relation.isDerived, let inverse = relation.inverse {
                for id in Set(targets) { remove(object._$state.id, from: inverse, of: id) }
            }
        }
    }

    /// What leads to an object does so no more.
    private func detach(_ target: ObjectID) {
        var owners: [(ObjectID, UInt16)] = []
        forEachOwner(of: target) { owners.append(($0, $1)) }
        for (id, number) in owners where id != target {
            guard let stored = store.storedClass(number: id.classNumber),
                let relation = stored.allRelations.first(where: { $0.number == number })
            else { continue }
            remove(target, from: relation, of: id)
        }
    }
}
