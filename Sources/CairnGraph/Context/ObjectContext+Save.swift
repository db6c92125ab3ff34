import CairnCore
import Synchronization

extension ObjectContext {
    /// Saves all changes of this context, or none of them if saving fails; they can then be saved again or dropped.
    ///
    /// - Throws: ``ObjectStoreError``: `conflict` if another context has changed or deleted the same objects (``ObjectContextOptions/conflictPolicy``), or has
    ///   deleted objects that these refer to, since these changes were made; `notUnique`; `corruption` if an object to be saved could not be read;
    ///   `readOnly`, `tooLarge`, `noSpace`, `ioError`, `closed`.
    /// - Complexity: O(n log n) in the number of changed objects.
    public func save() throws(ObjectStoreError) {
        try checkOpen()
        guard hasChanges else { return }
        guard !isReadOnly else {
            throw ObjectStoreError(.readOnly, "\(store.name) was opened for reading only, or the context is that of read { }")
        }
        readAhead = ReadAhead()
        while true {
            let version = try detachAgain()
            undoIfAny?.close()
            let outcome = store.saving.withLock { _ in
                Result { () throws(ObjectStoreError) in
                    // Another context saved in the meantime, and may have added references to objects deleted here.
                    if !pending.deleted.isEmpty, store.version.load(ordering: .acquiring) != version { return false }
                    var save = Save(self)
                    try save.run()
                    return true
                }
            }
            if try outcome.get() { return }
        }
    }

    /// Drops all unsaved changes: inserted objects no longer belong to a context and refer to no others, changed objects have their stored values again, and
    /// deleted objects are restored.
    public func rollback() {
        undoIfAny?.removeAll()
        readAhead = ReadAhead()
        let dropped = pending
        pending = PendingChanges()
        for object in dropped.inserted {
            forgetRelations(of: object)
            object._$state.leave()
        }
        for object in dropped.updated + dropped.deleted.values where object._$state.hasContext {
            object._$state.revert()
            object._$clear()
        }
        if !dropped.isEmpty { forgetGathered() }
    }

    /// Clears the relationships of an object that leaves the context, because their targets could no longer be found.
    func forgetRelations(of object: any StoredObject) {
        for relation in store.storedClass(number: object._$state.id.classNumber)?.allRelations ?? [] {
            if relation.shape == .one {
                relation.setReference(object, .none)
            } else if let collection = relation.unprepared(object) {
                collection.detach()
            }
        }
    }

    /// Makes all objects without unsaved changes read their values again when they are next used.
    public func refresh() {
        readAhead = ReadAhead()
        for object in unsafe link.table.all() {
            guard let object = object as? any StoredObject, !object.hasUnsavedChanges else { continue }
            object._$clear()
            object._$state.revert()
        }
    }
}

extension ObjectState {
    /// Removes the object from its context.
    mutating func leave() {
        leaveContext()
        id = ObjectID(raw: 0)
        flags.subtract([.inserted, .updated, .deleted])
        changed = ~0
    }

    /// Discards the values, to be read again.
    mutating func revert() {
        flags.subtract([.inserted, .updated, .deleted, .damaged, .partial])
        flags.insert(.fault)
        changed = 0
        unread = 0
    }

    /// Marks the changes as saved.
    @inline(__always)
    mutating func saved(_ changeCount: UInt32) {
        flags.subtract([.inserted, .updated, .revived])
        changed = 0
        self.changeCount = changeCount
    }
}
