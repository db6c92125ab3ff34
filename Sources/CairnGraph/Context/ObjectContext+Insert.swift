import Synchronization

extension ObjectContext {
    /// Inserts an object, to be stored by the next ``save()``, together with all objects that it refers to and that belong to no context yet.
    ///
    /// The object gets its identity immediately. Inserting it again does nothing. Nothing is inserted if the object, or one that it refers to,
    /// belongs to another context, will be deleted by the next save, or has a class that the store does not have, or if the context was closed. The
    /// next ``save()`` then throws `objectNotFound`, `unknownClass`, `invalidArgument`, `corruption` or `closed` (``refusedChanges``).
    ///
    /// Rows for new objects are reserved 8,192 at a time for each class, with a small commit that waits for commits of
    /// other processes. If it fails, with `busy`, `noSpace`, `ioError` or `unavailable`, nothing is inserted, and each ``save()`` throws this error until
    /// ``rollback()``.
    public func insert(_ object: some StoredObject) {
        if let error = tryInsert(object) { refuse(error) }
    }

    /// Inserts an object; returns the error if that is impossible.
    func tryInsert(_ object: any StoredObject) -> ObjectStoreError? {
        guard !object._$state.isIn(link) else { return object.isDeleted ? deletionPending(object) : nil }
        let stored: StoredClass
        do throws(ObjectStoreError) { stored = try insertable(object) } catch { return error }
        guard stored.allRelations.contains(where: { $0.holdsSomething(object) }) else {
            do throws(ObjectStoreError) { take(object, stored, try newRow(stored)) } catch { return error }
            return nil
        }
        do throws(ObjectStoreError) { try insertReachable(from: object, stored) } catch { return error }
        return nil
    }

    /// Why objects cannot all be inserted; `nil` if they can, or are in this context already.
    func obstacle(to objects: [any StoredObject]) -> ObjectStoreError? {
        do throws(ObjectStoreError) {
            var leading: ContiguousArray<Insertion> = []
            for object in objects {
                guard !object._$state.isIn(link) else {
                    if object.isDeleted { return deletionPending(object) }
                    continue
                }
                let stored = try insertable(object)
                if stored.allRelations.contains(where: { $0.holdsSomething(object) }) { leading.append((object, stored)) }
            }
            if !leading.isEmpty { _ = try reachable(from: leading) }
            return nil
        } catch { return error }
    }

    /// The class of an object that can be inserted.
    private func insertable(_ object: any StoredObject) throws(ObjectStoreError) -> StoredClass {
        func refusal(_ code: ObjectStoreError.Code, _ reason: String) -> ObjectStoreError {
            ObjectStoreError(code, "\(type(of: object)) was not inserted: \(reason)")
        }
        guard !isClosed else { throw refusal(.closed, "the context of \(store.name) was closed") }
        guard !object._$state.hasContext else { throw refusal(.objectNotFound, isOfAnother(object)) }
        guard let stored = storedClass(type(of: object)) else {
            throw refusal(.unknownClass, "it is not among the classes that \(store.name) was opened with")
        }
        guard !object._$state.flags.contains(.damaged) else { throw refusal(.corruption, "its values could not be read") }
        return stored
    }

    /// A row for a new object. If there is none, nothing is saved any more: the other changes may make no sense without the object.
    private func newRow(_ stored: StoredClass) throws(ObjectStoreError) -> UInt64 {
        if let insertFailure { throw insertFailure }
        do throws(ObjectStoreError) { return try store.newRow(stored) } catch {
            let remedy = "nothing can be saved until you call rollback(); then make the changes again"
            let failure = ObjectStoreError(error.code, "\(stored.name) was not inserted: \(remedy)", cause: error)
            insertFailure = failure
            throw failure
        }
    }

    /// Why an object of this context cannot be inserted, or referred to, until the next save has deleted it.
    private func deletionPending(_ object: any StoredObject) -> ObjectStoreError {
        let id = object._$state.id
        let name = store.storedClass(number: id.classNumber)?.name ?? "\(type(of: object))"
        let reason = "the next save deletes it; undo that or roll back to keep it, or save first and insert it as a new object"
        return ObjectStoreError(.objectNotFound, "\(name) \(id.row) was not inserted: \(reason)", object: id)
    }

    private func isOfAnother(_ object: any StoredObject) -> String {
        object._$state.link?.store === store
            ? "it belongs to another context; find it here by its objectID"
            : "it belongs to a context of another store, where its objectID refers to another object; insert a new one with its values"
    }

    /// Assigns the object its identity, and marks it to be saved.
    private func take(_ object: any StoredObject, _ stored: StoredClass, _ row: UInt64) {
        // A deleted object becomes a new object.
        if let former = object._$state.lastLink { former.forgive(object._$state.id) }
        let id = ObjectID(class: stored.number, row: row)
        object._$state.become(id, link, options.isObserved ? [.inserted, .observed] : .inserted)
        object._$state.changeCount = 0
        unsafe link.table.insert(object, id)
        pending.inserted.append(object)
        undoIfAny?.didInsert(id)
        observer?.context(self, willInsert: object)
    }

    private typealias Insertion = (object: any StoredObject, stored: StoredClass)

    /// Inserts a new object and those that it refers to: first all objects, and then the inverses of their relationships.
    private func insertReachable(from object: any StoredObject, _ stored: StoredClass) throws(ObjectStoreError) {
        let found = try reachable(from: [(object, stored)])
        let rows = try found.map { new throws(ObjectStoreError) in try newRow(new.stored) }
        // An observer may have inserted some of them.
        for ((object, stored), row) in zip(found, rows) where !object._$state.isIn(link) { take(object, stored, row) }
        for (object, stored) in found {
            for relation in stored.allRelations where relation.holdsSomething(object) { attach(relation, of: object) }
        }
        for (object, _) in found { pending.addOwner(object, store) }
        for (object, stored) in found { for relation in stored.allRelations where relation.inverse != nil { linkOthers(relation, object) } }
    }

    /// New objects, followed by the objects to insert with them.
    private func reachable(from new: ContiguousArray<Insertion>) throws(ObjectStoreError) -> ContiguousArray<Insertion> {
        var found = new
        let first = new[0].object
        var seen = Set(new.dropFirst().lazy.map { ObjectIdentifier($0.object) })
        var next = 0
        while next < found.count {
            let (object, stored) = found[next]
            next += 1
            for relation in stored.allRelations where relation.holdsSomething(object) {
                if let refusal = relation.takeRefusal(object) { refuse(refusal) }
                guard relation.shape != .one || !relation.reference(object).isRefused else {
                    let reason = "the class of its \(relation.name) is not a stored class"
                    throw ObjectStoreError(.invalidArgument, "\(stored.name) was not inserted: \(reason)")
                }
                try relation.forEachNewTarget(object) { target throws(ObjectStoreError) in
                    guard !target._$state.isIn(link) else {
                        if target.isDeleted { throw deletionPending(target) }
                        return
                    }
                    guard target !== first, seen.insert(ObjectIdentifier(target)).inserted else { return }
                    do throws(ObjectStoreError) { found.append((target, try insertable(target))) } catch {
                        throw ObjectStoreError(
                            error.code,
                            "\(stored.name) was not inserted because of its \(relation.name): \(error.message)"
                        )
                    }
                }
            }
        }
        return found
    }

    /// Replaces the objects in a property of a new object by their identities.
    private func attach(_ relation: Relation, of object: any StoredObject) {
        guard relation.shape == .one else {
            relation.collection(object)?.attach()
            return
        }
        guard let target = relation.reference(object).object else { return }
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

    /// Inserts the target of a relationship, unless it is in the context already; returns its identity, or `nil` after recording why that is
    /// impossible. A deleted object may refer to other deleted objects.
    func adopt(_ object: any StoredObject, for owner: any StoredObject, _ property: Int) -> ObjectID? {
        if !(owner.isDeleted && object._$state.isIn(link)), let error = tryInsert(object) {
            owner.refuse(property, error.code, error.message)
            return nil
        }
        return object._$state.id
    }

    /// Inserts an owner that belongs to no context yet, with an object of this context that it begins to refer to.
    func adopt(owner: any StoredObject) { if let error = tryInsert(owner) { refuse(error) } }

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
    /// Whether there is something to save: unsaved changes, or refused changes, which ``save()`` throws (``refusedChanges``). Not observable;
    /// ``observer`` is notified of changes.
    public var hasChanges: Bool { !pending.isEmpty || !refusedChanges.isEmpty }
}
