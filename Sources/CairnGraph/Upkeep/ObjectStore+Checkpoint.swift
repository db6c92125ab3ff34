import CairnCore

extension ObjectStore {
    /// Makes a copy of the store as it is now, at `path`, that can be opened independently or moved to another disk as a backup. Reads and saves continue
    /// meanwhile; what is saved after the call begins is not part of the copy.
    ///
    /// ```swift
    /// try store.makeCheckpoint(at: "backups/2026-11-22.store")
    /// ```
    ///
    /// Of a store in RocksDB, within the same file system, files are linked instead of copied: the copy takes little time, and no space until the store's own
    /// files are replaced. A store in SQLite is copied whole to a new, packed file, while other processes may save to it.
    /// The copy appears at `path` whole and synced to disk, or not at all. The copy of an encrypted store is encrypted with the same keys; groups of objects
    /// that are shredded later (``ShreddableObject``) remain readable in it.
    ///
    /// - Parameter path: The directory or, of a store in SQLite, the file to create; it must not exist, but its parent must.
    /// - Throws: ``ObjectStoreError``: `invalidArgument` if something exists at `path` or it is inside the store's own directory, `notFound` if its parent does
    ///   not exist, `readOnly`, `notSupported` if the engine makes no copies, `noSpace`, `ioError`, `closed`; `locked` or `corruption` if nothing has been
    ///   written yet and the store cannot be opened for writing.
    /// - Complexity: In RocksDB, O(files) on the same file system; otherwise O(bytes).
    public func makeCheckpoint(at path: String) throws(ObjectStoreError) {
        try contextBegins()
        defer { contextEnded() }
        try ObjectStoreError.translating { () throws(EngineError) in try engine.makeCheckpoint(at: path) }
    }

    /// Same as ``makeCheckpoint(at:)``, on a separate thread. Cancelling the task does not end it.
    public func makeCheckpointInBackground(at path: String) async throws(ObjectStoreError) {
        try await CairnCore.offPool { () throws(ObjectStoreError) in try self.makeCheckpoint(at: path) }.get()
    }
}
