import CairnCore

extension ObjectStore {
    /// Runs work that can be cancelled on a thread outside the pool that tasks share.
    ///
    /// - Parameter purpose: What the work does to the store, as a verb.
    func offPool<Value: Sendable>(
        _ purpose: String,
        _ progress: @escaping @Sendable (_ part: Double) -> Void,
        _ body: @escaping @Sendable (_ step: (Double) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) -> Value
    ) async throws(ObjectStoreError) -> Value {
        try await Self.offPool("\(purpose) \(name)", progress, body)
    }

    /// The same if there is no store yet.
    static func offPool<Value: Sendable>(
        _ purpose: String,
        _ progress: @escaping @Sendable (_ part: Double) -> Void,
        _ body: @escaping @Sendable (_ step: (Double) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) -> Value
    ) async throws(ObjectStoreError) -> Value {
        try await CairnCore.offPool(
            progress: progress,
            cancelled: { ObjectStoreError(.cancelled, "did not \(purpose): the task was cancelled") },
            body
        )
    }
}
