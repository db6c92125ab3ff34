import CairnCore
import Dispatch
import Synchronization

extension PostgresPool {
    /// A new connection. libpq's wait for it cannot be ended, so a separate thread waits: if the task is cancelled, alone.
    func connectUnlessCancelled() throws(PostgresError) -> PostgresConnection {
        let attempt = Attempt()
        // A queue of its own gets a thread even if all others wait for connections.
        DispatchQueue(label: "Cairn: connecting to PostgreSQL").async { [target] in attempt.finish(target) }
        guard TaskCancellation.wait(until: .now + .milliseconds(Int(Int32.max)), attempt.isFinished(within:)) == .done else {
            throw .cancelled
        }
        return try attempt.take()
    }

    private final class Attempt: Sendable {
        private let finished = DispatchSemaphore(value: 0)
        private let result = Mutex<Result<PostgresConnection, PostgresError>?>(nil)

        func finish(_ target: PostgresTarget) {
            let result = Result { () throws(PostgresError) in try PostgresConnection(target) }
            self.result.withLock { $0 = result }
            finished.signal()
        }

        func isFinished(within milliseconds: Int) -> Bool { finished.wait(timeout: .now() + .milliseconds(milliseconds)) == .success }

        func take() throws(PostgresError) -> PostgresConnection {
            guard let result = result.withLock({ $0.take() }) else { throw .cancelled }
            return try result.get()
        }
    }
}
