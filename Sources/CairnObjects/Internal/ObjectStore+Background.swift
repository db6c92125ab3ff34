import Dispatch
import Synchronization

extension ObjectStore {
    /// Runs blocking work on a thread of Dispatch's, so that it does not hold one of the few threads that Swift's tasks share. The work calls
    /// `step` now and then, with the part that is done; that throws once the task is cancelled.
    func inBackground<Value: Sendable>(
        _ purpose: String,
        _ progress: @escaping @Sendable (_ part: Double) -> Void,
        _ body: @escaping @Sendable (_ step: (Double) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) -> Value
    ) async throws(ObjectStoreError) -> Value {
        let flag = CancellationFlag()
        let name = name
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        returning: Result { () throws(ObjectStoreError) in
                            try body { part throws(ObjectStoreError) in
                                // What is done is done.
                                guard part == 1 || !flag.isSet else {
                                    throw ObjectStoreError(.cancelled, "did not \(purpose) \(name): the task was cancelled")
                                }
                                progress(part)
                            }
                        }
                    )
                }
            }
        } onCancel: {
            flag.set()
        }.get()
    }
}

/// Whether a task was cancelled.
private final class CancellationFlag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}
