import CairnCore
import Synchronization

extension ObjectContext {
    /// Saves all changes of this context, or none of them if saving fails; they can then be saved again or dropped.
    ///
    /// - Throws: ``ObjectStoreError``: `conflict` if another context has changed or deleted the same objects (``ObjectContextOptions/conflictPolicy``), or has
    ///   deleted objects that these refer to, since these changes were made; the first of ``refusedChanges``; `notUnique`; `corruption` if an object
    ///   to be saved could not be read; `readOnly`, `tooLarge`, `noSpace`, `ioError`, `closed`; `unavailable` if the engine cannot be reached, and if it is unknown whether the save was
    ///   performed: the context keeps its changes (``ObjectStoreError/Code/unavailable``); `schemaMismatch` if another program has changed the
    ///   classes; `ioError` also if the disk does not confirm a save with `.synced`, which may then not survive power loss; `notSupported` in a step of an ``ObjectMigration``.
    /// - Complexity: O(n log n) in the number of changed objects.
    public func save() throws(ObjectStoreError) {
        try checkOpen()
        guard !isInMigration else {
            throw ObjectStoreError(.notSupported, "a step of a migration of \(store.name) cannot save: its changes are saved when it ends")
        }
        try throwRefused()
        guard hasChanges else { return }
        guard !isReadOnly else {
            throw ObjectStoreError(.readOnly, "\(store.name) was opened for reading only, or this is the context of read { }")
        }
        if isSerializable { try throwUnread() }
        readAhead = ReadAhead()
        let changes = pending.inserted.count + pending.updated.count + pending.deleted.count
        do throws(ObjectStoreError) {
            try store.calls.measure(.save, count: { _ in changes }) { () throws(ObjectStoreError) in try saveChanges() }
        } catch {
            if error.code == .conflict { store.counts.conflicts.wrappingAdd(1, ordering: .relaxed) }
            throw error
        }
        store.counts.saves.wrappingAdd(1, ordering: .relaxed)
    }

    /// Throws if something could not be read although the store may have it: its values read as substitutes, and its lists as empty.
    func throwUnread() throws(ObjectStoreError) {
        if let error = faultErrors.first(where: { $0.code == .expired || $0.code == .unavailable }) { throw error }
    }

    private func saveChanges() throws(ObjectStoreError) {
        var conflict: Save.Conflict?
        for attempt in 0..<Save.mostAttempts {
            if attempt > 0 { store.counts.retries.wrappingAdd(1, ordering: .relaxed) }
            let detached = try detachAgain()
            undoIfAny?.close()
            var outcome: Result<Result<Save.Done, Save.Conflict>, ObjectStoreError>?
            store.saving.withLock { _ in
                outcome = Result { () throws(ObjectStoreError) in try Save(self, detachedIn: detached, isFirst: attempt == 0).run() }
            }
            // The view in which the context has read is no longer there. The next attempt makes another.
            if attempt == 0, case .failure(let error)? = outcome, error.code == .expired { continue }
            switch try outcome?.get() {
            case .success(let done)?: return try done.finish()
            case .failure(let found)?: conflict = found
            case nil: break
            }
        }
        let change = conflict?.change
        let reason = change.map { ", the last of which failed because they had \($0.phrase)" } ?? ""
        throw ObjectStoreError(
            .conflict,
            "\(store.name) was changed by others during each of \(Save.mostAttempts) attempts to save\(reason); try again, or save less at once",
            object: change?.object
        )
    }

    /// Throws what ``save()`` would throw because of the content of the changes and the store, such as `notUnique`; saves nothing.
    func checkSave() throws(ObjectStoreError) {
        try throwRefused()
        guard hasChanges else { return }
        try Save(self, detachedIn: try detachAgain(), isFirst: false).check()
    }
}
