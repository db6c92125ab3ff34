import Synchronization

extension ObjectContext {
    /// Records that a change was not made, or will not be saved.
    func refuse(_ error: ObjectStoreError) {
        if refusedChanges.count < 100 { refusedChanges.append(error) }
    }

    func throwRefused() throws(ObjectStoreError) {
        if let insertFailure { throw insertFailure }
        guard let first = refusedChanges.first else { return }
        let others = refusedChanges.count - 1
        refusedChanges = []
        guard others > 0 else { throw first }
        let more = "\(others) other change\(others == 1 ? " was" : "s were") refused too"
        throw ObjectStoreError(first.code, "\(first.message); \(more)", object: first.object, userData: first.userData, cause: first.cause)
    }
}

extension ObjectStore {
    /// Records a change to an object whose context is gone.
    func refuse(_ error: ObjectStoreError) {
        lostChanges.withLock { if $0.count < 100 { $0.append(error) } }
    }

    func forgive(_ id: ObjectID) {
        lostChanges.withLock { $0.removeAll { $0.object == id } }
    }
}

extension StoredObject {
    /// Whether it belongs to a context that was closed or released.
    var isOrphaned: Bool { _$state.hasContext && objectContext == nil }

    /// Records that a change to a property was not made.
    ///
    /// - Returns: Whether there is, or was, a context to report this to.
    @discardableResult
    func refuse(_ property: Int, _ code: ObjectStoreError.Code, _ reason: String) -> Bool {
        guard let link = _$state.lastLink else { return false }
        link.refuse(ObjectStoreError(code, "\(text(of: property)) was not changed: \(reason)", object: _$state.id))
        return true
    }

    /// Records that a change to a property will not be saved, if the object had a row and no longer belongs to a context.
    func noteLost(_ property: Int) {
        guard objectContext == nil, let link = _$state.lastLink else { return }
        let reason = _$state.hasContext ? "the context of the object was closed or released" : "the object was deleted"
        let code: ObjectStoreError.Code = _$state.hasContext ? .conflict : .objectNotFound
        link.refuse(ObjectStoreError(code, "a change to \(text(of: property)) cannot be saved: \(reason)", object: _$state.id))
    }

    /// The class and the name of a property.
    func text(of property: Int) -> String {
        let schema = Self.objectSchema
        return "\(schema.name).\(schema.properties.indices.contains(property) ? schema.properties[property].name : "\(property)")"
    }
}
