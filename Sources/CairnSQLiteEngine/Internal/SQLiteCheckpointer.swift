import Dispatch
import Synchronization

/// Moves what commits have written from the log to the file, on a thread of its own: commits neither wait for that nor for its syncs, unless they outrun the disk.
///
/// SQLite by itself moves pages at the end of each commit once the log has some size, and lets the log start from its beginning once all of them were moved
/// and nobody has a view that began before. A save has a view during its commit, so that would never happen: the log would grow, and every further commit
/// would sync it.
final class SQLiteCheckpointer: Sendable {
    /// How many pages commits write to the log before they are moved: 8 MiB.
    private static let portion = 1000
    /// A log of so many pages is long: commits follow each other without a pause in which all of it could be moved, or are faster than the disk.
    private static let longLog = 4000

    private let file: SQLiteFile
    private let queue = DispatchQueue(label: "Cairn: SQLite checkpoints", qos: .utility)
    private let state = Mutex(State())
    private let moving = Mutex(Moving())

    private struct State {
        /// Pages of the log that were moved, or could not be: another portion later, they are tried again.
        var moved = 0
        /// The length of the log when it was last found to be long.
        var longLength = 0
        var isRunning = false
    }

    private struct Moving {
        var connection: SQLiteConnection?
        var isClosed = false
    }

    init(_ file: SQLiteFile) { self.file = file }

    /// Called after a commit, with the length of the log. Returns whether it is long: then the caller is to call ``catchUp()`` once it has no view any more.
    func committed(_ pages: Int) -> Bool {
        let (mustRun, isLong) = state.withLock { state in
            // The log has started from its beginning.
            if pages < max(state.moved, state.longLength) { (state.moved, state.longLength) = (0, 0) }
            // Views of others may keep it long: not each commit tries again.
            let isLong = pages >= Self.longLog && pages - state.longLength >= Self.portion
            if isLong { state.longLength = pages }
            guard pages - state.moved >= Self.portion, !state.isRunning else { return (false, isLong) }
            state.isRunning = true
            return (true, isLong)
        }
        if mustRun {
            queue.async { [self] in
                move(of: pages)
                state.withLock { $0.isRunning = false }
            }
        }
        return isLong
    }

    /// Waits until what was committed is moved, so that the next commit can let the log start from its beginning.
    func catchUp() { move(of: state.withLock { $0.moved }) }

    /// Waits for what runs, and releases the connection.
    func close() { moving.withLock { $0 = Moving(isClosed: true) } }

    /// Moves the pages that no view needs in the log.
    ///
    /// - Parameter pages: The length of the log, or a part of it. If nothing can be moved, because another process does so or there is no space, it counts as moved.
    private func move(of pages: Int) {
        moving.withLock { moving in
            guard !moving.isClosed else { return }
            if moving.connection == nil { moving.connection = try? file.makeConnection() }
            let moved = try? moving.connection?.moveLog()
            state.withLock { $0.moved = moved ?? pages }
        }
    }
}
