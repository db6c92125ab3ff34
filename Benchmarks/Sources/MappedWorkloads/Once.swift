import Synchronization

/// Says yes once.
final class Once: Sendable {
    private let isDone = Mutex(false)
    func enter() -> Bool {
        isDone.withLock { isDone in
            defer { isDone = true }; return !isDone
        }
    }
}
