import Dispatch

/// Whether the task that waits for a blocking call was cancelled. Engines over a network ask while they wait, and end calls early.
///
/// A call asks its own task, if it runs in one. On threads that work for a task (``offPool(_:)``, parts of a scan), that task is asked.
package enum TaskCancellation {
    private enum Source: Sendable {
        /// The task that this thread works for.
        case other(@Sendable () -> Bool)
        /// Nobody: the work must be completed.
        case nobody
    }

    @TaskLocal private static var source: Source?

    /// Whether the task was cancelled; false outside tasks, and in work that is ``shielded(_:)``.
    package static var isCancelled: Bool {
        switch source {
        case nil: Task.isCancelled
        case .nobody?: false
        // A task that was made in the work inherits the source, but can be cancelled by itself.
        case .other(let isCancelled)?: unsafe withUnsafeCurrentTask { unsafe $0?.isCancelled } ?? isCancelled()
        }
    }

    /// Runs work that is completed even if the task is cancelled.
    ///
    /// - Parameter isShielded: If false, the work is run like any other.
    package static func shielded<Value, Failure: Error>(
        _ isShielded: Bool = true,
        _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        isShielded ? try with(.nobody, work) : try work()
    }

    /// Runs work for a task that waits elsewhere.
    ///
    /// - Parameter isCancelled: Whether that task was cancelled; called on any thread.
    static func forTask<Value, Failure: Error>(
        _ isCancelled: @escaping @Sendable () -> Bool,
        _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try with(.other(isCancelled), work)
    }

    private static func with<Value, Failure: Error>(
        _ source: Source,
        _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try $source.withValue(source) { Result { () throws(Failure) in try work() } }.get()
    }

    // MARK: Threads of the same work

    /// Calls `body` with each number below `count` on several threads, for the same task as the caller.
    package static func concurrentPerform(_ count: Int, _ body: @Sendable (Int) -> Void) {
        withSourceOfThreads { source in
            DispatchQueue.concurrentPerform(iterations: count) { [source] number in $source.withValue(source) { body(number) } }
        }
    }

    /// The same for calls that wait, such as those of engines over a network: all run at once, however few cores there are.
    package static func performAtOnce(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        guard count > 0 else { return }
        withSourceOfThreads { source in
            let others = DispatchGroup()
            for number in 1..<count {
                // A queue of its own is a thread of its own.
                DispatchQueue(label: "Cairn: calls that wait").async(group: others) { $source.withValue(source) { body(number) } }
            }
            body(0)
            others.wait()
        }
    }

    /// Calls `body` with what threads are to ask until it ends.
    private static func withSourceOfThreads(_ body: (Source?) -> Void) {
        unsafe withUnsafeCurrentTask { task in
            var source = source
            if let task = unsafe task, !isShielded {
                // Until this closure ends, other threads may ask a task whether it was cancelled.
                nonisolated(unsafe) let task = unsafe task
                source = .other { unsafe task.isCancelled }
            }
            body(source)
        }
    }

    private static var isShielded: Bool { if case .nobody? = source { true } else { false } }

    // MARK: Waits

    /// How often a wait asks whether the task was cancelled, and how long a wait may take in any case: in a cancelled task, calls that need not wait succeed.
    package static let interval = Duration.milliseconds(100)

    /// How a wait has ended.
    package enum End: Sendable {
        case done, late, cancelled
    }

    /// Waits in steps, until one is successful, it is too late, or the task is cancelled.
    ///
    /// - Parameters:
    ///   - start: When the wait has begun, if it has several parts.
    ///   - step: Waits for at most so many milliseconds; returns whether what it waits for has happened.
    package static func wait(
        since start: ContinuousClock.Instant = .now,
        until end: ContinuousClock.Instant,
        _ step: (_ milliseconds: Int) -> Bool
    ) -> End {
        while true {
            let rest = ContinuousClock.now.duration(to: end)
            if step(min(rest, interval).timeoutMilliseconds()) { return .done }
            let now = ContinuousClock.now
            if now >= end { return .late }
            if now >= start + interval, isCancelled { return .cancelled }
        }
    }
}
