import CairnMapped
import Dispatch
import Foundation

/// The code of the error that `body` throws; `nil` where it throws none, or one that is not ours.
func code<Result>(_ body: () throws -> Result) -> MappedStoreError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? MappedStoreError)?.code
    }
}

/// Threads of their own, for what blocks: Swift's few must not.
enum Threads {
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
