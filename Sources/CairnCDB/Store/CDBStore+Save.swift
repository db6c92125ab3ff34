import CairnCore

extension CDBStore {
    /// Writes a new file with all changes and puts it in place of the old one, in one step. Does nothing if there is nothing to save.
    ///
    /// Other threads may read and change the store meanwhile; what they change after the save began stays for the next one.
    ///
    /// - Parameter onConflict: What to do if the file was replaced since it was read; by default what the options say.
    /// - Returns: Whether a file was written.
    /// - Throws: ``CDBError``: `conflict`; `corruption` where the old file is damaged, which is then left alone; `limitExceeded`, `noSpace`,
    ///   `ioError`, `closed`. All changes stay, and the old file is as it was, with one exception: where only the sync of the directory failed,
    ///   the new file is in place, and the next call tries to sync again. The message says so.
    /// - Complexity: O(size of the file).
    @discardableResult
    public func save(onConflict: CDBConflictPolicy? = nil) throws(CDBError) -> Bool {
        try core.save(onConflict: onConflict ?? core.options.onConflict)
    }

    /// Same as ``save(onConflict:)``, on a thread outside of those that tasks share; ends early, without effect, when the task is cancelled.
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
        let cancelled = { @Sendable in CDBError(.cancelled, "gave up saving \(core.path): the task was cancelled") }
        return try await offPool(progress: progress, cancelled: cancelled) { step throws(CDBError) in
            let isSaved = try core.save(onConflict: onConflict ?? core.options.onConflict, step)
            try step(1)
            return isSaved
        }
    }

    /// Drops all unsaved changes and reads the file as it is now, be it another program's.
    ///
    /// - Throws: ``CDBError`` where the file cannot be opened; nothing is dropped then.
    public func revert() throws(CDBError) { try core.reload(keepingChanges: false) }

    /// Reads the file as it is now, be it another program's, and keeps the unsaved changes on top of it.
    ///
    /// - Throws: ``CDBError`` where the file cannot be opened; the store is then as it was.
    public func reload() throws(CDBError) { try core.reload(keepingChanges: true) }

    /// Saves every `interval`, of a millisecond or more, while there are changes, on another thread; `nil` stops that.
    ///
    /// A failure leaves the changes for the next time, and is told to ``CDBStoreOptions/onAutosaveFailure``.
    public func autosave(every interval: Duration?) throws(CDBError) { try core.autosave(every: interval) }

    /// Saves once after `delay`, on another thread. Further calls until then do nothing: many changes are saved together.
    ///
    /// A failure is told to ``CDBStoreOptions/onAutosaveFailure``.
    public func saveSoon(after delay: Duration = .seconds(1)) throws(CDBError) { try core.saveSoon(after: delay) }
}
