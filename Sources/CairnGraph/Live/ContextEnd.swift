import CairnCore
import Dispatch
import Synchronization

/// Ends waits for commits and for views when a context is closed.
final class ContextEnd: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isFinished = false
        var waits = 0
        /// What cancels each wait.
        var cancels: [Int: @Sendable () -> Void] = [:]
        /// The latest view that was made and not taken.
        var view: StoreView?
    }

    /// Cancels all waits, including those that begin later, and releases the view.
    func finish() {
        let (cancels, view) = state.withLock { state in
            state.isFinished = true
            return (state.cancels.values.map { $0 }, state.view.take())
        }
        for cancel in cancels { cancel() }
        withExtendedLifetime(view) {}
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

    /// Makes a view of the latest state for ``takeView()``, on a separate thread.
    ///
    /// The task may still be waiting for its actor when the context and the store are closed. So the view is not returned, but kept where closing the context
    /// releases it; and closing the store waits until this leaves ``ObjectStore/viewsToCome``, which the caller has entered.
    func makeView(_ store: ObjectStore) async throws(ObjectStoreError) {
        try await wait { [self] in
            await CairnCore.offPool { () throws(ObjectStoreError) in
                defer { store.viewsToCome.leave() }
                self.keep(try store.makeView())
            }
        }.get()
    }

    private func keep(_ view: consuming StoreView) {
        state.withLock { state in
            if !state.isFinished, state.view.map({ $0.version < view.version }) ?? true { state.view = view }
        }
    }

    /// The latest view that was made, unless it was taken, or the context was closed.
    func takeView() -> StoreView? { state.withLock { $0.view.take() } }
}
