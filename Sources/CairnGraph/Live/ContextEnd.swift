import Synchronization

/// Ends waits for commits when a context is closed.
final class ContextEnd: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isFinished = false
        var waits = 0
        /// What cancels each wait.
        var cancels: [Int: @Sendable () -> Void] = [:]
    }

    /// Cancels all waits, including those that begin later.
    func finish() {
        let cancels = state.withLock { state in
            state.isFinished = true
            return state.cancels.values.map { $0 }
        }
        for cancel in cancels { cancel() }
    }

    /// Waits for `body`, as a task that is cancelled with the calling one, or when the context is closed.
    func wait<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task { await body() }
        let (number, isFinished) = state.withLock { state in
            state.waits += 1
            state.cancels[state.waits] = { task.cancel() }
            return (state.waits, state.isFinished)
        }
        defer { state.withLock { _ = $0.cancels.removeValue(forKey: number) } }
        if isFinished { task.cancel() }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
