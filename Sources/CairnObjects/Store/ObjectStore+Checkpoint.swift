import CairnCore

extension ObjectStore {
    /// Makes a copy of the store as it is now, at `path`, that can be opened on its own, or moved to another disk as a backup. Others read and save
    /// meanwhile; what they save later is not in it.
    ///
    /// ```swift
    /// try store.makeCheckpoint(at: "backups/2026-11-22.store")
    /// ```
    ///
    /// On the same file system, files are linked instead of copied: it takes little time, and no space until the store's own files are replaced. The
    /// copy is there whole, and on the disk, or not at all. That of an encrypted store is encrypted with the same keys; groups of objects that are
    /// shredded later (``ShreddableObject``) can be read in it for ever.
    ///
    /// - Parameter path: A directory that does not exist yet; its parent must.
    /// - Throws: ``ObjectStoreError``: `invalidArgument` where something is at the path, `readOnly`, `notSupported` where the engine makes no copies,
    ///   `noSpace`, `ioError`, `closed`; `locked` or `corruption` where nothing was written yet, and the store cannot be opened for it.
    /// - Complexity: O(files) on the same file system, else O(bytes).
    public func makeCheckpoint(at path: String) throws(ObjectStoreError) {
        try contextBegins()
        defer { contextEnded() }
        try ObjectStoreError.translating { () throws(EngineError) in try engine.makeCheckpoint(at: path) }
    }

    /// As ``makeCheckpoint(at:)``, on a thread outside of those that tasks share. Cancelling the task does not end it.
    public func makeCheckpointInBackground(at path: String) async throws(ObjectStoreError) {
        try await CairnCore.offPool { () throws(ObjectStoreError) in try self.makeCheckpoint(at: path) }.get()
    }
}
