import CairnCore

extension CDBStore {
    /// Writes a new file with all changes and atomically replaces the old one. Does nothing if there is nothing to save.
    ///
    /// Other threads may read and change the store meanwhile; changes made after the save began are left for the next one.
    ///
    /// - Parameter onConflict: What to do if the file was replaced since it was read; by default what the options say.
    /// - Returns: Whether a file was written.
    /// - Throws: ``CDBError``: `conflict`; `corruption` if the old file is damaged, in which case it is left alone; `tooLarge`, `noSpace`,
    ///   `ioError`, `closed`. All changes are kept and the old file is unchanged, with one exception: if only the sync of the directory failed, the
    ///   new file is in place, and the next call tries to sync again. The message says so.
    /// - Complexity: O(size of the file).
    @discardableResult
    public func save(onConflict: CDBConflictPolicy? = nil) throws(CDBError) -> Bool {
        try core.save(onConflict: onConflict ?? core.options.onConflict)
    }

    /// Same as ``save(onConflict:)``, on a thread outside the cooperative pool; ends early, without effect, if the task is cancelled.
    ///
    /// - Parameters:
    ///   - onConflict: What to do if the file was replaced since it was read; by default what the options say.
    ///   - progress: Called from time to time with the completed fraction, from 0 to 1.
    /// - Throws: Same as ``save(onConflict:)``, and ``CDBError/Code/cancelled``.
    @discardableResult
    public func saveInBackground(
        onConflict: CDBConflictPolicy? = nil,
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(CDBError) -> Bool {
        let core = core
        let cancelled = { @Sendable in CDBError(.cancelled, "stopped saving \(core.path): the task was cancelled") }
        return try await offPool(progress: progress, cancelled: cancelled) { step throws(CDBError) in
            let isSaved = try core.save(onConflict: onConflict ?? core.options.onConflict, step)
            try step(1)
            return isSaved
        }
    }

    /// Discards all unsaved changes and reads the file as it is now, even if another program wrote it.
    ///
    /// - Throws: ``CDBError`` if the file cannot be opened; nothing is then discarded.
    public func revert() throws(CDBError) { try core.reload(keepingChanges: false) }

    /// Reads the file as it is now, even if another program wrote it, and keeps the unsaved changes on top of it.
    ///
    /// - Throws: ``CDBError`` if the file cannot be opened; the store is then unchanged.
    public func reload() throws(CDBError) { try core.reload(keepingChanges: true) }

    /// Saves unsaved changes every `interval`, which must be at least a millisecond, on another thread; `nil` stops autosaving.
    ///
    /// If a save fails, the changes are kept for the next one, and ``CDBStoreOptions/onAutosaveFailure`` is called.
    public func autosave(every interval: Duration?) throws(CDBError) { try core.autosave(every: interval) }

    /// Saves once after `delay`, on another thread. Further calls until then do nothing, so that many changes are saved together.
    ///
    /// If the save fails, ``CDBStoreOptions/onAutosaveFailure`` is called.
    public func saveSoon(after delay: Duration = .seconds(1)) throws(CDBError) { try core.saveSoon(after: delay) }
}
