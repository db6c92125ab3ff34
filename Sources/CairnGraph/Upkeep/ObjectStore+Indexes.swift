extension ObjectStore {
    /// The indexes that do not have the entries of all objects yet, such as `Song (artist)` or `Song (text of title)`: those that were declared after
    /// objects of the class were stored. Queries do not use them until ``buildIndexes(progress:)`` has completed them, and uniqueness is checked only
    /// against objects that have entries: those saved since. A new version of a class also starts with such indexes, because its migration may change
    /// stored values, and objects saved by older versions have no entries until they are upgraded.
    public var incompleteIndexes: [String] {
        classes.flatMap { stored in
            stored.indexes.filter { !$0.isComplete }.map { "\(stored.name) (\($0.index.properties.joined(separator: ", ")))" }
                + stored.texts.filter { !$0.isComplete }.map { "\(stored.name) (text of \($0.name))" }
        }
    }

    /// Completes the indexes that were declared after objects were stored, and removes the entries of indexes that no class has any more.
    ///
    /// The store can be used in the meantime. Objects are processed in steps of about a thousand; each step is a commit, and saves wait for at most
    /// one step. If the work ends early, by an error, a cancellation or the death of the process, call this again to resume. Does nothing if all
    /// indexes are complete. If a class with an incomplete index has a version above 1, its objects are upgraded first, as by
    /// ``upgradeRecords(of:progress:)``.
    ///
    /// - Parameter progress: Called after each step with the fraction done, from 0 to 1.
    /// - Throws: ``ObjectStoreError``: `notUnique` if two objects have the same values in a unique index; the message names both: change one of them,
    ///   save, and call this again. `corruption` for an object that cannot be read, `readOnly`, `noSpace`, `ioError`, `closed`.
    /// - Complexity: Reads all objects of the classes concerned, on the calling thread; `await buildIndexesInBackground` does not block it.
    public func buildIndexes(progress: (_ part: Double) -> Void = { _ in }) throws(ObjectStoreError) {
        try IndexBuilder(self).run { part throws(ObjectStoreError) in progress(part) }
    }

    /// Same as ``buildIndexes(progress:)``, on a separate thread.
    ///
    /// - Throws: Same as there, and `cancelled` if the task is cancelled; completed steps are kept.
    public func buildIndexesInBackground(progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }) async throws(ObjectStoreError) {
        try await offPool("build the indexes of", progress) { step throws(ObjectStoreError) in try IndexBuilder(self).run(step) }
    }

    /// Rebuilds all indexes of the store's classes, for example if they are damaged. Queries do not use them until they are complete, and uniqueness
    /// is checked only against objects that are in the index again.
    ///
    /// - Throws: Same as ``buildIndexes(progress:)``, which resumes a rebuild that ended early.
    public func rebuildIndexes(progress: (_ part: Double) -> Void = { _ in }) throws(ObjectStoreError) {
        try IndexBuilder(self).discard()
        try buildIndexes(progress: progress)
    }

    /// Same as ``rebuildIndexes(progress:)``, on a separate thread.
    ///
    /// - Throws: Same as ``buildIndexesInBackground(progress:)``.
    public func rebuildIndexesInBackground(progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }) async throws(ObjectStoreError)
    {
        try await offPool("rebuild the indexes of", progress) { step throws(ObjectStoreError) in
            try IndexBuilder(self).discard()
            try IndexBuilder(self).run(step)
        }
    }
}
