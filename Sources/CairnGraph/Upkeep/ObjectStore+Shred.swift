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
    /// earlier exist, or the store is being moved, the files may still hold the key; it is removed when the store is next opened for writing, or when this is
    /// called again with any group. Earlier copies and backups contain the key. On servers, the key also remains elsewhere: on PostgreSQL, in unused space of the
    /// server's files and in its log until these are overwritten; on etcd, it can be **read at old revisions until the cluster is compacted**. The guides of
    /// `CairnPostgresEngine` and `CairnEtcdEngine` say how to remove it at once ("Former data"). Objects that contexts have read stay in memory, and so does what they can undo.
    ///
    /// The objects' rows remain. Fetching, counting and searching skip them; ``ObjectContext/load(_:)-(StoredObject)`` and relationships to
    /// them throw or report ``ObjectStoreError/Code/shredded``; ``ObjectContext/shreddedObjects(_:)`` finds them so that you can delete
    /// them. Objects saved with the group afterwards get a new key. Index entries that cannot be decrypted are deleted too, since they may be those of the
    /// objects: their index is incomplete until ``buildIndexes(progress:)`` has completed it.
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
        try clearFormerGroups(sealed, mayBeHeld: mayHoldFormerViews(of: sealed.base))
        return count
    }

    /// Deletes the key, in one commit. Holds no view afterwards.
    private func deleteKey(
        _ group: String,
        _ sealed: SealedEngine,
        _ step: (Double) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) -> Int {
        // Starts over if others change what this depends on.
        while true {
            let view = try StoreView(engine, notesReads: true)
            try catalogCheck.checkBeforeSave(view, self)
            view.noteRead(CatalogCheck.classes)
            guard let hasher = try GroupNames.hasher(sealed.form.session, view) else { return 0 }
            let hash = GroupNames.hash(group, hasher)
            let bytes = try view.get(Keyspace.group(hash))
            guard let bytes else { return 0 }
            let reference = GroupReference(hash: hash, generation: try GroupNames.key(bytes, name).generation)
            var shredding = Shredding(self, view, reference)
            try shredding.run(step)
            var commit = shredding.commit
            view.dependOnReads(&commit)
            guard let version = try engine.tryPerform(commit, durability: .synced) else { continue }
            catalogCheck.committed(version)
            sealed.groups.forget(reference)
            return shredding.count
        }
    }
}
