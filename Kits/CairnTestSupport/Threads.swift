import Foundation
import Synchronization

/// Runs `body` concurrently on `count` separate threads, passing each its number, waits for all of them, and throws the first error.
///
/// For work that blocks or computes for a long time, which must not occupy Swift's cooperative thread pool.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
    let running = Running(count)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        guard count > 0 else { return continuation.resume() }
        for number in 0..<count {
            Thread.detachNewThread {
                if let outcome = running.end(with: Result { try body(number) }) { continuation.resume(with: outcome) }
            }
        }
    }
}

/// The number of threads still running, and the first error of the others.
private final class Running: Sendable {
    private struct State {
        var count: Int
        var outcome: Result<Void, any Error> = .success(())
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(count: count)) }

    /// Records that a thread has ended; returns the overall outcome if it was the last.
    func end(with outcome: Result<Void, any Error>) -> Result<Void, any Error>? {
        state.withLock { state in
            state.count -= 1
            if case .success = state.outcome { state.outcome = outcome }
            return state.count == 0 ? state.outcome : nil
        }
    }
}
