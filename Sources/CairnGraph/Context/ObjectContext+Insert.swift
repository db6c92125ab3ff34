import Synchronization

extension ObjectContext {
    /// Inserts an object, to be stored by the next ``save()``, together with all objects that it refers to and that belong to no context yet.
    ///
    /// The object gets its identity immediately. Inserting it again does nothing.
    ///
    /// - Precondition: The object's class is one of the store's classes, and the object belongs to no other context.
    public func insert(_ object: some StoredObject) {
        guard !object._$state.hasContext else {
            precondition(object._$state.isIn(link), "an object of another context cannot be inserted; find it here by its objectID")
            return
        }
        let stored = take(object)
        if stored.allRelations.contains(where: { $0.holdsSomething(object) }) { insertReachable(from: object, stored) }
    }

    /// Assigns the object its identity, and marks it to be saved.
    private func take(_ object: any StoredObject) -> StoredClass {
        guard let stored = storedClass(type(of: object)) else {
            preconditionFailure("\(type(of: object)) is not among the classes that \(store.name) was opened with")
        }
        let id = ObjectID(class: stored.number, row: stored.lastRow.wrappingAdd(1, ordering: .relaxed).newValue)
        object._$state.become(id, link, options.isObserved ? [.inserted, .observed] : .inserted)
        object._$state.changeCount = 0
        unsafe link.table.insert(object, id)
        pending.inserted.append(object)
        undoIfAny?.didInsert(id)
        observer?.context(self, willInsert: object)
        return stored
    }

    /// Inserts the objects that a new object refers to: first all objects, and then the inverses of their relationships.
    private func insertReachable(from object: any StoredObject, _ stored: StoredClass) {
        var found: ContiguousArray<(object: any StoredObject, stored: StoredClass)> = [(object, stored)]
        var next = 0
        while next < found.count {
            let (object, stored) = found[next]
            next += 1
            for relation in stored.allRelations where relation.holdsSomething(object) { attach(relation, of: object, &found) }
        }
        for (object, _) in found { pending.addOwner(object, store) }
        for (object, stored) in found { for relation in stored.allRelations where relation.inverse != nil { linkOthers(relation, object) } }
    }

    /// Replaces the objects in a property of a new object by their identities.
    private func attach(
        _ relation: Relation,
        of object: any StoredObject,
        _ found: inout ContiguousArray<(object: any StoredObject, stored: StoredClass)>
    ) {
        func adopt(_ target: any StoredObject) {
            guard !target._$state.hasContext else { return checkContext(of: target) }
            found.append((target, take(target)))
        }
        guard relation.shape == .one else {
            guard let collection = relation.collection(object) else { return }
            for target in collection.objects ?? [] { adopt(target) }
            return collection.attach()
        }
        guard let target = relation.reference(object).object else { return }
        adopt(target)
        relation.setReference(object, ObjectReference(target._$state.id))
    }

    private func linkOthers(_ relation: Relation, _ object: any StoredObject) {
        guard relation.isDerived else {
            for target in relation.targets(object) { didLink(relation, object, target) }
            return
        }
        guard let collection = relation.collection(object) else { return }
        let targets = collection.ids
        collection.set([])
        collection.isGathered = false
        for target in targets { linkOther(relation, object, target) }
    }

    /// Inserts the target of a relationship, unless it is in the context already; returns its identity.
    @discardableResult
    func adopt(_ object: any StoredObject) -> ObjectID {
        if object._$state.hasContext { checkContext(of: object) } else { insert(object) }
        return object._$state.id
    }

    private func checkContext(of object: any StoredObject) {
        precondition(object._$state.isIn(link), "an object cannot lead to one of another context; find that here by its objectID")
    }

    /// Called before an object of this context is changed.
    func willChange(_ object: any StoredObject) {
        undoIfAny?.willTouch(object)
        let flags = object._$state.flags
        if flags.isDisjoint(with: [.inserted, .updated, .deleted]) {
            pending.updated.append(object)
            object._$state.flags.insert(.updated)
            pending.addOwner(object, store)
            observer?.context(self, willUpdate: object)
        }
    }

    /// The current values of an object.
    func snapshot(of object: any StoredObject) -> ObjectSnapshot? {
        guard let stored = store.storedClass(number: object._$state.id.classNumber) else { return nil }
        // Afterwards, long lists know where their chunks are.
        for relation in stored.allRelations { _ = relation.collection(object) }
        if object._$state.flags.contains(.partial) { readAllLargeValues(of: object) }
        var writer = RecordWriter()
        writer.longForm = .apart
        ObjectRecord.begin(&writer, version: stored.version, changeCount: object._$state.changeCount)
        object._$write(&writer, stored.fields)
        var snapshot = ObjectSnapshot()
        snapshot.unread = object._$state.unread
        do throws(RecordError) { snapshot.record = try writer.bytes } catch { return nil }
        for list in writer.longLists { snapshot.lists[UInt16(truncatingIfNeeded: list.field)] = list.collection.long }
        return snapshot
    }
}

extension ObjectContext {
    /// Whether there are unsaved changes. Not observable; ``observer`` is notified of changes.
    public var hasChanges: Bool { !pending.isEmpty }
}
