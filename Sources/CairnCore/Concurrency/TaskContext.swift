import Synchronization

/// The context of a task, such as its trace, which ``offPool(_:)`` passes to the thread that does the work. Only `CairnTelemetry` sets it.
package enum TaskContext {
    /// Runs a closure in the context of the task that made this runner.
    package typealias Runner = @Sendable (_ body: () -> Void) -> Void

    private static let isCarried = Atomic(false)
    private static let carrier = Mutex<Carrier?>(nil)

    /// A closure stored directly in a mutex would be wrapped again each time it is read.
    private struct Carrier {
        let make: @Sendable () -> Runner?
    }

    /// Sets the closure that is called in a task before its work moves to another thread.
    package static func carry(_ make: @escaping @Sendable () -> Runner?) {
        carrier.withLock { $0 = Carrier(make: make) }
        isCarried.store(true, ordering: .releasing)
    }

    /// The context that the current task passes on; `nil` if there is none.
    package static var runner: Runner? { isCarried.load(ordering: .acquiring) ? carrier.withLock { $0 }?.make() : nil }
}
