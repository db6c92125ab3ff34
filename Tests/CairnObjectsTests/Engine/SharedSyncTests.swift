import CairnEngine
import CairnTestSupport
import Foundation
import Synchronization
import Testing

/// Threads that wait together for a disk that the test stops.
@Suite struct SharedSyncTests {
    private final class Disk: Sendable {
        let syncs = SharedSync()
        let latest = Atomic<UInt64>(1)
        let syncCount = Atomic<Int>(0)

        func wait(for version: UInt64, sync: () throws(EngineError) -> Void = {}) throws(EngineError) {
            func latest() -> EngineVersion { EngineVersion(rawValue: self.latest.load(ordering: .relaxed)) }
            try syncs.wait(for: EngineVersion(rawValue: version), latest: latest) { () throws(EngineError) in
                syncCount.add(1, ordering: .relaxed)
                try sync()
            }
        }

        /// Returns once so many threads wait for another's sync.
        func waits(_ count: Int) -> Bool {
            let end = ContinuousClock.now + .seconds(60)
            while syncs.waitingCount < count {
                guard .now < end else { return false }
                sched_yield()
            }
            return true
        }
    }

    private let disk = Disk()

    @Test func aSyncCoversWhatWasCommittedBefore() throws {
        disk.latest.store(2, ordering: .relaxed)
        try disk.wait(for: 1)
        try disk.wait(for: 2)
        #expect(disk.syncCount.load(ordering: .relaxed) == 1)
    }

    @Test func whatIsCommittedDuringASyncNeedsAnother() throws {
        try disk.wait(for: 1) { disk.latest.store(2, ordering: .relaxed) }
        try disk.wait(for: 2)
        #expect(disk.syncCount.load(ordering: .relaxed) == 2)
        try disk.wait(for: 2)
        #expect(disk.syncCount.load(ordering: .relaxed) == 2)
    }

    @Test func whatIsNotedNeedsNoSync() throws {
        disk.syncs.note(EngineVersion(rawValue: 3))
        try disk.wait(for: 3)
        #expect(disk.syncCount.load(ordering: .relaxed) == 0)
    }

    /// The next sync, which begins at once, ends only when the thread that the first has covered continues.
    @Test func whoIsCoveredDoesNotWaitForTheNextSync() async throws {
        disk.latest.store(2, ordering: .relaxed)
        let (disk, begun, covered) = (disk, DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try await onThreads(3) { thread in
            switch thread {
            case 0:
                try disk.wait(for: 1) {
                    for _ in 0..<2 { begun.signal() }
                    #expect(disk.waits(2))
                }
            case 1:
                begun.wait()
                try disk.wait(for: 2)
                covered.signal()
            default:
                begun.wait()
                try disk.wait(for: 3) { #expect(covered.wait(timeout: .now() + .seconds(60)) == .success) }
            }
        }
        #expect(disk.syncCount.load(ordering: .relaxed) == 2)
    }

    @Test func whoseSyncFailsThrowsAndTheOthersTry() async throws {
        let (disk, begun) = (disk, DispatchSemaphore(value: 0))
        try await onThreads(3) { thread in
            guard thread == 0 else {
                begun.wait()
                return try disk.wait(for: 1)
            }
            let failure = EngineError(.ioError, "the disk is gone")
            let thrown = #expect(throws: EngineError.self) {
                try disk.wait(for: 1) { () throws(EngineError) in
                    for _ in 0..<2 { begun.signal() }
                    #expect(disk.waits(2))
                    throw failure
                }
            }
            #expect(thrown?.code == .ioError)
        }
        #expect(disk.syncCount.load(ordering: .relaxed) == 2)
    }
}
