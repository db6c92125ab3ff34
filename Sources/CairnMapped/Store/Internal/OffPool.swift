import Dispatch
import Synchronization

extension MappedStore {
    /// Runs blocking work on a thread of Dispatch's, so that it does not hold one of the few threads that Swift's tasks share. The work calls
    /// `step` now and then, with the part that is done; that throws once the task is cancelled.
    func offPool<Value: Sendable>(
        _ purpose: String,
        _ progress: @escaping @Sendable (_ part: Double) -> Void,
        _ body: @escaping @Sendable (_ step: (Double) throws(MappedStoreError) -> Void) throws(MappedStoreError) -> Value
    ) async throws(MappedStoreError) -> Value {
        let flag = CancellationFlag()
        let path = path
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        returning: Result { () throws(MappedStoreError) in
                            try body { part throws(MappedStoreError) in
                                // What is done is done.
                                guard part == 1 || !flag.isSet else {
                                    throw MappedStoreError(.cancelled, "did not \(purpose) \(path): the task was cancelled")
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
