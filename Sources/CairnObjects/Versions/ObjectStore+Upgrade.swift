extension ObjectStore {
    /// Migrates all objects that older versions of their classes saved, and saves them as objects of the present one.
    ///
    /// ```swift
    /// try store.upgradeRecords { part in print("\(Int(part * 100)) %") }
    /// ```
    ///
    /// Without it, each such object is migrated whenever it is read, until it is saved for another reason. Afterwards ``StoredObject/migrate(from:)`` is
    /// called for none any more, and what only it knew of former versions can be taken out of the program, once all stores were upgraded. What is left in the records of
    /// properties that the class has no more goes with it. Classes of version 1 have nothing to be upgraded.
    ///
    /// The store can be used meanwhile. Objects are gone through a thousand at a time, and each portion is an atomic save like any other: contexts that
    /// have unsaved changes of an object that it saved find a `conflict`, and where it finds that another context was faster, it looks again. What ended early, by an
    /// error, a cancellation or the death of the process, is taken up by the next call, which passes over what is done.
    ///
    /// - Parameters:
    ///   - classes: The classes whose objects are upgraded. `nil`, the default, for all that the store was opened with.
    ///   - progress: Called after each portion with the part that is done, from 0 to 1.
    /// - Returns: How many objects were upgraded.
    /// - Throws: ``ObjectStoreError``: `corruption` or `unknownClass` where objects cannot be read, once all others are upgraded; the message names the first. At once:
    ///   `corruption` where a migration reads an object that cannot be read, `notUnique` where a migration gives two objects the same unique values (nothing of
    ///   that portion is saved then), `unknownClass`, `readOnly`, `tooLarge`, `noSpace`, `ioError`, `closed`.
    /// - Complexity: Reads all records of the classes, on the calling thread; ``upgradeRecordsInBackground(of:progress:)`` does not block it.
    @discardableResult
    public func upgradeRecords(
        of classes: [any StoredObject.Type]? = nil,
        progress: (_ part: Double) -> Void = { _ in }
    ) throws(ObjectStoreError) -> Int {
        var upgrader = try RecordUpgrader(self, classes)
        return try upgrader.run { part throws(ObjectStoreError) in progress(part) }
    }

    /// As ``upgradeRecords(of:progress:)``, on a thread of its own.
    ///
    /// - Throws: As there, and `cancelled` once the task is cancelled; what was done until then is kept.
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
