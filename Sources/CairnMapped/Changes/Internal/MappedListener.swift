import Synchronization

/// A listener for changes: keeps those not yet taken, and wakes the tasks that wait for them.
final class MappedListener: Sendable {
    /// The only key to listen for; `nil` for all. Its changes are kept as one.
    private let key: String?
    private let limit: Int
    /// Called when there are changes, instead of waking tasks.
    private let handler: (@Sendable () -> Void)?
    private let state = Mutex(State())

    private struct State {
        var changes: [MappedChange] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
        var end: Result<Void, MappedStoreError>?
    }

    init(key: String?, limit: Int, handler: (@Sendable () -> Void)? = nil) {
        self.key = key
        self.limit = max(1, limit)
        self.handler = handler
    }

    // MARK: The reporting side

    /// Keeps a change; ``wake()`` must follow.
    func add(_ change: MappedChange) {
        if let key, let changed = change.key, key != changed { return }
        state.withLock { state in
            guard state.end == nil, state.changes.first != .everything else { return }
            if key == nil, state.changes.count == limit {
                state.changes = [.everything]
            } else if key == nil, change != .everything {
                state.changes.append(change)
            } else {
                state.changes = [change]
            }
        }
    }

    /// Marks the end: changes that were kept can still be taken. ``wake()`` must follow.
    func finish(_ end: Result<Void, MappedStoreError>) {
        if handler != nil, case .failure = end {
            // The handler finds out by itself what is wrong, and is called again if other listeners cause the records to be followed again.
            return add(.everything)
        }
        state.withLock { $0.end = $0.end ?? end }
    }

    /// Resumes the waiting tasks.
    func wake() {
        let (waiting, hasNews) = state.withLock { state in
            defer { state.waiting = [] }
            return (state.waiting, !state.changes.isEmpty)
        }
        for continuation in waiting { continuation.resume() }
        if hasNews, let handler {
            forget()
            handler()
        }
    }

    // MARK: The listening side

    /// Waits for and returns the next change; `nil` at the end, or if the task is cancelled.
    func next() async throws(MappedStoreError) -> MappedChange? {
        while !Task.isCancelled {
            let (change, end) = state.withLock { state in
                (state.changes.isEmpty ? nil : state.changes.removeFirst(), state.end)
            }
            if let change { return change }
            if let end {
                // Reported once.
                state.withLock { $0.end = .success(()) }
                try end.get()
                return nil
            }
            await wait()
        }
        return nil
    }

    /// Marks everything kept as reported.
    func forget() { state.withLock { $0.changes = [] } }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.changes.isEmpty, state.end == nil, !Task.isCancelled else { return false }
                    state.waiting.append(continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            // Other waiting tasks find nothing, and wait again.
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }
}
