extension ObjectStore {
    /// Brings everything that the store has up to date with its classes: first all records, as ``upgradeRecords(of:progress:)`` does, and then the
    /// indexes, as ``buildIndexes(progress:)`` does. Does nothing if all is up to date.
    ///
    /// - Parameter progress: Called after each batch with the fraction done, from 0 to 1.
    /// - Returns: The number of objects upgraded.
    /// - Throws: Same as these two methods. What was done is kept, and the next call continues.
    @discardableResult
    public func upgrade(progress: (_ part: Double) -> Void = { _ in }) throws(ObjectStoreError) -> Int {
        try upgrade { part throws(ObjectStoreError) in progress(part) }
    }

    /// Same as ``upgrade(progress:)``, on a separate thread.
    ///
    /// - Throws: Same as there, and `cancelled` if the task is cancelled.
    @discardableResult
    public func upgradeInBackground(
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(ObjectStoreError) -> Int {
        try await offPool("upgrade", progress) { step throws(ObjectStoreError) in try self.upgrade(step) }
    }

    private func upgrade(_ step: RecordUpgrader.Step) throws(ObjectStoreError) -> Int {
        var upgrader = try RecordUpgrader(self, nil)
        let share = upgrader.isNeeded ? 0.5 : 0
        let count = upgrader.isNeeded ? try upgrader.run { part throws(ObjectStoreError) in try step(part * share) } : 0
        try IndexBuilder(self).run { part throws(ObjectStoreError) in try step(share + part * (1 - share)) }
        return count
    }

    /// Migrates all objects saved by older versions of their classes, and saves them in the current version.
    ///
    /// ```swift
    /// try store.upgradeRecords { part in print("\(Int(part * 100)) %") }
    /// ```
    ///
    /// Without this, each such object is migrated every time it is read, until it is saved for another reason. Afterwards,
    /// ``StoredObject/migrate(from:)`` is no longer called for any object. Once all stores are upgraded, you can remove code that only it
    /// needed for former versions. Data left in records for removed properties is dropped too. Classes of version 1 need no upgrade.
    ///
    /// The store can be used in the meantime. Objects are upgraded a thousand at a time, each batch in an atomic save like any other. A
    /// context with unsaved changes to an object that the upgrade has saved gets a `conflict`; if another context was faster, the upgrade
    /// reads the objects again. If it ends early, by an error, a cancellation or the death of the process, the next call continues and
    /// skips what is done.
    ///
    /// - Parameters:
    ///   - classes: The classes whose objects are upgraded. `nil`, the default: all that the store was opened with.
    ///   - progress: Called after each batch with the fraction done, from 0 to 1.
    /// - Returns: The number of objects upgraded.
    /// - Throws: ``ObjectStoreError``: `corruption` or `unknownClass` if objects cannot be read, once all others are upgraded; the message
    ///   names the first. At once: `corruption` if a migration reads an object that cannot be read, `notUnique` if a migration gives two
    ///   objects the same unique values (nothing of that batch is saved then), `unknownClass`, `readOnly`, `tooLarge`, `noSpace`,
    ///   `ioError`, `closed`.
    /// - Complexity: Reads all records of the classes, on the calling thread; ``upgradeRecordsInBackground(of:progress:)`` does not block it.
    @discardableResult
    public func upgradeRecords(
        of classes: [any StoredObject.Type]? = nil,
        progress: (_ part: Double) -> Void = { _ in }
    ) throws(ObjectStoreError) -> Int {
        var upgrader = try RecordUpgrader(self, classes)
        return try upgrader.run { part throws(ObjectStoreError) in progress(part) }
    }

    /// Same as ``upgradeRecords(of:progress:)``, on a separate thread.
    ///
    /// - Throws: Same as there, and `cancelled` if the task is cancelled; completed batches are kept.
    @discardableResult
    public func upgradeRecordsInBackground(
        of classes: [any StoredObject.Type]? = nil,
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(ObjectStoreError) -> Int {
        try await offPool("upgrade the records of", progress) { step throws(ObjectStoreError) in
            var upgrader = try RecordUpgrader(self, classes)
            return try upgrader.run(step)
        }
    }
}
