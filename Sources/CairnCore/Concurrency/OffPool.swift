import Dispatch
import Synchronization

/// Runs work that blocks on a thread of Dispatch's, so that it holds none of the few threads that Swift's tasks share. Cancelling the task
/// does not end it.
package func offPool<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async -> Result<Value, Failure> {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
    }
}

/// Runs work that can be ended early as ``offPool(_:)`` does. The work calls `step` now and then, with the part that is done: `progress` is
/// told, and once the task is cancelled `step` throws instead. It does not when all is done.
///
/// - Parameter cancelled: Makes the error of a task that was cancelled.
package func offPool<Value: Sendable, Failure: Error>(
    progress: @escaping @Sendable (_ part: Double) -> Void,
    cancelled: @escaping @Sendable () -> Failure,
    _ work: @escaping @Sendable (_ step: (_ part: Double) throws(Failure) -> Void) throws(Failure) -> Value
) async throws(Failure) -> Value {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
        await offPool { () throws(Failure) in
            try work { part throws(Failure) in
                guard part == 1 || !flag.isSet else { throw cancelled() }
                progress(part)
            }
        }
    } onCancel: {
        flag.set()
    }.get()
}

/// Whether a task was cancelled.
private final class CancellationFlag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}
