import CairnCore
import CairnTestSupport
import Dispatch
import Synchronization
import Testing

@Suite(.endsWhenItHangs) struct TaskCancellationTests {
    /// Runs `body` in a task that was cancelled before.
    private func inCancelledTask<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        await Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await body()
        }.value
    }

    @Test func workKnowsWhetherItsTaskWasCancelled() async {
        let work = { @Sendable () async -> [Bool] in
            let there = await offPool { () throws(Never) in TaskCancellation.isCancelled }.get()
            return [TaskCancellation.isCancelled, there]
        }
        #expect(await work() == [false, false])
        #expect(await inCancelledTask(work) == [true, true])
    }

    /// The task is cancelled while the work runs.
    @Test func cancellationReachesTheThread() async {
        let (begun, isBegun) = (DispatchSemaphore(value: 0), AsyncStream<Void>.makeStream())
        let task = Task {
            await offPool { () throws(Never) in
                let before = TaskCancellation.isCancelled
                isBegun.continuation.yield()
                begun.wait()
                return [before, TaskCancellation.isCancelled]
            }.get()
        }
        var iterator = isBegun.stream.makeAsyncIterator()
        await iterator.next()
        task.cancel()
        begun.signal()
        #expect(await task.value == [false, true])
    }

    /// Those of a task, and those of a thread that works for one.
    @Test(arguments: [false, true]) func threadsOfTheSameWorkKnow(atOnce: Bool) async {
        let work = { @Sendable () -> Int in
            let cancelled = Atomic(0)
            let count = { @Sendable (_: Int) in if TaskCancellation.isCancelled { cancelled.add(1, ordering: .relaxed) } }
            if atOnce { TaskCancellation.performAtOnce(8, count) } else { TaskCancellation.concurrentPerform(8, count) }
            return cancelled.load(ordering: .relaxed)
        }
        let works = { @Sendable () async -> [Int] in [work(), await offPool { () throws(Never) in work() }.get()] }
        #expect(await works() == [0, 0])
        #expect(await inCancelledTask(works) == [8, 8])
        #expect(await inCancelledTask { TaskCancellation.shielded { work() } } == 0)
    }

    /// More calls than there are cores, each of which waits for all others.
    @Test func callsThatWaitRunAtOnce() {
        let arrived = Atomic(0)
        let all = DispatchSemaphore(value: 0)
        TaskCancellation.performAtOnce(64) { _ in
            if arrived.add(1, ordering: .relaxed).newValue == 64 { for _ in 0..<64 { all.signal() } }
            all.wait()
        }
        TaskCancellation.performAtOnce(0) { _ in arrived.add(1, ordering: .relaxed) }
        #expect(arrived.load(ordering: .relaxed) == 64)
    }

    @Test func shieldedWorkIsCompleted() async {
        let found = await inCancelledTask {
            let here = TaskCancellation.shielded { TaskCancellation.isCancelled }
            let there = await offPool { () throws(Never) in
                [
                    TaskCancellation.shielded { TaskCancellation.isCancelled },
                    TaskCancellation.shielded(false) { TaskCancellation.isCancelled },
                ]
            }.get()
            return [here] + there
        }
        #expect(found == [false, false, true])
    }

    /// A task that outlives the work that made it is cancelled by itself only.
    @Test func tasksMadeInTheWorkAreOthers() async {
        let task = await inCancelledTask { await offPool { () throws(Never) in Task { TaskCancellation.isCancelled } }.get() }
        #expect(await task.value == false)
    }

    @Test func waitsEnd() async {
        let hour = ContinuousClock.Instant.now + .seconds(3600)
        let waits = { @Sendable (end: ContinuousClock.Instant, steps: Int) -> (TaskCancellation.End, Int) in
            var left = steps
            let semaphore = DispatchSemaphore(value: 0)
            let end = TaskCancellation.wait(until: end) { milliseconds in
                _ = semaphore.wait(timeout: .now() + .milliseconds(milliseconds))
                left -= 1
                return left == 0
            }
            return (end, steps - left)
        }
        #expect(waits(hour, 2) == (.done, 2))
        // At least one step, even if it is too late already.
        #expect(waits(.now, 2) == (.late, 1))
        #expect(waits(.now, 1) == (.done, 1))
        // What need not wait long is not ended.
        #expect(await inCancelledTask { TaskCancellation.wait(until: hour) { _ in true } } == .done)
        #expect(await inCancelledTask { waits(hour, 1000) }.0 == .cancelled)
        #expect(await inCancelledTask { TaskCancellation.wait(since: .now - .seconds(1), until: hour) { _ in false } } == .cancelled)
    }
}
