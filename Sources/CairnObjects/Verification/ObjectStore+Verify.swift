import CairnCore
import Synchronization

extension ObjectStore {
    /// Reads the whole store as it is at this moment, and checks that all belongs together: pages and records, what leads to what and the notes of it,
    /// indexes, text indexes, both sides of relationships, names. Nothing is changed, and nobody has to wait.
    ///
    /// Works without the Swift classes too; what they are needed for are the entries of indexes, and types whose values the catalog does not tell.
    ///
    /// - Parameter progress: Called now and then with the part that is done, from 0 to 1.
    /// - Throws: ``ObjectStoreError``: `closed`, `ioError`. Damage is no error but part of the result.
    /// - Complexity: O(n log n), in memory of about a byte for each object.
    public func verify(progress: (_ part: Double) -> Void = { _ in }) throws(ObjectStoreError) -> ObjectStoreVerification {
        try verifying { part throws(ObjectStoreError) in progress(part) }
    }

    /// As ``verify(progress:)``, on a thread outside of those that tasks share; ends early when the task is cancelled.
    ///
    /// - Throws: As ``verify(progress:)``, and `cancelled`.
    public func verifyInBackground(
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(ObjectStoreError) -> ObjectStoreVerification {
        try await offPool("verify", progress) { step throws(ObjectStoreError) in try self.verifying(step) }
    }

    /// Verifies the store, and mends what follows from the records: the notes of who leads to whom, entries of indexes and text indexes whose
    /// Swift classes are here, rows that were given out, large records that nobody needs. Records and pages stay as they are, damaged ones too.
    ///
    /// Saves wait meanwhile.
    ///
    /// - Returns: What was found before. ``verify(progress:)`` tells what is left.
    /// - Throws: As ``verify(progress:)``; `readOnly`, `noSpace`. Nothing was changed then.
    /// - Complexity: As ``verify(progress:)``, and memory for what is mended, which is one commit.
    @discardableResult
    public func repair(progress: (_ part: Double) -> Void = { _ in }) throws(ObjectStoreError) -> ObjectStoreVerification {
        try repairing { part throws(ObjectStoreError) in progress(part) }
    }

    /// As ``repair(progress:)``, on a thread outside of those that tasks share; ends early when the task is cancelled.
    ///
    /// - Throws: As ``repair(progress:)``, and `cancelled`.
    @discardableResult
    public func repairInBackground(
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(ObjectStoreError) -> ObjectStoreVerification {
        try await offPool("repair", progress) { step throws(ObjectStoreError) in try self.repairing(step) }
    }

    func verifying(_ step: (Double) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) -> ObjectStoreVerification {
        try contextBegins()
        defer { contextEnded() }
        let view = try ObjectStoreError.translating { () throws(EngineError) in try engine.makeView() }
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
                let view = try ObjectStoreError.translating { () throws(EngineError) in try engine.makeView() }
                let verifier = Verifier(self, view)
                verifier.repairs = EngineCommit()
                try verifier.run(step)
                if let repairs = verifier.repairs, !repairs.isEmpty {
                    try ObjectStoreError.translating { () throws(EngineError) in
                        _ = try engine.commit(repairs, durability: options.durability)
                    }
                    version.wrappingAdd(1, ordering: .releasing)
                }
                return verifier.report
            }
        }
        return try outcome.get()
    }
}
