import CairnCore

extension ObjectStore {
    /// Rewrites the store's files without the space of overwritten and deleted objects, and returns that space to the file system.
    ///
    /// ```swift
    /// try store.compact()
    /// ```
    ///
    /// Engines reuse that space by themselves, and RocksDB also returns it in time, so this is worth its cost only after much was deleted. Contexts can be used
    /// in the meantime; what they still see is kept. On RocksDB, saves continue too. On SQLite they wait; other processes can have the store open, and their
    /// saves throw `busy` if they wait for too long (`SQLiteEngineOptions.busyTimeout`). If a context of this or another process still uses the log of an SQLite store,
    /// the file shrinks later: with a save after it has ended, or when the last process closes the store. On PostgreSQL and etcd, the servers do this.
    ///
    /// The disk needs free space: on RocksDB up to the size of the store, on SQLite twice the size of the data that is left, half of it in the directory for
    /// temporary files.
    ///
    /// - Throws: ``ObjectStoreError``: `notSupported` on PostgreSQL, etcd and engines that do not do this; `readOnly`, `busy` if other processes kept the store
    ///   locked, `noSpace`, `ioError`, `corruption`, `closed`. What is stored is then unchanged.
    /// - Complexity: Reads and writes everything. Blocks the calling thread; ``compactInBackground()`` does not.
    public func compact() throws(ObjectStoreError) {
        try contextBegins()
        defer { contextEnded() }
        try ObjectStoreError.translating { () throws(EngineError) in try engine.compact() }
    }

    /// Same as ``compact()``, on a separate thread. Cancelling the task does not end it.
    public func compactInBackground() async throws(ObjectStoreError) {
        try await CairnCore.offPool { () throws(ObjectStoreError) in try self.compact() }.get()
    }
}
