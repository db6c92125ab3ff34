import CairnCore

extension MappedStore {
    /// Runs work that can be ended early on a thread outside the cooperative pool.
    ///
    /// - Parameter purpose: What the work does to the store, as a verb.
    package func offPool<Value: Sendable>(
        _ purpose: String,
        _ progress: @escaping @Sendable (_ part: Double) -> Void,
        _ body: @escaping @Sendable (_ step: (Double) throws(MappedStoreError) -> Void) throws(MappedStoreError) -> Value
    ) async throws(MappedStoreError) -> Value {
        let path = path
        return try await CairnCore.offPool(
            progress: progress,
            cancelled: { MappedStoreError(.cancelled, "did not \(purpose) \(path): the task was cancelled") },
            body
        )
    }
}
