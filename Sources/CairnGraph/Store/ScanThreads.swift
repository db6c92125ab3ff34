import CairnCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Divides scans among threads.
enum ScanThreads {
    static let most = min(ProcessInfo.processInfo.activeProcessorCount, 4)

    /// Calls `body` with each index below `count`, on this thread and others, and waits for all. Each thread takes the next index when it finishes one.
    static func forEach(_ count: Int, threads: Int, _ body: @Sendable (Int) -> Void) {
        let next = Atomic(0)
        TaskCancellation.concurrentPerform(min(threads, count)) { _ in
            while true {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                body(index)
            }
        }
    }
}
