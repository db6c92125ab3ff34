import CairnCore

// References to objects that are in the store already.

extension ObjectImporter {
    /// Throws if the store does not have an object.
    func checkTarget(_ id: ObjectID, _ owner: @autoclosure () -> String) throws(ObjectStoreError) {
        guard !storedTargets.contains(id) else { return }
        guard let stored = store.storedClass(number: id.classNumber) else {
            throw ObjectStoreError(
                .unknownClass,
                "\(owner()) refers to \(id), but \(store.name) has no class \(id.classNumber)",
                object: id
            )
        }
        var isThere = false
        try StoreReading.record(id, stored, in: view) { _ in isThere = true }
        guard isThere else {
            throw ObjectStoreError(.objectNotFound, "\(owner()) refers to \(stored.name) \(id.row), which does not exist", object: id)
        }
        storedTargets.insert(id)
    }

    /// Throws if a property cannot refer to objects that are in the store already.
    func checkTargets(of property: CatalogEntry.Property, _ ids: some Sequence<ObjectID>, _ owner: String) throws(ObjectStoreError) {
        guard targets == .toStored, let relationship = property.relationship else { return }
        for id in ids {
            if let target = relationship.target, let found = store.storedClass(number: id.classNumber)?.name, found != target {
                throw ObjectStoreError(.schemaMismatch, "\(owner) refers to \(target) objects, but \(id) is a \(found)", object: id)
            }
            // The record of the target would have to change.
            guard let inverse = relationship.inverse, let target = store.classes.first(where: { $0.name == relationship.target }),
                let place = target.entry.place(of: inverse), target.entry.properties[place].relationship?.isDerived != true
            else { continue }
            throw ObjectStoreError(
                .notSupported,
                "\(owner) has the inverse \(target.name).\(inverse), which is stored too: only a program with the classes can set it",
                object: id
            )
        }
    }
}
