import Synchronization

extension ObjectContext {
    /// Marks an object to be deleted by the next ``save()``. References to it are removed immediately, and the delete rules of its own relationships are
    /// applied (``DeleteRule``). ``StoredObject/prepareForDelete()`` is called first. Deleting it again does nothing.
    ///
    /// All objects to be deleted, and all that refer to them, are found and read first: if that fails, nothing is changed. If `prepareForDelete` adds
    /// further objects and one of them fails, the deletion is incomplete: call ``rollback()``, or undo it.
    ///
    /// - Throws: ``ObjectStoreError``: `deletionDenied` if a relationship with the rule `deny` refers to an object that is not deleted too; `unknownClass` if
    ///   objects of a class that the store was opened without refer to one of them; `objectNotFound` for an object of another context or of no context;
    ///   `corruption`, `ioError`, `closed`.
    /// - Complexity: O(n) in the objects deleted, the objects that refer to them, and the lengths of the lists with these references.
    public func delete(_ object: some StoredObject) throws(ObjectStoreError) { try delete(any: object) }

    func delete(any object: any StoredObject) throws(ObjectStoreError) {
        try checkOpen()
        guard object._$state.isIn(link) else {
            throw ObjectStoreError(.objectNotFound, "an object that belongs to no context, or to another one, cannot be deleted here")
        }
        if pending.deletionVersion == nil { pending.deletionVersion = try currentView().version }
        var deletion = Deletion(self)
        try deletion.add(object)
        while let (object, stored) = deletion.next() {
            guard !object.isDeleted else { continue }
            mark(object)
            object.prepareForDelete()
            // If `prepareForDelete` added references, their targets are deleted too.
            try deletion.addAgain(object, stored)
            for relation in stored.allRelations where !relation.isDerived && relation.relationship.deleteRule != .cascade {
                guard let inverse = relation.inverse else { continue }
                for id in Set(relation.targets(object)) { remove(object._$state.id, from: inverse, of: id) }
            }
            deletion.detach(object._$state.id)
        }
    }

    private func mark(_ object: any StoredObject) {
        undoIfAny?.willTouch(object)
        observer?.context(self, willDelete: object)
        let wasInserted = object._$state.flags.contains(.inserted)
        object._$state.flags.insert(.deleted)
        if !wasInserted { pending.deleted[object._$state.id] = object }
    }
}

extension ObjectContext {
    /// Before saving, removes references to deleted objects that other contexts have made in the meantime; returns the state of the store in which
    /// none are left, or `nil` if nothing is deleted.
    func detachAgain() throws(ObjectStoreError) -> StoreView? {
        guard !pending.deleted.isEmpty else { return nil }
        let view = try currentView()
        guard pending.deletionVersion != view.version else { return view }
        let hold = QueryHold(self)
        defer { withExtendedLifetime(hold) {} }
        var deletion = Deletion(self)
        for id in pending.deleted.keys { try deletion.detachNewOwners(id) }
        pending.deletionVersion = view.version
        return view
    }
}

/// The objects to delete together, found before anything is changed. A work list instead of recursion, because chains can be long.
private struct Deletion {
    let context: ObjectContext
    private var objects: ContiguousArray<(object: any StoredObject, stored: StoredClass)> = []
    private var ids: Set<ObjectID> = []
    /// How many of `objects` have been expanded, checked against delete rules, and deleted.
    private var expanded = 0
    private var checked = 0
    private var done = 0
    /// The saved objects that refer to them. Kept in memory, with their values.
    private var owners: [ObjectID: [(object: any StoredObject, relation: Relation)]] = [:]
    /// The owners whose records refer to them only through properties that their classes no longer have.
    private var formerOwners: [ObjectID: [any StoredObject]] = [:]

    init(_ context: ObjectContext) { self.context = context }

    /// Adds an object, and all objects deleted with it.
    mutating func add(_ object: any StoredObject) throws(ObjectStoreError) {
        try addOne(object)
        try expand()
    }

    /// Adds the objects that an object now refers to.
    mutating func addAgain(_ object: any StoredObject, _ stored: StoredClass) throws(ObjectStoreError) {
        try addCascade(of: object, stored)
        try expand()
    }

    private mutating func addCascade(of object: any StoredObject, _ stored: StoredClass) throws(ObjectStoreError) {
        for relation in stored.allRelations where relation.relationship.deleteRule == .cascade {
            for id in try targets(relation, object) where !ids.contains(id) {
                guard let other = try found(id) else { continue }
                try addOne(other)
            }
        }
    }

    /// Returns the next object to delete.
    mutating func next() -> (object: any StoredObject, stored: StoredClass)? {
        guard done < objects.count else { return nil }
        done += 1
        return objects[done - 1]
    }

    private mutating func expand() throws(ObjectStoreError) {
        while expanded < objects.count {
            let (object, stored) = objects[expanded]
            expanded += 1
            try addCascade(of: object, stored)
        }
        while checked < objects.count {
            try checkDenial(objects[checked].object, objects[checked].stored)
            checked += 1
        }
    }

    private mutating func addOne(_ object: any StoredObject) throws(ObjectStoreError) {
        let id = object._$state.id
        guard !object.isDeleted, let stored = context.store.storedClass(number: id.classNumber), ids.insert(id).inserted else { return }
        // Undoing needs its values.
        let needsValues = !stored.allRelations.isEmpty || !stored.indexes.isEmpty || context.undoIfAny?.isEnabled == true
        if object.isFault, needsValues { try load(object, stored) }
        try readLists(object, stored)
        objects.append((object, stored))
        try addOwners(of: id, stored)
    }

    /// Damaged and shredded objects can be deleted; their references are unknown.
    private func load(_ object: any StoredObject, _ stored: StoredClass) throws(ObjectStoreError) {
        do throws(ObjectStoreError) { try context.load(object, stored) } catch {
            guard error.code == .corruption || error.code == .shredded else { throw error }
            object._$state.becomeDamaged()
        }
    }

    /// Reads the long lists of an object to be deleted.
    private func readLists(_ object: any StoredObject, _ stored: StoredClass) throws(ObjectStoreError) {
        for relation in stored.allRelations {
            do throws(ObjectStoreError) { try relation.collection(object)?.readAll() } catch {
                guard error.code == .corruption || error.code == .shredded else { throw error }
                object._$state.becomeDamaged()
            }
        }
    }

    /// The object with an identity, or `nil` if its class is unavailable or the object is gone.
    private func found(_ id: ObjectID) throws(ObjectStoreError) -> (any StoredObject)? {
        guard let stored = context.store.storedClass(number: id.classNumber), stored.schema != nil else { return nil }
        let object = context.resolve(id, stored)
        guard object.isFault else { return object }
        do throws(ObjectStoreError) { try load(object, stored) } catch {
            guard error.code == .objectNotFound else { throw error }
            return nil
        }
        return object
    }

    /// Finds and reads the objects that refer to an object.
    private mutating func addOwners(of id: ObjectID, _ stored: StoredClass, again: Bool = false) throws(ObjectStoreError) {
        var found: [(ObjectID, UInt16)] = []
        try context.forEachSavedOwner(of: id) { found.append(($0, $1)) }
        for (owner, number) in found {
            guard let other = context.store.storedClass(number: owner.classNumber) else { continue }
            guard other.schema != nil else {
                // A property that the class no longer has is not a reference.
                guard other.entry[field: Int(number)]?.isGone == nil else { continue }
                throw ObjectStoreError(
                    .unknownClass,
                    "\(stored.name) \(id.row) of \(context.store.name) cannot be deleted: \(other.name) \(owner.row) refers to it, and the store was opened without that class; pass that class to the store too",
                    object: id
                )
            }
            if again { context.object(other, owner)?._$state.flags.insert(.fault) }
            guard owner != id else { continue }
            guard let relation = other.relation(number: number) else {
                // The class may get the property back.
                if other.entry[field: Int(number)]?.isGone == true, let object = try self.found(owner) {
                    formerOwners[id, default: []].append(object)
                }
                continue
            }
            guard let object = try self.found(owner) else { continue }
            try relation.collection(object)?.readAll()
            owners[id, default: []].append((object, relation))
        }
    }

    /// Removes references to a deleted object that were made in the meantime.
    mutating func detachNewOwners(_ id: ObjectID) throws(ObjectStoreError) {
        guard let stored = context.store.storedClass(number: id.classNumber) else { return }
        try addOwners(of: id, stored, again: true)
        detach(id)
        (owners[id], formerOwners[id]) = (nil, nil)
    }

    /// Throws if a delete rule denies the deletion.
    private func checkDenial(_ object: any StoredObject, _ stored: StoredClass) throws(ObjectStoreError) {
        for relation in stored.allRelations where relation.relationship.deleteRule == .deny {
            let count = try targets(relation, object).count { !ids.contains($0) }
            guard count == 0 else {
                throw ObjectStoreError(
                    .deletionDenied,
                    "\(stored.name) \(object._$state.id.row) of \(context.store.name) cannot be deleted: its \(relation.name) refer\(relation.shape == .one ? "s" : "") to \(count) object\(count == 1 ? "" : "s")",
                    object: object._$state.id
                )
            }
        }
    }

    private func targets(_ relation: Relation, _ object: any StoredObject) throws(ObjectStoreError) -> ContiguousArray<ObjectID> {
        if relation.isDerived, let collection = relation.madeCollection(object) {
            try Relationships.gather(collection, object, relation, context)
        }
        return relation.targets(object)
    }

    /// Removes all references to an object.
    func detach(_ target: ObjectID) {
        for (owner, relation) in owners[target] ?? [] where !owner.isDeleted {
            context.remove(target, from: relation, of: owner._$state.id)
        }
        for (owner, relation) in context.changedOwners(of: target) where owner._$state.id != target {
            context.remove(target, from: relation, of: owner._$state.id)
        }
        // A record that is saved again has no such properties. A damaged one cannot be saved.
        for owner in formerOwners[target] ?? [] where owner._$state.flags.isDisjoint(with: [.deleted, .damaged]) {
            context.willChange(owner)
        }
    }
}
