extension ObjectStore {
    /// The indexes that do not have the entries of all objects yet, as `Song (artist)` or `Song (text of title)`: those that a class was given after objects of it
    /// were stored. Queries do not use them until ``buildIndexes(progress:)`` has made them complete, and whether values are unique is
    /// checked only against objects that have entries: those saved since. A class with a new version begins with such indexes too, as its
    /// migration may make other values of what is stored, and what older versions saved has no entries until it is upgraded.
    public var incompleteIndexes: [String] {
        classes.flatMap { stored in
            stored.indexes.filter { !$0.isComplete }.map { "\(stored.name) (\($0.index.properties.joined(separator: ", ")))" }
                + stored.texts.filter { !$0.isComplete }.map { "\(stored.name) (text of \($0.name))" }
        }
    }

    /// Adds what is missing in the indexes that were declared after objects were stored, and removes what is left of those that no class
    /// has any more.
    ///
    /// The store can be used meanwhile. Objects are gone through a thousand at a time, each such step is a commit, and saves wait for one
    /// step at most. What ended early, by an error, a cancellation or the death of the process, is taken up where it was when this is
    /// called again. Nothing is done where all indexes are complete. Where a class with an index that is not has a version above 1, its objects are
    /// upgraded before, as by ``upgradeRecords(of:progress:)``.
    ///
    /// - Parameter progress: Called after each step with the part that is done, from 0 to 1.
    /// - Throws: ``ObjectStoreError``: `notUnique` where two objects have the same values in an index that is to be unique; the message
    ///   names both: change one of them, save, and call this again. `corruption` for an object that cannot be read, `readOnly`, `noSpace`,
    ///   `ioError`, `closed`.
    /// - Complexity: Reads all objects of the classes concerned, on the calling thread; `await buildIndexesInBackground` does not block it.
    public func buildIndexes(progress: (_ part: Double) -> Void = { _ in }) throws(ObjectStoreError) {
        try IndexBuilder(self).run { part throws(ObjectStoreError) in progress(part) }
    }

    /// As ``buildIndexes(progress:)``, on a thread of its own.
    ///
    /// - Throws: As there, and `cancelled` once the task is cancelled; what was done until then is kept.
    public func buildIndexesInBackground(progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }) async throws(ObjectStoreError) {
        try await offPool("build the indexes of", progress) { step throws(ObjectStoreError) in try IndexBuilder(self).run(step) }
    }

    /// Makes all indexes of the store's classes anew: for indexes that are damaged. Queries do without them until they are complete, and
    /// whether values are unique is checked only against objects that are in the index again.
    ///
    /// - Throws: As ``buildIndexes(progress:)``, which goes on where this ended early.
    public func rebuildIndexes(progress: (_ part: Double) -> Void = { _ in }) throws(ObjectStoreError) {
        try IndexBuilder(self).discard()
        try buildIndexes(progress: progress)
    }

    /// As ``rebuildIndexes(progress:)``, on a thread of its own.
    ///
    /// - Throws: As ``buildIndexesInBackground(progress:)``.
    public func rebuildIndexesInBackground(progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }) async throws(ObjectStoreError)
    {
        try await offPool("rebuild the indexes of", progress) { step throws(ObjectStoreError) in
            try IndexBuilder(self).discard()
            try IndexBuilder(self).run(step)
        }
    }
}
