import Dispatch
import Synchronization

/// Moves what commits have written from the log to the file, on a thread of its own: commits neither wait for that nor for its syncs.
///
/// SQLite by itself moves pages at the end of each commit once the log has some size, and lets the log start from its beginning once all of them were moved
/// and nobody has a view that began before. A save has a view during its commit, so that would never be: the log would grow, and every further commit sync it.
final class SQLiteCheckpointer: Sendable {
    /// How many pages commits write to the log before they are moved: 8 MiB.
    private static let portion = 1000

    private let file: SQLiteFile
    private let queue = DispatchQueue(label: "Cairn: SQLite checkpoints", qos: .utility)
    private let state = Mutex(State())
    private let moving = Mutex(Moving())
    /// Whether the log is long, since commits and views follow each other without a pause in which all of it could be moved.
    private let isOverdue = Atomic(false)

    private struct State {
        /// Pages of the log that the last attempt has moved.
        var moved = 0
        var isRunning = false
    }

    private struct Moving {
        var connection: SQLiteConnection?
        var isClosed = false
    }

    init(_ file: SQLiteFile) { self.file = file }

    /// Called after a commit, with the length of the log.
    func committed(_ pages: Int) {
        let mustRun = state.withLock { state in
            // The log has started from its beginning.
            if pages < state.moved { state.moved = 0 }
            guard pages - state.moved >= Self.portion, !state.isRunning else { return false }
            state.isRunning = true
            return true
        }
        guard mustRun else { return }
        queue.async { [self] in
            let result = move()
            isOverdue.store(!result.isAll && pages >= 2 * Self.portion, ordering: .relaxed)
            state.withLock { $0 = State(moved: result.pages) }
        }
    }

    /// Called before a view is made, while there is no other: moves the rest of a long log, so that the next commit can start from its beginning.
    func willMakeFirstView() {
        guard isOverdue.exchange(false, ordering: .relaxed) else { return }
        let result = move()
        state.withLock { $0.moved = result.pages }
    }

    /// Waits for what runs, and releases the connection.
    func close() { moving.withLock { $0 = Moving(isClosed: true) } }

    /// Moves what no view needs in the log. Waits for nobody.
    private func move() -> (pages: Int, isAll: Bool) {
        moving.withLock { moving in
            guard !moving.isClosed else { return (0, true) }
            if moving.connection == nil { moving.connection = try? file.makeConnection() }
            // Later commits try again; if there is no space, they fail themselves.
            guard let (pages, moved) = try? moving.connection?.moveLog() else { return (0, false) }
            return (moved, moved == pages)
        }
    }
}
