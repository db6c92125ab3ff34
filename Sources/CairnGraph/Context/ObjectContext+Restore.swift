extension ObjectContext {
    func inMemory(_ id: ObjectID) -> (any StoredObject)? {
        store.storedClass(number: id.classNumber).flatMap { object($0, id) }
    }

    /// Makes the next change of each property of the changed objects be recorded again.
    func watchAgain() {
        for object in pending.inserted + pending.updated { watchAgain(object) }
    }

    /// Makes the next change of each property be recorded again. The set of changed properties is kept for the save.
    func watchAgain(_ object: any StoredObject) {
        let changed = object._$state.changed
        guard changed != 0, object._$state.hasContext else { return }
        pending.changed[object._$state.id, default: 0] |= changed
        object._$state.changed = 0
    }

    /// How an object is to be restored.
    struct Restoration {
        let id: ObjectID
        let stored: StoredClass
        /// Its values; `nil` if it is to be removed.
        let snapshot: ObjectSnapshot?
        /// The object, if it exists.
        let present: (any StoredObject)?
        /// The bits of the properties that may change.
        let bits: UInt64
    }

    /// Plans how to restore an object, without changing it.
    ///
    /// - Parameters:
    ///   - snapshot: What the object is to be.
    ///   - former: The state in which the group left it; `nil` if the object did not exist. Properties that are equal in both keep their current values. In
    ///     lists and sets that differ, what others have added and removed since stays added and removed.
    /// - Throws: `conflict` if others have deleted the object since, or changed a relationship that cannot be merged; errors of reading it.
    func restoration(
        of id: ObjectID,
        _ snapshot: ObjectSnapshot?,
        from former: ObjectSnapshot?
    ) throws(ObjectStoreError) -> Restoration? {
        guard let stored = store.storedClass(number: id.classNumber), stored.schema != nil else { return nil }
        let present = try presentObject(id, stored)
        guard var snapshot else { return Restoration(id: id, stored: stored, snapshot: nil, present: present, bits: 0) }
        if former != nil, present == nil { throw restoringConflict(id, stored, "deleted it") }
        var bits: UInt64 = ~0
        if let former, let present, !present.isDeleted, let now = self.snapshot(of: present) {
            var refusing: Relation?
            do throws(RecordError) {
                let changed = try snapshot.difference(from: former)
                let relations = stored.allRelations.filter { !$0.isDerived && changed.contains(UInt64($0.number)) }
                refusing = try snapshot.merge(relations, changedFrom: former, to: now)
                // Which fields of a hand-coded class a property has is unknown.
                if !stored.isHandCoded {
                    snapshot = try now.taking(changed, of: snapshot, stored)
                    bits = stored.bits(of: changed) | present._$state.changed | (pending.changed[id] ?? 0)
                }
            } catch {
                throw damage(id, stored, error)
            }
            if let refusing { throw restoringConflict(id, stored, "changed its \(refusing.name)") }
        }
        return Restoration(id: id, stored: stored, snapshot: snapshot, present: present, bits: bits)
    }

    private func restoringConflict(_ id: ObjectID, _ stored: StoredClass, _ change: String) -> ObjectStoreError {
        ObjectStoreError(
            .conflict,
            "changes to \(stored.name) \(id.row) of \(store.name) cannot be undone or redone: others have \(change) since",
            object: id
        )
    }

    /// Restores or removes an object. Doesn't follow rules or update the other sides of relationships.
    func restore(_ restoration: Restoration) throws(ObjectStoreError) {
        let (id, stored, bits) = (restoration.id, restoration.stored, restoration.bits)
        pending.forgetOwners()
        guard let snapshot = restoration.snapshot else { return removeRestored(id, restoration.present) }
        let object = restoration.present ?? revived(id, stored)
        let properties = stored.schema?.properties ?? []
        object.tellAll(.willChange)
        defer { object.tellAll(.didChange) }
        if object._$state.flags.contains(.deleted) {
            object._$state.flags.remove(.deleted)
            pending.deleted[id] = nil
            if !object._$state.flags.contains(.inserted), !object._$state.flags.contains(.updated) { willChange(object) }
        } else {
            willChange(object)
        }
        let count = object._$state.changeCount
        let isLarge = object._$state.flags.contains(.large)
        do throws(RecordError) {
            _ = unsafe try ObjectRecord.read(snapshot.record.span.bytes, into: object, stored.fields)
        } catch {
            throw damage(id, stored, error)
        }
        object._$state.loaded(count)
        object._$state.restore(unread: snapshot.unread, isLarge: isLarge)
        for (number, list) in snapshot.lists { stored.relation(number: number)?.madeCollection(object)?.restore(list) }
        // The next changes are recorded again.
        pending.changed[id] = properties.indices.reduce(bits) { bits, index in
            snapshot.unread & (stored.schema?.largeBit(index) ?? 0) == 0 ? bits : bits & ~ObjectState.bit(index)
        }
        object._$state.changed = 0
        observer?.context(self, didChange: object)
    }

    private func presentObject(_ id: ObjectID, _ stored: StoredClass) throws(ObjectStoreError) -> (any StoredObject)? {
        if let object = object(stored, id) {
            if object.isFault {
                do throws(ObjectStoreError) { try load(object, stored) } catch {
                    guard error.code == .objectNotFound else { throw error }
                    return nil
                }
            }
            return object
        }
        let object = resolve(id, stored)
        do throws(ObjectStoreError) { try load(object, stored) } catch {
            guard error.code == .objectNotFound else { throw error }
            object._$state.leave()
            return nil
        }
        return object
    }

    /// Brings back a deleted object, in its row: the program's own instance, if it still has it.
    private func revived(_ id: ObjectID, _ stored: StoredClass) -> any StoredObject {
        let former = object(stored, id)
        let departed = former == nil ? undoIfAny?.departed(id) : nil
        let object = former ?? departed ?? resolve(id, stored)
        let count = object._$state.changeCount
        object._$state.become(id, link, options.isObserved ? [.inserted, .observed] : .inserted)
        departed?._$clear()
        unsafe link.table.insert(object, id)
        object._$state.changeCount = count &+ 2
        object._$state.flags.insert(.revived)
        pending.inserted.append(object)
        return object
    }

    private func removeRestored(_ id: ObjectID, _ object: (any StoredObject)?) {
        guard let object, !object.isDeleted else { return }
        object._$state.flags.insert(.deleted)
        guard !object._$state.flags.contains(.inserted) else { return }
        pending.deleted[id] = object
        // The undo history doesn't know the references that other contexts have added since, so a save looks for them.
        pending.deletionVersion = EngineVersion(rawValue: .max)
    }

    /// Forgets what was derived from other sides of relationships; it is looked up again.
    func forgetGathered() {
        for object in unsafe link.table.all() {
            guard let object = object as? any StoredObject, let stored = store.storedClass(number: object._$state.id.classNumber) else {
                continue
            }
            forgetGathered(object, stored)
        }
    }

    /// The same for the sets of one object.
    func forgetGathered(_ object: any StoredObject, _ stored: StoredClass) {
        for relation in stored.allRelations where relation.isDerived {
            guard let collection = relation.collection(object), collection.isGathered else { continue }
            object.tell(relation.index, .willChange)
            collection.set([])
            collection.isGathered = false
            object.tell(relation.index, .didChange)
        }
    }

    /// The encoded value for a name.
    func namedBytes(_ name: String) -> [UInt8]? {
        if let change = pending.names[name] { return change }
        do throws(ObjectStoreError) {
            let view = try currentView()
            return try view.get(Keyspace.name(name))
        } catch {
            faultErrors.append(error)
            return nil
        }
    }
}
