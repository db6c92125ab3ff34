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
        /// Pages of the log that were moved, or could not be: another portion later, they are tried again.
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
            let isAll = move(of: pages)
            isOverdue.store(!isAll && pages >= 2 * Self.portion, ordering: .relaxed)
            state.withLock { $0.isRunning = false }
        }
    }

    /// Called before a view is made, while there is no other: moves the rest of a long log, so that the next commit can start from its beginning.
    func willMakeFirstView() {
        guard isOverdue.exchange(false, ordering: .relaxed) else { return }
        move(of: state.withLock { $0.moved })
    }

    /// Waits for what runs, and releases the connection.
    func close() { moving.withLock { $0 = Moving(isClosed: true) } }

    /// Moves what no view needs in the log, and waits for nobody. Returns whether that was all.
    ///
    /// - Parameter pages: The length of the log, or a part of it. If nothing can be moved, because another process does so or there is no space, it counts as moved.
    @discardableResult
    private func move(of pages: Int) -> Bool {
        moving.withLock { moving in
            guard !moving.isClosed else { return true }
            if moving.connection == nil { moving.connection = try? file.makeConnection() }
            let result = try? moving.connection?.moveLog()
            state.withLock { $0.moved = result?.moved ?? pages }
            return result.map { $0.moved == $0.pages } ?? false
        }
    }
}
