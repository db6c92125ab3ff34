import CTestSupport
import Synchronization
package import Testing

/// Follows the stores of a thread to memory.
package enum StoreWatch {
    /// Whether stores can be followed here: on Linux with an x86-64 processor.
    package static var isAvailable: Bool { cts_can_watch() }
    /// Why a test is skipped if they cannot.
    package static let missing: Comment = "only Linux on x86-64 lets a process stop after each store"

    /// There were more stores than copies were to be made, or the system refused.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let isWatching = Mutex(())

    /// Runs `body` and returns the contents of the memory after each of its stores that changed it: what a process leaves there that is killed after
    /// that store. No other thread may write to the memory.
    ///
    /// - Parameters:
    ///   - memory: whole pages.
    ///   - limit: how many stores there may be.
    package static func contents(
        of memory: UnsafeMutableRawBufferPointer,
        limit: Int = 2_000,
        afterEachStoreOf body: () throws -> Void
    ) throws -> [[UInt8]] {
        try isWatching.withLock { _ in
            let error = unsafe cts_watch(memory.baseAddress, memory.count, limit)
            defer { cts_free_copies() }
            guard error == 0 else { throw Failure(description: "stores cannot be watched: errno \(error)") }
            let result = Result { try body() }
            let count = Int(cts_end_watch())
            try result.get()
            guard count <= limit else { throw Failure(description: "there were \(count) stores, more than \(limit)") }
            return (0..<count).map { unsafe Array(UnsafeBufferPointer(start: cts_copy($0), count: memory.count)) }
        }
    }
}
