import CairnCore

extension ObjectContext {
    /// Returns the objects of a class that ``ObjectStore/shred(_:progress:)`` made unreadable, so that you can delete them: as saved, in
    /// the order in which they were inserted.
    ///
    /// ```swift
    /// for message in try context.shreddedObjects(Message.self) { try context.delete(message) }
    /// try context.save()
    /// ```
    ///
    /// - Throws: ``ObjectStoreError``: `corruption` if a page is damaged, `unknownClass`, `closed`, `ioError`.
    /// - Complexity: O(n) in the objects of the class.
    public func shreddedObjects<Object: StoredObject>(_ type: Object.Type = Object.self) throws(ObjectStoreError) -> [Object] {
        let stored = try knownClass(type)
        var ids: [ObjectID] = []
        try StoreReading.forEachShredded(stored, in: try currentView()) { ids.append($0) }
        return ids.compactMap { id in
            let object = resolve(id, stored)
            return object.isDeleted ? nil : unsafe unsafeDowncast(object, to: Object.self)
        }
    }
}
