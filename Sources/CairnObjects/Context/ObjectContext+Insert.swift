import Synchronization

extension ObjectContext {
    /// Has an object stored by the next ``save()``, and with it the objects that its relationships lead to and that belong to no context yet.
    ///
    /// The object gets its identity at once. Inserting it again does nothing.
    ///
    /// - Precondition: The object's class is one of the store's, and the object belongs to no other context.
    public func insert<Object: StoredObject>(_ object: Object) {
        if object._$state.hasContext {
            precondition(object._$state.isIn(link), "an object of another context cannot be inserted; find it here by its objectID")
            return
        }
        guard let stored = storedClass(Object.self) else {
            preconditionFailure("\(Object.self) is not among the classes that \(store.name) was opened with")
        }
        let id = ObjectID(class: stored.number, row: stored.lastRow.wrappingAdd(1, ordering: .relaxed).newValue)
        object._$state.become(id, link, options.isObserved ? [.inserted, .observed] : .inserted)
        object._$state.changeCount = 0
        unsafe link.table.insert(object, id)
        pending.inserted.append(object)
        undoIfAny?.didInsert(id)
        observer?.context(self, willInsert: object)
        if !stored.allRelations.isEmpty { attachRelations(object, stored) }
    }

    /// The objects that the new object leads to become part of the context too.
    private func attachRelations(_ object: any StoredObject, _ stored: StoredClass) {
        for relation in stored.allRelations {
            if relation.shape == .one {
                let reference = relation.reference(object)
                if let target = reference.object {
                    adopt(target)
                    relation.setReference(object, ObjectReference(target._$state.id))
                }
            } else if let collection = relation.collection(object) {
                for target in collection.objects ?? [] { if let target { adopt(target) } }
                collection.attach()
            }
        }
        pending.forgetOwners()
        for relation in stored.allRelations where relation.inverse != nil {
            if relation.isDerived {
                let collection = relation.collection(object)
                let targets = collection?.ids ?? []
                collection?.ids = []
                collection?.isGathered = false
                for target in targets { linkOther(relation, object, target) }
            } else {
                for target in relation.targets(object) { didLink(relation, object, target) }
            }
        }
    }

    /// Inserts an object that a relationship leads to, unless it is here already; returns its identity.
    @discardableResult
    func adopt(_ object: any StoredObject) -> ObjectID {
        if !object._$state.hasContext { insertAny(object) }
        precondition(object._$state.isIn(link), "an object cannot lead to one of another context; find that here by its objectID")
        return object._$state.id
    }

    private func insertAny(_ object: some StoredObject) { insert(object) }

    /// Before an object of this context is changed.
    func willChange(_ object: any StoredObject) {
        undoIfAny?.willTouch(object)
        let flags = object._$state.flags
        if flags.isDisjoint(with: [.inserted, .updated, .deleted]) {
            pending.updated.append(object)
            object._$state.flags.insert(.updated)
            observer?.context(self, willUpdate: object)
        }
    }

    /// The record of an object as it is in memory.
    func record(of object: any StoredObject) -> [UInt8]? {
        guard let stored = store.storedClass(number: object._$state.id.classNumber) else { return nil }
        var writer = RecordWriter()
        write(object, stored, &writer)
        do throws(RecordError) { return try writer.bytes } catch { return nil }
    }

    /// Writes the record of an object, header included.
    func write(_ object: any StoredObject, _ stored: StoredClass, _ writer: inout RecordWriter) {
        ObjectRecord.begin(&writer, version: stored.version, changeCount: object._$state.changeCount)
        object._$write(&writer, stored.fields)
    }
}

extension ObjectContext {
    /// Whether something is to be saved. Not observable; ``observer`` is told of changes.
    public var hasChanges: Bool { !pending.isEmpty }
}
