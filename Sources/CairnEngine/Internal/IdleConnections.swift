import Synchronization

/// The connections of an engine that no call is using.
package final class IdleConnections<Connection: Sendable>: Sendable {
    private let state: Mutex<State>

    private struct State {
        var idle: [Connection]
        var isClosed = false
    }

    package init(_ idle: [Connection] = []) { state = Mutex(State(idle: idle)) }

    package var isClosed: Bool { state.withLock { $0.isClosed } }

    package func take() -> Connection? { state.withLock { $0.idle.popLast() } }

    /// Gives a connection back. Once this is closed, it is dropped.
    package func giveBack(_ connection: Connection) { state.withLock { state in if !state.isClosed { state.idle.append(connection) } } }

    /// Drops all.
    package func removeAll() {
        // They are closed outside the lock.
        let dropped = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        withExtendedLifetime(dropped) {}
    }

    /// Drops all, including connections that are given back later.
    package func close() {
        state.withLock { $0.isClosed = true }
        removeAll()
    }
}
