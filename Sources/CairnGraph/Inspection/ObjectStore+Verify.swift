import CairnCore
import Synchronization

extension ObjectStore {
    /// Reads the whole store as it is now, and checks its consistency: pages and records, references and back references, indexes, text indexes,
    /// inverses, names. Changes nothing, and blocks nobody.
    ///
    /// Does not need the Swift classes, except for index entries and for types whose values the catalog does not describe.
    ///
    /// - Parameter progress: Called from time to time with the fraction done, from 0 to 1.
    /// - Throws: ``ObjectStoreError``: `closed`, `ioError`; `schemaMismatch` if another program has changed the classes since this one opened the store, and
    ///   this one must open it again. Damage is not thrown but reported in the result.
    /// - Complexity: O(n log n), using about one byte of memory per object.
    public func verify(progress: (_ part: Double) -> Void = { _ in }) throws(ObjectStoreError) -> ObjectStoreVerification {
        try verifying { part throws(ObjectStoreError) in progress(part) }
    }

    /// Same as ``verify(progress:)``, on a thread outside the pool that tasks share; ends early if the task is cancelled.
    ///
    /// - Throws: Same as ``verify(progress:)``, and `cancelled`.
    public func verifyInBackground(
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(ObjectStoreError) -> ObjectStoreVerification {
        try await offPool("verify", progress) { step throws(ObjectStoreError) in try self.verifying(step) }
    }

    /// Verifies the store, and repairs what can be derived from the records: back references, entries of indexes and text indexes whose Swift classes
    /// are available, the last assigned rows, unused large records. Does not change records and pages, even if they are damaged.
    ///
    /// Saves wait in the meantime.
    ///
    /// - Returns: The problems found before the repair. Use ``verify(progress:)`` to find the remaining ones.
    /// - Throws: Same as ``verify(progress:)``; `readOnly`, `noSpace`, `moved`; `busy` if another process saves in the meantime. Nothing has then been changed.
    /// - Complexity: Same as ``verify(progress:)``, plus memory for the repairs, which form one commit.
    @discardableResult
    public func repair(progress: (_ part: Double) -> Void = { _ in }) throws(ObjectStoreError) -> ObjectStoreVerification {
        try repairing { part throws(ObjectStoreError) in progress(part) }
    }

    /// Same as ``repair(progress:)``, on a thread outside the pool that tasks share; ends early if the task is cancelled.
    ///
    /// - Throws: Same as ``repair(progress:)``, and `cancelled`.
    @discardableResult
    public func repairInBackground(
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(ObjectStoreError) -> ObjectStoreVerification {
        try await offPool("repair", progress) { step throws(ObjectStoreError) in try self.repairing(step) }
    }

    func verifying(_ step: (Double) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) -> ObjectStoreVerification {
        try contextBegins()
        defer { contextEnded() }
        let view = try StoreView(engine)
        try catalogCheck.checkBeforeVerifying(view, self)
        let verifier = Verifier(self, view)
        try verifier.run(step)
        return verifier.report
    }

    private func repairing(_ step: (Double) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) -> ObjectStoreVerification {
        guard !isReadOnly else { throw ObjectStoreError(.readOnly, "\(name) was opened for reading only") }
        try contextBegins()
        defer { contextEnded() }
        let outcome = saving.withLock { _ in
            Result { () throws(ObjectStoreError) in
                let view = try StoreView(engine)
                try catalogCheck.checkBeforeSave(view, self)
                let verifier = Verifier(self, view)
                verifier.repairs = EngineCommit()
                try verifier.run(step)
                if var repairs = verifier.repairs, !repairs.isEmpty {
                    // What others write in the meantime may need other repairs.
                    repairs.read(.all, in: view.engineView)
                    guard try engine.tryPerform(repairs, durability: options.durability) != nil else {
                        throw ObjectStoreError(
                            .busy,
                            "\(name) was changed by others during the repair, which changed nothing; repair it again"
                        )
                    }
                }
                return verifier.report
            }
        }
        return try outcome.get()
    }
}
