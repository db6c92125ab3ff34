import CairnMapped
import Dispatch
import Foundation

/// Threads of their own, for what blocks: Swift's few must not.
enum OwnThreads {
    /// Runs `body` on `count` threads; returns when all have ended, with the first error.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await withCheckedThrowingContinuation { continuation in
                        Thread.detachNewThread { continuation.resume(with: Result { try body(number) }) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Waits from a place that is not asynchronous itself.
    static func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }
}
