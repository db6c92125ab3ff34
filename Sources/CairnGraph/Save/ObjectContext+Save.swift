import CairnCore
import Synchronization

extension ObjectContext {
    /// Saves all changes of this context, or none of them if saving fails; they can then be saved again or dropped.
    ///
    /// - Throws: ``ObjectStoreError``: `conflict` if another context has changed or deleted the same objects (``ObjectContextOptions/conflictPolicy``), or has
    ///   deleted objects that these refer to, since these changes were made; the first of ``refusedChanges``; `notUnique`; `corruption` if an object
    ///   to be saved could not be read; `readOnly`, `tooLarge`, `noSpace`, `ioError`, `closed`; `notSupported` in a step of an ``ObjectMigration``.
    /// - Complexity: O(n log n) in the number of changed objects.
    public func save() throws(ObjectStoreError) {
        try checkOpen()
        guard !isInMigration else {
            throw ObjectStoreError(.notSupported, "a step of a migration of \(store.name) cannot save: its changes are saved when it ends")
        }
        try throwRefused()
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
                    let save = Save(self)
                    try save.run()
                    return true
                }
            }
            if try outcome.get() { return }
        }
    }
}
