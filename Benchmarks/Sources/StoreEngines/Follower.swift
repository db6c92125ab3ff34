import BenchKit
public import CairnObjects
import Dispatch
import Synchronization

/// A task that follows a live query of all tickets in the order of their numbers.
public final class Follower: Sendable {
    /// What the task and the thread that waits for it share.
    private final class Shared: Sendable {
        let elements = DispatchSemaphore(value: 0)
        let end = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
    }

    private let shared = Shared()
    private let task: Task<Void, Never>

    /// Returns once the first results are there.
    ///
    /// - Parameter note: Is given each ticket that was updated, in the task.
    public init(_ store: ObjectStore, note: @escaping @Sendable (Ticket) -> Void) throws {
        task = Task.detached { [shared] in
            do {
                let context = try store.makeContext()
                for try await results in try context.live(Ticket.self, sortedBy: \.number) {
                    for place in results.changes.updated { note(results.objects[place]) }
                    shared.elements.signal()
                }
                context.close()
            } catch {
                shared.failure.withLock { $0 = error }
                shared.elements.signal()
            }
            shared.end.signal()
        }
        try wait()
    }

    /// Waits for the next results.
    public func wait() throws {
        guard shared.elements.wait(timeout: .now() + 60) == .success else { throw Disagreement("a live query has nothing new") }
        try shared.failure.withLock { failure in if let failure { throw failure } }
    }

    public func stop() {
        task.cancel()
        shared.end.wait()
    }
}
