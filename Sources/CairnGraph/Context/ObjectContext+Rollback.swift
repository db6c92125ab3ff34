extension ObjectContext {
    /// Drops all unsaved changes: inserted objects no longer belong to a context and refer to no others, changed objects have their stored values again, and
    /// deleted objects are restored.
    public func rollback() {
        undoIfAny?.removeAll()
        dropUnsaved()
    }

    /// Drops all unsaved changes, but not the undo history.
    func dropUnsaved() {
        (refusedChanges, insertFailure) = ([], nil)
        hasUnknownSave = false
        readAhead = ReadAhead()
        let dropped = pending
        pending = PendingChanges()
        namesRead = [:]
        for object in dropped.inserted {
            forgetRelations(of: object)
            object._$state.leave()
        }
        for object in dropped.updated + dropped.deleted.values where object._$state.hasContext { object.becomeFault() }
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

    /// Makes all objects without unsaved changes read their values again when they are next used. After an error with the code
    /// ``ObjectStoreError/Code/expired``, you can then read objects and run queries again; unsaved changes are kept.
    public func refresh() {
        readAhead = ReadAhead()
        renewView()
        namesRead = namesRead.filter { pending.names[$0.key] != nil }
        for object in unsafe link.table.all() {
            guard let object = object as? any StoredObject, !object.hasUnsavedChanges else { continue }
            object.becomeFault()
        }
    }
}

extension StoredObject {
    /// Discards the values, to be read again.
    func becomeFault() {
        tellAll(.willChange)
        _$clear()
        _$state.revert()
        tellAll(.didChange)
    }
}
