import Dispatch
import Synchronization

/// Runs blocking work on a Dispatch thread, so that it does not occupy Swift's cooperative thread pool. Cancelling the task does not end the
/// work, but waits in it may end (``TaskCancellation``). What the work captures, such as views of a store that the caller closes next, is released before this
/// returns.
package func offPool<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async -> Result<Value, Failure> {
    await offPool { _ throws(Failure) in try work() }
}

/// The same for work that takes the flag that is set when the task is cancelled.
private func offPool<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable (CancellationFlag) throws(Failure) -> Value
) async -> Result<Value, Failure> {
    let flag = CancellationFlag()
    let pending = Pending { () throws(Failure) in
        try TaskCancellation.forTask({ flag.isSet }) { () throws(Failure) in try work(flag) }
    }
    let runner = TaskContext.runner
    return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                guard let runner else { return continuation.resume(returning: pending.run()) }
                runner { continuation.resume(returning: pending.run()) }
            }
        }
    } onCancel: {
        flag.set()
    }
}

/// Work that is released as soon as it is done: the thread that did it keeps its own closure for a while.
private final class Pending<Value: Sendable, Failure: Error>: Sendable {
    private let work: Mutex<(@Sendable () throws(Failure) -> Value)?>

    init(_ work: @escaping @Sendable () throws(Failure) -> Value) { self.work = Mutex(work) }

    func run() -> Result<Value, Failure> {
        guard let work = work.withLock({ $0.take() }) else { preconditionFailure("work runs once") }
        return Result { () throws(Failure) in try work() }
    }
}

/// Runs cancellable work like ``offPool(_:)``. The work occasionally calls `step` with the completed fraction, which `step` reports to
/// `progress`. Once the task is cancelled, `step` throws instead, unless the work is complete.
///
/// - Parameter cancelled: Returns the error of a cancelled task.
package func offPool<Value: Sendable, Failure: Error>(
    progress: @escaping @Sendable (_ part: Double) -> Void,
    cancelled: @escaping @Sendable () -> Failure,
    _ work: @escaping @Sendable (_ step: (_ part: Double) throws(Failure) -> Void) throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await offPool { flag throws(Failure) in
        try work { part throws(Failure) in
            guard part == 1 || !flag.isSet else { throw cancelled() }
            progress(part)
        }
    }.get()
}

/// Whether work was cancelled.
package final class CancellationFlag: Sendable {
    private let value = Atomic(false)
    package init() {}
    package var isSet: Bool { value.load(ordering: .relaxed) }
    package func set() { value.store(true, ordering: .relaxed) }
}
