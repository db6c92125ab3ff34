import CairnCore
import Synchronization

extension ObjectStore {
    /// Makes all objects of a group unreadable, at once and for good, by deleting the key that they are encrypted with (``ShreddableObject``).
    ///
    /// ```swift
    /// let count = try store.shred("ada")
    /// ```
    ///
    /// Once this returns, the deletion is on the disk, and the key in none of the store's files: what the objects were cannot be found out from them, not
    /// even with the store's key. Entries of indexes and texts that told of the objects go in the same commit. While there are contexts that were
    /// made before, the files may hold the former key; it goes when the store is opened next, or this is called again, with any group. Copies and backups
    /// made before have the key; objects that contexts have read stay in memory, and so does what they can undo.
    ///
    /// The objects' rows stay. Fetching, counting and searching pass over them; ``ObjectContext/load(_:)-(StoredObject)`` and relationships that lead
    /// there throw or note ``ObjectStoreError/Code/shredded``; ``ObjectContext/shreddedObjects(_:)`` finds them to be deleted. Objects that are saved
    /// with the group afterwards get a new key.
    ///
    /// - Parameters:
    ///   - group: What ``ShreddableObject/shredGroup`` is for the objects.
    ///   - progress: Called now and then with the part that is done, from 0 to 1.
    /// - Returns: How many objects the group had; 0 where there is none.
    /// - Throws: ``ObjectStoreError``: `notSupported` where the store is not encrypted, `readOnly`, `closed`, `corruption` where the key of the group is
    ///   damaged, `tooLarge`, `noSpace`, `ioError`. From the commit on, which is the last step but one, the objects are unreadable all the same.
    /// - Complexity: O(n) in the objects of the store's shreddable classes and the entries of their indexes. The engine writes the files with keys anew.
    @discardableResult
    public func shred(_ group: String, progress: (_ part: Double) -> Void = { _ in }) throws(ObjectStoreError) -> Int {
        try shredding(group) { part throws(ObjectStoreError) in progress(part) }
    }

    /// As ``shred(_:progress:)``, on a thread outside of those that tasks share; until the commit, it ends early when the task is cancelled.
    ///
    /// - Throws: As ``shred(_:progress:)``, and `cancelled`. Nothing was changed then.
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
        // An engine with other writers may say that somebody was faster: then it begins again.
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

    /// Removes keys that were deleted from the engine's files, as a shredding did not that ended early or had contexts beside it. That this fails keeps no
    /// store from being opened.
    func removeFormerGroups() {
        guard engine is SealedEngine, !isReadOnly else { return }
        try? clearFormerGroups(mayBeHeld: false)
    }

    /// - Parameter mayBeHeld: Whether there are views that have deleted keys still.
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
    /// The objects of a class that ``ObjectStore/shred(_:progress:)`` made unreadable, as saved and in the order in which they were inserted: to be
    /// deleted.
    ///
    /// ```swift
    /// for message in try context.shreddedObjects(Message.self) { try context.delete(message) }
    /// try context.save()
    /// ```
    ///
    /// - Throws: ``ObjectStoreError``: `corruption` where a page is damaged, `unknownClass`, `closed`, `ioError`.
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
    /// Calls `body` with the objects of a class that were shredded.
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
