import CairnCore
import Dispatch
import Foundation
import Testing

@Suite struct OffPoolTests {
    private struct Failure: Error, Equatable { var text: String }

    @Test func valuesAndErrorsComeBack() async throws {
        #expect(await offPool { () throws(Failure) in 1 } == .success(1))
        #expect(await offPool { () throws(Failure) -> Int in throw Failure(text: "refused") } == .failure(Failure(text: "refused")))
    }

    /// The last task runs and releases the others, even if more of them wait in such work than Swift's pool has threads.
    @Test func blockedWorkHoldsNoThreadOfTasks() async {
        // Swift's pool has a thread for each core.
        let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
        let gate = DispatchSemaphore(value: 0)
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                group.addTask {
                    let result = await offPool { () throws(Never) in
                        gate.wait()
                        return number
                    }
                    return result.get()
                }
            }
            group.addTask {
                for _ in 0..<count { gate.signal() }
                return 0
            }
            return await group.reduce(0, +)
        }
        #expect(sum == (0..<count).reduce(0, +))
    }

    @Test func progressIsReported() async throws {
        let (parts, reported) = AsyncStream<Double>.makeStream()
        let value = try await offPool(progress: { reported.yield($0) }, cancelled: { Failure(text: "cancelled") }) {
            step throws(Failure) -> String in
            for part in [0, 0.5, 1] { try step(part) }
            return "done"
        }
        reported.finish()
        #expect(value == "done")
        #expect(await parts.reduce(into: []) { $0.append($1) } == [0, 0.5, 1])
    }

    /// The work ends at the next step after the task was cancelled, with the error for it.
    @Test func cancellationEndsTheWork() async throws {
        let (steps, step) = AsyncStream<Void>.makeStream()
        let cancelled = DispatchSemaphore(value: 0)
        let task = Task {
            try await offPool(progress: { _ in step.yield() }, cancelled: { Failure(text: "cancelled") }) { step throws(Failure) in
                try step(0)
                cancelled.wait()
                try step(0.5)
            }
        }
        var iterator = steps.makeAsyncIterator()
        await iterator.next()
        task.cancel()
        cancelled.signal()
        await #expect(throws: Failure(text: "cancelled")) { try await task.value }
    }

    @Test func whatIsDoneIsDone() async throws {
        let (steps, step) = AsyncStream<Void>.makeStream()
        let cancelled = DispatchSemaphore(value: 0)
        let task = Task {
            try await offPool(progress: { _ in step.yield() }, cancelled: { Failure(text: "cancelled") }) {
                step throws(Failure) -> Int in
                try step(0)
                cancelled.wait()
                try step(1)
                return 1
            }
        }
        var iterator = steps.makeAsyncIterator()
        await iterator.next()
        task.cancel()
        cancelled.signal()
        #expect(try await task.value == 1)
    }

    private final class Captured: Sendable {}
    private struct Weak { weak var captured: Captured? }

    /// Such as a view, without which the caller could not close the store. A thread that keeps its work does so for a moment: one in some thousand times.
    @Test func whatTheWorkCapturesIsReleasedBeforeTheCallerContinues() async {
        @Sendable func capture() async -> Weak {
            let captured = Captured()
            _ = await offPool { withExtendedLifetime(captured) {} }
            return Weak(captured: captured)
        }
        let kept = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var kept = 0
                    for _ in 0..<10_000 where await capture().captured != nil { kept += 1 }
                    return kept
                }
            }
            return await group.reduce(0, +)
        }
        #expect(kept == 0)
    }
}
