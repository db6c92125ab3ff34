import Synchronization

/// What belongs to a task, such as its trace, and goes along to the thread that works for it (``offPool(_:)``). `CairnTelemetry` sets it; without that, nothing does.
package enum TaskContext {
    /// Runs a closure with what belonged to the task in which it was made.
    package typealias Runner = @Sendable (_ body: () -> Void) -> Void

    private static let isCarried = Atomic(false)
    private static let carrier = Mutex<Carrier?>(nil)

    /// A closure that a mutex holds by itself is wrapped once more each time it is read.
    private struct Carrier {
        let make: @Sendable () -> Runner?
    }

    /// Sets what is called in a task before its work goes to another thread.
    package static func carry(_ make: @escaping @Sendable () -> Runner?) {
        carrier.withLock { $0 = Carrier(make: make) }
        isCarried.store(true, ordering: .releasing)
    }

    /// What the current task takes along; `nil` for nothing.
    package static var runner: Runner? { isCarried.load(ordering: .acquiring) ? carrier.withLock { $0 }?.make() : nil }
}
