import CairnCore
import Synchronization

extension ObjectStore {
    /// Permanently makes all objects of a group unreadable at once, by deleting the key that they are encrypted with (``ShreddableObject``).
    ///
    /// ```swift
    /// let count = try store.shred("ada")
    /// ```
    ///
    /// Once this returns, the deletion is on disk and none of the store's files contains the key: the objects cannot be recovered from
    /// them, not even with the store's key. The same commit deletes index and text index entries of the objects. While contexts made
    /// earlier exist, the files may still hold the key; it goes when the store is next opened, or when this is called again with any group.
    /// Earlier copies and backups contain the key. Objects that contexts have read stay in memory, and so does what they can undo.
    ///
    /// The objects' rows remain. Fetching, counting and searching skip them; ``ObjectContext/load(_:)-(StoredObject)`` and relationships to
    /// them throw or report ``ObjectStoreError/Code/shredded``; ``ObjectContext/shreddedObjects(_:)`` finds them so that you can delete
    /// them. Objects saved with the group afterwards get a new key.
    ///
    /// - Parameters:
    ///   - group: The objects' ``ShreddableObject/shredGroup``.
    ///   - progress: Called from time to time with the fraction done, from 0 to 1.
    /// - Returns: The number of objects in the group; 0 if there is no such group.
    /// - Throws: ``ObjectStoreError``: `notSupported` if the store is not encrypted, `readOnly`, `closed`, `corruption` if the key of the
    ///   group is damaged, `tooLarge`, `noSpace`, `ioError`. If it fails after the commit, the last step but one, the objects are
    ///   unreadable all the same.
    /// - Complexity: O(n) in the objects of the store's shreddable classes and the entries of their indexes. The engine rewrites the files
    ///   that contain keys.
    @discardableResult
    public func shred(_ group: String, progress: (_ part: Double) -> Void = { _ in }) throws(ObjectStoreError) -> Int {
        try shredding(group) { part throws(ObjectStoreError) in progress(part) }
    }

    /// As ``shred(_:progress:)``, on a thread outside the pool that tasks share; until the commit, it ends early if the task is cancelled.
    ///
    /// - Throws: As ``shred(_:progress:)``, and `cancelled`, in which case nothing was changed.
    @discardableResult
    public func shredInBackground(
        _ group: String,
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(ObjectStoreError) -> Int {
        try await offPool("shred a group of", progress) { step throws(ObjectStoreError) in try self.shredding(group, step) }
    }

    private func shredding(
        _ group: String,
        _ step: (Double) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) -> Int {
        try contextBegins()
        defer { contextEnded() }
        guard !isReadOnly else { throw ObjectStoreError(.readOnly, "\(name) was opened for reading only") }
        guard let sealed = engine as? SealedEngine else { throw ShreddableClasses.refusal(name) }
        let outcome = saving.withLock { _ in
            Result { () throws(ObjectStoreError) in try deleteKey(group, sealed, step) }
        }
        let count = try outcome.get()
        try clearFormerGroups(mayBeHeld: contextCount > 1)
        return count
    }

    /// Deletes the key, in one commit. Holds no view afterwards.
    private func deleteKey(
        _ group: String,
        _ sealed: SealedEngine,
        _ step: (Double) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) -> Int {
        // An engine with other writers may report a conflict; then this starts over.
        while true {
            let view = try ObjectStoreError.translating { () throws(EngineError) in try engine.makeView() }
            guard let hasher = try GroupNames.hasher(sealed.form.session, view) else { return 0 }
            let hash = GroupNames.hash(group, hasher)
            let bytes = try ObjectStoreError.translating { () throws(EngineError) in try view.get(Keyspace.group(hash)) }
            guard let bytes else { return 0 }
            let reference = GroupReference(hash: hash, generation: try GroupNames.key(bytes, name).generation)
            var shredding = Shredding(self, view, reference)
            try shredding.run(step)
            do throws(EngineError) { try engine.commit(shredding.commit, durability: .synced) } catch {
                guard error.code == .conflict else { throw ObjectStoreError(error) }
                continue
            }
            sealed.groups.forget(reference)
            version.wrappingAdd(1, ordering: .releasing)
            return shredding.count
        }
    }

    /// Removes deleted keys from the engine's files, after a shredding that ended early or ran while other contexts existed. Failure
    /// doesn't prevent opening the store.
    func removeFormerGroups() {
        guard engine is SealedEngine, !isReadOnly else { return }
        try? clearFormerGroups(mayBeHeld: false)
    }

    /// - Parameter mayBeHeld: Whether there may be views that still see deleted keys.
    private func clearFormerGroups(mayBeHeld: Bool) throws(ObjectStoreError) {
        try ObjectStoreError.translating { () throws(EngineError) in
            guard try engine.makeView().contains(Keyspace.formerGroups) else { return }
            try engine.removeFormerData(in: KeyRange(prefix: Keyspace.groups))
            guard !mayBeHeld else { return }
            var commit = EngineCommit()
            commit.delete(Keyspace.formerGroups)
            try engine.commit(commit, durability: .buffered)
        }
    }
}

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

extension StoreReading {
    /// Calls `body` with the shredded objects of a class.
    static func forEachShredded(
        _ stored: StoredClass,
        in view: any EngineView,
        _ body: (ObjectID) -> Void
    ) throws(ObjectStoreError) {
        guard stored.isShreddable else { return }
        try view.forEachPortion(of: Keyspace.pages(stored.number)) { portion throws(ObjectStoreError) in
            for (key, bytes) in portion {
                guard let first = unsafe Keyspace.firstRow(ofPage: key.span.bytes) else { continue }
                let span = unsafe bytes.span.bytes
                defer { withExtendedLifetime(bytes) {} }
                let isWhole = unsafe try span.withUnsafeBytes { page throws(ObjectStoreError) in
                    unsafe try ObjectPage.forEach(page) { slot, record throws(ObjectStoreError) in
                        let id = ObjectID(class: stored.number, row: first + UInt64(slot))
                        if unsafe try isShredded(id, stored, record, in: view) { body(id) }
                    }
                }
                guard isWhole else { throw damagedPage(ObjectID(class: stored.number, row: max(first, 1)), stored) }
            }
        }
    }

    /// Whether an object was shredded, by its record in its page.
    static func isShredded(
        _ id: ObjectID,
        _ stored: StoredClass,
        _ record: UnsafeRawBufferPointer,
        in view: any EngineView
    ) throws(ObjectStoreError) -> Bool {
        guard stored.isShreddable else { return false }
        guard unsafe record.isEmpty else { return unsafe GroupedRecord.isShredded(record) }
        var isShredded = false
        unsafe try StoreReading.record(id, stored, in: view) { unsafe isShredded = GroupedRecord.isShredded($0) }
        return isShredded
    }
}
